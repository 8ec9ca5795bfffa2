// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#include "kernel/scheduler.hpp"
#include "kernel/system_thread.hpp"
#include "kernel/timer_queue.hpp"
#include "port.hpp"
#include <rtos/heap.hpp>

namespace machine {
namespace {

constexpr size_t host_stack_size = 256 * 1024;

struct State {
    uint64_t counter = 0;
    bool irq_masked = false;
    bool in_isr = false;
    std::optional<uint64_t> expiry; // of the hardware timer
    bool pending = false;           // its interrupt
    bool exclusive = false;         // since load_exclusive() nothing happened
    uint64_t end = 0;
    Record record;
    std::function<void()> at_open;
    std::vector<std::unique_ptr<uint8_t[]>> memory, host_stacks;
    std::vector<std::unique_ptr<ucontext_t>> contexts;
    rtos::port::Context test, boot;
};
State state;
std::optional<rtos::Thread> idle;

// The context that is being switched to, for its first instructions. And the test's own stack, which
// only the sanitizer knows: it is told about every change of stacks.
rtos::port::Context *arriving;
const void *test_stack;
size_t test_stack_size;

void leave_stack(void **save_fake_stack, rtos::port::Context &to) {
    arriving = &to;
    __sanitizer_start_switch_fiber(save_fake_stack, to.host_stack, host_stack_size);
}
void arrive(const rtos::port::Context &self) {
    __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
}

void begin_context() {
    rtos::port::Context &self = *arriving;
    const void *from;
    size_t from_size;
    __sanitizer_finish_switch_fiber(nullptr, &from, &from_size);
    if (&self == &state.boot) {
        test_stack = from;
        test_stack_size = from_size;
    }
    self.entry(self.argument);
}

void back_to_test() {
    __sanitizer_start_switch_fiber(nullptr, test_stack, test_stack_size);
    setcontext(state.test.state);
}

ucontext_t *new_context() {
    return state.contexts.emplace_back(std::make_unique<ucontext_t>()).get();
}
// Used again after a reset: fresh ones are what takes the time of tests with many runs.
std::vector<std::unique_ptr<uint8_t[]>> spare_stacks;
uint8_t *new_host_stack() {
    if (spare_stacks.empty())
        spare_stacks.push_back(std::make_unique_for_overwrite<uint8_t[]>(host_stack_size));
    state.host_stacks.push_back(std::move(spare_stacks.back()));
    spare_stacks.pop_back();
    uint8_t *const stack = state.host_stacks.back().get();
    ASAN_UNPOISON_MEMORY_REGION(stack, host_stack_size); // frames that were left for good
    return stack;
}
uint8_t *new_memory(size_t size) {
    return state.memory.emplace_back(std::make_unique<uint8_t[]>(size)).get();
}

void take_pending() {
    while (state.pending && !state.irq_masked) // until it is acknowledged
        interrupt([] {
            ++state.record.timer_interrupts;
            rtos::TimerQueue::interrupt(&rtos::timer_queue);
        });
}

} // namespace

void reset(uint64_t start) {
    using namespace rtos;
    scheduler.~Scheduler();
    new (&scheduler) Scheduler;
    system_thread.~SystemThread();
    new (&system_thread) SystemThread;
    timer_queue.~TimerQueue();
    new (&timer_queue) TimerQueue;
    for (auto &stack : state.host_stacks)
        spare_stacks.push_back(std::move(stack));
    state = State{};
    state.counter = start;
    idle.emplace("idle", idle_priority, port::idle_entry);
    state.irq_masked = true; // as at the RTOS's entry, until the first thread begins
    timer_queue.begin();
    (void)idle->start(minimum_stack);
}

void run_until(uint64_t counter) {
    state.end = counter;
    state.test.state = new_context();
    rtos::port::make_context(
        state.boot, nullptr, 0,
        [](void *) {
            rtos::port::irq_save();
            rtos::scheduler.begin(*idle);
        },
        nullptr);
    leave_stack(&state.test.fake_stack, state.boot);
    swapcontext(state.test.state, state.boot.state);
    arrive(state.test);
}

void interrupt(const std::function<void()> &isr) {
    state.irq_masked = true;
    state.in_isr = true;
    rtos::scheduler.interrupted();
    isr();
    state.in_isr = false;
    if (rtos::scheduler.need_resched()) { // as the executive does, which holds the guest's lines
        if (rtos::scheduler.idle_running())
            ++state.record.idle_left;
        rtos::Scheduler::preempt();
    }
    state.exclusive = false;
    state.irq_masked = false;
}

void advance(uint64_t ticks) {
    const uint64_t until = state.counter + ticks;
    while (state.expiry && *state.expiry <= until) {
        state.counter = *state.expiry > state.counter ? *state.expiry : state.counter;
        state.expiry.reset();
        state.pending = true;
        take_pending();
    }
    if (state.counter < until)
        state.counter = until;
}

void at_open(std::function<void()> what) {
    state.at_open = std::move(what);
}

uint64_t counter() {
    return state.counter;
}
bool masked() {
    return state.irq_masked;
}
bool in_isr() {
    return state.in_isr;
}
Record &record() {
    return state.record;
}

} // namespace machine

