// SPDX-License-Identifier: BSD-3-Clause
// The calls that loops are made of: what they do when nobody has to wait. Compiled for speed, the rest for
// size.
#include "slow.hpp"
#include "timer.hpp"

#include "kernel/mutex.hpp"
#include "kernel/timer_queue.hpp"

#include <rtos/interrupt.hpp>

using rt::Until;
using rtos::Status;

rt_err_t rt::timer::start(rt_timer_t timer) {
    if (!usable(timer))
        return refuse("a timer", "rt_timer_start");
    {
        const rtos::IrqMask masked;
        const unsigned flag = timer->parent.flag;
        timer->parent.flag = static_cast<rt_uint8_t>(flag | RT_TIMER_FLAG_ACTIVATED);
        const rtos::Time deadline = rtos::timer_queue.now() + ticks(timer->init_tick);
        if (flag & (RT_TIMER_FLAG_SOFT_TIMER | RT_TIMER_FLAG_PERIODIC))
            start_at(*timer, deadline);
        else
            rtos::timer_queue.start(hard(*timer), deadline);
    }
    rtos::timer_queue.finish();
    return RT_EOK;
}

[[gnu::noinline]] rt_err_t rt::timer::stop(rt_timer_t timer) {
    if (!usable(timer))
        return refuse("a timer", "rt_timer_stop");
    {
        const rtos::IrqMask masked;
        if (!is_active(*timer))
            return -RT_ERROR;
        timer->parent.flag &= static_cast<rt_uint8_t>(~RT_TIMER_FLAG_ACTIVATED);
        if (is_soft(*timer))
            (void)soft(*timer).stop();
        else
            (void)rtos::timer_queue.stop(hard(*timer));
    }
    rtos::timer_queue.finish();
    return RT_EOK;
}

// What a hard timer's expiry calls, in the interrupt.
void rt::timer::expire_hard(void *timer) {
    auto &t = *static_cast<rt_timer *>(timer);
    const unsigned flag = t.parent.flag;
    if (!(flag & RT_TIMER_FLAG_PERIODIC))
        t.parent.flag = static_cast<rt_uint8_t>(flag & ~RT_TIMER_FLAG_ACTIVATED);
    Running &running = rt::timer::running;
    running.in_interrupt = &t;
    if (running.hooked) [[unlikely]]
        call_hooked(t);
    else
        t.timeout_func(t.parameter);
    running.in_interrupt = nullptr;
}

[[gnu::noinline]] static rt_err_t release_to_waiter(rtos::Semaphore &sem) {
    return sem.release_to_waiter(-RT_EFULL);
}

