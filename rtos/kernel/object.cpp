// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/object.hpp>

namespace rtos {

namespace {

struct Kin {
    Link objects;
    uint32_t removals = 0; // a cursor's place is good for as long as this does not change
    uint32_t count = 0;
};

constinit Kin registry[Object::kinds] = {}; // without = {} GCC 12 makes it all zeros
constinit uint64_t last_serial;

Kin &of(Object::Kind kind) {
    return registry[static_cast<unsigned>(kind)];
}

// Bounds the masked stretch of a cursor that has to find its place again.
constexpr unsigned steps_per_mask = 16;

} // namespace

void Object::enlist() {
    const IrqMask masked;
    if (linked())
        return;
    serial_ = ++last_serial;
    Kin &kin = of(kind_);
    kin.objects.insert_before(*this);
    ++kin.count;
}

void Object::delist() {
    const IrqMask masked;
    if (!linked())
        return;
    unlink();
    Kin &kin = of(kind_);
    ++kin.removals;
    --kin.count;
}

uint32_t Object::count(Kind kind) {
    return of(kind).count;
}

Object *Object::find(Kind kind, const char *name) {
    Object *found = nullptr;
    ObjectCursor cursor(kind);
    while (!found && cursor.next([&](Object &o) {
        if (__builtin_strncmp(o.name_, name, name_size - 1) == 0)
            found = &o;
    })) {
    }
    return found;
}

ObjectCursor::ObjectCursor(Object::Kind kind) : kind_(kind) {
    const IrqMask masked;
    at_ = &of(kind).objects;
    removals_ = of(kind).removals;
    limit_ = last_serial;
}

ObjectCursor::Step ObjectCursor::advance() {
    Kin &kin = of(kind_);
    if (removals_ != kin.removals) {
        at_ = &kin.objects;
        removals_ = kin.removals;
    }
    for (unsigned n = 0; n < steps_per_mask; ++n) {
        Link *const next = at_->next();
        if (next == &kin.objects || static_cast<Object *>(next)->serial_ > limit_)
            return Step::end;
        at_ = next;
        if (static_cast<Object *>(next)->serial_ > serial_) {
            serial_ = static_cast<Object *>(next)->serial_;
            return Step::found;
        }
    }
    return Step::more;
}

} // namespace rtos