// Outlives the machines.
rtos::Heap &rtos::system_heap() {
    static constexpr size_t size = 64 * 1024;
    static const auto memory = std::make_unique<uint8_t[]>(size);
    static Heap heap{"system"};
    static const Status added = heap.add(memory.get(), size);
    (void)added;
    return heap;
}

namespace rtos::port {

using machine::state;

bool irq_save() {
    const bool was = state.irq_masked;
    state.irq_masked = true;
    return was;
}
void irq_enable() {
    state.irq_masked = false;
    machine::take_pending();
    if (state.at_open)
        state.at_open();
}

uint32_t load_exclusive(const volatile uint32_t &word) {
    state.exclusive = true;
    return word;
}
bool store_exclusive(volatile uint32_t &word, uint32_t value) {
    machine::take_pending(); // the last moment for an interrupt to come in between
    if (state.at_open && !state.irq_masked)
        state.at_open();
    if (!state.exclusive)
        return false;
    state.exclusive = false;
    word = value;
    return true;
}

uint32_t counter() {
    return static_cast<uint32_t>(state.counter);
}

uint32_t timer_arm(uint32_t ticks) {
    const uint32_t rounded = (ticks + machine::timer_tick - 1) / machine::timer_tick * machine::timer_tick;
    state.expiry = state.counter + rounded;
    return rounded;
}
void timer_acknowledge() {
    state.pending = false;
}

bool line_enable(uint32_t line) {
    if (line == state.record.refused_line)
        return false;
    state.record.lines_enabled.push_back(line);
    return true;
}
void line_disable(uint32_t line) {
    state.record.lines_disabled.push_back(line);
}

void console(const char *text, size_t length) {
    state.record.console.append(text, length);
}

Stack allocate_stack(size_t bytes) {
    if (bytes > state.record.memory)
        return {};
    ++state.record.stacks;
    return {machine::new_memory(bytes), bytes};
}
void free_stack(Stack) {
    --state.record.stacks;
}
uint8_t *allocate_pages(uint32_t count) {
    return machine::new_memory(count * page_size);
}
void free_pages(uint8_t *, uint32_t) {}

bool in_isr() {
    return state.in_isr;
}
void report_fault(Thread &t) {
    state.record.faults.push_back(t.name());
}
void log_backtrace() {}
void stack_overflowed() {
    Thread::end_current(Thread::State::faulted);
}

void idle_entry(void *) {
    while (state.counter < state.end) {
        const uint64_t next = state.expiry ? std::min(*state.expiry, state.end) : state.end;
        irq_enable();
        machine::advance(next > state.counter ? next - state.counter : 0);
    }
    machine::back_to_test();
}

void make_context(Context &c, uint8_t *, size_t, void (*entry)(void *), void *argument) {
    c.entry = entry;
    c.argument = argument;
    c.host_stack = machine::new_host_stack();
    c.state = machine::new_context();
    getcontext(c.state);
    c.state->uc_stack.ss_sp = c.host_stack;
    c.state->uc_stack.ss_size = machine::host_stack_size;
    makecontext(c.state, machine::begin_context, 0);
}

void switch_context(Thread &from_thread, Thread &next, Thread *&current) {
    Context &from = Scheduler::context_of(from_thread), &to = Scheduler::context_of(next);
    current = &next;
    ++state.record.switches;
    machine::leave_stack(&from.fake_stack, to);
    swapcontext(from.state, to.state);
    machine::arrive(from);
}

void load_context(Context &to) {
    machine::leave_stack(nullptr, to);
    setcontext(to.state);
    __builtin_unreachable();
}

void leave_idle() {
    ++state.record.idle_left;
}
void enter_idle() {
    ++state.record.idle_entered;
}
void switch_fp(Context &, const Context &) {}
void abandon_context(const Context &) {}

} // namespace rtos::port
