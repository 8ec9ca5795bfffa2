// SPDX-License-Identifier: GPL-2.0-only
// The kernel's port to a simulated machine (machine.hpp) on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace rtos {
class Thread;
}

namespace rtos::port {

inline constexpr uint32_t counter_hz = 24'000'000;
inline constexpr uint32_t irq_lines = 96;

bool irq_save();
void irq_enable();
uint32_t load_exclusive(const volatile uint32_t &word);
bool store_exclusive(volatile uint32_t &word, uint32_t value);

uint32_t counter();
uint32_t timer_arm(uint32_t ticks);
void timer_acknowledge();

bool line_enable(uint32_t line);
void line_disable(uint32_t line);

void console(const char *text, size_t length);

struct Stack {
    uint8_t *base = nullptr;
    size_t size = 0;
};
Stack allocate_stack(size_t bytes);
void free_stack(Stack stack);
inline constexpr uint32_t page_size = 4096;
uint8_t *allocate_pages(uint32_t count);
void free_pages(uint8_t *first, uint32_t count);

bool in_isr();
void report_fault(Thread &t);
void log_backtrace();
[[noreturn]] void stack_overflowed();
inline void probe_stack() {}
inline void masked_begin() {}
inline void masked_end() {}

void idle_entry(void *);

struct Context {
    static constexpr uint32_t owns_fp = 1; // nobody does
    uint32_t work = 0;                     // the kernel's
    ucontext_t *state = nullptr;
    uint8_t *host_stack = nullptr; // what the thread really runs on
    void (*entry)(void *) = nullptr;
    void *argument = nullptr;
    void *fake_stack = nullptr; // AddressSanitizer's
};

void make_context(Context &c, uint8_t *stack, size_t size, void (*entry)(void *), void *argument);
void switch_context(Thread &from, Thread &next, Thread *&current);
[[noreturn]] void load_context(Context &to);
void leave_idle();
void enter_idle();
void switch_fp(Context &from, const Context &to);
void abandon_context(const Context &c);

} // namespace rtos::port
