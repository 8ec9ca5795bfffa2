// SPDX-License-Identifier: GPL-2.0-only
//
// Aborts of the guest: the shadow is filled, or the guest has a fault of its own.
#include "guest/guest.hpp"

#include "rtmux/abi/rtos.h"
#include "statistics.hpp"
#include "trace.hpp"

namespace rtmux::guest {
namespace {

// Faults that come from the shadow, not from what the access is: translation,
// access flag, domain and permission faults of either level (table B3-23).
bool from_translation(uint32_t status) {
    constexpr uint32_t kinds =
        1u << 0x3 | 1u << 0x5 | 1u << 0x6 | 1u << 0x7 | 1u << 0x9 | 1u << 0xb | 1u << 0xd | 1u << 0xf;
    return !(status & 1u << 10) && (kinds >> (status & 0xf) & 1) != 0;
}

// The kernel is about to map what a process needs: filled with the return to it, that costs no second fault.
void fill_at_return(uint32_t address, mmu::Access access) {
    vcpu.fill_address = address;
    vcpu.fill_access = access;
    vcpu.set_slow(Vcpu::slow_fill);
}

// A process's first, and most frequent, without a look at what only a kernel can have wrong.
inline void reflect_fault(uint32_t status, uint32_t address, bool write) {
    if (!vcpu.user_mode) [[unlikely]]
        return reflect_data_abort(status, address);
    statistics.reflected_data++;
    vcpu.write_shared(RTMUX_S_DFSR, status);
    vcpu.write_shared(RTMUX_S_DFAR, address);
    fill_at_return(address, write ? mmu::Access::write : mmu::Access::read);
    reflect_from_user(RTMUX_V_DABT_USR, vcpu.pc);
}

} // namespace
} // namespace rtmux::guest

// As those of trap.cpp
extern "C" {

using namespace rtmux;
using namespace rtmux::guest;

[[gnu::hot]] void guest_data_abort() {
    const uint32_t status = vcpu.status, address = vcpu.address;
    trace(RTMUX_TRACE_EXIT, EXIT_DATA_ABORT, vcpu.pc);
    trace(RTMUX_TRACE_FAULT, address, status);
    if (!from_translation(status)) [[unlikely]] {
        // Of an imprecise abort DFAR says nothing, or something of the executive's
        reflect_data_abort(status & ~0x1000u, imprecise(status) ? 0 : address);
        return;
    }
    const bool write = (status & wnr) != 0;
    const mmu::FillResult result =
        shadow.fill(address, write ? mmu::Access::write : mmu::Access::read, vcpu.user_mode != 0);
    if (result.kind == mmu::FillResult::Kind::fault) [[likely]]
        reflect_fault(result.fsr | (status & wnr), address, write);
    else if (result.kind == mmu::FillResult::Kind::mediated) [[unlikely]]
        mediated_store(result.pa, address);
}

[[gnu::hot]] void guest_prefetch_abort() {
    const uint32_t status = vcpu.status, address = vcpu.pc;
    trace(RTMUX_TRACE_EXIT, EXIT_PREFETCH_ABORT, vcpu.pc);
    trace(RTMUX_TRACE_FAULT, address, status);
    if (!from_translation(status)) [[unlikely]] {
        reflect_prefetch_abort(status, vcpu.address);
        return;
    }
    // A Thumb instruction may end in the page after the one it begins in
    const uint32_t fault_address = vcpu.address - address <= 2 ? vcpu.address : address;
    const mmu::FillResult result = shadow.fill(fault_address, mmu::Access::execute, vcpu.user_mode != 0);
    if (result.kind == mmu::FillResult::Kind::filled)
        return;
    if (vcpu.user_mode)
        fill_at_return(fault_address, mmu::Access::execute);
    reflect_prefetch_abort(result.fsr, fault_address);
}
}
