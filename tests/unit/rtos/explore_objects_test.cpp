// SPDX-License-Identifier: GPL-2.0-only
// The objects under every sequence of few interrupts.
#include "exploration.hpp"

#include "kernel/soft_timer.hpp"
#include "machine.hpp"

#include <deque>

#include <rtos/completion.hpp>
#include <rtos/event.hpp>
#include <rtos/heap.hpp>
#include <rtos/mailbox.hpp>
#include <rtos/memory_pool.hpp>
#include <rtos/message_queue.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/work_queue.hpp>

namespace {

using namespace rtos;

// -- A thread is ended at every point of its calls: the objects go on, with all they can hold.

struct EndWorld {
    Mailbox::Message slots[1];
    Mailbox box{slots, 1};
    std::unique_ptr<uint8_t[]> memory{new uint8_t[MessageQueue::slot_size(16)]};
    MessageQueue q{memory.get(), 16, 1};
    Event event;
    Semaphore kill;
    Actors actors;

    void begin() {
        actors.add("victim", 10, [this] {
            char text[16] = {};
            size_t length;
            uint32_t flags;
            Mailbox::Message m;
            (void)box.send(1);
            (void)box.send(2, now() + microseconds(10));
            (void)box.receive(m);
            (void)q.send(text, 16);
            (void)q.send(text, 16, now() + microseconds(10));
            (void)q.receive(text, 16, length);
            (void)q.receive(text, 16, length, now() + microseconds(10));
            (void)event.wait(1, Event::Match::any, true, flags, now() + microseconds(10));
        });
        actors.add("killer", 1, [this] {
            (void)kill.take();
            (void)actors.list[0]->thread.terminate();
            EXPECT_EQ(actors.list[0]->thread.join(), Status::ok);
            EXPECT_TRUE(box.senders().empty() && box.receivers().empty());
            EXPECT_TRUE(q.senders().empty() && q.receivers().empty());
            EXPECT_TRUE(event.waiters().empty());
            Mailbox::Message m;
            char text[16] = {};
            size_t length;
            (void)box.try_receive(m);
            EXPECT_EQ(box.try_send(3), Status::ok);
            EXPECT_EQ(box.try_send(3), Status::full);
            (void)q.try_receive(text, 16, length);
            EXPECT_EQ(q.try_send(text, 16), Status::ok);
            EXPECT_EQ(q.try_send(text, 16), Status::full);
        });
    }
    void end() {}
};

TEST(ExploreObjects, AThreadIsEndedAnywhere) {
    using E = Exploration<EndWorld>;
    Scenario s;
    s.interrupts = 2;
    s.isrs = {[] { (void)E::world->kill.release(); }, [] { E::world->event.set(1); }};
    s.turns = false;
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 100u);
}

// -- An object is destroyed between a waiter's wake-up and its next instruction: the waiter does not touch it
// any more, or the sanitizer tells.

struct DestroyWorld {
    struct Objects {
        Mailbox::Message slots[1];
        Mailbox box{slots, 1};
        std::unique_ptr<uint8_t[]> memory{new uint8_t[MessageQueue::slot_size(16)]};
        MessageQueue q{memory.get(), 16, 1};
        alignas(void *) uint8_t blocks[1 * MemoryPool::slot_size(8)];
        MemoryPool pool{blocks, 8, 1};
        void *block = pool.try_allocate();
        Event event;
        Completion completion;
    };
    std::unique_ptr<Objects> o = std::make_unique<Objects>();
    Semaphore destroy;
    Actors actors;
    unsigned ok = 0, deleted = 0;

