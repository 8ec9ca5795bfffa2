// SPDX-License-Identifier: GPL-2.0-only
#include "drivers/pl011.hpp"
#include "drivers/uart16550.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace fake;
using History = std::vector<Access>;
using A = Bus<'a'>;

class Pl011Test : public testing::Test {
  protected:
    using Uart = drivers::Pl011<A, 24000000>;
    void SetUp() override {
        A::clear();
        taken();
    }
};

TEST_F(Pl011Test, InitProgramsADisabledUart) {
    Uart::init();
    // 24 MHz / (16 * 115200) = 13 + 1/64; LCR_H after the divisor, which it latches
    EXPECT_EQ(taken(), (History{wr(0x30, 0), wr(0x38, 0), wr(0x44, 0x7ff), wr(0x24, 13), wr(0x28, 1),
                                wr(0x2c, 0x70), wr(0x34, 0), wr(0x30, 0x301)}));
}

TEST_F(Pl011Test, FlagsAndData) {
    A::registers[0x18] = 0x20;
    EXPECT_FALSE(Uart::tx_ready());
    EXPECT_TRUE(Uart::rx_ready());
    A::registers[0x18] = 0x10;
    EXPECT_TRUE(Uart::tx_ready());
    EXPECT_FALSE(Uart::rx_ready());
    taken();
    Uart::put('\xe4'); // not sign-extended: bits above 7 are reserved
    EXPECT_EQ(taken(), History{wr(0x00, 0xe4)});
}

TEST_F(Pl011Test, InterruptMasksDoNotDisturbEachOther) {
    Uart::rx_irq(true);
    Uart::tx_irq(true);
    EXPECT_EQ(A::registers[0x38], 0x70u);
    Uart::tx_irq(false);
    EXPECT_EQ(A::registers[0x38], 0x50u);
    Uart::rx_irq(false);
    EXPECT_EQ(A::registers[0x38], 0u);
}

TEST_F(Pl011Test, ReceivesEightBits) {
    A::registers[0x00] = 0x1e4; // with a framing error
    EXPECT_EQ(Uart::get(), '\xe4');
    EXPECT_EQ(taken(), History{rd(0x00, 0x1e4)});
    Uart::rx_acknowledge(); // UARTICR would lose the timeout of what is left
    EXPECT_EQ(taken(), History{});
}

class Uart16550Test : public testing::Test {
  protected:
    using Uart = drivers::Uart16550<A, 48000000>;
    void SetUp() override {
        A::clear();
        A::registers[0x14] = 0x60;
        taken();
    }
};

// 48 MHz / (16 * 115200) = 26. The FIFOs are enabled while the divisor is 0.
TEST_F(Uart16550Test, InitProgramsAStoppedUart) {
    Uart::init();
    EXPECT_EQ(taken(),
              (History{rd(0x14, 0x60), wr(0x20, 7), wr(0x0c, 0x83), wr(0x00, 0), wr(0x04, 0), wr(0x08, 7),
                       wr(0x00, 26), wr(0x04, 0), wr(0x0c, 3), wr(0x04, 0), wr(0x10, 3), wr(0x20, 0)}));
}

TEST_F(Uart16550Test, FlagsAndData) {
    A::registers[0x44] = 1;
    EXPECT_FALSE(Uart::tx_ready());
    A::registers[0x44] = 0;
    EXPECT_TRUE(Uart::tx_ready());
    EXPECT_FALSE(Uart::rx_ready());
    A::registers[0x14] = 1;
    EXPECT_TRUE(Uart::rx_ready());
    taken();
    Uart::put('\xe4');
    EXPECT_EQ(taken(), History{wr(0x00, 0xe4)});
}

TEST_F(Uart16550Test, InterruptEnablesDoNotDisturbEachOther) {
    Uart::rx_irq(true);
    Uart::tx_irq(true);
    EXPECT_EQ(A::registers[0x04], 3u);
    Uart::tx_irq(false);
    EXPECT_EQ(A::registers[0x04], 1u);
}

TEST_F(Uart16550Test, AReceiveTimeoutWithoutCharactersIsCleared) {
    A::registers[0x08] = 0xcc; // IIR: FIFOs enabled, receive timeout
    A::registers[0x14] = 0x60; // LSR: nothing received
    Uart::rx_acknowledge();
    EXPECT_EQ(taken(), (History{rd(0x08, 0xcc), rd(0x14, 0x60), rd(0x00, 0)}));
    A::registers[0x14] = 0x61; // what has come must not be lost
    Uart::rx_acknowledge();
    EXPECT_EQ(taken(), (History{rd(0x08, 0xcc), rd(0x14, 0x61)}));
    A::registers[0x08] = 0xc2; // the transmitter's interrupt
    Uart::rx_acknowledge();
    EXPECT_EQ(taken(), History{rd(0x08, 0xc2)});
}
