// SPDX-License-Identifier: GPL-2.0-only
//
// The figures of the cost model, each with its source. The model is an estimate: it knows sizes and
// penalties, not the pipeline. TRM: Arm DDI 0344, Cortex-A8 Technical Reference Manual.
#pragma once

#include <cstdint>

namespace lab {

struct CortexA8 {
    uint32_t mhz = 1000; // BeagleBone Black's fastest operating point

    // Caches: TRM 7.1, 8.1; AM335x data sheet: L2 of 256 KiB. All have lines of 64 bytes.
    uint32_t line_bytes = 64;
    uint32_t l1_bytes = 32 * 1024, l1_ways = 4; // each of instruction and data
    uint32_t l2_bytes = 256 * 1024, l2_ways = 8;
    uint32_t tlb_entries = 32; // TRM 6.1: each of instruction and data, fully associative

    // Issue: two instructions per cycle at best. 2.0 DMIPS per MHz (TRM 1.1) are 284 cycles for
    // the some 330 instructions of a Dhrystone round: 0.85 cycles each, in thousandths.
    uint32_t milli_cycles_per_instruction = 850;
    uint32_t cycles_per_extra_word = 1; // of LDM and STM beyond the first two words: TRM 16.2.8
    uint32_t cycles_mispredicted = 13;  // TRM 5.1, 16.4.1
    uint32_t cycles_exception = 13 + 8; // a flush, and the vector's fetch: assumed
    uint32_t cycles_cp15 = 20;          // assumed: MCR and MRC wait for the pipeline to drain
    uint32_t cycles_barrier = 13;       // DSB, ISB with nothing outstanding: a flush
    uint32_t btb_entries = 512, btb_ways = 2, ghb_entries = 4096; // TRM 5.1

    // Memory system: TRM table 16-16.
    uint32_t cycles_l2_hit = 8;    // data miss in L1 that hits L2; instruction misses are as dear
    uint32_t cycles_tlb_walk = 24; // both levels found in L2
    uint32_t cycles_l2_miss = 25;  // before the external memory's own time
    // With the two figures above, 221 ns for a load that misses everything: lat_mem_rd, 1000 KiB, stride 128,
    // on an AM335x EVM at 1 GHz with DDR3-800 (TI, Performance Guide for AM335x, Processor SDK Linux 07.00;
    // 270 in 09.03).
    uint32_t ns_dram = 195;
    // A register behind L4_PER or L4_WKUP: 34 to 38 cycles of 5 ns for another master (TI, AM335x PRU Read
    // Latencies). Writes are posted.
    uint32_t ns_io_read = 180;
    uint32_t ns_io_write = 20; // assumed: the store buffer takes it, Device order keeps the next waiting
};

} // namespace lab
