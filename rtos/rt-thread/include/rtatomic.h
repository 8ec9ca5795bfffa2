/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on rt_atomic_t, sequentially consistent, callable from anywhere. All but load, store and
 * flag_clear return the value before; compare_exchange_strong and flag_test_and_set 0 or 1.
 */
#ifndef RT_ATOMIC_H__
#define RT_ATOMIC_H__

#include <rttypes.h>

rt_inline rt_atomic_t rt_hw_atomic_load(volatile rt_atomic_t *ptr)
{
	return __atomic_load_n(ptr, __ATOMIC_SEQ_CST);
}

rt_inline void rt_hw_atomic_store(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	__atomic_store_n(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_add(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_fetch_add(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_sub(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_fetch_sub(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_and(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_fetch_and(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_or(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_fetch_or(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_xor(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_fetch_xor(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_exchange(volatile rt_atomic_t *ptr, rt_atomic_t value)
{
	return __atomic_exchange_n(ptr, value, __ATOMIC_SEQ_CST);
}

rt_inline void rt_hw_atomic_flag_clear(volatile rt_atomic_t *ptr)
{
	__atomic_store_n(ptr, 0, __ATOMIC_SEQ_CST);
}

rt_inline rt_atomic_t rt_hw_atomic_flag_test_and_set(volatile rt_atomic_t *ptr)
{
	return __atomic_exchange_n(ptr, 1, __ATOMIC_SEQ_CST) != 0;
}

/* Not equal: *expected becomes the value found. */
rt_inline rt_atomic_t rt_hw_atomic_compare_exchange_strong(volatile rt_atomic_t *ptr, rt_atomic_t *expected,
							   rt_atomic_t desired)
{
	return __atomic_compare_exchange_n(ptr, expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define rt_atomic_load(ptr) rt_hw_atomic_load(ptr)
#define rt_atomic_store(ptr, v) rt_hw_atomic_store(ptr, v)
#define rt_atomic_add(ptr, v) rt_hw_atomic_add(ptr, v)
#define rt_atomic_sub(ptr, v) rt_hw_atomic_sub(ptr, v)
#define rt_atomic_and(ptr, v) rt_hw_atomic_and(ptr, v)
#define rt_atomic_or(ptr, v) rt_hw_atomic_or(ptr, v)
#define rt_atomic_xor(ptr, v) rt_hw_atomic_xor(ptr, v)
#define rt_atomic_exchange(ptr, v) rt_hw_atomic_exchange(ptr, v)
#define rt_atomic_flag_clear(ptr) rt_hw_atomic_flag_clear(ptr)
#define rt_atomic_flag_test_and_set(ptr) rt_hw_atomic_flag_test_and_set(ptr)
#define rt_atomic_compare_exchange_strong(ptr, v, des) rt_hw_atomic_compare_exchange_strong(ptr, v, des)

rt_inline rt_bool_t rt_atomic_dec_and_test(volatile rt_atomic_t *ptr)
{
	return rt_atomic_sub(ptr, 1) == 1;
}

/* Add a unless the value is u; returns the value before. */
rt_inline rt_atomic_t rt_atomic_fetch_add_unless(volatile rt_atomic_t *ptr, rt_atomic_t a, rt_atomic_t u)
{
	rt_atomic_t seen = rt_atomic_load(ptr);

	while (seen != u && !rt_atomic_compare_exchange_strong(ptr, &seen, seen + a))
		;
	return seen;
}

rt_inline rt_bool_t rt_atomic_add_unless(volatile rt_atomic_t *ptr, rt_atomic_t a, rt_atomic_t u)
{
	return rt_atomic_fetch_add_unless(ptr, a, u) != u;
}

rt_inline rt_bool_t rt_atomic_inc_not_zero(volatile rt_atomic_t *ptr)
{
	return rt_atomic_add_unless(ptr, 1, 0);
}

#endif
