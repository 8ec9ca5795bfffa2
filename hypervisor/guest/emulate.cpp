// SPDX-License-Identifier: GPL-2.0-only
#include "guest/emulate.hpp"

namespace rtmux {
namespace {

// MCR and MRC without condition and Rt (Arm ARM A8.8.98, A8.8.107).
constexpr uint32_t encoding_mask = 0x0fff0fff;

constexpr uint32_t mcr(uint32_t coprocessor, uint32_t op1, uint32_t crn, uint32_t crm, uint32_t op2) {
    return 0x0e000010 | op1 << 21 | crn << 16 | coprocessor << 8 | op2 << 5 | crm;
}
constexpr uint32_t mrc(uint32_t coprocessor, uint32_t op1, uint32_t crn, uint32_t crm, uint32_t op2) {
    return mcr(coprocessor, op1, crn, crm, op2) | 1u << 20;
}
constexpr uint32_t vmsr(uint32_t reg) {
    return mcr(10, 7, reg, 0, 0);
}
constexpr uint32_t vmrs(uint32_t reg) {
    return mrc(10, 7, reg, 0, 0);
}

constexpr uint32_t FPSID = 0, MVFR1 = 6, MVFR0 = 7, FPEXC = 8, FPINST = 9, FPINST2 = 10;

struct Read {
    bool listed;
    uint32_t value;
};

Read read(uint32_t encoding, const GuestSystem &system, const Identification &id) {
    // The feature registers: c0, c1 and c2, any op2
    const uint32_t op2 = encoding >> 5 & 7;
    switch (encoding & ~(7u << 5)) {
    case mrc(15, 0, 0, 1, 0):
        return {true, id.feature[0][op2]};
    case mrc(15, 0, 0, 2, 0):
        return {true, id.feature[1][op2]};
    default:
        break;
    }
    switch (encoding) {
    case mrc(15, 0, 0, 0, 0):
        return {true, id.midr};
    case mrc(15, 0, 0, 0, 1):
        return {true, id.ctr};
    case mrc(15, 0, 0, 0, 2):
        return {true, id.tcmtr};
    case mrc(15, 0, 0, 3, 4): // ID_PFR2, which ARMv7 has as zero
        return {true, 0};
    case mrc(15, 1, 0, 0, 0):
        return {true, system.csselr < 3 ? id.ccsidr[system.csselr] : 0};
    case mrc(15, 1, 0, 0, 1):
        return {true, id.clidr};
    case mrc(15, 2, 0, 0, 0):
        return {true, system.csselr};
    case mrc(15, 0, 1, 0, 0):
        return {true, GuestSystem::sctlr_fixed | (system.mmu ? GuestSystem::sctlr_m : 0)};
    case mrc(15, 0, 1, 0, 2):
        return {true, system.cpacr};
    case mrc(15, 0, 2, 0, 0):
        return {true, system.ttbr0};
    case mrc(15, 0, 3, 0, 0):
        return {true, system.dacr};
    case vmrs(FPSID):
        return {true, id.fpsid};
    case vmrs(MVFR0):
        return {true, id.mvfr0};
    case vmrs(MVFR1):
        return {true, id.mvfr1};
    case vmrs(FPEXC):
        return {true, system.fpexc};
    case vmrs(FPINST): // meaningful only with FPEXC.EX
    case vmrs(FPINST2):
        return {true, 0};
    default:
        return {false, 0};
    }
}

Emulation write(uint32_t encoding, uint32_t value, GuestSystem &system) {
    switch (encoding) {
    case mcr(15, 2, 0, 0, 0): // CSSELR
        system.csselr = value & 0xf;
        return {Action::done};
    case mcr(15, 0, 1, 0, 0): { // SCTLR
        const bool mmu = value & GuestSystem::sctlr_m;
        if (mmu == system.mmu)
            return {Action::done};
        system.mmu = mmu;
        return {mmu ? Action::mmu_on : Action::mmu_off};
    }
    case mcr(15, 0, 1, 0, 2): // CPACR
        system.cpacr = value;
        return {Action::done};
    case mcr(15, 0, 2, 0, 0): // TTBR0
        system.ttbr0 = value;
        return {Action::set_ttbr0, value};
    case mcr(15, 0, 3, 0, 0): // DACR
        system.dacr = value;
        return {Action::done};
    case mcr(15, 0, 7, 5, 0): // ICIALLU
        return {Action::icache_all};
    case mcr(15, 0, 7, 5, 6): // BPIALL
        return {Action::branch_all};
    case mcr(15, 0, 7, 10, 1): // DCCMVAC: of a pmd, and nothing walks the guest's tables but us
        return {Action::done};
    case mcr(15, 0, 8, 7, 0): // TLBIALL
        return {Action::tlb_all};
    case mcr(15, 0, 8, 7, 1): // TLBIMVA
        return {Action::tlb_mva, value};
    case mcr(15, 0, 8, 7, 2): // TLBIASID
        return {Action::tlb_asid, value};
    case vmsr(FPEXC):
        system.fpexc = value & GuestSystem::fpexc_en;
        return {Action::set_fpexc, system.fpexc};
    case vmsr(FPINST):
    case vmsr(FPINST2):
        return {Action::done};

    // Vanilla proc-v7.S, before the MMU is on. Set/way without clean would
    // throw away the RTOS's data.
    case mcr(15, 0, 7, 6, 2):  // DCISW
    case mcr(15, 0, 7, 10, 2): // DCCSW
    case mcr(15, 0, 7, 14, 2): // DCCISW
    case mcr(15, 0, 1, 0, 1):  // ACTLR
    case mcr(15, 0, 2, 0, 1):  // TTBR1
    case mcr(15, 0, 2, 0, 2):  // TTBCR
    case mcr(15, 0, 10, 2, 0): // PRRR
    case mcr(15, 0, 10, 2, 1): // NMRR
        return {Action::forbidden};
    default:
        return {Action::undefined};
    }
}

} // namespace

bool condition_holds(uint32_t condition, uint32_t cpsr) {
    const bool n = cpsr >> 31 & 1, z = cpsr >> 30 & 1, c = cpsr >> 29 & 1, v = cpsr >> 28 & 1;
    bool holds = true;
    switch (condition >> 1 & 7) {
    case 0: // EQ NE
        holds = z;
        break;
    case 1: // CS CC
        holds = c;
        break;
    case 2: // MI PL
        holds = n;
        break;
    case 3: // VS VC
        holds = v;
        break;
    case 4: // HI LS
        holds = c && !z;
        break;
    case 5: // GE LT
        holds = n == v;
        break;
    case 6: // GT LE
        holds = n == v && !z;
        break;
    default: // AL, and the unconditional space
        return true;
    }
    return (condition & 1) ? !holds : holds;
}

Emulation emulate(uint32_t opcode, uint32_t *r, uint32_t cpsr, GuestSystem &system,
                  const Identification &id) {
    constexpr uint32_t thumb = 1u << 5, jazelle = 1u << 24;
    const uint32_t condition = opcode >> 28, rt = opcode >> 12 & 0xf;
    const bool is_transfer = (opcode & 0x0f000010) == 0x0e000010;

    if ((cpsr & (thumb | jazelle)) || condition == 0xf || !is_transfer || rt == 15)
        return {Action::undefined};

    const uint32_t encoding = opcode & encoding_mask;
    const bool is_read = opcode & 1u << 20;
    if (!condition_holds(condition, cpsr))
        return {Action::done}; // a processor may trap it all the same (A2.9)
    if (is_read) {
        const Read result = read(encoding, system, id);
        if (!result.listed)
            return {Action::undefined};
        r[rt] = result.value;
        return {Action::done};
    }
    return write(encoding, r[rt], system);
}

Store decode_store(uint32_t opcode, const uint32_t *r) {
    const uint32_t rt = opcode >> 12 & 0xf;
    if (opcode >> 28 == 0xf || rt == 15)
        return {};
    // P = 1, W = 0, L = 0 in all of them; bit 23, the sign of the offset, is free.
    const bool immediate = (opcode & 0x0f300000) == 0x05000000;      // STR{B} [n, #i]
    const bool scaled = (opcode & 0x0f300010) == 0x07000000;         // STR{B} [n, m, shift]
    const bool half_immediate = (opcode & 0x0f7000f0) == 0x014000b0; // STRH [n, #i]
    const bool half_register = (opcode & 0x0f700ff0) == 0x010000b0;  // STRH [n, m]
    if (immediate || scaled) {
        const bool byte = opcode & 1u << 22;
        return byte ? Store{1, r[rt] & 0xff} : Store{4, r[rt]};
    }
    if (half_immediate || half_register)
        return {2, r[rt] & 0xffff};
    return {};
}

} // namespace rtmux
