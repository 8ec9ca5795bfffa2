// SPDX-License-Identifier: GPL-2.0-only
// Words as GNU as 2.40 assembles them for -mfpu=neon.
#include "../../../rtos/port/fp_decode.hpp"

#include <gtest/gtest.h>

namespace {

using rtos::port::is_fp_arm;
using rtos::port::is_fp_thumb;

TEST(FpDecode, ArmFloatingPoint) {
    EXPECT_TRUE(is_fp_arm(0xee300b01)); // vadd.f64 d0, d0, d1
    EXPECT_TRUE(is_fp_arm(0x0e300b01)); // vaddeq.f64 d0, d0, d1
    EXPECT_TRUE(is_fp_arm(0xed900a00)); // vldr s0, [r0]
    EXPECT_TRUE(is_fp_arm(0xecb00b20)); // vldmia r0!, {d0-d15}
    EXPECT_TRUE(is_fp_arm(0xec510b10)); // vmov r0, r1, d0
    EXPECT_TRUE(is_fp_arm(0xeef10a10)); // vmrs r0, fpscr
    EXPECT_TRUE(is_fp_arm(0xee800b10)); // vdup.32 d0, r0
    EXPECT_TRUE(is_fp_arm(0xf2000d40)); // vadd.f32 q0, q0, q0
    EXPECT_TRUE(is_fp_arm(0xf3000150)); // veor q0, q0, q0
    EXPECT_TRUE(is_fp_arm(0xf4200a8f)); // vld1.32 {d0-d1}, [r0]
}

TEST(FpDecode, ArmOthers) {
    EXPECT_FALSE(is_fp_arm(0xe7f001f2)); // udf, Linux's BUG
    EXPECT_FALSE(is_fp_arm(0xee110f10)); // mrc p15, 0, r0, c1, c0, 0
    EXPECT_FALSE(is_fp_arm(0xef000a00)); // svc #0xa00
    EXPECT_FALSE(is_fp_arm(0xe1a00000)); // mov r0, r0
    EXPECT_FALSE(is_fp_arm(0xf5d0f000)); // pld [r0]
    EXPECT_FALSE(is_fp_arm(0xf57ff04f)); // dsb sy
    EXPECT_FALSE(is_fp_arm(0xf1080080)); // cpsie i
}

TEST(FpDecode, Thumb) {
    EXPECT_TRUE(is_fp_thumb(0xee30, 0x0b01));  // vadd.f64 d0, d0, d1
    EXPECT_TRUE(is_fp_thumb(0xed90, 0x0a00));  // vldr s0, [r0]
    EXPECT_TRUE(is_fp_thumb(0xef00, 0x0d40));  // vadd.f32 q0, q0, q0
    EXPECT_TRUE(is_fp_thumb(0xff00, 0x0150));  // veor q0, q0, q0
    EXPECT_TRUE(is_fp_thumb(0xf920, 0x0a8f));  // vld1.32 {d0-d1}, [r0]
    EXPECT_FALSE(is_fp_thumb(0xee11, 0x0f10)); // mrc p15, 0, r0, c1, c0, 0
    EXPECT_FALSE(is_fp_thumb(0xde00, 0x0b01)); // udf #0, then anything
    EXPECT_FALSE(is_fp_thumb(0xf890, 0x0a00)); // ldrb.w r0, [r0, #2560]
    EXPECT_FALSE(is_fp_thumb(0xf7f0, 0xa000)); // udf.w #0
}

} // namespace
