// SPDX-License-Identifier: GPL-2.0-only
// Encodings as arm-none-eabi-as writes them.
#include "decode.hpp"

#include <gtest/gtest.h>

using lab::decode_arm;
using lab::Kind;

TEST(Decode, ChangeProcessorState) {
    EXPECT_EQ(decode_arm(0xf10c0080), Kind::mask);   // cpsid i
    EXPECT_EQ(decode_arm(0xf10c00c0), Kind::mask);   // cpsid if
    EXPECT_EQ(decode_arm(0xf10e0093), Kind::mask);   // cpsid i, #0x13
    EXPECT_EQ(decode_arm(0xf1080080), Kind::unmask); // cpsie i
    EXPECT_EQ(decode_arm(0xf10c0100), Kind::other);  // cpsid a
    EXPECT_EQ(decode_arm(0xf1020013), Kind::other);  // cps #0x13
}

TEST(Decode, WritesOfCpsr) {
    EXPECT_EQ(decode_arm(0xe121f003), Kind::write_cpsr); // msr cpsr_c, r3
    EXPECT_EQ(decode_arm(0xe129f001), Kind::write_cpsr); // msr cpsr_fc, r1
    EXPECT_EQ(decode_arm(0xe321f0d3), Kind::write_cpsr); // msr cpsr_c, #0xd3
    EXPECT_EQ(decode_arm(0xe128f003), Kind::other);      // msr cpsr_f, r3
    EXPECT_EQ(decode_arm(0xe16ff000), Kind::other);      // msr spsr_fsxc, r0
    EXPECT_EQ(decode_arm(0xe10f3000), Kind::other);      // mrs r3, cpsr
}

TEST(Decode, ReturnsFromExceptions) {
    EXPECT_EQ(decode_arm(0xe1b0f00e), Kind::exception_return); // movs pc, lr
    EXPECT_EQ(decode_arm(0xe25ef004), Kind::exception_return); // subs pc, lr, #4
    EXPECT_EQ(decode_arm(0xe8fd8fff), Kind::exception_return); // ldm sp!, {r0-r11, pc}^
    EXPECT_EQ(decode_arm(0xf8bd0a00), Kind::rfe);              // rfeia sp!
    EXPECT_EQ(decode_arm(0xe8dd7fff), Kind::other);            // ldm sp, {r0-lr}^: the USR registers
    EXPECT_EQ(decode_arm(0xe1a0f00e), Kind::other);            // mov pc, lr
    EXPECT_EQ(decode_arm(0xe8bd8ff0), Kind::other);            // pop {r4-r11, pc}
    EXPECT_EQ(decode_arm(0xe11f0001), Kind::other);            // tst pc, r1
    EXPECT_EQ(decode_arm(0xe01f0291), Kind::other);            // a multiplication
}

TEST(Decode, SystemRegistersAndBarriers) {
    EXPECT_EQ(decode_arm(0xee030f10), Kind::cp15);    // mcr p15, 0, r0, c3, c0, 0
    EXPECT_EQ(decode_arm(0xee100f10), Kind::cp15);    // mrc p15, 0, r0, c0, c0, 0
    EXPECT_EQ(decode_arm(0xf57ff04f), Kind::barrier); // dsb sy
    EXPECT_EQ(decode_arm(0xf57ff06f), Kind::barrier); // isb
    EXPECT_EQ(decode_arm(0xeef80a10), Kind::other);   // vmrs r0, fpexc
}

TEST(Decode, Thumb) {
    EXPECT_EQ(lab::decode_thumb(0xb662), Kind::unmask); // cpsie i
    EXPECT_EQ(lab::decode_thumb(0xb672), Kind::mask);   // cpsid i
    EXPECT_EQ(lab::decode_thumb(0xb673), Kind::mask);   // cpsid if
    EXPECT_EQ(lab::decode_thumb(0xb661), Kind::other);  // cpsie f
    EXPECT_EQ(lab::decode_thumb(0xb670), Kind::other);
    EXPECT_EQ(lab::decode_thumb(0x4770), Kind::other); // bx lr
}

TEST(Decode, Dbg) {
    EXPECT_EQ(lab::decode_dbg(0xe320f0ff), 15);
    EXPECT_EQ(lab::decode_dbg(0x80f3f3af), 3);
    EXPECT_EQ(lab::decode_dbg(0xe320f000), -1); // NOP
    EXPECT_EQ(lab::decode_dbg(0xe320f014), -1); // CSDB
    EXPECT_EQ(lab::decode_dbg(0x8000f3af), -1); // NOP.W
}
