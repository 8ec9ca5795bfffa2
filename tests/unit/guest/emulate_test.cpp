// SPDX-License-Identifier: GPL-2.0-only
#include "guest/emulate.hpp"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <vector>

using namespace rtmux;

namespace {

constexpr uint32_t no_flags = 0x10;
constexpr uint32_t nothing = 0; // no register is read

// A value of its own for each register, so that none can pass for another.
constexpr Identification id = {
    .midr = 0x413fc082,
    .ctr = 0x82048004,
    .tcmtr = 0x11111111,
    .feature = {{0x131, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77},
                {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0, 0x87}},
    .clidr = 0x0a000023,
    .ccsidr = {0xe007e01a, 0x2007e01a, 0xf0000000},
    .fpsid = 0x410330c3,
    .mvfr0 = 0x11110222,
    .mvfr1 = 0x00011111,
};

GuestSystem some_system() {
    return {.ttbr0 = 0x7020406a,
            .dacr = 0x55555551,
            .cpacr = 0x00f00000,
            .csselr = 1,
            .fpexc = GuestSystem::fpexc_en,
            .mmu = true};
}

struct Registers {
    uint32_t r[15];
    Registers() {
        for (uint32_t i = 0; i < 15; ++i)
            r[i] = 0xa0000000 + i * 0x01000001;
    }
    bool operator==(const Registers &) const = default;
};

struct Golden {
    const char *text;
    uint32_t word;
    Action action;
    uint32_t read;
};

std::vector<Golden> golden() {
    const GuestSystem system = some_system();
    return {
#define OPCODE(text, word, action, read) {text, word, action, read},
#define STORE(...)
#include "opcodes.def"
#undef OPCODE
#undef STORE
    };
}

Emulation run(uint32_t opcode, Registers &registers, GuestSystem &system, uint32_t cpsr = no_flags) {
    return emulate(opcode, registers.r, cpsr, system, id);
}

bool is_read(uint32_t opcode) {
    return opcode & 1u << 20;
}
uint32_t rt_of(uint32_t opcode) {
    return opcode >> 12 & 0xf;
}

} // namespace

TEST(Emulate, Golden) {
    for (const Golden &g : golden()) {
        Registers registers, expected;
        GuestSystem system = some_system();
        EXPECT_EQ(run(g.word, registers, system).action, g.action) << g.text;
        if (g.action == Action::done && is_read(g.word))
            expected.r[rt_of(g.word)] = g.read;
        EXPECT_EQ(registers, expected) << g.text; // and no other register
    }
}

TEST(Emulate, EveryRegisterCanBeTheOperand) {
    for (uint32_t rt = 0; rt < 15; ++rt) {
        Registers registers, expected;
        GuestSystem system;
        run(0xee100f10 | rt << 12, registers, system); // MIDR
        expected.r[rt] = id.midr;
        EXPECT_EQ(registers, expected) << rt;
        EXPECT_EQ(run(0xee080f57 | rt << 12, registers, system).value, registers.r[rt]) << rt; // TLBIASID
    }
}

TEST(Emulate, OperandsReachTheCaller) {
    Registers registers;
    GuestSystem system;
    registers.r[3] = 0xc0123042;
    EXPECT_EQ(run(0xee083f37, registers, system).value, 0xc0123042u); // TLBIMVA
    EXPECT_EQ(run(0xee023f10, registers, system).value, 0xc0123042u); // TTBR0
    EXPECT_EQ(system.ttbr0, 0xc0123042u);
    EXPECT_EQ(run(0xeee83a10, registers, system).value, 0x40000000u); // FPEXC: EN alone
    EXPECT_EQ(system.fpexc, 0x40000000u);
    registers.r[3] = 0xbfffffff;
    EXPECT_EQ(run(0xeee83a10, registers, system).value, 0u);
    EXPECT_EQ(system.fpexc, 0u);
}

