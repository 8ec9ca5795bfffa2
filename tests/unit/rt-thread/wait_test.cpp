// SPDX-License-Identifier: GPL-2.0-only
// Objects to wait for: what each call returns, and when.
#include "fixture.hpp"

#include <rtdevice.h>

namespace {

struct Waiting : Api {
    rt_semaphore sem;
};

// The same for each kind: an operation that has to wait.
struct Kind {
    const char *name;
    std::function<void()> init, detach;
    std::function<rt_err_t(rt_int32_t)> wait; // until the timeout
    rt_err_t at_once;                         // what timeout 0 gives
};

std::vector<Kind> kinds() {
    static rt_semaphore sem;
    static rt_event event;
    static rt_mailbox mb, full;
    static rt_messagequeue mq;
    static rt_ubase_t slots[1], full_slots[1];
    alignas(8) static rt_uint8_t pool[RT_MQ_BUF_SIZE(8, 2)];
    return {
        {"semaphore", [] { rt_sem_init(&sem, "s", 0, RT_IPC_FLAG_PRIO); }, [] { rt_sem_detach(&sem); },
         [](rt_int32_t t) { return rt_sem_take(&sem, t); }, -RT_ETIMEOUT},
        {"event", [] { rt_event_init(&event, "e", RT_IPC_FLAG_PRIO); }, [] { rt_event_detach(&event); },
         [](rt_int32_t t) { return rt_event_recv(&event, 1, RT_EVENT_FLAG_AND, t, nullptr); }, -RT_ETIMEOUT},
        {"mailbox", [] { rt_mb_init(&mb, "m", slots, 1, RT_IPC_FLAG_PRIO); }, [] { rt_mb_detach(&mb); },
         [](rt_int32_t t) {
             rt_ubase_t mail;
             return rt_mb_recv(&mb, &mail, t);
         },
         -RT_ETIMEOUT},
        {"full mailbox",
         [] {
             rt_mb_init(&full, "f", full_slots, 1, RT_IPC_FLAG_PRIO);
             rt_mb_send(&full, 1);
         },
         [] { rt_mb_detach(&full); }, [](rt_int32_t t) { return rt_mb_send_wait(&full, 2, t); }, -RT_EFULL},
        {"message queue", [] { rt_mq_init(&mq, "q", pool, 8, sizeof(pool), RT_IPC_FLAG_PRIO); },
         [] { rt_mq_detach(&mq); },
         [](rt_int32_t t) {
             char text[8];
             return rt_mq_recv(&mq, text, sizeof(text), t);
         },
         -RT_ETIMEOUT},
    };
}

TEST_F(Waiting, EveryKindTimesOutRefusesAndEndsWithItsObject) {
    for (const Kind &kind : kinds()) {
        SCOPED_TRACE(kind.name);
        TearDown();
        threads.clear();
        SetUp();
        rt_err_t ended = 1;
        run([&] {
            kind.init();
            EXPECT_EQ(kind.wait(0), kind.at_once);
            const rt_tick_t began = rt_tick_get();
            EXPECT_EQ(kind.wait(7), -RT_ETIMEOUT);
            EXPECT_EQ(rt_tick_get() - began, 7u);
            EXPECT_EQ(rt_get_errno(), -RT_ETIMEOUT);
            machine::interrupt([&] {
                EXPECT_EQ(kind.wait(1), -RT_ESCHEDISR);
                EXPECT_EQ(kind.wait(0), kind.at_once);
            });
            rt_enter_critical();
            EXPECT_EQ(kind.wait(-1), -RT_ESCHEDLOCKED);
            rt_exit_critical();
            const rt_base_t level = rt_hw_interrupt_disable();
            EXPECT_EQ(kind.wait(5), -RT_ESCHEDLOCKED);
            rt_hw_interrupt_enable(level);
            start("waiter", priority - 1, [&] { ended = kind.wait(RT_WAITING_FOREVER); });
            EXPECT_EQ(ended, 1); // it waits
            kind.detach();
            EXPECT_EQ(ended, -RT_ERROR);
            EXPECT_EQ(kind.wait(0), -RT_EINVAL);
        });
    }
}

TEST_F(Waiting, AResumedThreadsCallFails) {
    rt_err_t delayed = 1, taken = 1;
    run([&] {
        rt_sem_init(&sem, "s", 0, RT_IPC_FLAG_PRIO);
        const rt_thread_t a = start("a", priority - 1, [&] { delayed = rt_thread_delay(500); });
        const rt_thread_t b = start("b", priority - 1, [&] { taken = rt_sem_take(&sem, 500); });
        EXPECT_EQ(a->stat & RT_THREAD_STAT_MASK, RT_THREAD_SUSPEND);
        EXPECT_EQ(rt_thread_suspend(a), -RT_ERROR);
        EXPECT_EQ(rt_thread_resume(a), RT_EOK);
        EXPECT_EQ(rt_thread_resume(b), RT_EOK);
        rt_thread_yield();
        EXPECT_EQ(delayed, -RT_ERROR);
        EXPECT_EQ(taken, -RT_ERROR);
        rt_sem_detach(&sem);
    });
}

TEST_F(Waiting, MutexIsRecursiveUpToItsLimitAndKnowsItsOwner) {
    rt_mutex mutex;
    run([&] {
        rt_mutex_init(&mutex, "m", RT_IPC_FLAG_PRIO);
        EXPECT_EQ(rt_mutex_release(&mutex), -RT_ERROR);
        for (int i = 0; i < RT_MUTEX_HOLD_MAX; ++i)
            ASSERT_EQ(rt_mutex_take(&mutex, RT_WAITING_FOREVER), RT_EOK);
        EXPECT_EQ(rt_mutex_take(&mutex, 0), -RT_EFULL);
        EXPECT_EQ(rt_mutex_get_owner(&mutex), rt_thread_self());
        EXPECT_EQ(rt_mutex_get_hold(&mutex), rt_ubase_t{RT_MUTEX_HOLD_MAX});
        start("other", priority - 1, [&] {
            EXPECT_EQ(rt_mutex_trytake(&mutex), -RT_ETIMEOUT);
            EXPECT_EQ(rt_mutex_release(&mutex), -RT_ERROR);
        });
        machine::interrupt([&] {
            EXPECT_EQ(rt_mutex_take(&mutex, 0), -RT_ESCHEDISR);
            EXPECT_EQ(rt_mutex_release(&mutex), -RT_ESCHEDISR);
        });
        for (int i = 0; i < RT_MUTEX_HOLD_MAX; ++i)
            ASSERT_EQ(rt_mutex_release(&mutex), RT_EOK);
        EXPECT_EQ(rt_mutex_get_owner(&mutex), nullptr);
        rt_mutex_detach(&mutex);
    });
}

TEST_F(Waiting, CeilingRaisesItsOwnerAndInheritanceComesBackWithoutIt) {
    rt_mutex mutex;
    run([&] {
        const rt_thread_t self = rt_thread_self();
        rt_mutex_init(&mutex, "m", RT_IPC_FLAG_PRIO);
        EXPECT_EQ(rt_mutex_getprioceiling(&mutex), 0xff);
        EXPECT_EQ(rt_mutex_setprioceiling(&mutex, 5), 0xff);
        EXPECT_EQ(rt_mutex_take(&mutex, 0), RT_EOK);
        EXPECT_EQ(self->current_priority, 5);
        EXPECT_EQ(rt_mutex_release(&mutex), RT_EOK);
        EXPECT_EQ(self->current_priority, priority);
        EXPECT_EQ(rt_mutex_setprioceiling(&mutex, 0xff), 5);
        rt_mutex_take(&mutex, 0);
        start("high", 3, [&] { rt_mutex_take(&mutex, 5); });
        EXPECT_EQ(self->current_priority, 3);
        rt_mutex_release(&mutex);
        EXPECT_EQ(self->current_priority, priority);
        rt_mutex_detach(&mutex);
    });
}

TEST_F(Waiting, MessagesOfHigherPriorityComeFirst) {
    rt_messagequeue mq;
    alignas(8) rt_uint8_t pool[RT_MQ_BUF_SIZE(1, 4)];
    run([&] {
        rt_mq_init(&mq, "q", pool + 1, 1, sizeof(pool) - 1, RT_IPC_FLAG_PRIO); // a pool that is not aligned
        EXPECT_EQ(mq.max_msgs, 3);
        for (const char *m : {"0a", "5b", "5c"})
            EXPECT_EQ(rt_mq_send_wait_prio(&mq, m + 1, 1, m[0] - '0', 0, RT_UNINTERRUPTIBLE), RT_EOK);
        EXPECT_EQ(rt_mq_send(&mq, "x", 1), -RT_EFULL);
        EXPECT_EQ(rt_mq_send(&mq, "xy", 2), -RT_ERROR);
        EXPECT_EQ(rt_mq_send_wait_prio(&mq, "x", 1, 32, 0, RT_UNINTERRUPTIBLE), -RT_EINVAL);
        rt_int32_t prio;
        char c;
        for (const char *m : {"5b", "5c", "0a"}) {
            EXPECT_EQ(rt_mq_recv_prio(&mq, &c, 1, &prio, 0, RT_UNINTERRUPTIBLE), 1);
            EXPECT_EQ(c, m[1]);
            EXPECT_EQ(prio, m[0] - '0');
        }
        rt_mq_detach(&mq);
    });
}

void handler(int) {}

TEST_F(Waiting, ASignalEndsOnlyInterruptibleWaits) {
    run([&] {
        rt_sem_init(&sem, "s", 0, RT_IPC_FLAG_PRIO);
        const rt_thread_t t = start("t", priority - 1, [&] {
            EXPECT_EQ(rt_signal_install(SIGUSR1, handler), SIG_DFL);
            rt_signal_unmask(SIGUSR1);
            trace += "1";
            EXPECT_EQ(rt_sem_take_interruptible(&sem, 100), -RT_EINTR);
            trace += "2";
            const rt_tick_t began = rt_tick_get();
            EXPECT_EQ(rt_sem_take(&sem, 10), -RT_ETIMEOUT); // the time goes on
            EXPECT_EQ(rt_tick_get() - began, 10u);
            trace += "3";
        });
        EXPECT_EQ(rt_thread_kill(t, SIGUSR1), RT_EOK);
        EXPECT_EQ(trace, "12");
        rt_thread_delay(5);
        EXPECT_EQ(rt_thread_kill(t, SIGUSR1), RT_EOK);
        EXPECT_EQ(trace, "12");
        rt_thread_delay(6);
        EXPECT_EQ(trace, "123");
        rt_sem_detach(&sem);
    });
}

// A handler's own wait is not what rt_signal_wait() waits for.
TEST_F(Waiting, ASignalThatIsWaitedForDoesNotEndAHandlersWait) {
    static rt_sem_t taken;
    static rt_err_t result;
    run([&] {
        rt_sem_init(&sem, "s", 0, RT_IPC_FLAG_PRIO);
        taken = &sem;
        result = RT_EOK;
        const rt_thread_t t = start("t", priority - 1, [&] {
            rt_signal_install(SIGUSR1, [](int) { result = rt_sem_take(taken, 20); });
            rt_signal_unmask(SIGUSR1);
            const rt_sigset_t set = rt_sigset_t{1} << SIGUSR2;
            rt_siginfo_t info;
            EXPECT_EQ(rt_signal_wait(&set, &info, 100), RT_EOK);
            EXPECT_EQ(info.si_signo, SIGUSR2);
            trace += "w";
        });
        EXPECT_EQ(rt_thread_kill(t, SIGUSR1), RT_EOK);
        EXPECT_EQ(rt_thread_kill(t, SIGUSR2), RT_EOK);
        EXPECT_EQ(trace, "");
        rt_thread_delay(21);
        EXPECT_EQ(result, -RT_ETIMEOUT);
        EXPECT_EQ(trace, "w");
        rt_sem_detach(&sem);
    });
}

TEST_F(Waiting, CompletionsMayBeInitialisedByTheirFirstUse) {
    static rt_completion done = RT_COMPLETION_INIT(done);
    run([&] {
        EXPECT_EQ(rt_completion_wait(&done, 0), -RT_ETIMEOUT);
        EXPECT_EQ(rt_completion_wakeup(&done), -RT_EEMPTY);
        EXPECT_EQ(rt_completion_wakeup(&done), -RT_EBUSY);
        EXPECT_EQ(rt_completion_wait(&done, 0), RT_EOK);
        EXPECT_EQ(rt_completion_wait(&done, 3), -RT_ETIMEOUT);
    });
}

} // namespace
