// SPDX-License-Identifier: BSD-3-Clause
// Faults in the RTOS's code: one that asks for the FP registers gets them, any other ends the
// thread that made it, and the rest goes on. The report comes later, from who reaps the thread: it
// takes time that nobody should wait for.
#include "backtrace.hpp"
#include "executive.hpp"
#include "fp_decode.hpp"
#include "kernel/scheduler.hpp"

#include <rtmux/layout.h>
#include <rtos/interrupt.hpp>
#include <rtos/log.hpp>

namespace rtos::port {

static constexpr uint32_t cpsr_t = 1u << 5;
static constexpr unsigned callers_per_line = 8;

extern "C" {
extern const uint8_t __rtos_text_end[];
}

static bool wants_fp(const rtmux_fault &f) {
    if (f.type != RTMUX_FAULT_UNDEFINED || (read_fpexc() & fpexc_en))
        return false;
    if (f.cpsr & cpsr_t) {
        const uint16_t *const pc = reinterpret_cast<const uint16_t *>(f.r[15] & ~1u);
        return is_fp_thumb(pc[0], pc[1]);
    }
    return is_fp_arm(*reinterpret_cast<const uint32_t *>(f.r[15]));
}

// A thread that has ended needs no FP registers: the record of its fault is kept in their place.
static rtmux_fault &record_of(Thread &t) {
    FpRegisters &place = Scheduler::context_of(t).fp.registers;
    static_assert(sizeof(place) >= sizeof(rtmux_fault) && alignof(FpRegisters) >= alignof(rtmux_fault));
    return reinterpret_cast<rtmux_fault &>(place);
}

int fault(rtmux_fault *f) {
    // An ISR's fault has no thread to end, and the idle thread's is the executive's own.
    if (in_isr_stack(f->r[13]))
        return 0;
    Thread &t = scheduler.current();
    if (wants_fp(*f)) {
        fp_take(Scheduler::context_of(t));
        return 1;
    }
    if (scheduler.idle_running())
        return 0;
    fp_abandon(Scheduler::context_of(t));
    record_of(t) = *f;
    Thread::end_current(Thread::State::faulted);
}

static const char *kind(const rtmux_fault &f, const Thread &t) {
    switch (f.type) {
    case RTMUX_FAULT_DATA: {
        const uint32_t stack = reinterpret_cast<uintptr_t>(t.stack_base());
        return t.has_guard_page() && f.address < stack && f.address >= stack - page_size ? "stack overflow"
                                                                                         : "data abort";
    }
    case RTMUX_FAULT_PREFETCH:
        return "prefetch abort";
    default:
        return f.r[15] == reinterpret_cast<uintptr_t>(&rtos_stack_overflowed) ? "stack overflow"
                                                                              : "undefined instruction";
    }
}

static unsigned callers(uint32_t sp, const Thread &t, Caller *found, unsigned max) {
    const uint32_t base = reinterpret_cast<uintptr_t>(t.stack_base());
    const uint32_t end = base + t.stack_size();
    if (sp < base || sp >= end) // overflown, or never was there
        sp = base;
    const Text text = {RTMUX_RTOS_VA, reinterpret_cast<uintptr_t>(__rtos_text_end)};
    return find_callers(text, reinterpret_cast<const uintptr_t *>(sp & ~3u),
                        reinterpret_cast<const uintptr_t *>(end), found, max);
}

static void log_words(const char *format, const uint32_t *words, unsigned count) {
    FormatArgument values[log_max_arguments];
    for (unsigned i = 0; i < count; ++i)
        values[i] = FormatArgument(words[i]);
    log_write(format, values, count);
}

void report_fault(Thread &t) {
    const rtmux_fault &f = record_of(t);
    log_now("thread %s ended by a fault: %s at pc %08x, address %08x, status %03x, cpsr %08x", t.name(),
            kind(f, t), f.r[15], f.address, f.status, f.cpsr);
    log_words("  r0-r7  %08x %08x %08x %08x %08x %08x %08x %08x", &f.r[0], 8);
    log_words("  r8-r12 %08x %08x %08x %08x %08x, sp %08x, lr %08x", &f.r[8], 7);
    Caller found[2 * callers_per_line];
    const unsigned count = callers(f.r[13], t, found, 2 * callers_per_line);
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t words[] = {found[i].address, found[i].times};
        log_words(found[i].times == 1 ? "  called from %08x" : "  called from %08x, %u times", words, 2);
    }
}

// Any context: one record of the log.
void log_backtrace() {
    Caller found[callers_per_line] = {};
    if (!in_interrupt()) {
        const uint32_t sp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
        (void)callers(sp, Thread::current(), found, callers_per_line);
    }
    FormatArgument values[callers_per_line];
    for (unsigned i = 0; i < callers_per_line; ++i)
        values[i] = FormatArgument(found[i].address);
    log_record("  called from %08x %08x %08x %08x %08x %08x %08x %08x", values, callers_per_line);
}

} // namespace rtos::port
