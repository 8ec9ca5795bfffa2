// SPDX-License-Identifier: GPL-2.0-only
//
// Hypercalls: svc from virtual kernel mode, the number in ip, arguments and
// result in r0-r3. docs/guest-abi.md specifies each. All run with IRQs open.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "console.hpp"
#include "rtmux/abi/rtos.h"
#include "rtos.hpp"
#include "statistics.hpp"
#include "trace.hpp"

namespace rtmux::guest {
namespace {

// Linux's enum dma_data_direction
constexpr uint32_t dma_to_device = 1, dma_from_device = 2;

uint32_t irq_poll() {
    vcpu.set_slow(Vcpu::slow_irq); // looked at on the way out
    return 0;
}

// Waits for a virtual interrupt that the guest has enabled; its mask does not matter.
uint32_t idle() {
    for (;;) {
        cpu::irq_off();
        if (vic.sync() || vcpu.is_slow(Vcpu::slow_stop))
            break;
        if (!vcpu.is_slow(Vcpu::slow_console))
            cpu::wfi();
        cpu::irq_on(); // what woke it is taken here
        cpu::isb();
        if (vcpu.is_slow(Vcpu::slow_console))
            serve_console();
    }
    cpu::irq_on();
    vcpu.set_slow(Vcpu::slow_irq);
    return 0;
}

uint32_t hello(uint32_t version, uint32_t task_size) {
    if (version != RTMUX_ABI_VERSION) {
        console::log("guest: its kernel speaks version %u of the guest ABI, this executive %u", version,
                     RTMUX_ABI_VERSION);
        stop(RTMUX_GUEST_FAILED, "use a patch and an executive of the same release");
    }
    if (!shadow.set_task_size(task_size))
        return -static_cast<uint32_t>(RTMUX_E_INVAL);
    vcpu.hello = true;
    return 0;
}

uint32_t set_vectors(uint32_t table) {
    uint32_t vector[RTMUX_NR_VECTORS];
    for (uint32_t i = 0; i < RTMUX_NR_VECTORS; i++)
        if (!read_word(table + 4 * i, vector[i]))
            return -static_cast<uint32_t>(RTMUX_E_FAULT);
    for (uint32_t i = 0; i < RTMUX_NR_VECTORS; i++)
        vcpu.vector[i] = vector[i] & ~3u;
    vcpu.vector_svc = vcpu.vector[RTMUX_V_SVC];
    vcpu.iret_pc = vcpu.vector[RTMUX_V_IRET];
    vcpu.vectors_set = true;
    return 0;
}

uint32_t switch_mm(uint32_t pgd, uint32_t asid) {
    system_registers.ttbr0 = pgd; // do_translation_fault reads it to copy kernel entries
    if (!shadow.switch_mm(pgd, asid & 0xff))
        stop(RTMUX_GUEST_FAILED, "page directory outside its memory");
    return 0;
}

uint32_t end_of(uint32_t start, uint32_t bytes) {
    return start + bytes < start ? ~0u : start + bytes;
}

uint32_t dma_map(uint32_t start, uint32_t bytes, uint32_t direction) {
    maintain_cache(direction == dma_from_device ? CacheOperation::clean_invalidate : CacheOperation::clean,
                   start, end_of(start, bytes));
    return 0;
}

// Always clean and invalidate: an invalidation alone could take away what
// another owner of the line has written.
uint32_t dma_unmap(uint32_t start, uint32_t bytes, uint32_t direction) {
    if (direction != dma_to_device)
        maintain_cache(CacheOperation::clean_invalidate, start, end_of(start, bytes));
    return 0;
}

uint32_t cache_coherent(uint32_t start, uint32_t end) {
    maintain_cache(CacheOperation::clean_to_unification, start, end);
    cpu::icache_invalidate_all();
    return 0;
}

uint32_t reset_cpu(uint32_t entry) {
    shadow.set_mmu(false);
    system_registers.mmu = false;
    vcpu.vectors_set = vcpu.hello = false;
    vcpu.cpsr = psr::usr;
    dcache_clean_invalidate_all();
    cpu::icache_invalidate_all();
    vcpu.iret_pc = Vcpu::no_iret;
    vcpu.pc = entry & ~3u;
    vcpu.write_shared(RTMUX_S_IRQ_OFF, RTMUX_SHARED);
    return 0;
}

// What the RTOS knows, or nobody.
uint32_t other_call(uint32_t number) {
    constexpr uint32_t unknown = -static_cast<uint32_t>(RTMUX_E_NOSYS);
    const uint32_t result = number < RTMUX_NR_CALLS ? unknown : rtos::guest_call(number, vcpu.r);
    if (result == unknown)
        statistics.bad_hypercalls++;
    return result;
}

uint32_t call(uint32_t number, const uint32_t (&a)[4]) {
    switch (number) {
    case RTMUX_IRQ_POLL:
        return irq_poll();
    case RTMUX_IDLE:
        return idle();
    case RTMUX_HELLO:
        return hello(a[0], a[1]);
    case RTMUX_SET_VECTORS:
        return set_vectors(a[0]);
    case RTMUX_SWITCH_MM:
        return switch_mm(a[0], a[1]);
    case RTMUX_TLB_USER:
        shadow.flush_user_range(a[0], a[1], a[2] & 0xff);
        return 0;
    case RTMUX_TLB_KERNEL:
        shadow.flush_kernel_range(a[0], a[1]);
        return 0;
    case RTMUX_CACHE_ALL:
    case RTMUX_CACHE_LOUIS:
        dcache_clean_invalidate_all();
        cpu::icache_invalidate_all();
        return 0;
    case RTMUX_CACHE_COHERENT:
        return cache_coherent(a[0], a[1]);
    case RTMUX_DCACHE_AREA:
        maintain_cache(CacheOperation::clean_invalidate, a[0], end_of(a[0], a[1]));
        return 0;
    case RTMUX_DMA_MAP:
        return dma_map(a[0], a[1], a[2]);
    case RTMUX_DMA_UNMAP:
        return dma_unmap(a[0], a[1], a[2]);
    case RTMUX_DMA_FLUSH:
        maintain_cache(CacheOperation::clean_invalidate, a[0], a[1]);
        return 0;
    case RTMUX_IRQ_EOI:
        vic.eoi(a[0]);
        vcpu.set_slow(Vcpu::slow_irq); // the line may still be up
        return 0;
    case RTMUX_RESET_CPU:
        return reset_cpu(a[0]);
    case RTMUX_RESTART:
        stop(RTMUX_GUEST_RESTART, nullptr);
    case RTMUX_POWER_OFF:
        stop(RTMUX_GUEST_OFF, nullptr);
    case RTMUX_VBUS_DOORBELL:
        rtos::doorbell(a[0]);
        return 0;
    default:
        return other_call(number);
    }
}

} // namespace

void hypercall() {
    const uint32_t number = vcpu.r[12];
    const uint32_t arguments[4] = {vcpu.r[0], vcpu.r[1], vcpu.r[2], vcpu.r[3]};
    trace(RTMUX_TRACE_HYPERCALL, number, arguments[0]);
    if (number < RTMUX_NR_CALLS)
        statistics.hypercalls[number]++;
    statistics.recent_calls = statistics.recent_calls << 8 | (number & 0xff);
    const uint32_t result = call(number, arguments);
    if (number != RTMUX_IRQ_POLL) // which changes no register
        vcpu.r[0] = result;
}

} // namespace rtmux::guest
