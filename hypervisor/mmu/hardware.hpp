// SPDX-License-Identifier: GPL-2.0-only
//
// Translation tables and TLB of a Cortex-A8, as Shadow's Hardware policy.
// Arm ARM DDI 0406C; sections in brackets.
//
// The walker does not look into the L1 data cache: a table's word counts once its line is
// cleaned to the point of coherency and a DSB has passed [B3.10.1]. Maintenance of the TLB
// is complete at a DSB [B3.10.5]; the guest sees all of it because it is entered by an
// exception return, which synchronises the context [B3.10.6].
#ifndef RTMUX_MMU_HARDWARE_HPP
#define RTMUX_MMU_HARDWARE_HPP

#include <cstdint>

namespace rtmux::mmu {

// l1_table: uint32_t[4096], 16 KiB aligned; pool_tables: uint32_t[n][256], 1 KiB aligned; both in
// memory whose physical address is its virtual one plus pa_minus_va, modulo 2^32.
template <auto &l1_table, auto &pool_tables, uint32_t pa_minus_va> class Hardware {
  public:
    static constexpr unsigned tables = sizeof pool_tables / sizeof pool_tables[0];

    static uint32_t *l1() { return l1_table; }
    static uint32_t *table(unsigned index) { return pool_tables[index]; }
    static uint32_t table_pa(unsigned index) {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pool_tables[index])) + pa_minus_va;
    }
    static unsigned table_index(uint32_t pa) { return (pa - table_pa(0)) / table_size; }

    static void store(uint32_t *word, uint32_t value) { *const_cast<volatile uint32_t *>(word) = value; }
    // DCCMVAC [B4.2.1]
    static void clean(const uint32_t *word) {
        asm volatile("mcr p15, 0, %0, c7, c10, 1" ::"r"(word) : "memory");
    }
    static void barrier() { asm volatile("dsb" ::: "memory"); }

    // Zeroes it and cleans it. A line of eight registers twice: a word loop costs a fifth of the guest's fork
    // overhead.
    static void clear_table(uint32_t *table) {
        uint32_t *line = table, *const end = table + table_words;
        asm volatile("mov r2, #0\n\t"
                     "mov r3, #0\n\t"
                     "mov r4, #0\n\t"
                     "mov r5, #0\n\t"
                     "mov r6, #0\n\t"
                     "mov r8, #0\n\t"
                     "mov r10, #0\n\t"
                     "mov r12, #0\n"
                     "1:\n\t"
                     ".rept 4\n\t"
                     "stmia %0!, {r2-r6, r8, r10, r12}\n\t"
                     "stmia %0!, {r2-r6, r8, r10, r12}\n\t"
                     "mcr p15, 0, %1, c7, c10, 1\n\t"
                     "add %1, %1, #64\n\t"
                     ".endr\n\t"
                     "cmp %0, %2\n\t"
                     "blo 1b"
                     : "+&r"(table), "+&r"(line)
                     : "r"(end)
                     : "r2", "r3", "r4", "r5", "r6", "r8", "r10", "r12", "cc", "memory");
    }

    static void tlb_flush_all() { // TLBIALL [B4.2.2]
        asm volatile("mcr p15, 0, %0, c8, c7, 0\n\tdsb" ::"r"(0) : "memory");
    }
    static void tlb_flush_asid(uint32_t asid) { // TLBIASID
        asm volatile("mcr p15, 0, %0, c8, c7, 2\n\tdsb" ::"r"(asid) : "memory");
    }
    static void tlb_flush_page(uint32_t va, uint32_t asid) { // TLBIMVA: matches global entries too
        asm volatile("mcr p15, 0, %0, c8, c7, 1\n\tdsb" ::"r"((va & 0xfffff000) | asid) : "memory");
    }

    // The ISB keeps what follows from being walked under the old ASID [B3.10.4].
    static void set_contextidr(uint32_t asid) {
        asm volatile("dsb\n\tmcr p15, 0, %0, c13, c0, 1\n\tisb" ::"r"(asid) : "memory");
    }
    // BPIALL [B4.2.1]; on Cortex-A8 a no-operation unless ACTLR.IBE is set
    static void branch_predictor_invalidate() {
        asm volatile("mcr p15, 0, %0, c7, c5, 6" ::"r"(0) : "memory");
    }

  private:
    static constexpr uint32_t table_words = 256, table_size = 1024;
    static_assert(sizeof l1_table == 0x4000 && sizeof pool_tables[0] == table_size);
};

} // namespace rtmux::mmu

#endif
