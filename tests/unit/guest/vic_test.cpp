// SPDX-License-Identifier: GPL-2.0-only
// The virtual interrupt controller. Preemption is tried at every point: a hook
// runs before each access that the executive makes to the private words and to
// the physical controller, and lets an interrupt or an RT thread in there.
#include "guest/vic.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace {

// Runs `intruder` before the n-th step from now; steps of the intruder count too.
struct Preemption {
    static inline std::function<void()> intruder;
    static inline int at = -1, steps = 0;

    static void step() {
        if (steps++ == at)
            intruder();
    }
    static void arm(int n, std::function<void()> f) {
        steps = 0;
        at = n;
        intruder = std::move(f);
    }
    static void disarm() { at = -1; }
};

struct Words {
    static void store(uint32_t &w, uint32_t value) {
        Preemption::step();
        w = value;
    }
    static uint32_t load(const uint32_t &w) {
        Preemption::step();
        return w;
    }
    static uint32_t exchange(uint32_t &w, uint32_t value) {
        Preemption::step();
        return std::exchange(w, value);
    }
    static uint32_t fetch_or(uint32_t &w, uint32_t bits) {
        Preemption::step();
        return std::exchange(w, w | bits);
    }
    static uint32_t fetch_and(uint32_t &w, uint32_t bits) {
        Preemption::step();
        return std::exchange(w, w & bits);
    }
    static void compiler_barrier() { Preemption::step(); }
};

// A level-sensitive controller: an asserted, enabled line interrupts at once.
struct Controller {
    static inline std::set<uint32_t> enabled, asserted, forgotten;
    static inline std::function<void(uint32_t)> handler;
    static inline std::vector<std::pair<bool, uint32_t>> log;

    static void enable(uint32_t line) {
        Preemption::step();
        log.emplace_back(true, line);
        enabled.insert(line);
        deliver();
    }
    static void forget(uint32_t line) { forgotten.insert(line); }
    static void disable(uint32_t line) {
        Preemption::step();
        log.emplace_back(false, line);
        enabled.erase(line);
    }
    static void deliver() {
        for (uint32_t line : std::set<uint32_t>(asserted))
            if (enabled.count(line) && handler)
                handler(line);
    }
    static void assert_line(uint32_t line) {
        asserted.insert(line);
        deliver();
    }
};

using Vic = rtmux::VirtualIc<Controller, Words>;

} // namespace

class VicTest : public testing::Test {
  protected:
    static constexpr uint32_t timer = 36, uart = 44, ethernet = 60, vbus = 127;
    const uint32_t assigned[4] = {0, 1u << 4 | 1u << 12 | 1u << 28, 0, 0};
    uint32_t page[1024] = {};
    Vic vic;

    void SetUp() override {
        Preemption::disarm();
        Controller::enabled.clear();
        Controller::asserted.clear();
        Controller::log.clear();
        Controller::handler = [this](uint32_t line) { EXPECT_TRUE(vic.raise_physical(line)); };
        vic.attach(page, assigned);
        vic.reset();
        Controller::log.clear();
    }
    void TearDown() override {
        Preemption::disarm();
        Controller::handler = nullptr;
    }

    uint32_t &word(uint32_t offset) { return page[offset / 4]; }
    bool shared_bit(uint32_t offset, uint32_t line) { return word(offset + line / 32 * 4) >> line % 32 & 1; }
    void guest_enables(uint32_t line) { word(RTMUX_S_ENABLED + line / 32 * 4) |= 1u << line % 32; }
    // What the guest's handler does: takes the bit. False if there is none.
    bool guest_takes(uint32_t line) {
        const bool pending = shared_bit(RTMUX_S_PENDING, line);
        word(RTMUX_S_PENDING + line / 32 * 4) &= ~(1u << line % 32);
        return pending;
    }
};

TEST_F(VicTest, ResetEnablesTheAssignedLinesOnly) {
    EXPECT_EQ(Controller::enabled, (std::set<uint32_t>{timer, uart, ethernet}));
}

TEST_F(VicTest, ALineTravelsToTheGuestAndBack) {
    guest_enables(timer);
    Controller::assert_line(timer);
    EXPECT_EQ(Controller::enabled.count(timer), 0u); // silent until the guest's EOI
    EXPECT_TRUE(vic.raised());
    EXPECT_EQ(word(RTMUX_S_PENDING + 4), 0u); // not yet
    EXPECT_TRUE(vic.sync());
    EXPECT_FALSE(vic.raised());
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 1u);
    vic.delivered();
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 0u);
    EXPECT_TRUE(guest_takes(timer));
    Controller::asserted.clear();
    vic.eoi(timer);
    EXPECT_EQ(Controller::enabled.count(timer), 1u);
    EXPECT_FALSE(vic.sync());
    EXPECT_EQ(vic.statistics().raised[timer], 1u);
    EXPECT_EQ(vic.statistics().idle_eois, 0u);
}

