// SPDX-License-Identifier: GPL-2.0-only
// What the processor says of itself, read once at boot and shown to the guest.
#pragma once

#include <cstdint>

namespace rtmux {

struct Identification {
    uint32_t midr, ctr, tcmtr;
    uint32_t feature[2][8]; // c0,c1,{0-7}: PFR0-1, DFR0, AFR0, MMFR0-3; c0,c2,{0-7}: ISAR0-5, then RAZ
    uint32_t clidr;
    uint32_t ccsidr[3]; // by CSSELR: level 1 data, level 1 instruction, level 2
    uint32_t fpsid, mvfr0, mvfr1;

    // ThumbEE (PFR0.State3) is hidden: its registers, which Linux would switch,
    // trap even in user mode under TEECR.XED.
    static constexpr uint32_t pfr0_state3 = 0xf000;
};

#ifdef __arm__
// Needs CP10 and CP11 enabled in CPACR.
inline Identification read_identification() {
    Identification id{};
#define READ(to, coprocessor, op1, crn, crm, op2)                                                            \
    asm volatile("mrc " #coprocessor ", " #op1 ", %0, " #crn ", " #crm ", " #op2 : "=r"(to))
    READ(id.midr, p15, 0, c0, c0, 0);
    READ(id.ctr, p15, 0, c0, c0, 1);
    READ(id.tcmtr, p15, 0, c0, c0, 2);
    READ(id.feature[0][0], p15, 0, c0, c1, 0);
    READ(id.feature[0][1], p15, 0, c0, c1, 1);
    READ(id.feature[0][2], p15, 0, c0, c1, 2);
    READ(id.feature[0][3], p15, 0, c0, c1, 3);
    READ(id.feature[0][4], p15, 0, c0, c1, 4);
    READ(id.feature[0][5], p15, 0, c0, c1, 5);
    READ(id.feature[0][6], p15, 0, c0, c1, 6);
    READ(id.feature[0][7], p15, 0, c0, c1, 7);
    READ(id.feature[1][0], p15, 0, c0, c2, 0);
    READ(id.feature[1][1], p15, 0, c0, c2, 1);
    READ(id.feature[1][2], p15, 0, c0, c2, 2);
    READ(id.feature[1][3], p15, 0, c0, c2, 3);
    READ(id.feature[1][4], p15, 0, c0, c2, 4);
    READ(id.feature[1][5], p15, 0, c0, c2, 5);
    id.feature[0][0] &= ~Identification::pfr0_state3;
    READ(id.clidr, p15, 1, c0, c0, 1);
    for (uint32_t csselr = 0; csselr < 3; ++csselr) {
        asm volatile("mcr p15, 2, %0, c0, c0, 0\n\tisb" ::"r"(csselr));
        READ(id.ccsidr[csselr], p15, 1, c0, c0, 0);
    }
    READ(id.fpsid, p10, 7, c0, c0, 0);
    READ(id.mvfr1, p10, 7, c6, c0, 0);
    READ(id.mvfr0, p10, 7, c7, c0, 0);
#undef READ
    return id;
}
#endif

} // namespace rtmux
