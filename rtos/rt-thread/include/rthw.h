/* SPDX-License-Identifier: BSD-3-Clause */
/* What drivers ask of the machine. */
#ifndef RT_HW_H__
#define RT_HW_H__

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HWREG32(x) (*((volatile rt_uint32_t *)(x)))
#define HWREG16(x) (*((volatile rt_uint16_t *)(x)))
#define HWREG8(x) (*((volatile rt_uint8_t *)(x)))

#define RT_CPU_CACHE_LINE_SZ 64

typedef void (*rt_isr_handler_t)(int vector, void *param);

struct rt_irq_desc {
	rt_isr_handler_t handler;
	void *param;
	char name[RT_NAME_MAX];
	rt_uint32_t counter;
};

/* A vector is an RT line of the board. Installed lines are masked until rt_hw_interrupt_umask(). Returns the
 * handler before; null if there was none, or the line is not an RT line.
 */
rt_isr_handler_t rt_hw_interrupt_install(int vector, rt_isr_handler_t handler, void *param, const char *name);
void rt_hw_interrupt_mask(int vector);
void rt_hw_interrupt_umask(int vector);

/* Mask IRQs; nests by giving the level back. Any context. Every RT latency includes this stretch. */
rt_base_t rt_hw_interrupt_disable(void);
void rt_hw_interrupt_enable(rt_base_t level);
rt_bool_t rt_hw_interrupt_is_disabled(void);
#define rt_hw_local_irq_disable() rt_hw_interrupt_disable()
#define rt_hw_local_irq_enable(level) rt_hw_interrupt_enable(level)

typedef rt_base_t rt_hw_spinlock_t;
#define rt_hw_spin_lock(lock) (*(lock) = rt_hw_interrupt_disable())
#define rt_hw_spin_unlock(lock) rt_hw_interrupt_enable(*(lock))

void rt_hw_console_output(const char *str);
/* Busy waiting. */
void rt_hw_us_delay(rt_uint32_t us);

#ifdef __cplusplus
}
#endif

#endif
