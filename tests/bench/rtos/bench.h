/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The RTOS benchmark: what tests/bench/rtos.py reads from the console, and from a trace of every instruction.
 *
 * An operation is a function op_NAME. Counted is what runs from bench_begin()'s return to bench_end()'s call, in
 * whichever thread or interrupt that is.
 */
#ifndef BENCH_H
#define BENCH_H

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HIGH = 5, MIDDLE = 10, STACK = 2048, SLICE = 10 };

void bench_begin(void);
void bench_end(void);

rt_uint32_t bench_counter(void); /* the board's */
/* When the timer's interrupt that runs now was due on it. */
rt_uint32_t bench_expiry(void);
/*
 * Interrupt after so many microseconds and call this ISR. Returns when that is due on the counter; 0 if the hardware
 * is armed for another timer before this one.
 */
rt_uint32_t bench_interrupt_after_us(rt_uint32_t us, void (*isr)(void *));
/* Ticks of the counter as hundredths of a nanosecond */
rt_uint32_t bench_centi_ns(rt_uint64_t ticks);

/* operations.c: each operation some times, between the marks */
void bench_operations(void);
/* loops.c: the same for a clock with 41.7 ns resolution; a line "loop NAME HUNDREDTHS" for each */
void bench_loops(void);
/* latency.c: a line "latency NAME SAMPLES MIN AVERAGE MAX" in ns */
void bench_latency(void);

#ifdef __cplusplus
}
#endif
#endif