extern "C" {

rt_err_t rt_sem_take(rt_sem_t sem, rt_int32_t timeout) {
    if (sem && rt::plain(sem->parent, RT_Object_Class_Semaphore) && rt::of(*sem).try_take()) [[likely]]
        return RT_EOK;
    return rt::sem_take(sem, timeout, Until::done, RT_THIS_CALL);
}

rt_err_t rt_sem_release(rt_sem_t sem) {
    if (sem && rt::plain(sem->parent, RT_Object_Class_Semaphore)) [[likely]] {
        const Status released = rt::of(*sem).try_release();
        if (released == Status::ok) [[likely]]
            return RT_EOK;
        return released == Status::busy ? release_to_waiter(rt::of(*sem)) : -RT_EFULL;
    }
    return rt::sem_release(sem);
}

rt_err_t rt_mutex_take(rt_mutex_t mutex, rt_int32_t timeout) {
    if (mutex && rt::plain(mutex->parent, RT_Object_Class_Mutex) && rt::of(*mutex).lock_shortly()) [[likely]]
        return RT_EOK;
    return rt::mutex_take(mutex, timeout, Until::done, RT_THIS_CALL);
}

rt_err_t rt_mutex_release(rt_mutex_t mutex) {
    if (mutex && rt::plain(mutex->parent, RT_Object_Class_Mutex) && rt::of(*mutex).unlock_shortly())
        [[likely]]
        return RT_EOK;
    return rt::mutex_release(mutex);
}

rt_err_t rt_mb_send(rt_mailbox_t mb, rt_ubase_t value) {
    if (mb && rt::plain(mb->parent, RT_Object_Class_MailBox) && rt::of(*mb).try_send(value) == Status::ok)
        [[likely]]
        return RT_EOK;
    return rt::mb_send(mb, value, RT_WAITING_NO, Until::done, RT_THIS_CALL);
}

rt_err_t rt_mb_recv(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout) {
    rtos::Mailbox::Message message;
    if (mb && rt::plain(mb->parent, RT_Object_Class_MailBox) && value &&
        rt::of(*mb).try_receive(message) == Status::ok) [[likely]] {
        *value = message;
        return RT_EOK;
    }
    return rt::mb_recv(mb, value, timeout, Until::done, RT_THIS_CALL);
}

rt_err_t rt_mq_send(rt_mq_t mq, const void *buffer, rt_size_t size) {
    if (mq && rt::plain(mq->parent, RT_Object_Class_MessageQueue) && buffer && size != 0 &&
        rt::of(*mq).try_send(buffer, size) == Status::ok) [[likely]]
        return RT_EOK;
    return rt::mq_send(mq, buffer, size, 0, RT_WAITING_NO, Until::done, RT_THIS_CALL);
}

rt_ssize_t rt_mq_recv(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t timeout) {
    size_t length;
    if (mq && rt::plain(mq->parent, RT_Object_Class_MessageQueue) && buffer && size != 0 &&
        rt::of(*mq).try_receive(buffer, size, length) == Status::ok) [[likely]]
        return static_cast<rt_ssize_t>(length);
    return rt::mq_recv(mq, buffer, size, nullptr, timeout, Until::done, RT_THIS_CALL);
}

// A hard one-shot timer, not active or active, as one comparison of its flags and class.
static bool is_plain(const rt_timer &t, unsigned state) {
    static_assert(offsetof(rt_object, live) == offsetof(rt_object, flag) + 1 &&
                  offsetof(rt_object, flag) % 2 == 0);
    uint16_t flag_and_live;
    __builtin_memcpy(&flag_and_live, __builtin_assume_aligned(&t.parent.flag, 2), sizeof(flag_and_live));
    return flag_and_live == (state | RT_Object_Class_Timer << 8);
}

rt_err_t rt_timer_start(rt_timer_t timer) {
    if (timer) [[likely]] {
        const rtos::IrqMask masked;
        if (is_plain(*timer, RT_TIMER_FLAG_DEACTIVATED) &&
            rtos::timer_queue.put_first(rt::timer::hard(*timer), rt::ticks(timer->init_tick))) [[likely]] {
            timer->parent.flag = RT_TIMER_FLAG_ACTIVATED;
            return RT_EOK;
        }
    }
    return rt::timer::start(timer);
}

rt_err_t rt_timer_stop(rt_timer_t timer) {
    if (timer) [[likely]] {
        const rtos::IrqMask masked;
        if (is_plain(*timer, RT_TIMER_FLAG_ACTIVATED) &&
            rtos::timer_queue.take_first(rt::timer::hard(*timer))) [[likely]] {
            timer->parent.flag = RT_TIMER_FLAG_DEACTIVATED;
            return RT_EOK;
        }
    }
    return rt::timer::stop(timer);
}

rt_err_t rt_thread_yield(void) {
    if (rtos::Thread::yield() == Status::ok) [[likely]]
        return RT_EOK;
    RT_REQUIRE(!rtos::in_interrupt(), -RT_ESCHEDISR);
    return -RT_ESCHEDLOCKED;
}

// No signal kills a thread, so these wait as the others do; and what does not wait, no signal can interrupt.
RT_SAME_AS(rt_sem_take, rt_sem_take_killable);
RT_SAME_AS(rt_mutex_take, rt_mutex_take_killable);
RT_SAME_AS(rt_mb_send, rt_mb_send_interruptible);
RT_SAME_AS(rt_mb_send, rt_mb_send_killable);
RT_SAME_AS(rt_mb_recv, rt_mb_recv_killable);
RT_SAME_AS(rt_mq_send, rt_mq_send_interruptible);
RT_SAME_AS(rt_mq_send, rt_mq_send_killable);
RT_SAME_AS(rt_mq_recv, rt_mq_recv_killable);
}
