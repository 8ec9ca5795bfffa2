// SPDX-License-Identifier: GPL-2.0-only
// The kernel's core under every sequence of few interrupts.
#include "explorer.hpp"

#include "actor.hpp"
#include "machine.hpp"

#include <memory>

#include <rtos/mutex.hpp>
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

// A bug that only one interleaving of three threads shows: that is what the explorer is for.
TEST(Explorer, FindsALostUpdate) {
    static unsigned counter;
    unsigned least = 3;
    Scenario scenario;
    scenario.set_up = [&least] {
        counter = 0;
        const auto adds = [] {
            const unsigned seen = counter;
            { const IrqLock lock; } // any kernel call
            counter = seen + 1;
        };
        auto actors = std::make_shared<std::vector<std::unique_ptr<Actor>>>();
        for (const char *name : {"a", "b", "c"})
            actors->push_back(std::make_unique<Actor>(name, 5, adds));
        return [actors, &least] { least = std::min(least, counter); };
    };
    const Explored all = explore(scenario);
    EXPECT_EQ(all.wrong, "");
    EXPECT_EQ(least, 1u); // both others between one's read and write
    EXPECT_GT(all.runs, 50u);
}

TEST(Explorer, SemaphoreLosesNoUnit) {
    struct World {
        Semaphore s{1};
        unsigned got = 0, given = 1;
        std::unique_ptr<Actor> a, b, c;
    };
    static World *world;
    Scenario scenario;
    scenario.interrupts = 3;
    scenario.isrs = {[] {
        if (world->s.release() == Status::ok)
            ++world->given;
    }};
    scenario.set_up = [] {
        auto w = std::make_shared<World>();
        world = w.get();
        const auto take = [w = w.get()] { w->got += w->s.take_for(microseconds(100)) == Status::ok; };
        const auto both = [w = w.get()] {
            w->got += w->s.take() == Status::ok;
            ++w->given;
            (void)w->s.release();
        };
        w->a = std::make_unique<Actor>("a", 5, take);
        w->b = std::make_unique<Actor>("b", 5, both);
        w->c = std::make_unique<Actor>("c", 4, take);
        return [w] { EXPECT_EQ(w->given, w->got + w->s.count()); };
    };
    const Explored all = explore(scenario);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 500u);
}

// Inheritance through two mutexes, with threads that come, time out, change priority, are suspended,
// interrupted and ended at every point.
TEST(Explorer, MutexChain) {
    struct World {
        Mutex one, two{Mutex::Kind::error_check};
        unsigned inside_one = 0, inside_two = 0;
        AsyncCall call{[](void *) {}, nullptr};
        std::unique_ptr<Actor> low, middle, high, last;
    };
    static World *world;
    const auto set_up = [] {
        auto w = std::make_shared<World>();
        world = w.get();
        const auto in_one = [w = w.get()] {
            EXPECT_EQ(++w->inside_one, 1u);
            { const IrqLock lock; }
            --w->inside_one;
        };
        w->low = std::make_unique<Actor>("low", 20, [w = w.get(), in_one] {
            if (w->one.lock() == Status::ok) {
                in_one();
                EXPECT_EQ(w->one.unlock(), Status::ok);
            }
        });
        w->middle = std::make_unique<Actor>("middle", 15, [w = w.get(), in_one] {
            if (w->two.lock() == Status::ok) {
                ++w->inside_two;
                if (w->one.lock_for(microseconds(20)) == Status::ok) {
                    in_one();
                    EXPECT_EQ(w->one.unlock(), Status::ok);
                }
                EXPECT_EQ(w->inside_two--, 1u);
                EXPECT_EQ(w->two.unlock(), Status::ok);
            }
        });
        w->high = std::make_unique<Actor>("high", 5, [w = w.get()] {
            if (w->two.lock_for(microseconds(30)) == Status::ok) {
                EXPECT_EQ(w->two.unlock(), Status::ok);
            }
        });
        w->last = std::make_unique<Actor>("last", 28, [w = w.get()] {
            (void)w->middle->thread.resume();
            (void)w->high->thread.resume();
        });
        // low begins first, the others come by an interrupt
        (void)w->middle->thread.suspend();
        (void)w->high->thread.suspend();
        return [w] {
            if (w->middle->thread.suspended()) // again, when all was over
                return;
            EXPECT_EQ(w->one.owner(), nullptr);
            EXPECT_EQ(w->two.owner(), nullptr);
            EXPECT_EQ(w->low->thread.priority(), w->low->thread.base_priority());
        };
    };
    const std::vector<std::function<void()>> isrs = {
        [] { (void)world->middle->thread.resume(); },
        [] { (void)world->high->thread.resume(); },
        [] { (void)world->middle->thread.set_priority(25); },
        [] { (void)world->middle->thread.suspend(); },
        [] { (void)world->middle->thread.post(world->call); },
        [] { (void)world->high->thread.end_wait(Status::interrupted); },
    };
    Scenario scenario;
    scenario.set_up = set_up;
    scenario.isrs = isrs;
    scenario.turns = false;
    const Explored all = explore(scenario);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 1000u);
    RecordProperty("runs", static_cast<int>(all.runs));
}

// A thread that ends others at every point of what they do.
TEST(Explorer, TerminationAtEveryPoint) {
    struct World {
        Mutex m;
        Semaphore kill;
        Semaphore s;
        std::unique_ptr<Actor> victim, heir, killer;
        bool heir_done = false;
    };
    static World *world;
    Scenario scenario;
    scenario.isrs = {[] { (void)world->kill.release(); }, [] { (void)world->s.release(); }};
    scenario.set_up = [] {
        auto w = std::make_shared<World>();
        world = w.get();
        w->victim = std::make_unique<Actor>("victim", 10, [w = w.get()] {
            EXPECT_EQ(w->m.lock(), Status::ok);
            (void)w->s.take_for(microseconds(10));
            EXPECT_EQ(w->m.unlock(), Status::ok);
            (void)Thread::sleep_for(microseconds(10));
        });
        w->heir = std::make_unique<Actor>("heir", 10, [w = w.get()] {
            EXPECT_EQ(w->m.lock(), Status::ok);
            EXPECT_EQ(w->m.unlock(), Status::ok);
            w->heir_done = true;
        });
        w->killer = std::make_unique<Actor>("killer", 1, [w = w.get()] {
            (void)w->kill.take();
            const Status ended = w->victim->thread.terminate();
            EXPECT_TRUE(ended == Status::ok || ended == Status::ended);
            EXPECT_EQ(w->victim->thread.join(), Status::ok);
        });
        return [w] {
            EXPECT_TRUE(w->heir_done);
            EXPECT_EQ(w->m.owner(), nullptr);
        };
    };
    const Explored all = explore(scenario);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 500u);
}

} // namespace