TEST_F(VicTest, AStillAssertedLineComesAgainAfterTheEoi) {
    guest_enables(uart);
    Controller::assert_line(uart);
    vic.sync();
    guest_takes(uart);
    vic.eoi(uart); // the device was not served
    EXPECT_TRUE(vic.raised());
    EXPECT_TRUE(vic.sync());
    EXPECT_EQ(Controller::enabled.count(uart), 0u);
    EXPECT_EQ(vic.statistics().raised[uart], 2u);
}

TEST_F(VicTest, AStormCostsOneInterruptPerEoi) {
    Controller::assert_line(timer);
    for (int i = 0; i < 1000; ++i)
        Controller::deliver();
    EXPECT_EQ(vic.statistics().raised[timer], 1u);
}

TEST_F(VicTest, PendingButNotEnabledIsKept) {
    Controller::assert_line(timer);
    EXPECT_FALSE(vic.sync());
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 0u);
    guest_enables(timer); // and polls
    EXPECT_TRUE(vic.sync());
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 1u);
}

// What the guest has not taken yet must stay, and IRQ_PEND with it.
TEST_F(VicTest, SyncAddsToWhatIsPending) {
    guest_enables(timer);
    guest_enables(uart);
    Controller::assert_line(timer);
    vic.sync();
    Controller::assert_line(uart);
    EXPECT_TRUE(vic.sync());
    EXPECT_TRUE(shared_bit(RTMUX_S_PENDING, timer));
    EXPECT_TRUE(shared_bit(RTMUX_S_PENDING, uart));
    EXPECT_TRUE(vic.sync()); // nothing new
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 1u);
    guest_takes(timer);
    guest_takes(uart);
    EXPECT_FALSE(vic.sync());
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 0u);
}

TEST_F(VicTest, OnlyAnEoiThatIsDueReachesTheController) {
    for (uint32_t line : {0u, 37u, timer, vbus, 128u, 1023u, UINT32_MAX})
        vic.eoi(line); // the RT timer's line 37, never fired, virtual, no lines
    EXPECT_TRUE(Controller::log.empty());
    EXPECT_EQ(vic.statistics().idle_eois, 7u);

    Controller::assert_line(timer);
    Controller::asserted.clear();
    vic.eoi(timer);
    vic.eoi(timer);
    EXPECT_EQ(Controller::log, (std::vector<std::pair<bool, uint32_t>>{{false, timer}, {true, timer}}));
    EXPECT_EQ(vic.statistics().idle_eois, 8u);
}

TEST_F(VicTest, AForeignLineIsRefused) {
    for (uint32_t line : {37u, 45u, vbus, 128u, 1023u})
        EXPECT_FALSE(vic.raise_physical(line));
    EXPECT_TRUE(Controller::log.empty());
    EXPECT_FALSE(vic.raised());
    vic.raise(128);
    EXPECT_FALSE(vic.raised());
}

TEST_F(VicTest, AVirtualLineNeedsNoController) {
    guest_enables(vbus);
    vic.raise(vbus);
    EXPECT_TRUE(vic.sync());
    EXPECT_TRUE(guest_takes(vbus));
    vic.eoi(vbus);
    EXPECT_TRUE(Controller::log.empty());
}

// Whatever the guest writes, only the lines that fired are touched.
TEST_F(VicTest, ScribblingOverTheSharedPageReachesNothing) {
    for (uint32_t &w : page)
        w = ~0u;
    EXPECT_TRUE(vic.sync()); // its own interrupt storm
    for (uint32_t &w : page)
        w = 0;
    EXPECT_FALSE(vic.sync());
    EXPECT_TRUE(Controller::log.empty());

    Controller::assert_line(timer);
    vic.sync();
    for (uint32_t &w : page)
        w = 0; // the guest threw its pending bit away
    EXPECT_FALSE(vic.sync());
    Controller::asserted.clear();
    vic.eoi(timer); // and can still end it
    EXPECT_EQ(Controller::enabled.count(timer), 1u);
}

