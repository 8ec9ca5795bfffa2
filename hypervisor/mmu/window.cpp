// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/window.hpp"

#include "arm/cpu.hpp"
#include "board.hpp"
#include "mmu/descriptor.hpp"
#include "mmu/domain.h"
#include "mmu/guest_shadow.hpp"
#include "rtmux/abi/guest.h"

extern "C" {
extern uint8_t __text_start[], __text_end[], __rodata_end[], __bss_end[], __guard_vcpu[], __guard_abort[];
}

extern "C" void dcache_clean_invalidate_all();

namespace rtmux::window {
namespace {

using namespace mmu;

constexpr uint32_t megabyte = 1u << 20, page = 4096;
constexpr uint32_t ram_megabytes = BOARD_RTMUX_SIZE / megabyte;
static_assert(RTMUX_RAM_VA + BOARD_RTMUX_SIZE <= RTMUX_SLOTS_VA);
static_assert(RTMUX_RTOS_VA + RTMUX_RTOS_SIZE <= RTMUX_RAM_VA + BOARD_RTMUX_SIZE);
static_assert(BOARD_VBUS_SIZE <= RTMUX_VBUS_MAX);

alignas(1024) uint32_t ram_tables[ram_megabytes][256];
alignas(1024) uint32_t shared_table[256];
alignas(1024) uint32_t device_table[256];
alignas(page) uint32_t shared_page_memory[page / 4];

// A page for PL1 alone: AP = 001 or 101 (Arm ARM table B3-8)
SmallPage pl1_page(uint32_t pa, Protection protection, MemoryType type) {
    const uint32_t read_only = protection == Protection::read_write ? 0 : 1u << 9;
    return SmallPage{(pa & SmallPage::base_mask) | read_only | 1u << 4 | 2}
        .with_type(type, false)
        .with_execute_never(protection != Protection::read_execute);
}

void clean(const uint32_t *entry) {
    asm volatile("mcr p15, 0, %0, c7, c10, 1\n\tdsb" ::"r"(entry) : "memory"); // DCCMVAC
}

void invalidate(uint32_t va) {
    asm volatile("mcr p15, 0, %0, c8, c7, 1\n\t" // TLBIMVA; global entries match any ASID
                 "mcr p15, 0, %1, c7, c5, 6\n\t" // BPIALL
                 "dsb\n\tisb" ::"r"(va & 0xfffff000),
                 "r"(0)
                 : "memory");
}

uint32_t va_of(const uint8_t *p) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p));
}

} // namespace

void map_megabyte(uint32_t va, uint32_t number) {
    uint32_t *entry = &hardware_l1[va / megabyte];
    const SmallPage page = pl1_page(number * megabyte, Protection::read_write, MemoryType::write_allocate);
    *entry = L1Entry::section(page, RTMUX_DOMAIN_EXECUTIVE).raw();
    clean(entry);
    invalidate(va);
}

void protect(uint32_t va, uint32_t size, Protection protection) {
    for (uint32_t at = va; at != va + size; at += page) {
        const uint32_t offset = at - RTMUX_RAM_VA;
        uint32_t *entry = &ram_tables[offset / megabyte][offset % megabyte / page];
        *entry = protection == Protection::none
                     ? 0
                     : pl1_page(BOARD_RAM_BASE + offset, protection, MemoryType::write_allocate).raw();
        clean(entry);
        invalidate(at);
    }
}

uint32_t device_slot(uint32_t pa) {
    constexpr uint32_t last = 255, va = RTMUX_DEVICE_VA + last * page;
    static_assert(board::device_window_pages == last); // it is behind the devices
    const uint32_t wanted = pl1_page(pa, Protection::read_write, MemoryType::device).raw();
    if (device_table[last] != wanted) {
        device_table[last] = wanted;
        clean(&device_table[last]);
        invalidate(va);
    }
    return va + pa % page;
}

void init() {
    const auto table = [](uint32_t va, const uint32_t *l2, uint32_t domain) {
        hardware_l1[va / megabyte] = L1Entry::table(pa_of(l2), domain).raw();
    };
    for (uint32_t i = 0; i < ram_megabytes; i++)
        table(RTMUX_RAM_VA + i * megabyte, ram_tables[i], RTMUX_DOMAIN_EXECUTIVE);
    table(RTMUX_SHARED, shared_table, RTMUX_DOMAIN_KERNEL);
    table(RTMUX_DEVICE_VA, device_table, RTMUX_DOMAIN_EXECUTIVE);

    const uint32_t text = va_of(__text_start), text_end = va_of(__text_end), rodata_end = va_of(__rodata_end);
    protect(text, text_end - text, Protection::read_execute);
    protect(text_end, rodata_end - text_end, Protection::read_only);
    protect(rodata_end, va_of(__bss_end) - rodata_end, Protection::read_write);
    protect(va_of(__guard_vcpu), page, Protection::none);
    protect(va_of(__guard_abort), page, Protection::none);
    protect(RTMUX_VBUS_VA, BOARD_VBUS_SIZE, Protection::read_write);
    protect(RTMUX_RTOS_VA, RTMUX_RTOS_SIZE, Protection::read_write);

    // PL0 reads and writes this one; its domain keeps virtual user mode out.
    shared_table[0] = SmallPage::make(pa_of(shared_page_memory), Rights::read_write,
                                      MemoryType::write_allocate, false, true, false)
                          .raw();
    uint32_t index = 0;
    for (const uint32_t pa : board::device_pages)
        device_table[index++] = pl1_page(pa, Protection::read_write, MemoryType::device).raw();

    dcache_clean_invalidate_all();
    const uint32_t ttbr0 = pa_of(hardware_l1) | 0x19; // walks write-back cacheable
    asm volatile("dsb\n\t"
                 "mcr p15, 0, %0, c2, c0, 0\n\t" // TTBR0: the same window, so no moment without one
                 "isb\n\t"
                 "mcr p15, 0, %1, c8, c7, 0\n\t" // TLBIALL
                 "mcr p15, 0, %1, c7, c5, 6\n\t"
                 "dsb\n\tisb" ::"r"(ttbr0),
                 "r"(0)
                 : "memory");
    cpu::set_dacr(RTMUX_DACR_KERNEL_MODE);
    cpu::isb();
}

uint32_t *shared_page() {
    return shared_page_memory;
}

} // namespace rtmux::window
