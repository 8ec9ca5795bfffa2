// SPDX-License-Identifier: BSD-3-Clause
// Faults in the RTOS's code: one that asks for the FP registers gets them, any other ends the
// thread that made it, with a report, and the rest goes on.
#include "executive.hpp"
#include "fp_decode.hpp"
#include "kernel/scheduler.hpp"

#include <rtos/log.hpp>

namespace rtos::port {

static constexpr uint32_t cpsr_t = 1u << 5;
static constexpr uint32_t guard_size = 4096;

static bool wants_fp(const rtmux_fault &f) {
    if (f.type != RTMUX_FAULT_UNDEFINED || (read_fpexc() & fpexc_en))
        return false;
    if (f.cpsr & cpsr_t) {
        const uint16_t *const pc = reinterpret_cast<const uint16_t *>(f.r[15] & ~1u);
        return is_fp_thumb(pc[0], pc[1]);
    }
    return is_fp_arm(*reinterpret_cast<const uint32_t *>(f.r[15]));
}

static const char *kind(const rtmux_fault &f, const Thread &t) {
    switch (f.type) {
    case RTMUX_FAULT_DATA: {
        const uint32_t stack = reinterpret_cast<uintptr_t>(Scheduler::stack_of(t));
        return f.address < stack && f.address >= stack - guard_size ? "stack overflow" : "data abort";
    }
    case RTMUX_FAULT_PREFETCH:
        return "prefetch abort";
    default:
        return "undefined instruction";
    }
}

static void report(const rtmux_fault &f, const Thread &t) {
    log("thread %s ended by a fault: %s at pc %08x, address %08x, status %03x, cpsr %08x", t.name(),
        kind(f, t), f.r[15], f.address, f.status, f.cpsr);
    log("  r0-r7  %08x %08x %08x %08x %08x %08x %08x %08x", f.r[0], f.r[1], f.r[2], f.r[3], f.r[4], f.r[5],
        f.r[6], f.r[7]);
    log("  r8-r12 %08x %08x %08x %08x %08x, sp %08x, lr %08x", f.r[8], f.r[9], f.r[10], f.r[11], f.r[12],
        f.r[13], f.r[14]);
}

int fault(rtmux_fault *f) {
    // An ISR's fault has no thread to end, and the idle thread's is the executive's own.
    if (in_isr_stack(f->r[13]))
        return 0;
    Thread &t = scheduler.current();
    if (wants_fp(*f)) {
        fp_take(Scheduler::context_of(t).fp);
        return 1;
    }
    if (scheduler.idle_running())
        return 0;
    report(*f, t);
    scheduler.end_current(Thread::State::faulted);
}

} // namespace rtos::port
