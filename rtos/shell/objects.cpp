// SPDX-License-Identifier: BSD-3-Clause
// list, and the names that completion knows.
#include <rtdef.h>
#include <rtdevice_core.h>
#include <rtos/event.hpp>
#include <rtos/mailbox.hpp>
#include <rtos/memory_pool.hpp>
#include <rtos/message_queue.hpp>
#include <rtos/mutex.hpp>
#include <rtos/object.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

using Kind = Object::Kind;

// Names as of RT-Thread's list_* commands.
constexpr struct {
    const char *name;
    Kind kind;
} kinds[] = {
    {"thread", Kind::thread},       {"sem", Kind::semaphore},   {"mutex", Kind::mutex},
    {"event", Kind::event},         {"mailbox", Kind::mailbox}, {"msgqueue", Kind::message_queue},
    {"mempool", Kind::memory_pool}, {"memheap", Kind::memory},  {"timer", Kind::timer},
    {"device", Kind::device},       {"channel", Kind::channel}, {"custom", Kind::custom},
};

// What is copied of an object while IRQs are masked: its name and a few words.
struct Copy {
    char name[Object::name_size];
    Object::Layer layer;
    uint32_t value, size, detail;
    char thread[name_size]; // the owner, or the first waiter
    unsigned waiters;
};

void copy_name(char (&to)[name_size], const Thread *t) {
    if (t)
        __builtin_memcpy(to, t->name(), name_size - 1);
}

constexpr unsigned many = 8; // waiters: no more are counted

void copy_waiters(Copy &copy, const WaitQueue &queue) {
    Thread *t = queue.first();
    copy_name(copy.thread, t);
    for (; t && copy.waiters < many; t = queue.next(*t))
        ++copy.waiters;
}

void fill(Copy &copy, const Object &object) {
    copy = {};
    __builtin_memcpy(copy.name, object.name(), sizeof copy.name);
    copy.layer = object.layer();
    void *const subject = object.subject();
    switch (object.kind()) {
    case Kind::semaphore: {
        auto &s = *static_cast<Semaphore *>(subject);
        copy.value = s.count();
        return copy_waiters(copy, s.waiters());
    }
    case Kind::mutex: {
        auto &m = *static_cast<Mutex *>(subject);
        copy.value = m.holds();
        copy_waiters(copy, m.waiters());
        __builtin_memset(copy.thread, 0, sizeof copy.thread);
        return copy_name(copy.thread, m.owner());
    }
    case Kind::event: {
        auto &e = *static_cast<Event *>(subject);
        copy.value = e.flags();
        return copy_waiters(copy, e.waiters());
    }
    case Kind::mailbox: {
        auto &m = *static_cast<Mailbox *>(subject);
        copy.value = m.count();
        copy.size = m.capacity();
        return copy_waiters(copy, m.receivers());
    }
    case Kind::message_queue: {
        auto &q = *static_cast<MessageQueue *>(subject);
        copy.value = q.count();
        copy.size = q.capacity();
        copy.detail = static_cast<uint32_t>(q.maximum());
        return copy_waiters(copy, q.receivers());
    }
    case Kind::memory_pool: {
        auto &p = *static_cast<MemoryPool *>(subject);
        copy.value = p.available();
        copy.size = p.count();
        copy.detail = static_cast<uint32_t>(p.block_size());
        return copy_waiters(copy, p.waiters());
    }
    case Kind::timer: // of RT-Thread; the kernel's own have no names
        if (object.layer() == Object::Layer::rt_thread) {
            const auto &t = *static_cast<const rt_timer *>(subject);
            copy.value = t.init_tick;
            copy.detail = t.parent.flag;
        }
        return;
    case Kind::device:
        if (object.layer() == Object::Layer::rt_thread) {
            const auto &d = *static_cast<const rt_device *>(subject);
            copy.value = d.ref_count;
            copy.detail = d.open_flag;
        }
        return;
    default:
        return;
    }
}

const char *layer_name(Object::Layer layer) {
    static constexpr const char *names[] = {"kernel", "RT-Thread", "POSIX"};
    return names[static_cast<unsigned>(layer)];
}

void print_heading(Shell &shell, Kind kind) {
    switch (kind) {
    case Kind::semaphore:
        return shell.print("semaphore        of        count    waiters\n");
    case Kind::mutex:
        return shell.print("mutex            of        holds    waiters  owner\n");
    case Kind::event:
        return shell.print("event            of        flags    waiters\n");
    case Kind::mailbox:
        return shell.print("mailbox          of        mails of room  waiters\n");
    case Kind::message_queue:
        return shell.print("message queue    of        messages of room, bytes each  waiters\n");
    case Kind::memory_pool:
        return shell.print("memory pool      of        free of blocks, bytes each  waiters\n");
    case Kind::timer:
        return shell.print("timer            of        ticks\n");
    case Kind::device:
        return shell.print("device           of        opened   flags\n");
    default:
        return shell.print("name             of\n");
    }
}

void print_row(Shell &shell, Kind kind, const Copy &c) {
    shell.print("%-16s %-9s ", c.name, layer_name(c.layer));
    switch (kind) {
    case Kind::semaphore:
        shell.print("%-8u", c.value);
        break;
    case Kind::mutex:
        return shell.print("%-8u %-8u %s\n", c.value, c.waiters, c.thread);
    case Kind::event:
        shell.print("%08x", c.value);
        break;
    case Kind::mailbox:
        shell.print("%5u of %4u ", c.value, c.size);
        break;
    case Kind::message_queue:
    case Kind::memory_pool:
        shell.print("%5u of %4u, %5u bytes ", c.value, c.size, c.detail);
        break;
    case Kind::timer:
        return shell.print(
            "%-8u %s, %s\n", c.value, c.detail & RT_TIMER_FLAG_PERIODIC ? "periodic" : "one-shot",
            c.detail & RT_TIMER_FLAG_SOFT_TIMER ? "in the timers' thread" : "in the interrupt");
    case Kind::device:
        return shell.print("%-8u %04x\n", c.value, c.detail);
    default:
        return shell.print("\n");
    }
    if (c.waiters == 0)
        shell.print(" 0\n");
    else
        shell.print(" %u%s: %s%s\n", c.waiters, c.waiters == many ? " or more" : "", c.thread,
                    c.waiters > 1 ? "..." : "");
}

} // namespace

int list(Shell &shell, int count, char **words) {
    if (count == 1) {
        for (const auto &k : kinds)
            shell.print("%-16s %u\n", k.name, Object::count(k.kind));
        return 0;
    }
    for (const auto &k : kinds) {
        if (__builtin_strcmp(k.name, words[1]) != 0)
            continue;
        if (k.kind == Kind::thread)
            return ps(shell, count, words);
        print_heading(shell, k.kind);
        Copy copy;
        for (ObjectCursor cursor(k.kind); cursor.next([&](Object &object) { fill(copy, object); });)
            print_row(shell, k.kind, copy);
        return 0;
    }
    shell.print("list: no objects of kind %s\n", words[1]);
    return 1;
}

void kind_candidates(Candidates &to) {
    for (const auto &k : kinds)
        to.add(k.name);
}

void object_candidates(Candidates &to) {
    char name[Object::name_size];
    for (const auto &k : kinds)
        for (ObjectCursor cursor(k.kind);
             cursor.next([&](Object &object) { __builtin_memcpy(name, object.name(), sizeof name); });)
            if (name[0])
                to.add(name);
}

} // namespace rtos::shell