TEST(Emulate, WhatWasWrittenIsReadBack) {
    const std::map<uint32_t, uint32_t> write_and_read = {
        {0xee013f50, 0xee114f50}, // CPACR
        {0xee033f10, 0xee134f10}, // DACR
        {0xee023f10, 0xee124f10}, // TTBR0
    };
    for (auto [write, read] : write_and_read) {
        Registers registers;
        GuestSystem system;
        run(write, registers, system);
        run(read, registers, system);
        EXPECT_EQ(registers.r[4], registers.r[3]) << std::hex << write;
    }
}

// The guest turns the MMU on and off; nothing else in SCTLR is its to change.
TEST(Emulate, SctlrTracksTheMmuOnly) {
    Registers registers;
    GuestSystem system;
    const auto read = [&] {
        run(0xee110f10, registers, system);
        return registers.r[0];
    };
    const auto write = [&](uint32_t value) {
        registers.r[1] = value;
        return run(0xee011f10, registers, system).action;
    };
    EXPECT_EQ(read(), 0x10c53c7cu);
    EXPECT_EQ(write(0x10c53c7c), Action::done);
    EXPECT_EQ(write(0x10c53c7d), Action::mmu_on);
    EXPECT_EQ(read(), 0x10c53c7du);
    EXPECT_EQ(write(0x10c5387f), Action::done); // alignment checking: never in hardware
    EXPECT_EQ(write(0x00000001), Action::done); // caches off
    EXPECT_EQ(read(), 0x10c53c7du);
    EXPECT_EQ(write(0xfffffffe), Action::mmu_off);
    EXPECT_EQ(read(), 0x10c53c7cu);
}

TEST(Emulate, CcsidrFollowsCsselr) {
    for (uint32_t level = 0; level < 18; ++level) {
        Registers registers;
        GuestSystem system;
        registers.r[3] = level;
        run(0xee403f10, registers, system);
        run(0xee304f10, registers, system);
        EXPECT_EQ(registers.r[4], level % 16 < 3 ? id.ccsidr[level % 16] : 0u) << level;
        run(0xee505f10, registers, system);
        EXPECT_EQ(registers.r[5], level % 16);
    }
}

TEST(Emulate, NothingInThumbOrJazelleState) {
    for (uint32_t state : {1u << 5, 1u << 24})
        for (const Golden &g : golden()) {
            Registers registers;
            GuestSystem system = some_system();
            EXPECT_EQ(run(g.word, registers, system, no_flags | state).action, Action::undefined) << g.text;
        }
}

TEST(Emulate, ConditionTable) {
    for (uint32_t flags = 0; flags < 16; ++flags) {
        const bool n = flags & 8, z = flags & 4, c = flags & 2, v = flags & 1;
        const bool expected[16] = {z,    !z,      c,          !c,     n,      !n,           v,
                                   !v,   c && !z, !(c && !z), n == v, n != v, !z && n == v, z || n != v,
                                   true, true};
        for (uint32_t condition = 0; condition < 16; ++condition)
            EXPECT_EQ(condition_holds(condition, flags << 28 | no_flags), expected[condition])
                << condition << " with NZCV " << flags;
    }
}

// The mcrne of the kernel's alignment_trap: skipped, not executed, not reflected.
TEST(Emulate, AFailedConditionIsANop) {
    constexpr uint32_t z = 1u << 30;
    Registers registers;
    const Registers untouched;
    GuestSystem system;
    registers.r[8] = 1;
    EXPECT_EQ(run(0x1e018f10, registers, system, no_flags | z).action, Action::done); // mcrne SCTLR
    EXPECT_FALSE(system.mmu);
    EXPECT_EQ(run(0x1e018f10, registers, system).action, Action::mmu_on);

    registers = untouched;
    EXPECT_EQ(run(0x1e109f10, registers, system, no_flags | z).action, Action::done); // mrcne MIDR
    EXPECT_EQ(registers, untouched);
    EXPECT_EQ(run(0x1e075f56, registers, system, no_flags | z).action, Action::done); // mcrne DCISW
    EXPECT_EQ(run(0x1e075f56, registers, system).action, Action::forbidden);
    // A kprobe's breakpoint carries the condition of the instruction it replaces.
    EXPECT_EQ(run(0x07f001f8, registers, system).action, Action::undefined);
}

