// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include "kernel_log.hpp"

#include <rtmux/abi/trace.h>
#include <rtos/format.hpp>
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>

namespace rtos::guest {

namespace {

// The kernel's linear map of its memory.
struct LinearMap {
    const rtmux_guest_image &image;

    bool read(uint32_t va, void *to, uint32_t length) {
        return executive().read_guest(va - image.kernel_va + image.ram, to, length) == 0;
    }
};

uint32_t microseconds_of(Duration d) {
    return static_cast<uint32_t>(d.microseconds() % 1'000'000);
}

} // namespace

template <class... T> void Report::print(const char *text, T... arguments) {
    length_ += format(text_ + length_, capacity - length_, text, arguments...);
}

void Report::make(const Facts &facts) {
    complete_ = 0;
    length_ = 0;
    const rtmux_guest_end &end = facts.end;
    print("guest ended by %s%s%s\n", facts.cause, end.reason ? ": " : "", end.reason ? end.reason : "");
    print("life %u, which lasted %u.%06u s\n", facts.life,
          static_cast<uint32_t>(facts.lasted.microseconds() / 1'000'000), microseconds_of(facts.lasted));
    if (end.began) {
        print_registers(end);
        print_faults(end);
        print_trace();
        print_log();
    }
    complete_ = length_;
}

void Report::print_registers(const rtmux_guest_end &end) {
    print("%s mode, pc %08x lr %08x sp %08x cpsr %08x\n", end.user_mode ? "user" : "kernel", end.pc,
          end.r[14], end.r[13], end.cpsr);
    for (unsigned i = 0; i < 12; i += 4)
        print("r%-2u %08x %08x %08x %08x\n", i, end.r[i], end.r[i + 1], end.r[i + 2], end.r[i + 3]);
    print("r12 %08x\n", end.r[12]);
}

void Report::print_faults(const rtmux_guest_end &end) {
    static constexpr const char *kinds[] = {"undefined instruction", "prefetch abort", "data abort"};
    print("last hypercalls, the newest first:");
    for (const uint8_t number : end.hypercall)
        if (number != 0)
            print(" %u", number);
    print("\nexceptions of the kernel in itself: %u, the newest first\n", end.fault_count);
    for (unsigned i = 0; i < RTMUX_RECENT_FAULTS && i < end.fault_count; ++i) {
        const rtmux_guest_fault &f = end.fault[i];
        const uint32_t kind = (f.vector - 3) / 2; // RTMUX_V_UND_SVC, RTMUX_V_PABT_SVC, RTMUX_V_DABT_SVC
        print("  %s at %08x", kind < 3 ? kinds[kind] : "exception", f.pc);
        if (kind != 0)
            print(", address %08x status %03x", f.address, f.status);
        print("\n");
    }
}

// Numbers of the events are in rtmux/abi/trace.h.
void Report::print_trace() {
    static constexpr uint32_t most = 16;
    const rtmux_trace *const ring = executive().trace;
    if (!ring || ring->next == 0)
        return;
    const uint32_t end = ring->next;
    print("last events of the trace: time, event, its words\n");
    for (uint32_t n = end < most ? 0 : end - most; n != end; ++n) {
        const rtmux_trace_record &r = ring->record[n % RTMUX_TRACE_RECORDS];
        print("  %08x %2u %08x %08x\n", r.time, r.event & 0xff, r.a, r.b);
    }
}

void Report::print_log() {
    const rtmux_guest_image &image = *executive().guest_image;
    LinearMap memory{image};
    if (image.kernel_log == 0)
        return print("where the kernel has its log is not known\n");
    KernelLog log(memory, image.kernel_log);
    if (!log.good())
        return print("the kernel's log makes no sense\n");
    print("end of the kernel's log:\n");
    const size_t room = capacity - length_;
    length_ += log.tail(text_ + length_, room < for_the_log ? room : for_the_log);
}

size_t Report::read(size_t offset, void *to, size_t size) const {
    const IrqMask masked; // against the idle thread: it begins a new one
    const size_t length = complete_;
    if (offset >= length)
        return 0;
    const size_t count = length - offset < size ? length - offset : size;
    __builtin_memcpy(to, text_ + offset, count);
    return count;
}

} // namespace rtos::guest
