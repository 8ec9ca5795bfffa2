// SPDX-License-Identifier: GPL-2.0-only
// Drivers of the devices that RT applications have on the AM335x.
#include "drivers/am335x_adc.hpp"
#include "drivers/am335x_ehrpwm.hpp"
#include "drivers/am335x_i2c.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace fake;
using History = std::vector<Access>;
using A = Bus<'a'>;

namespace {

struct Counter { // a tick per look
    static inline uint32_t now = 0xffff'fff0;
    static uint32_t read() { return now++; }
};

struct Ehrpwm : testing::Test {
    using Pwm = drivers::Am335xEhrpwm<A, 100'000'000>;
    using Status = Pwm::Status;
    static constexpr uint32_t tbctl = 0, tbcnt = 8, tbprd = 0xa, cmpa = 0x12, cmpb = 0x14, aqcsfrc = 0x1c;
    Pwm pwm;
    Ehrpwm() {
        A::clear();
        pwm.init();
        taken();
    }
};

TEST_F(Ehrpwm, StartsWithBothOutputsForcedLow) {
    EXPECT_EQ(A::registers[aqcsfrc], 5u);
    EXPECT_EQ(A::registers[0x1a], 0u); // later changes at counter zero
    EXPECT_EQ(A::registers[0x16], 0x012u);
    EXPECT_EQ(A::registers[0x18], 0x102u);
    EXPECT_EQ(pwm.enable(0, true), Status::period);
    EXPECT_EQ(taken(), History{});
}

TEST_F(Ehrpwm, AServoPulse) {
    EXPECT_EQ(pwm.set(0, 20'000'000, 1'500'000), Status::ok); // 2,000,000 ticks / 32
    EXPECT_EQ(taken(), (History{wr(tbctl, 0x803b | 5u << 10), wr(cmpa, 4687), wr(tbprd, 62499),
                                wr(tbcnt, 62499), wr(tbctl, 0x8030 | 5u << 10)}));
    EXPECT_EQ(pwm.set(0, 20'000'000, 2'000'000), Status::ok); // the same period: nothing restarts
    EXPECT_EQ(pwm.enable(0, true), Status::ok);
    EXPECT_EQ(taken(), (History{wr(cmpa, 6250), wr(aqcsfrc, 4)}));
    EXPECT_EQ(pwm.enable(0, false), Status::ok);
    EXPECT_EQ(taken(), History{wr(aqcsfrc, 5)});
}

TEST_F(Ehrpwm, ChannelsShareAPeriod) {
    EXPECT_EQ(pwm.set(0, 20'000'000, 0), Status::ok);
    EXPECT_EQ(A::registers[cmpa], 0u);
    EXPECT_EQ(pwm.enable(0, true), Status::ok);
    taken();
    EXPECT_EQ(pwm.set(1, 10'000'000, 1'000'000), Status::shared_period);
    EXPECT_EQ(taken(), History{});
    EXPECT_EQ(pwm.set(1, 20'000'000, 20'000'000), Status::ok); // always high: one past TBPRD
    EXPECT_EQ(taken(), History{wr(cmpb, 62500)});
    EXPECT_EQ(pwm.set(0, 10'000'000, 1'000'000), Status::ok); // B is off
}

TEST_F(Ehrpwm, RefusesWhatItCannot) {
    EXPECT_EQ(pwm.set(2, 20'000'000, 0), Status::no_channel);
    EXPECT_EQ(pwm.enable(2, true), Status::no_channel);
    EXPECT_EQ(pwm.set(0, 1'000, 1'001), Status::pulse);
    EXPECT_EQ(pwm.set(0, 0, 0), Status::period);
    EXPECT_EQ(pwm.set(0, 19, 0), Status::period);
    EXPECT_EQ(pwm.set(0, ~0u, 0), Status::period);
    EXPECT_EQ(taken(), History{});
    EXPECT_EQ(pwm.set(0, 655'360, 655'360), Status::ok); // 65,536 ticks: one less, for 100 %
    EXPECT_EQ(A::registers[tbprd], 65534u);
    EXPECT_EQ(A::registers[cmpa], 65535u);
    EXPECT_EQ(pwm.set(0, 83'886'080, 0), Status::ok); // the longest
    EXPECT_EQ(pwm.set(0, 84'000'000, 0), Status::period);
}

struct Adc : testing::Test {
    using Device = drivers::Am335xAdc<A, Counter>;
    std::vector<uint32_t> fifo;
    Adc() {
        A::clear();
        A::on_read = [this](uint32_t offset) {
            if (offset == 0xe4)
                A::registers[0xe4] = static_cast<uint32_t>(fifo.size());
            if (offset == 0x100) {
                A::registers[0x100] = fifo.empty() ? 0 : fifo.front();
                if (!fifo.empty())
                    fifo.erase(fifo.begin());
            }
        };
        Device::init();
    }
};

TEST_F(Adc, ConvertsTheChannelThatIsAsked) {
    EXPECT_EQ(A::registers[0x40], 5u);
    fifo = {0x111, 0x222}; // of a conversion that came too late
    A::on_write = [this](uint32_t offset, uint32_t value) {
        if (offset == 0x54 && value == 2)
            fifo.push_back(0xf000 | (A::registers[0x64] >> 19 & 15) * 0x100 | 0x42);
    };
    EXPECT_EQ(Device::read(6, 100), 0x642u);
    EXPECT_TRUE(fifo.empty());
}

TEST_F(Adc, GivesUp) {
    EXPECT_EQ(Device::read(0, 100), std::nullopt);
    taken();
    EXPECT_EQ(Device::read(8, 100), std::nullopt);
    EXPECT_EQ(taken(), History{});
}

// A sensor at 0x68 with registers, the first of a write their index; as the module shows it.
struct I2c : testing::Test {
    using Device = drivers::Am335xI2c<A, Counter>;
    using Status = drivers::I2cStatus;
    static constexpr uint32_t raw = 0x24, cnt = 0x98, data = 0x9c, con = 0xa4, sa = 0xac;
    std::map<uint32_t, uint8_t> sensor;
    std::vector<uint32_t> starts; // I2C_CON of each
    uint32_t index = 0, left = 0;
    bool first = false, silent = false;

