// SPDX-License-Identifier: GPL-2.0-only
// Scenarios for the explorer whose objects are a struct.
#pragma once

#include "actor.hpp"
#include "explorer.hpp"

#include <memory>
#include <vector>

#include <rtos/irq_lock.hpp>

// A place for an interrupt.
inline void kernel_call() {
    const rtos::IrqLock lock;
}

// Explore with a world that set_up makes, and that the ISRs reach through a static pointer.
template <class World> struct Exploration {
    inline static World *world;

    Explored run(Scenario scenario) {
        scenario.set_up = [] {
            auto w = std::make_shared<World>();
            world = w.get();
            w->begin();
            return [w] { w->end(); };
        };
        return explore(scenario);
    }
};

struct Actors {
    void add(const char *name, unsigned priority, std::function<void()> body) {
        list.push_back(std::make_unique<Actor>(name, priority, std::move(body)));
    }
    std::vector<std::unique_ptr<Actor>> list;
};
