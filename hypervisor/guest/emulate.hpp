// SPDX-License-Identifier: GPL-2.0-only
//
// The privileged instructions that Linux 6.12 executes in virtual kernel mode
// after its patch: a closed list. Whatever is not on it is undefined, and
// reflected. Never for virtual user mode, where all of them are undefined.
#pragma once

#include "guest/identification.hpp"

#include <cstdint>

namespace rtmux {

// The guest's system registers, as far as it can read back what it wrote.
struct GuestSystem {
    uint32_t ttbr0 = 0;
    uint32_t dacr = 0;
    uint32_t cpacr = 0;
    uint32_t csselr = 0;
    uint32_t fpexc = 0; // EN only: a Cortex-A8 has no asynchronous VFP exceptions
    bool mmu = false;   // SCTLR.M; the rest of SCTLR is fixed

    static constexpr uint32_t fpexc_en = 1u << 30;
    // As vanilla Linux leaves it on a Cortex-A8: V, XP, U, TRE, Z, I, C, no AFE, A, EE.
    static constexpr uint32_t sctlr_fixed = 0x10c53c7c;
    static constexpr uint32_t sctlr_m = 1;
};

// What the caller has to do. All but undefined and forbidden: go on at pc + 4.
enum class Action : uint8_t {
    undefined,  // not on the list: reflect
    forbidden,  // a kernel not made for RTMux: stop the guest
    done,       // nothing, it is emulated (or its condition failed)
    set_ttbr0,  // value: as written; GuestSystem::ttbr0 has it
    mmu_on,     // SCTLR.M 0 -> 1
    mmu_off,    // SCTLR.M 1 -> 0
    tlb_all,    //
    tlb_asid,   // value: ASID in 7:0
    tlb_mva,    // value: page in 31:12, ASID in 7:0
    icache_all, // ICIALLU
    branch_all, // BPIALL
    set_fpexc,  // value; GuestSystem::fpexc has it
};

struct Emulation {
    Action action;
    uint32_t value = 0;
};

// r: the guest's r0 to r14, cpsr: its flags and state.
Emulation emulate(uint32_t opcode, uint32_t *r, uint32_t cpsr, GuestSystem &system, const Identification &id);

// Does an instruction with this condition field execute? (Arm ARM A8.3)
bool condition_holds(uint32_t condition, uint32_t cpsr);

// The value that a plain ARM store would have written (to the address in DFAR).
struct Store {
    uint32_t size = 0; // bytes; 0: not a store that is decoded here
    uint32_t value = 0;
};

// STR, STRB, STRH with immediate or register offset and no write-back.
Store decode_store(uint32_t opcode, const uint32_t *r);

} // namespace rtmux
