/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed assertion is printed and counted; what to do then the macro with _ret in its name says. */
#ifndef RT_UTEST_ASSERT_H__
#define RT_UTEST_ASSERT_H__

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All return the assertion's truth. */
rt_bool_t utest_assert(int value, const char *file, int line, const char *func, const char *msg);
rt_bool_t utest_assert_string(const char *a, const char *b, rt_bool_t equal, const char *file, int line,
			      const char *func, const char *msg);
rt_bool_t utest_assert_buf(const char *a, const char *b, rt_size_t size, rt_bool_t equal, const char *file,
			   int line, const char *func, const char *msg);

#ifdef __cplusplus
}
#endif

#define utest_assert_(value, msg) utest_assert((value) ? 1 : 0, __FILE__, __LINE__, __func__, msg)
#define utest_assert_string_(a, b, equal, msg) \
	utest_assert_string((const char *)(a), (const char *)(b), equal, __FILE__, __LINE__, __func__, msg)
#define utest_assert_buf_(a, b, size, equal, msg) \
	utest_assert_buf((const char *)(a), (const char *)(b), size, equal, __FILE__, __LINE__, __func__, msg)

#define uassert_true(value) utest_assert_(value, "(" #value ") is false")
#define uassert_false(value) utest_assert_(!(value), "(" #value ") is true")
#define uassert_null(value) utest_assert_((const char *)(value) == NULL, "(" #value ") is not null")
#define uassert_not_null(value) utest_assert_((const char *)(value) != NULL, "(" #value ") is null")

#define uassert_int_equal(a, b) utest_assert_((a) == (b), "(" #a ") not equal to (" #b ")")
#define uassert_int_not_equal(a, b) utest_assert_((a) != (b), "(" #a ") equal to (" #b ")")
#define uassert_ptr_equal(a, b) \
	utest_assert_((const void *)(a) == (const void *)(b), "(" #a ") not equal to (" #b ")")
#define uassert_ptr_not_equal(a, b) \
	utest_assert_((const void *)(a) != (const void *)(b), "(" #a ") equal to (" #b ")")

#define uassert_value_less(value, threshold) \
	utest_assert_((value) < (threshold), "(" #value ") not less than (" #threshold ")")
#define uassert_value_less_equal(value, threshold) \
	utest_assert_((value) <= (threshold), "(" #value ") not less than or equal to (" #threshold ")")
#define uassert_value_greater(value, threshold) \
	utest_assert_((value) > (threshold), "(" #value ") not greater than (" #threshold ")")
#define uassert_value_greater_equal(value, threshold) \
	utest_assert_((value) >= (threshold), "(" #value ") not greater than or equal to (" #threshold ")")

#define uassert_str_equal(a, b) utest_assert_string_(a, b, RT_TRUE, "string not equal")
#define uassert_str_not_equal(a, b) utest_assert_string_(a, b, RT_FALSE, "string equal")
#define uassert_buf_equal(a, b, size) utest_assert_buf_(a, b, size, RT_TRUE, "buf not equal")
#define uassert_buf_not_equal(a, b, size) utest_assert_buf_(a, b, size, RT_FALSE, "buf equal")

#define uassert_in_range(value, min, max) \
	utest_assert_((value) >= (min) && (value) <= (max), "(" #value ") not in range(" #min "," #max ")")
#define uassert_not_in_range(value, min, max) \
	utest_assert_(!((value) >= (min) && (value) <= (max)), "(" #value ") in range(" #min "," #max ")")

/* These leave the function when they fail. */
#define uassert_true_ret(value) \
	do { \
		if (!uassert_true(value)) \
			return; \
	} while (0)
#define uassert_not_null_ret(value) uassert_true_ret((const char *)(value) != NULL)
#define uassert_int_equal_ret(a, b) uassert_true_ret((a) == (b))
#define uassert_int_not_equal_ret(a, b) uassert_true_ret((a) != (b))

#endif
