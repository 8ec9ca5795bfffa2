// SPDX-License-Identifier: BSD-3-Clause
// What the kernel asks of the processor, the board and the executive. Another folder with a
// port.hpp, put on the include path instead, makes another port: the unit tests have one.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "board.hpp"
#include "fp_context.hpp"

namespace rtos {
class Thread;
}

namespace rtos::port {

inline constexpr uint32_t counter_hz = BOARD_COUNTER_HZ;
inline constexpr uint32_t irq_lines = BOARD_IRQ_LINES;

inline uint32_t counter() {
    return board::Counter::read();
}

// With RTOS_MEASURE_MASKED the longest stretch with IRQs masked is known: how many ticks of the
// counter, and where it ended. A stretch may begin in one thread and end in another.
#ifdef RTOS_MEASURE_MASKED
struct LongestMasked {
    uint32_t ticks, from, to; // addresses in the code
};
extern LongestMasked longest_masked;
extern uint32_t masked_since, masked_from;
[[gnu::always_inline]] inline uint32_t here() {
    uint32_t pc;
    asm volatile("mov %0, pc" : "=r"(pc));
    return pc;
}
[[gnu::always_inline]] inline void masked_begin() {
    masked_from = here();
    masked_since = counter();
}
[[gnu::always_inline]] inline void masked_end() {
    const uint32_t ticks = counter() - masked_since;
    if (ticks > longest_masked.ticks)
        longest_masked = {ticks, masked_from, here()};
}
#else
inline void masked_begin() {}
inline void masked_end() {}
#endif

// CPSR.I (Arm ARM B1.3.3).
inline bool irq_save() {
    uint32_t cpsr;
    asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(cpsr)::"memory");
    const bool was = cpsr & 0x80;
    if (!was)
        masked_begin();
    return was;
}
inline void irq_enable() {
    masked_end();
    asm volatile("cpsie i" ::: "memory");
}

// Touch the stack 252 bytes further down: a thread that is about to overflow it ends here, where it has not
// yet begun to change something in several steps.
inline void probe_stack() {
    asm volatile("str %0, [sp, #-252]" ::"r"(0) : "memory");
}

// LDREX, and STREX, which stores and returns true if since then no interrupt came and no other thread ran:
// both end with CLREX. What is loaded between them stays there.
inline uint32_t load_exclusive(const volatile uint32_t &word) {
    uint32_t value;
    asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(word) : "memory");
    return value;
}
inline bool store_exclusive(volatile uint32_t &word, uint32_t value) {
    uint32_t failed;
    asm volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(word) : "r"(value) : "memory");
    return failed == 0;
}

// Interrupt in this many counter ticks (less than 2^31), or up to one tick of the timer later. Returns when
// it will, in counter ticks from now.
inline uint32_t timer_arm(uint32_t ticks) {
    board::RtTimer::arm(ticks);
    return drivers::to_timer_ticks<BOARD_COUNTER_HZ, BOARD_RT_TIMER_HZ>(ticks) *
           (BOARD_COUNTER_HZ / BOARD_RT_TIMER_HZ);
}
inline void timer_acknowledge() {
    board::RtTimer::acknowledge();
}

// False: the controller does not give this line to the RTOS.
bool line_enable(uint32_t line);
void line_disable(uint32_t line);

void console(const char *text, size_t length);

struct Stack {
    uint8_t *base = nullptr;
    size_t size = 0;
};
// At least bytes, in whole pages, with an unmapped page below. base null: no memory. Thread context,
// as the three below.
Stack allocate_stack(size_t bytes);
void free_stack(Stack stack);
// The memory behind the image, in pages of page_size. Null: not so many in a row.
inline constexpr uint32_t page_size = 4096;
uint8_t *allocate_pages(uint32_t count);
void free_pages(uint8_t *first, uint32_t count);

// Whether this runs on the interrupt stack.
bool in_isr();

// Log the registers and the callers of t, which a fault has ended, or the callers of who calls this.
void report_fault(Thread &t);
void log_backtrace();
// The running thread, IRQs masked, has written beyond its stack: ends as by a fault.
extern "C" [[noreturn]] void rtos_stack_overflowed();
[[noreturn]] inline void stack_overflowed() {
    rtos_stack_overflowed();
}

// The idle thread runs the guest.
void idle_entry(void *);

// entry begins with IRQs masked, and does not return.
void make_context(Context &c, uint8_t *stack, size_t size, void (*entry)(void *), void *argument);

extern "C" {
// switch.S. IRQs masked. Saves from's context, sets current to next and loads next's.
void rtos_switch(Thread *from, Thread *next, Thread **current);
[[noreturn]] void rtos_load(Context *to);
}

inline void switch_context(Thread &from, Thread &next, Thread *&current) {
    rtos_switch(&from, &next, &current);
}
[[noreturn]] inline void load_context(Context &to) {
    rtos_load(&to);
}

// rtmux_exec::hold_guest_irqs, copied at the start: it is on the latency path.
extern void (*hold_guest_irqs)(int hold);

// The idle thread's guest must not interrupt RT threads.
inline void leave_idle() {
    hold_guest_irqs(1);
}
inline void enter_idle() {
    hold_guest_irqs(0);
}

// c ends: nobody will save or load it again. It may have been ended in the middle of its switch to
// the idle thread, by the push of its registers into its guard page, so this undoes the first half.
inline void abandon_context(Context &c) {
    leave_idle();
    fp_abandon(c);
}

} // namespace rtos::port
