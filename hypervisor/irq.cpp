// SPDX-License-Identifier: GPL-2.0-only
//
// Interrupts, and faults of privileged code; called from arm/vectors.S with
// IRQs masked.
#include "arm/cpu.hpp"
#include "board.hpp"
#include "console.hpp"
#include "guest/guest.hpp"
#include "rtos.hpp"
#include "statistics.hpp"
#include "trace.hpp"

extern "C" {
extern const uint8_t guest_access[], guest_access_end[], guest_access_failed[];
}

namespace {

[[noreturn]] void give_up() {
    rtmux::console::log("resetting the board");
    rtmux::console::drain_all();
    board::reset_board();
}

} // namespace

// A line that is not RT's.
[[gnu::noinline, gnu::cold]] static void serve_other(uint32_t line) {
    using namespace rtmux;
    using Controller = board::InterruptController;
    const uint32_t since = board::Counter::read();
    switch (board::line_class(line)) {
    case board::LineClass::guest:
        statistics.guest_irqs++;
        trace(RTMUX_TRACE_GUEST_IRQ, line);
        guest::vic.raise_physical(line);
        Controller::end(line);
        vcpu.set_slow(Vcpu::slow_irq);
        break;
    case board::LineClass::executive:
        dispatch.line[line].irqs++;
        trace(RTMUX_TRACE_EXEC_IRQ, line);
        if (line == BOARD_UART_IRQ) {
            console::interrupt();
        } else if (board::Watchdog::line < Controller::lines && line == board::Watchdog::line) {
            board::Watchdog::interrupt();
        } else {
            Controller::unpend(line);
            // The guest's context serves it with IRQs open; without a guest, in small pieces here.
            if (vcpu.running)
                vcpu.set_slow(Vcpu::slow_console);
            else
                console::drain(console::masked_budget);
        }
        Controller::end(line);
        break;
    default:
        statistics.spurious_irqs++;
        if (line < Controller::lines) { // none that anybody asked for
            Controller::disable(line);
            Controller::end(line);
        } else {
            Controller::end_spurious();
        }
    }
    statistics.note_masked(board::Counter::read() - since);
    rtos::preempt_if_needed();
}

// The way of every RT interrupt: what of it is not here is in the RTOS.
extern "C" [[gnu::hot, gnu::aligned(64)]] void irq_dispatch() {
    using namespace rtmux;
    using Controller = board::InterruptController;
    const uint32_t number = Controller::acknowledge();
    Dispatch::Line *const line = &dispatch.line[number];
    if (number >= board::line_count || line->owner != static_cast<uint32_t>(board::LineClass::rt))
        [[unlikely]]
        return serve_other(number);
    line->irqs++;
    trace(RTMUX_TRACE_RT_IRQ, number);
    const uint32_t switch_due = rtos::isr(number);
    Controller::end(number);
    trace(RTMUX_TRACE_RT_IRQ_END, number);
    if (switch_due) [[likely]]
        rtos::preempt();
}

// Returns for the code to go on with the registers in f.
extern "C" void privileged_fault(rtmux_fault *f) {
    using namespace rtmux;
    const auto va = [](const uint8_t *label) {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(label));
    };
    const uint32_t pc = f->r[15];
    if (f->type == RTMUX_FAULT_DATA && pc - va(guest_access) < va(guest_access_end) - va(guest_access)) {
        f->r[15] = va(guest_access_failed);
        return;
    }
    // An earlier access of somebody, most likely the guest's: this code did nothing wrong
    if (f->type == RTMUX_FAULT_DATA && guest::imprecise(f->status)) {
        statistics.imprecise_aborts++;
        return;
    }
    if (rtos::fault(*f))
        return;
    static constexpr const char *kind[] = {"data abort", "prefetch abort", "undefined instruction"};
    console::log("%s in %s: pc %08x lr %08x sp %08x cpsr %08x", kind[f->type],
                 rtos::contains(pc) ? "the RTOS" : "the executive", pc, f->r[14], f->r[13], f->cpsr);
    console::log("status %08x address %08x", f->status, f->address);
    for (uint32_t i = 0; i < 12; i += 4)
        console::log("r%u %08x %08x %08x %08x", i, f->r[i], f->r[i + 1], f->r[i + 2], f->r[i + 3]);
    give_up();
}

extern "C" void unexpected_fiq() {
    rtmux::console::log("FIQ, which nobody enabled");
    give_up();
}
