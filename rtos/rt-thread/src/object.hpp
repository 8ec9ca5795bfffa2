// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"

namespace rt {

// A new object enters the list of its class, and the kernel's of its kind with subject: the kernel's object,
// or where the kernel has none the object itself. Null: it is listed as a custom object. type: with
// RT_Object_Class_Static or without.
void enlist(rt_object &object, unsigned type, const char *name, void *subject);
// It is in the list of this class, as a new object must not be.
bool is_listed(const rt_object &object, rt_object_class_type type);
// It leaves both lists, and is no object any more.
void delist(rt_object &object);

// The end of an object of this class, static or dynamic (which is freed), that close() ends for its waiters;
// for detach and delete.
enum class Made : rt_uint8_t { dynamically = 0, statically = RT_Object_Class_Static };
rt_err_t remove(rt_object *object, rt_object_class_type type, Made made, void (*close)(rt_object &),
                const char *call);

// Memory for a dynamic object of this struct, or null.
template <class T> T *allocate() {
    return static_cast<T *>(rt_calloc(1, sizeof(T)));
}

// A static object's or a dynamic one's, as detach and delete want it.
inline bool is_static_object(const rt_object *object, rt_object_class_type type) {
    return is_object(object, type) && is_static(*object);
}
inline bool is_dynamic_object(const rt_object *object, rt_object_class_type type) {
    return is_object(object, type) && !is_static(*object);
}

// The fast path of a call on an object whose class this is: it exists, and nobody hooks such calls.
inline bool plain(const rt_ipc_object &object, rt_object_class_type type) {
    return object.parent.live == type;
}

// The hooks of calls on objects.
using ObjectHook = void (*)(rt_object *);
struct ObjectHooks {
    ObjectHook attach, detach, trytake, take, put;
};
extern ObjectHooks object_hooks;

inline void call(ObjectHook hook, rt_object &object) {
    if (hook) [[unlikely]]
        hook(&object);
}

} // namespace rt