TEST_F(VicTest, ResetAfterACrashBringsEveryLineBack) {
    guest_enables(timer);
    Controller::assert_line(timer);
    Controller::assert_line(uart);
    vic.sync();
    Controller::asserted.clear();
    vic.stop();
    EXPECT_TRUE(Controller::enabled.empty());
    EXPECT_FALSE(vic.raised());
    vic.reset();
    EXPECT_EQ(Controller::enabled, (std::set<uint32_t>{timer, uart, ethernet}));
    EXPECT_FALSE(vic.sync());
    EXPECT_EQ(word(RTMUX_S_PENDING + 4), 0u);
    EXPECT_EQ(word(RTMUX_S_ENABLED + 4), 0u);
    EXPECT_EQ(word(RTMUX_S_IRQ_PEND), 0u);
    vic.eoi(timer); // of the life before
    EXPECT_EQ(vic.statistics().idle_eois, 1u);
}

// No lost wake-up: raised at any step of sync(), a line is either delivered by
// this sync() or announced by raised() for the next one.
TEST_F(VicTest, RaiseAtAnyPointOfSyncIsNotLost) {
    for (uint32_t line : {0u, timer, 95u, vbus}) {
        guest_enables(line);
        for (bool earlier : {false, true}) {
            int n = 0;
            bool ran = true;
            for (; ran; ++n) {
                if (earlier)
                    vic.raise(uart); // masked by the guest: it only makes sync() work
                ran = false;
                Preemption::arm(n, [&] {
                    ran = true;
                    Preemption::disarm();
                    vic.raise(line);
                });
                const bool delivered = vic.sync();
                Preemption::disarm();
                if (!ran) {
                    EXPECT_FALSE(delivered);
                    break;
                }
                EXPECT_TRUE(delivered || vic.raised()) << line << " at step " << n;
                EXPECT_TRUE(delivered || vic.sync()) << line << " at step " << n;
                EXPECT_TRUE(guest_takes(line)) << line << " at step " << n;
                vic.sync();
            }
            EXPECT_GT(n, 5) << "sync() has no steps: nothing was tried";
        }
    }
}

// And the other way round, which takes a second processor or a scheduler that
// leaves a thread in the middle: raise() does not rely on there being none.
TEST_F(VicTest, SyncAtAnyPointOfRaiseLosesNothing) {
    guest_enables(vbus);
    bool ran = true;
    int n = 0;
    for (; ran; ++n) {
        ran = false;
        bool delivered = false;
        Preemption::arm(n, [&] {
            ran = true;
            Preemption::disarm();
            delivered = vic.sync();
        });
        vic.raise(vbus);
        Preemption::disarm();
        EXPECT_TRUE(delivered || vic.raised()) << "at step " << n;
        EXPECT_TRUE(delivered || vic.sync()) << "at step " << n;
        EXPECT_TRUE(guest_takes(vbus));
        vic.sync();
    }
    EXPECT_GT(n, 2);
}

// The same for a raise() that is itself preempted by another one, with a sync()
// between: RT thread, interrupt, and the executive when both are done.
TEST_F(VicTest, RaisePreemptedByRaiseLosesNeither) {
    guest_enables(timer);
    guest_enables(vbus);
    for (int n = 0; n < 8; ++n) {
        bool ran = false;
        Preemption::arm(n, [&] {
            ran = true;
            Preemption::disarm();
            Controller::assert_line(timer);
            Controller::asserted.clear();
        });
        vic.raise(vbus);
        Preemption::disarm();
        EXPECT_TRUE(vic.raised());
        EXPECT_TRUE(vic.sync());
        EXPECT_TRUE(guest_takes(vbus)) << n;
        EXPECT_EQ(guest_takes(timer), ran) << n;
        vic.eoi(timer);
        EXPECT_EQ(Controller::enabled.count(timer), 1u) << n;
    }
}

// A line that fires at any step of eoi(), its own or one of the same word: no
// line stays disabled without an EOI due, none is enabled before its EOI.
TEST_F(VicTest, AnInterruptAtAnyPointOfEoi) {
    guest_enables(timer);
    guest_enables(uart);
    for (uint32_t intruder : {timer, uart}) {
        bool ran = true;
        int n = 0;
        for (; ran; ++n) {
            Controller::asserted.clear();
            Controller::assert_line(timer);
            vic.sync();
            guest_takes(timer);
            Controller::asserted.clear();

            ran = false;
            Preemption::arm(n, [&] {
                ran = true;
                Preemption::disarm();
                Controller::assert_line(intruder);
            });
            vic.eoi(timer);
            Preemption::disarm();
            Controller::asserted.clear(); // served by its driver
            vic.sync();
            if (guest_takes(intruder))
                vic.eoi(intruder);
            EXPECT_EQ(Controller::enabled, (std::set<uint32_t>{timer, uart, ethernet}))
                << intruder << " " << n;
        }
        EXPECT_GT(n, 2);
    }
    EXPECT_EQ(vic.statistics().idle_eois, 0u);
}
