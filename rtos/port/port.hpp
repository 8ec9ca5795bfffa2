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

// CPSR.I (Arm ARM B1.3.3).
inline bool irq_save() {
    uint32_t cpsr;
    asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(cpsr)::"memory");
    return cpsr & 0x80;
}
inline void irq_enable() {
    asm volatile("cpsie i" ::: "memory");
}

inline uint32_t counter() {
    return board::Counter::read();
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
// At least bytes, in whole pages, with an unmapped page below. Never freed. base null: no memory.
Stack allocate_stack(size_t bytes);

// The idle thread runs the guest.
void idle_entry(void *);

// A thread that is not running: its stack pointer, and its FP state (see fp_context.hpp).
struct Context {
    uint32_t *sp = nullptr;
    FpContext fp;
};

void make_context(Context &c, uint8_t *stack, size_t size, void (*entry)(void *), void *argument);

extern "C" {
// switch.S. IRQs masked. Saves this context, sets current to next and loads next's context.
void rtos_switch(Context *from, Context *to, Thread *next, Thread **current);
[[noreturn]] void rtos_load(Context *to);
}

inline void switch_context(Context &from, Context &to, Thread &next, Thread *&current) {
    rtos_switch(&from, &to, &next, &current);
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

inline void switch_fp(Context &from, const Context &to) {
    fp_switch(from.fp, to.fp);
}

// c ends: nobody will save or load it again. It may have been ended in the middle of its switch to
// the idle thread, by the push of its registers into its guard page, so this undoes the first half.
inline void abandon_context(const Context &c) {
    leave_idle();
    fp_abandon(c.fp);
}

} // namespace rtos::port
