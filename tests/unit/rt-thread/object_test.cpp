// SPDX-License-Identifier: GPL-2.0-only
// Names, lists and life of objects; the fields that applications read; hooks.
#include "fixture.hpp"

#include <rtos/object.hpp>

namespace {

struct Objects : Api {};

TEST_F(Objects, AreFoundByClassAndNameInBothRegistries) {
    rt_semaphore sem;
    run([&] {
        const int before = rt_object_get_length(RT_Object_Class_Semaphore);
        EXPECT_EQ(rt_sem_init(&sem, "a name that is too long", 1, RT_IPC_FLAG_PRIO), RT_EOK);
        EXPECT_STREQ(sem.parent.parent.name, "a name that is ");
        EXPECT_EQ(rt_object_find("a name that is too long", RT_Object_Class_Semaphore), &sem.parent.parent);
        EXPECT_EQ(rt_object_find("a name that is ", RT_Object_Class_Mutex), nullptr);
        EXPECT_EQ(rt_object_get_length(RT_Object_Class_Semaphore), before + 1);
        const rtos::Object *const object =
            rtos::Object::find(rtos::Object::Kind::semaphore, "a name that is ");
        ASSERT_NE(object, nullptr);
        EXPECT_EQ(object->subject(), &rt::of(sem));
        EXPECT_EQ(rt_sem_detach(&sem), RT_EOK);
        EXPECT_EQ(rt_object_find("a name that is ", RT_Object_Class_Semaphore), nullptr);
        EXPECT_EQ(rtos::Object::find(rtos::Object::Kind::semaphore, "a name that is "), nullptr);
    });
}

TEST_F(Objects, AreNotInitialisedTwice) {
    rt_event event;
    run([&] {
        EXPECT_EQ(rt_event_init(&event, "once", RT_IPC_FLAG_PRIO), RT_EOK);
        EXPECT_EQ(rt_event_init(&event, "twice", RT_IPC_FLAG_PRIO), -RT_EINVAL);
        EXPECT_EQ(rt_event_detach(&event), RT_EOK);
        EXPECT_EQ(rt_event_init(&event, "again", RT_IPC_FLAG_PRIO), RT_EOK);
        EXPECT_EQ(rt_event_detach(&event), RT_EOK);
    });
}

TEST_F(Objects, FieldsAreTheKernels) {
    rt_semaphore sem;
    rt_mutex mutex;
    rt_event event;
    rt_mailbox mb;
    rt_messagequeue mq;
    rt_mempool mp;
    rt_ubase_t mails[3];
    alignas(8) rt_uint8_t messages[RT_MQ_BUF_SIZE(5, 3)], blocks[200];
    run([&] {
        rt_sem_init(&sem, "s", 3, RT_IPC_FLAG_PRIO);
        rt_sem_trytake(&sem);
        EXPECT_EQ(sem.value, 2);
        rt_mutex_init(&mutex, "m", RT_IPC_FLAG_PRIO);
        rt_mutex_take(&mutex, 0);
        rt_mutex_take(&mutex, 0);
        EXPECT_EQ(mutex.hold, 2);
        rt_mutex_release(&mutex);
        rt_mutex_release(&mutex);
        rt_event_init(&event, "e", RT_IPC_FLAG_PRIO);
        rt_event_send(&event, 0x8000'0001u);
        EXPECT_EQ(event.set, 0x8000'0001u);
        rt_mb_init(&mb, "mb", mails, 3, RT_IPC_FLAG_PRIO);
        rt_mb_send(&mb, 1);
        rt_mb_send(&mb, 2);
        EXPECT_EQ(mb.entry, 2);
        EXPECT_EQ(mb.size, 3);
        rt_mq_init(&mq, "mq", messages, 5, sizeof(messages), RT_IPC_FLAG_PRIO);
        EXPECT_EQ(mq.max_msgs, 3);
        rt_mq_send(&mq, "12345", 5);
        EXPECT_EQ(mq.entry, 1);
        rt_mp_init(&mp, "mp", blocks, sizeof(blocks), 16);
        void *const block = rt_mp_alloc(&mp, 0);
        EXPECT_EQ(mp.block_free_count, mp.block_total_count - 1);
        rt_mp_free(block);
        const rt_thread_t self = rt_thread_self();
        EXPECT_EQ(self->current_priority, priority);
        EXPECT_EQ(self->init_priority, priority);
        EXPECT_EQ(self->stat & RT_THREAD_STAT_MASK, RT_THREAD_READY);
        rt_mp_detach(&mp);
        rt_mq_detach(&mq);
        rt_mb_detach(&mb);
        rt_event_detach(&event);
        rt_mutex_detach(&mutex);
        rt_sem_detach(&sem);
    });
}

TEST_F(Objects, DetachAndDeleteWantTheirOwnKind) {
    rt_semaphore sem;
    run([&] {
        rt_sem_init(&sem, "static", 0, RT_IPC_FLAG_PRIO);
        const rt_sem_t made = rt_sem_create("dynamic", 0, RT_IPC_FLAG_PRIO);
        EXPECT_EQ(rt_sem_delete(&sem), -RT_EINVAL);
        EXPECT_EQ(rt_sem_detach(made), -RT_EINVAL);
        EXPECT_EQ(rt_sem_detach(&sem), RT_EOK);
        EXPECT_EQ(rt_sem_detach(&sem), -RT_EINVAL);
        EXPECT_EQ(rt_sem_delete(made), RT_EOK);
        EXPECT_EQ(rt_sem_delete(nullptr), -RT_EINVAL);
    });
}

std::string hooked;
void trytake(rt_object *o) {
    hooked += std::string("?") + o->name;
}
void take(rt_object *o) {
    hooked += std::string("+") + o->name;
}
void put(rt_object *o) {
    hooked += std::string("-") + o->name;
}

TEST_F(Objects, HooksSeeEveryCallWhileTheyAreSet) {
    rt_semaphore sem;
    hooked.clear();
    run([&] {
        rt_sem_init(&sem, "s", 1, RT_IPC_FLAG_PRIO);
        rt_object_trytake_sethook(trytake);
        rt_object_take_sethook(take);
        rt_object_put_sethook(put);
        rt_sem_take(&sem, 0); // taken
        rt_sem_take(&sem, 0); // not
        rt_sem_release(&sem);
        rt_mutex mutex; // made while they are set
        rt_mutex_init(&mutex, "m", RT_IPC_FLAG_PRIO);
        rt_mutex_take(&mutex, 0);
        rt_mutex_release(&mutex);
        rt_object_trytake_sethook(nullptr);
        rt_object_take_sethook(nullptr);
        rt_object_put_sethook(nullptr);
        rt_sem_take(&sem, 0);
        rt_mutex_detach(&mutex);
        rt_sem_detach(&sem);
    });
    EXPECT_EQ(hooked, "?s+s?s-s?m+m-m");
}

} // namespace