    void show() {
        bool sends = A::registers[con] & 1u << 9;
        A::registers[raw] = silent ? 0 : left == 0 ? 4 : sends ? 0x10 : 8;
    }
    I2c() {
        A::clear();
        A::registers[0x90] = 1;
        EXPECT_TRUE(Device::init(true, 100));
        A::on_write = [this](uint32_t offset, uint32_t value) {
            if (offset == con && value & 1) {
                starts.push_back(value);
                left = A::registers[cnt];
                first = true;
                show();
                if (A::registers[sa] != 0x68)
                    A::registers[raw] = 2;
            }
            if (offset == data) {
                if (first)
                    index = value;
                else
                    sensor[index++] = static_cast<uint8_t>(value);
                first = false;
                --left;
                show();
            }
        };
        A::on_read = [this](uint32_t offset) {
            if (offset == data) {
                A::registers[data] = sensor[index++];
                --left;
                show();
            }
        };
    }
};

TEST_F(I2c, WritesThenReadsWithARepeatedStart) {
    sensor = {{0x75, 0x71}, {0x76, 0x12}};
    uint8_t which = 0x75, answer[2] = {};
    const drivers::I2cMessage messages[] = {{0x68, false, &which, 1}, {0x68, true, answer, 2}};
    EXPECT_EQ(Device::transfer(messages, 100), Status::ok);
    EXPECT_EQ(answer[0], 0x71);
    EXPECT_EQ(answer[1], 0x12);
    EXPECT_EQ(starts, (std::vector<uint32_t>{0x8601, 0x8403})); // a stop after the last only
    uint8_t bytes[] = {0x10, 7, 8};
    const drivers::I2cMessage write[] = {{0x68, false, bytes, 3}};
    EXPECT_EQ(Device::transfer(write, 100), Status::ok);
    EXPECT_EQ(sensor[0x10], 7);
    EXPECT_EQ(sensor[0x11], 8);
}

TEST_F(I2c, NobodyThereIsANackAndTheBusIsStopped) {
    uint8_t byte = 0;
    const drivers::I2cMessage messages[] = {{0x50, false, &byte, 1}, {0x50, true, &byte, 1}};
    EXPECT_EQ(Device::transfer(messages, 100), Status::nack);
    EXPECT_EQ(starts.size(), 1u);
    EXPECT_EQ(A::registers[con], 0x8402u);
}

TEST_F(I2c, ErrorsOfTheBus) {
    uint8_t byte = 0;
    const drivers::I2cMessage messages[] = {{0x68, true, &byte, 1}};
    silent = true;
    EXPECT_EQ(Device::transfer(messages, 100), Status::timeout);
    A::registers[raw] = 1u << 12; // held by another, or by a sensor that hangs
    EXPECT_EQ(Device::transfer(messages, 100), Status::timeout);
    EXPECT_EQ(starts.size(), 1u);
    A::registers[raw] = 0;
    A::on_write = [](uint32_t offset, uint32_t) {
        if (offset == con)
            A::registers[raw] = 1;
    };
    EXPECT_EQ(Device::transfer(messages, 100), Status::arbitration_lost);
    A::registers[0x90] = 0;
    EXPECT_FALSE(Device::init(false, 100));
}

TEST_F(I2c, RefusesMessagesThatAreNone) {
    uint8_t byte = 0;
    taken();
    for (drivers::I2cMessage m : {drivers::I2cMessage{0x80, true, &byte, 1},
                                  {0x68, true, nullptr, 1},
                                  {0x68, true, &byte, 0},
                                  {0x68, true, &byte, 0x10000}})
        EXPECT_EQ(Device::transfer({&m, 1}, 100), Status::invalid);
    EXPECT_EQ(taken(), History{});
}

} // namespace