    void count(Status s) {
        EXPECT_TRUE(s == Status::ok || s == Status::deleted);
        ++(s == Status::ok ? ok : deleted);
    }
    void begin() {
        for (int twice = 0; twice < 2; ++twice) {
            actors.add("box", 10, [this] {
                Mailbox::Message m;
                count(o->box.receive(m));
            });
            actors.add("queue", 10, [this] {
                char text[16];
                size_t length;
                count(o->q.receive(text, 16, length));
            });
            actors.add("pool", 10, [this] {
                void *block;
                count(o->pool.allocate(block));
            });
            actors.add("event", 10, [this] {
                uint32_t flags;
                count(o->event.wait(1, Event::Match::all, true, flags));
            });
            actors.add("completion", 10, [this] { count(o->completion.wait()); });
        }
        actors.add("destroyer", 1, [this] {
            (void)destroy.take();
            o.reset();
        });
        actors.add("last", 20, [this] { isr(0); });
    }
    void isr(unsigned which) {
        if (!o || o->completion.waiters().count() != 2) // they do not all wait yet
            return;
        if (which & 1)
            (void)o->box.try_send(1);
        if (which & 2)
            (void)o->q.try_send("0123456789abcde", 16);
        if (which & 4)
            (void)o->pool.free(o->block);
        if (which & 8)
            o->event.set(1);
        if (which & 16)
            o->completion.complete();
        (void)destroy.release();
    }
    void end() { EXPECT_EQ(ok + deleted, 10u); }
};

TEST(ExploreObjects, AnObjectIsDestroyedBehindAWokenWaiter) {
    using E = Exploration<DestroyWorld>;
    Scenario s;
    s.interrupts = 1;
    s.turns = false;
    s.isrs = {[] { E::world->isr(31); }, [] { E::world->isr(5); }, [] { E::world->isr(10); }};
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 3u);
}

// -- Memory.

struct PoolWorld {
    alignas(void *) uint8_t memory[MemoryPool::slot_size(8)];
    MemoryPool pool{memory, 8, 1};
    Actors actors;

    void use(Time deadline) {
        void *block;
        if (pool.allocate(block, deadline) != Status::ok)
            return;
        unsigned &mine = *static_cast<unsigned *>(block);
        mine = 1;
        kernel_call();
        EXPECT_EQ(mine++, 1u) << "somebody else's as well";
        EXPECT_EQ(pool.free(block), Status::ok);
    }
    void begin() {
        actors.add("a", 5, [this] { use(Time::never()); });
        actors.add("b", 5, [this] { use(now() + microseconds(10)); });
        actors.add("c", 4, [this] { use(Time::never()); });
        actors.add("d", 5, [this] { use(Time::never()); });
    }
    void isr() {
        if (void *const block = pool.try_allocate()) {
            *static_cast<unsigned *>(block) = 9;
            EXPECT_EQ(pool.free(block), Status::ok);
        }
    }
    void end() {
        EXPECT_EQ(pool.available(), 1u);
        EXPECT_TRUE(pool.waiters().empty());
    }
};

TEST(ExploreObjects, PoolBlocksHaveOneOwner) {
    using E = Exploration<PoolWorld>;
    Scenario s;
    s.isrs = {[] { E::world->isr(); }};
    s.invariant = [] {
        MemoryPool &p = E::world->pool;
        return !p.waiters().empty() && p.available() != 0 ? "a thread waits though there is a block" : "";
    };
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 100u);
}

struct HeapWorld {
    std::unique_ptr<uint8_t[]> memory{new uint8_t[2048]};
    Heap heap{"explored"};
    size_t empty = 0;
    std::deque<void *> isrs_pieces;
    Actors actors;

    void use() {
        void *p = heap.allocate(100);
        void *const q = heap.allocate_aligned(64, 30);
        void *const r = heap.reallocate(p, 300);
        p = r ? r : p;
        EXPECT_EQ(heap.free(q), Status::ok);
        EXPECT_EQ(heap.free(p), Status::ok);
    }
    void begin() {
        EXPECT_EQ(heap.add(memory.get(), 2048), Status::ok);
        empty = heap.statistics().used;
        actors.add("a", 5, [this] { use(); });
        actors.add("b", 5, [this] { use(); });
    }
    void isr() {
        if (isrs_pieces.size() == 1) {
            EXPECT_EQ(heap.free(isrs_pieces.front()), Status::ok);
            isrs_pieces.pop_front();
        } else {
            isrs_pieces.push_back(heap.allocate(40));
        }
    }
    void end() {
        for (void *p : isrs_pieces)
            EXPECT_EQ(heap.free(p), Status::ok);
        EXPECT_TRUE(heap.verify());
        EXPECT_EQ(heap.statistics().used, empty);
    }
};

