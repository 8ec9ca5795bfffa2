// SPDX-License-Identifier: GPL-2.0-only
//
// How the guest ends: by itself, because it cannot go on, or because the RTOS
// wants it. What comes then is the RTOS's to decide, in whose idle thread
// guest_run() returns: rtos/guest/.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "board.hpp"
#include "console.hpp"
#include "executive.hpp"
#include "mmu/window.hpp"
#include "rtos.hpp"
#include "statistics.hpp"

#include <cstring>

namespace rtmux::guest {
namespace {

rtmux_guest_end end = {};
rtmux_guest_fault recent[RTMUX_RECENT_FAULTS]; // a ring, by end.fault_count
const char *wanted_because; // by the RTOS, with slow_stop

// Exceptions of the kernel in itself since it last got anywhere: left one of them, or made a hypercall.
constexpr uint32_t nested_limit = 64;
uint32_t nested, exits_then;

// Whatever a device was about to do, its line stays low, so the next kernel finds no interrupt of this one's.
void quiet_devices() {
    for (const board::QuietWrite &write : board::quiet_writes)
        if (!device_store(window::device_slot(write.pa), write.value))
            statistics.imprecise_aborts++;
}

void log_registers() {
    console::log("guest: %s mode, pc %08x lr %08x sp %08x cpsr %08x", vcpu.user_mode ? "user" : "kernel",
                 vcpu.pc, vcpu.r[14], vcpu.r[13], vcpu.cpsr);
    for (uint32_t i = 0; i <= 8; i += 4)
        console::log("guest: r%u %08x %08x %08x %08x", i, vcpu.r[i], vcpu.r[i + 1], vcpu.r[i + 2],
                     vcpu.r[i + 3]);
}

void note_end(uint32_t state, const char *reason) {
    end.size = sizeof end;
    end.state = state;
    end.reason = reason;
    end.began = vcpu.pc != 0;
    end.user_mode = vcpu.user_mode;
    memcpy(end.r, vcpu.r, sizeof end.r);
    end.pc = vcpu.pc;
    end.cpsr = vcpu.cpsr;
    for (uint32_t i = 0; i < RTMUX_RECENT_FAULTS; i++)
        end.fault[i] = recent[(end.fault_count - 1 - i) % RTMUX_RECENT_FAULTS];
    memcpy(end.hypercall, &statistics.recent_calls, sizeof end.hypercall); // little endian
}

} // namespace

void note_kernel_fault(uint32_t vector) {
    recent[end.fault_count++ % RTMUX_RECENT_FAULTS] = {vcpu.pc, vector, vcpu.status, vcpu.address};
    if (vcpu.exits[EXIT_SVC] != exits_then) {
        exits_then = vcpu.exits[EXIT_SVC];
        nested = 0;
    }
    if (++nested > nested_limit)
        stop(RTMUX_GUEST_FAILED, "its kernel faults in its own handlers, again and again");
}

void set_running(bool running) {
    const cpu::IrqMask masked;
    vcpu.running = running;
    if (!running && vcpu.is_slow(Vcpu::slow_console)) {
        vcpu.clear_slow(Vcpu::slow_console);
        console::drain(console::masked_budget);
    }
}

void begin_life() {
    statistics.recent_calls = 0;
    memset(recent, 0, sizeof recent);
    end.fault_count = nested = 0;
}

void serve_console() {
    vcpu.clear_slow(Vcpu::slow_console);
    console::drain(console::fifo);
}

int request_stop(const char *reason) {
    const cpu::IrqMask masked;
    if (!vcpu.running)
        return -1;
    wanted_because = reason;
    vcpu.set_slow(Vcpu::slow_stop | Vcpu::slow_irq);
    return 0;
}

void stop_as_requested() {
    stop(RTMUX_GUEST_STOPPED, wanted_because);
}

void stop(uint32_t state, const char *reason) {
    if (reason != nullptr)
        console::log("guest: stopped: %s", reason);
    else
        console::log(state == RTMUX_GUEST_OFF ? "guest: powered off" : "guest: restart");
    if (reason != nullptr && vcpu.pc != 0)
        log_registers();
    if (vcpu.pc != 0)
        log_statistics();
    note_end(state, reason);
    vic.stop();
    quiet_devices();
    set_running(false);
    vcpu.clear_slow(Vcpu::slow_stop);
    rtos::guest_state(state);
    guest_leave();
}

void stop_foreign_kernel() {
    stop(RTMUX_GUEST_FAILED, "its kernel is not built for RTMux (tools/rtmux patch-linux; CONFIG_ARM_RTMUX)");
}

void copy_end(rtmux_guest_end *copy) {
    *copy = end;
}

int read_memory(uint32_t pa, void *to, uint32_t length) {
    const uint32_t offset = pa - executive::guest_base();
    if (offset > executive::guest_size() || length > executive::guest_size() - offset)
        return -1;
    for (uint8_t *out = static_cast<uint8_t *>(to); length != 0;) {
        const uint32_t left = (1u << 20) - pa % (1u << 20); // of the slot
        const uint32_t count = left < length ? left : length;
        memcpy(out, window::slot(pa), count);
        out += count;
        pa += count;
        length -= count;
    }
    return 0;
}

} // namespace rtmux::guest
