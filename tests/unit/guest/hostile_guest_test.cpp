// SPDX-License-Identifier: GPL-2.0-only
#include "simulated/hostile_guest.hpp"
#include "statistics.hpp"

#include <gtest/gtest.h>
#include <random>

using namespace rtmux;

TEST(HostileGuest, GetsNothingButItsOwn) {
    uint32_t ends = 0, emulated = 0, calls = 0, injected = 0, user = 0, mediated = 0;
    for (uint32_t seed = 1; seed <= 400; seed++) {
        auto next = [random = std::mt19937{seed}](uint32_t bound) mutable {
            return static_cast<uint32_t>(random() % bound);
        };
        try {
            simulation::HostileGuest guest{next};
            for (uint32_t i = 0; i < 200; i++) {
                guest.step();
                user += vcpu.user_mode;
            }
        } catch (const simulation::Stopped &) {

            ends++;
        } catch (const test::Failure &f) {
            FAIL() << f.what() << ", seed " << seed;
        }
        emulated += statistics.emulated;
        injected += statistics.injected_irqs;
        mediated += statistics.mediated_writes + statistics.refused_writes;
        for (uint32_t n : statistics.hypercalls)
            calls += n;
    }
    std::printf(
        "  %u guests stopped; %u instructions emulated, %u hypercalls, %u interrupts, %u exits to user "
        "mode, %u stores to mediated devices\n",
        ends, emulated, calls, injected, user, mediated);
    // It must have come to all of it.
    EXPECT_GT(ends, 100u);
    EXPECT_GT(emulated, 500u);
    EXPECT_GT(calls, 2000u);
    EXPECT_GT(injected, 100u);
    EXPECT_GT(user, 100u);
    EXPECT_GT(mediated, 10u);
}