TEST(ExploreObjects, HeapIsWholeAtEveryPoint) {
    using E = Exploration<HeapWorld>;
    Scenario s;
    s.interrupts = 3;
    s.isrs = {[] { E::world->isr(); }};
    s.invariant = [] { return E::world->heap.verify() ? "" : "the heap is corrupted"; };
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 100u);
}

// -- Works and soft timers.

struct WorksWorld {
    WorkQueue queue;
    unsigned runs = 0, submitted = 0, cancelled = 0;
    bool running = false, closing = false, gone = false;
    Work work{[](Work &, void *world) {
                  WorksWorld &w = *static_cast<WorksWorld *>(world);
                  EXPECT_FALSE(w.gone);
                  EXPECT_FALSE(w.running);
                  w.running = true;
                  (void)Thread::sleep_for(microseconds(7)); // a time to be cancelled in
                  w.running = false;
                  ++w.runs;
              },
              this};
    Actors actors;

    void begin() {
        actors.add("worker", 6, [this] { queue.run(); });
        actors.add("a", 5, [this] {
            isr();
            (void)Thread::sleep_for(microseconds(10));
            submitted += queue.submit_at(work, now() + microseconds(10)) == Status::ok;
            (void)Thread::sleep_for(microseconds(10));
            closing = true;
            const Status s = queue.cancel_sync(work);
            EXPECT_TRUE(s == Status::ok || s == Status::invalid);
            EXPECT_FALSE(running);
            gone = true; // from here on the work could be destroyed
        });
    }
    void isr() { submitted += !closing && queue.submit(work) == Status::ok; }
    void end() {
        EXPECT_FALSE(work.pending());
        EXPECT_LE(runs, submitted);
        EXPECT_GE(runs + 1, submitted); // but for one that was cancelled
    }
};

TEST(ExploreObjects, AWorkIsGoneAfterCancelSync) {
    using E = Exploration<WorksWorld>;
    Scenario s;
    s.isrs = {[] { E::world->isr(); }};
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 50u);
}

struct TimersWorld {
    unsigned handled = 0;
    bool stopped = false;
    SoftTimer timer{[](void *world) {
                        TimersWorld &w = *static_cast<TimersWorld *>(world);
                        EXPECT_FALSE(machine::masked());
                        ++w.handled;
                        kernel_call();
                    },
                    this};
    Actors actors;

    void begin() {
        timer_thread.~TimerThread();
        new (&timer_thread) TimerThread;
        actors.add("timer", 6, [] { SoftTimer::run(nullptr); });
        actors.add("a", 5, [this] {
            timer.start(now() + microseconds(10), microseconds(10));
            (void)Thread::sleep_for(microseconds(25));
            stopped = true;
            (void)timer.stop();
            EXPECT_FALSE(timer.active());
            const unsigned before = handled;
            (void)Thread::sleep_for(microseconds(50));
            EXPECT_LE(handled, before + 1) << "it may have begun before, not later";
        });
    }
    unsigned restarted = 0;
    void restart() {
        if (stopped)
            return;
        timer.start(now() + microseconds(3));
        ++restarted;
    }
    void end() {
        EXPECT_LE(handled, 3 + restarted);
        EXPECT_FALSE(timer.active());
    }
};

TEST(ExploreObjects, ASoftTimerStops) {
    using E = Exploration<TimersWorld>;
    Scenario s;
    s.isrs = {[] { (void)E::world->timer.stop(); }, [] { E::world->restart(); }};
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 50u);
}

} // namespace
