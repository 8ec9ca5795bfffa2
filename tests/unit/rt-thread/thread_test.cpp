// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.hpp"

namespace {

struct Threads : Api {
    alignas(8) rt_uint8_t memory[2048];
    rt_thread object;
};

void nothing(void *) {}

TEST_F(Threads, BadArgumentsAreRefused) {
    run([&] {
        EXPECT_EQ(rt_thread_init(nullptr, "t", nothing, nullptr, memory, 1024, 10, 5), -RT_EINVAL);
        EXPECT_EQ(rt_thread_init(&object, "t", nullptr, nullptr, memory, 1024, 10, 5), -RT_EINVAL);
        EXPECT_EQ(rt_thread_init(&object, "t", nothing, nullptr, nullptr, 1024, 10, 5), -RT_EINVAL);
        EXPECT_EQ(rt_thread_init(&object, "t", nothing, nullptr, memory, 100, 10, 5), -RT_EINVAL);
        EXPECT_EQ(rt_thread_init(&object, "t", nothing, nullptr, memory, 1024, RT_THREAD_PRIORITY_MAX, 5),
                  -RT_EINVAL);
        EXPECT_EQ(rt_thread_create("t", nothing, nullptr, 100, 10, 5), nullptr);
        EXPECT_EQ(rt_thread_find(const_cast<char *>("t")), nullptr);
        EXPECT_EQ(rt_thread_startup(rt_thread_self()), -RT_EINVAL);
        EXPECT_EQ(rt_thread_delay(0), -RT_EINVAL);
        machine::record().memory = 0;
        EXPECT_EQ(rt_thread_create("t", nothing, nullptr, 4096, 10, 5), nullptr);
    });
}

TEST_F(Threads, AStaticThreadLivesAndServesAgain) {
    run([&] {
        for (int round = 0; round < 3; ++round) {
            static int cleaned;
            cleaned = 0;
            // its stack need not be aligned
            EXPECT_EQ(rt_thread_init(&object, "static", nothing, nullptr, memory + 1, 2000, priority - 1, 5),
                      RT_EOK);
            object.cleanup = [](rt_thread *t) { cleaned += t->stack_size > 0; };
            EXPECT_EQ(object.stat & RT_THREAD_STAT_MASK, RT_THREAD_INIT);
            EXPECT_EQ(rt_thread_startup(&object), RT_EOK);
            EXPECT_EQ(object.stat & RT_THREAD_STAT_MASK, RT_THREAD_CLOSE);
            EXPECT_TRUE(rt::of(object).reap());
            EXPECT_EQ(cleaned, 1);
            EXPECT_EQ(rt_thread_find(const_cast<char *>("static")), nullptr);
        }
    });
}

TEST_F(Threads, AreDetachedInEveryState) {
    rt_semaphore sem;
    run([&] {
        rt_sem_init(&sem, "s", 0, RT_IPC_FLAG_PRIO);
        const auto init = [&](rt_uint8_t at) {
            ASSERT_EQ(rt_thread_init(
                          &object, "t", [](void *s) { rt_sem_take(static_cast<rt_sem_t>(s), -1); }, &sem,
                          memory, sizeof(memory), at, 5),
                      RT_EOK);
        };
        init(priority - 1); // never started
        EXPECT_EQ(rt_thread_detach(&object), RT_EOK);
        init(priority - 1); // waiting
        rt_thread_startup(&object);
        EXPECT_EQ(rt_thread_detach(&object), RT_EOK);
        init(priority + 1); // ready
        rt_thread_startup(&object);
        EXPECT_EQ(rt_thread_detach(&object), RT_EOK);
        init(priority + 1); // suspended
        rt_thread_startup(&object);
        EXPECT_EQ(rt_thread_suspend(&object), RT_EOK);
        EXPECT_EQ(rt_thread_detach(&object), RT_EOK);
        EXPECT_EQ(rt_thread_detach(&object), -RT_EINVAL);
        rt_sem_release(&sem);
        EXPECT_EQ(sem.value, 1); // nobody waits any more
        rt_sem_detach(&sem);
    });
}

TEST_F(Threads, OfOtherInterfacesGetAnObjectUntilTheyEnd) {
    static bool found, hooked;
    found = hooked = false;
    rtos::Thread other("native", priority - 1, [](void *) {
        const rt_thread_t self = rt_thread_self();
        ASSERT_NE(self, nullptr);
        EXPECT_EQ(self, rt_thread_self());
        EXPECT_EQ(self->current_priority, priority - 1);
        EXPECT_EQ(rt_thread_delete(self), -RT_EINVAL); // it is another's
        found = rt_thread_find(const_cast<char *>("native")) == self;
    });
    run([&] {
        other.set_end_hook([](rtos::Thread &) { hooked = true; });
        EXPECT_EQ(other.start(4096), rtos::Status::ok);
        EXPECT_TRUE(found);
        EXPECT_TRUE(other.reap());
        EXPECT_TRUE(hooked);
        EXPECT_EQ(rt_thread_find(const_cast<char *>("native")), nullptr);
    });
}

std::string switches;

TEST_F(Threads, SwitchesAreSeenByTheHook) {
    switches.clear();
    run([&] {
        rt_scheduler_sethook([](rt_thread_t from, rt_thread_t to) {
            switches +=
                std::string(from ? from->parent.name : "-") + ">" + (to ? to->parent.name : "-") + " ";
        });
        start("better", priority - 1, [] {});
        rt_scheduler_sethook(nullptr);
        rt_thread_delay(1);
    });
    EXPECT_EQ(switches, "test>better better>test ");
}

TEST_F(Threads, InterruptsDisabledMeansNoSwitch) {
    run([&] {
        const rt_base_t level = rt_hw_interrupt_disable();
        const rt_base_t inner = rt_hw_interrupt_disable();
        EXPECT_TRUE(rt_hw_interrupt_is_disabled());
        start("better", priority - 1, [&] { trace += "b"; });
        rt_hw_interrupt_enable(inner);
        trace += "t";
        rt_hw_interrupt_enable(level); // now
        trace += "T";
        rt_enter_critical();
        EXPECT_EQ(rt_critical_level(), 1);
        start("better2", priority - 1, [&] { trace += "B"; });
        trace += "c";
        rt_exit_critical();
    });
    EXPECT_EQ(trace, "tbTcB");
}

} // namespace
