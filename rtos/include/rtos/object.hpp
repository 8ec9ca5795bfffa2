// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

#include <rtos/irq_lock.hpp>
#include <rtos/list.hpp>

namespace rtos {

// The entry of a kernel object in the list of its kind: for the shell's lists, and for finding an
// object by name. Whoever gives objects names keeps one beside each; the kernel's objects have none.
class Object : private Link {
  public:
    enum class Kind : uint8_t {
        thread,
        semaphore,
        mutex,
        event,
        mailbox,
        message_queue,
        memory_pool,
        timer,
        device,
        memory,
        channel,
        custom,
    };
    static constexpr unsigned kinds = static_cast<unsigned>(Kind::custom) + 1;

    // Which interface made it, and so what it is a part of.
    enum class Layer : uint8_t { kernel, rt_thread, posix };

    static constexpr unsigned name_size = 16; // the final 0 included

    // subject: the object itself, of the kernel's class for its kind (Semaphore for semaphore, ...);
    // what a device, a channel or a custom object is, its layer knows. The name is copied, and cut to 15.
    constexpr Object(Kind kind, const char *name, void *subject, Layer layer = Layer::kernel)
        : subject_(subject), kind_(kind), layer_(layer) {
        rename(name);
    }
    ~Object() { delist(); }

    // Enter the list of its kind, at the end; leave it. Any context. Entering twice is entering once.
    void enlist();
    void delist();
    bool enlisted() const { return linked(); }

    const char *name() const { return name_; }
    Kind kind() const { return kind_; }
    Layer layer() const { return layer_; }
    void *subject() const { return subject_; }
    constexpr void rename(const char *name) {
        unsigned length = 0;
        for (; name && name[length] && length < name_size - 1; ++length)
            name_[length] = name[length];
        for (; length < name_size; ++length)
            name_[length] = 0;
    }

    // The oldest enlisted object of this kind and name, or null. Any context. It is the caller who
    // sees to it that the object is not delisted meanwhile.
    static Object *find(Kind kind, const char *name);
    // How many of this kind are enlisted.
    static uint32_t count(Kind kind);

  private:
    friend class ObjectCursor;

    uint64_t serial_ = 0; // rises along the list
    void *subject_;
    Kind kind_;
    Layer layer_;
    char name_[name_size] = {};
};

// Goes through the objects of a kind that are enlisted when it is made, in order of their entry,
// however many others come and go meanwhile. One that leaves before its turn is left out. Holds
// nothing, so it may be given up at any point. Any context.
class ObjectCursor {
  public:
    explicit ObjectCursor(Object::Kind kind);

    // Call visit(Object &) on the next object, with IRQs masked, so that it stays what it is: take a copy
    // of what is wanted, in a few instructions. False: there is none left.
    template <class Visit> bool next(Visit visit) {
        for (;;) {
            const IrqLock lock;
            const Step step = advance();
            if (step == Step::found)
                visit(*static_cast<Object *>(at_));
            if (step != Step::more)
                return step == Step::found;
        }
    }

  private:
    enum class Step { found, end, more };
    Step advance();

    Link *at_; // the last one visited, or the list's head; known to be there if removals_ is the list's
    uint32_t removals_;
    uint64_t serial_ = 0; // of the last one visited
    uint64_t limit_;      // of the last one to visit
    Object::Kind kind_;
};

} // namespace rtos
