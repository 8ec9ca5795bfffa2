// SPDX-License-Identifier: BSD-3-Clause
// Objects that live in POSIX's variables (pthread_mutex_t, sem_t, ...) and may have been made by a
// static initializer, all zeros, which knows no address.
#pragma once

#include <new>
#include <stdint.h>

#include <rtos/irq_lock.hpp>

namespace rtos::posix {

// In a variable of type Outer: a word that says what is there, and T. Self tells one from
// a copy of it, which is not an object.
template <class T, class Outer> struct InPlace {
    enum : uint32_t { never = 0, live = 0x4c697665, destroyed = 0x44656164 };

    uint32_t state;
    InPlace *place;
    alignas(T) unsigned char storage[sizeof(T)];

    static InPlace *at(Outer *o) {
        static_assert(sizeof(InPlace) <= sizeof(Outer) && alignof(InPlace) <= alignof(Outer));
        return reinterpret_cast<InPlace *>(o);
    }
    T &object() { return *std::launder(reinterpret_cast<T *>(storage)); }
    bool alive() const { return state == live && place == this; }

    // What the call is about, or null: no such object, which is EINVAL.
    static T *existing(Outer *o) {
        if (!o)
            return nullptr;
        InPlace &in = *at(o);
        return in.alive() ? &in.object() : nullptr;
    }
    // The same for types with a static initializer: the first call makes it an object of the default kind.
    static T *find(Outer *o) {
        if (!o)
            return nullptr;
        InPlace &in = *at(o);
        if (in.alive()) [[likely]]
            return &in.object();
        const IrqLock lock;
        if (in.state == never)
            in.make();
        return in.alive() ? &in.object() : nullptr;
    }
    template <class... A> static T &create(Outer *o, A... arguments) {
        InPlace &in = *at(o);
        in.make(arguments...);
        return in.object();
    }
    static void destroy(Outer *o) { at(o)->state = destroyed; }

  private:
    template <class... A> void make(A... arguments) {
        new (storage) T(arguments...);
        place = this;
        state = live;
    }
};

} // namespace rtos::posix
