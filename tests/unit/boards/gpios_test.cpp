// SPDX-License-Identifier: GPL-2.0-only
#include "drivers/am335x_gpio.hpp"
#include "drivers/pl061.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace fake;
using History = std::vector<Access>;
using A = Bus<'a'>;

TEST(Pl061, APinIsItsOwnAddress) {
    using Gpio = drivers::Pl061<A>;
    A::clear();
    A::registers[0x400] = 0x81;
    taken();
    Gpio::output(3);
    EXPECT_EQ(A::registers[0x400], 0x89u);
    Gpio::input(0);
    EXPECT_EQ(A::registers[0x400], 0x88u);
    taken();
    Gpio::set(0, true);
    Gpio::set(7, false);
    EXPECT_EQ(taken(), (History{wr(0x004, ~0u), wr(0x200, 0)}));
    A::registers[0x020] = 0x08;
    EXPECT_TRUE(Gpio::get(3));
    EXPECT_FALSE(Gpio::get(4));
}

TEST(Am335xGpio, SetAndClearAreOneWrite) {
    using Gpio = drivers::Am335xGpio<A>;
    A::clear();
    A::registers[0x134] = ~0u;
    taken();
    Gpio::output(21);
    EXPECT_EQ(A::registers[0x134], ~(1u << 21));
    Gpio::input(21);
    EXPECT_EQ(A::registers[0x134], ~0u);
    taken();
    Gpio::set(21, true);
    Gpio::set(22, false);
    EXPECT_EQ(taken(), (History{wr(0x194, 1u << 21), wr(0x190, 1u << 22)}));
    A::registers[0x138] = 1u << 21;
    EXPECT_TRUE(Gpio::get(21));
    EXPECT_FALSE(Gpio::get(20));
}
