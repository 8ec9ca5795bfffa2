// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.hpp"

namespace {

struct Timers : Api {
    rt_timer timer;
    std::vector<rt_tick_t> expiries;
    std::function<void()> what;
    static void expire(void *self) {
        auto &t = *static_cast<Timers *>(self);
        t.expiries.push_back(rt_tick_get());
        EXPECT_EQ(rt_interrupt_get_nest(), 1);
        if (t.what)
            t.what();
    }
    void init(rt_tick_t ticks, unsigned flag) {
        rt_timer_init(&timer, "timer", expire, this, ticks, static_cast<rt_uint8_t>(flag));
    }
    bool active() { return timer.parent.flag & RT_TIMER_FLAG_ACTIVATED; }
};

TEST_F(Timers, OnceThenNotActive) {
    run([&] {
        const rt_tick_t now = rt_tick_get();
        init(5, RT_TIMER_FLAG_ONE_SHOT);
        EXPECT_FALSE(active());
        EXPECT_EQ(rt_timer_stop(&timer), -RT_ERROR);
        EXPECT_EQ(rt_timer_start(&timer), RT_EOK);
        EXPECT_TRUE(active());
        rt_tick_t at = 0;
        EXPECT_EQ(rt_timer_control(&timer, RT_TIMER_CTRL_GET_REMAIN_TIME, &at), RT_EOK);
        EXPECT_EQ(at, now + 5);
        rt_thread_delay(20);
        EXPECT_EQ(expiries, std::vector{now + 5});
        EXPECT_FALSE(active());
        rt_timer_detach(&timer);
        EXPECT_EQ(rt_timer_start(&timer), -RT_EINVAL);
    });
}

TEST_F(Timers, PeriodWithoutDriftAndStartedAgainFromNow) {
    run([&] {
        const rt_tick_t now = rt_tick_get();
        init(3, RT_TIMER_FLAG_PERIODIC);
        rt_timer_start(&timer);
        rt_thread_delay(10);
        EXPECT_EQ(expiries, (std::vector{now + 3, now + 6, now + 9}));
        rt_timer_start(&timer); // active already
        rt_thread_delay(2);
        EXPECT_EQ(rt_timer_stop(&timer), RT_EOK);
        rt_thread_delay(5);
        EXPECT_EQ(expiries.size(), 3u);
        rt_timer_detach(&timer);
    });
}

TEST_F(Timers, ChangesItsKindWhileActiveAndInItsFunction) {
    run([&] {
        const rt_tick_t now = rt_tick_get();
        init(4, RT_TIMER_FLAG_ONE_SHOT);
        rt_timer_start(&timer);
        rt_timer_control(&timer, RT_TIMER_CTRL_SET_PERIODIC, nullptr);
        what = [&] {
            if (expiries.size() == 2)
                rt_timer_control(&timer, RT_TIMER_CTRL_SET_ONESHOT, nullptr);
        };
        rt_thread_delay(30);
        EXPECT_EQ(expiries, (std::vector{now + 4, now + 8}));
        EXPECT_FALSE(active());
        what = nullptr;
        rt_timer_start(&timer); // once, as it is now
        rt_thread_delay(30);
        EXPECT_EQ(expiries.size(), 3u);
        rt_timer_detach(&timer);
    });
}

TEST_F(Timers, ANewTimeStopsItAndHoldsForTheNextStart) {
    run([&] {
        init(4, RT_TIMER_FLAG_PERIODIC);
        rt_timer_start(&timer);
        rt_tick_t time = 2;
        EXPECT_EQ(rt_timer_control(&timer, RT_TIMER_CTRL_SET_TIME, &time), RT_EOK);
        EXPECT_FALSE(active());
        rt_thread_delay(10);
        EXPECT_TRUE(expiries.empty());
        rt_timer_start(&timer);
        rt_thread_delay(5);
        EXPECT_EQ(expiries.size(), 2u);
        time = RT_TICK_MAX / 2;
        EXPECT_EQ(rt_timer_control(&timer, RT_TIMER_CTRL_SET_TIME, &time), -RT_EINVAL);
        rt_timer_detach(&timer);
    });
}

TEST_F(Timers, MayDeleteItselfInItsFunction) {
    static rt_timer_t made;
    static int calls;
    calls = 0;
    run([&] {
        made = rt_timer_create(
            "once",
            [](void *) {
                ++calls;
                rt_timer_stop(made);
            },
            nullptr, 1, RT_TIMER_FLAG_PERIODIC);
        rt_timer_start(made);
        rt_thread_delay(5);
        EXPECT_EQ(rt_timer_delete(made), RT_EOK);
    });
    EXPECT_EQ(calls, 1);
}

TEST_F(Timers, TicksComeFromTheClockAndMayBeSet) {
    run([&] {
        const rt_tick_t now = rt_tick_get();
        machine::advance(24'000 * 10 - 1);
        EXPECT_LE(rt_tick_get() - now, 10u);
        machine::advance(24'000);
        EXPECT_GE(rt_tick_get() - now, 10u);
        rt_tick_set(RT_TICK_MAX - 2); // and over the end
        const rt_tick_t set = rt_tick_get();
        EXPECT_EQ(set, RT_TICK_MAX - 2);
        rt_tick_t until = set;
        for (rt_tick_t i = 1; i <= 3; ++i) {
            EXPECT_EQ(rt_thread_delay_until(&until, 2), RT_EOK);
            EXPECT_EQ(rt_tick_get(), set + 2 * i);
        }
        rt_thread_delay(10);
        EXPECT_EQ(rt_thread_delay_until(&until, 2), RT_EOK); // late: not at all
        EXPECT_EQ(until, rt_tick_get());
        EXPECT_EQ(rt_tick_from_millisecond(-1), static_cast<rt_tick_t>(RT_WAITING_FOREVER));
    });
}

TEST_F(Timers, TheClockGoesOnForDays) {
    static constexpr rt_tick_t day = 86'400'000;
    run(
        [] {
            for (int i = 0; i < 3; ++i) {
                const rt_tick_t now = rt_tick_get();
                rt_thread_delay(day);
                EXPECT_EQ(rt_tick_get() - now, day);
            }
        },
        4 * day);
}

} // namespace