// All 2^24 words of the coprocessor space that begin 0xee: nothing is emulated
// but the golden list and the two rows of feature registers, with any Rt but pc.
TEST(Emulate, NothingElseIsEmulated) {
    constexpr uint32_t without_rt = 0xffff0fff;
    std::set<uint32_t> listed;
    for (const Golden &g : golden())
        if (g.action != Action::undefined)
            listed.insert(g.word & without_rt);
    for (uint32_t op2 = 0; op2 < 8; ++op2) {
        listed.insert(0xee100f11 | op2 << 5);
        listed.insert(0xee100f12 | op2 << 5);
    }
    // SCTLR is written in tests of its own
    listed.insert(0xee010f10);

    std::set<uint32_t> seen;
    Registers registers;
    GuestSystem system = some_system();
    for (uint32_t word = 0xee000000; word <= 0xeeffffff; ++word) {
        if (run(word, registers, system).action == Action::undefined)
            continue;
        ASSERT_NE(rt_of(word), 15u) << std::hex << word;
        seen.insert(word & without_rt);
    }
    EXPECT_EQ(seen, listed);
}

// Outside MCR and MRC: one word for each value of the bits that tell classes apart.
TEST(Emulate, OtherClassesAreUndefined) {
    Registers registers;
    GuestSystem system = some_system();
    for (uint32_t top = 0; top < 0x1000; ++top)
        for (uint32_t bottom = 0; bottom < 0x1000; ++bottom) {
            const uint32_t word = top << 20 | bottom;
            if ((word & 0x0f000010) == 0x0e000010 && word >> 28 != 0xf)
                continue;
            ASSERT_EQ(run(word, registers, system).action, Action::undefined) << std::hex << word;
        }
}

TEST(DecodeStore, Golden) {
    const Registers registers;
#define OPCODE(...)
#define STORE(text, word, bytes, expected)                                                                   \
    {                                                                                                        \
        const Store s = decode_store(word, registers.r);                                                     \
        EXPECT_EQ(s.size, uint32_t{bytes}) << text;                                                          \
        EXPECT_EQ(s.value, uint32_t{expected}) << text;                                                      \
    }
#include "opcodes.def"
#undef OPCODE
#undef STORE
}

// A should-be-zero field that is not: unpredictable, so not decoded.
TEST(DecodeStore, HalfwordRegisterFormWithBitsThatShouldBeZero) {
    const Registers registers;
    EXPECT_EQ(decode_store(0xe18190b2, registers.r).size, 2u);
    for (uint32_t bits = 1; bits < 16; ++bits)
        EXPECT_EQ(decode_store(0xe18190b2 | bits << 8, registers.r).size, 0u) << bits;
}

// Whatever word a hostile guest puts at its pc: never a register beyond r14 (the
// address sanitizer watches), and only bits 27:20 and 7:4 of a store.
TEST(DecodeStore, EveryClassOfWord) {
    const std::vector<uint32_t> r(15, 0x12345678);
    for (uint32_t top = 0; top < 0x1000; ++top)
        for (uint32_t rt = 0; rt < 16; ++rt)
            for (uint32_t low = 0; low < 0x100; ++low) {
                const uint32_t word = top << 20 | rt << 12 | low;
                const Store s = decode_store(word, r.data());
                if (s.size == 0)
                    continue;
                ASSERT_NE(rt, 15u);
                ASSERT_NE(word >> 28, 0xfu);
                ASSERT_EQ(word >> 20 & 1, 0u) << std::hex << word; // a load
                ASSERT_EQ(word >> 24 & 1, 1u) << std::hex << word; // post-indexed
                ASSERT_EQ(word >> 21 & 1, 0u) << std::hex << word; // write-back
                ASSERT_EQ(s.value, s.size == 4 ? 0x12345678u : s.size == 2 ? 0x5678u : 0x78u);
            }
}
