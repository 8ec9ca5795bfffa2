// SPDX-License-Identifier: BSD-3-Clause
// Objects have names, and are listed by class.
#include "object.hpp"

#include "kernel_object.hpp"

#include <rtos/object.hpp>
#include <rtos/scheduler_lock.hpp>

namespace rt {

constinit ObjectHooks object_hooks = {};

namespace {

using rtos::Object;

struct Class {
    rt_object_information information;
    Object::Kind kind;
};
#define RT_CLASS(index, name, type, kind)                                                                    \
    {                                                                                                        \
        {RT_Object_Class_##name, RT_LIST_OBJECT_INIT(classes[index].information.object_list), sizeof(type)}, \
            Object::Kind::kind                                                                               \
    }
constinit Class classes[12] = {
    RT_CLASS(0, Thread, rt_thread, thread),    RT_CLASS(1, Semaphore, rt_semaphore, semaphore),
    RT_CLASS(2, Mutex, rt_mutex, mutex),       RT_CLASS(3, Event, rt_event, event),
    RT_CLASS(4, MailBox, rt_mailbox, mailbox), RT_CLASS(5, MessageQueue, rt_messagequeue, message_queue),
    RT_CLASS(6, MemHeap, rt_memheap, memory),  RT_CLASS(7, MemPool, rt_mempool, memory_pool),
    RT_CLASS(8, Device, rt_device, device),    RT_CLASS(9, Timer, rt_timer, timer),
    RT_CLASS(10, Memory, rt_memory, memory),   RT_CLASS(11, Custom, rt_object, custom),
};
#undef RT_CLASS

Class *class_of(unsigned type) {
    for (Class &c : classes)
        if (c.information.type == (type & ~unsigned{RT_Object_Class_Static}))
            return &c;
    return nullptr;
}

void copy_name(char *to, const char *name) {
    size_t length = 0;
    for (; name && name[length] && length < RT_NAME_MAX - 1; ++length)
        to[length] = name[length];
    while (length < RT_NAME_MAX)
        to[length++] = 0;
}

// With a hook for calls on objects their fast paths are closed.
bool hooked() {
    return object_hooks.trytake || object_hooks.take || object_hooks.put;
}
rt_uint8_t live(const rt_object &object) {
    return hooked() ? 0 : object.type & ~RT_Object_Class_Static;
}

void update_live() {
    const rtos::SchedulerLock lock;
    for (Class &c : classes) {
        rt_object *object;
        rt_list_for_each_entry(object, &c.information.object_list, list) object->live = live(*object);
    }
}

// For each object of a class, with the scheduler locked, until f is done.
template <class F> bool any_of(unsigned type, F f) {
    Class *const c = class_of(type);
    if (!c)
        return false;
    const rtos::SchedulerLock lock;
    rt_object *object;
    rt_object *next;
    rt_list_for_each_entry_safe(object, next, &c->information.object_list, list) {
        if (f(*object))
            return true;
    }
    return false;
}

// As far as names go.
bool has_name(const rt_object &object, const char *name) {
    unsigned i = 0;
    while (i < RT_NAME_MAX - 2 && name[i] == object.name[i] && name[i])
        ++i;
    return name[i] == object.name[i];
}

} // namespace

void enlist(rt_object &object, unsigned type, const char *name, void *subject) {
    Class *const c = class_of(type);
    copy_name(object.name, name);
    object.type = static_cast<rt_uint8_t>(type);
    object.flag = 0;
    object.live = live(object);
    Object &kernel = make_kernel_object<Object>(object.kernel, subject ? c->kind : Object::Kind::custom,
                                                static_cast<const char *>(object.name),
                                                subject ? subject : &object, Object::Layer::rt_thread);
    call(object_hooks.attach, object);
    const rtos::IrqMask masked;
    rt_list_insert_before(&c->information.object_list, &object.list);
    kernel.enlist();
}

bool is_listed(const rt_object &object, rt_object_class_type type) {
    return any_of(type, [&](const rt_object &listed) { return &listed == &object; });
}

void delist(rt_object &object) {
    call(object_hooks.detach, object);
    kernel_object<Object>(object.kernel).delist();
    const rtos::IrqMask masked;
    rt_list_remove(&object.list);
    object.type = RT_Object_Class_Null;
    object.live = 0;
}

rt_err_t remove(rt_object *object, rt_object_class_type type, Made made, void (*close)(rt_object &),
                const char *call) {
    if (!object || object->type != (type | static_cast<unsigned>(made)))
        return refuse("an object of this class, static or not as the call wants it", call);
    delist(*object);
    close(*object);
    if (made == Made::dynamically)
        rt_free(object);
    return RT_EOK;
}

} // namespace rt

extern "C" {

rt_object_information *rt_object_get_information(rt_object_class_type type) {
    rt::Class *const c = rt::class_of(type);
    return c ? &c->information : nullptr;
}

int rt_object_get_length(rt_object_class_type type) {
    int length = 0;
    rt::any_of(type, [&](rt_object &) { return ++length, false; });
    return length;
}

int rt_object_get_pointers(rt_object_class_type type, rt_object_t *pointers, int maxlen) {
    int length = 0;
    if (maxlen > 0)
        rt::any_of(type, [&](rt_object &object) {
            pointers[length++] = &object;
            return length == maxlen;
        });
    return length;
}

void rt_object_init(rt_object *object, rt_object_class_type type, const char *name) {
    RT_REQUIRE(object && rt::class_of(type) && !rt::is_listed(*object, type), );
    rt::enlist(*object, unsigned{type} | RT_Object_Class_Static, name, nullptr);
}

void rt_object_detach(rt_object_t object) {
    RT_REQUIRE(object && object->type != RT_Object_Class_Null, );
    rt::delist(*object);
}

rt_object_t rt_object_allocate(rt_object_class_type type, const char *name) {
    rt::Class *const c = rt::class_of(type);
    RT_REQUIRE(c, nullptr);
    auto *const object = static_cast<rt_object *>(rt_calloc(1, c->information.object_size));
    if (object)
        rt::enlist(*object, type, name, nullptr);
    return object;
}

void rt_object_delete(rt_object_t object) {
    RT_REQUIRE(object && object->type != RT_Object_Class_Null && !rt::is_static(*object), );
    rt::delist(*object);
    rt_free(object);
}

rt_bool_t rt_object_is_systemobject(rt_object_t object) {
    RT_REQUIRE(object, RT_FALSE);
    return rt::is_static(*object);
}

rt_uint8_t rt_object_get_type(rt_object_t object) {
    RT_REQUIRE(object, RT_Object_Class_Null);
    return object->type & ~RT_Object_Class_Static;
}

rt_err_t rt_object_for_each(rt_uint8_t type, rt_object_iter_t iter, void *data) {
    RT_REQUIRE(rt::class_of(type) && iter, -RT_EINVAL);
    rt_err_t result = RT_EOK;
    rt::any_of(type, [&](rt_object &object) { return (result = iter(&object, data)) != RT_EOK; });
    return result > 0 ? RT_EOK : result; // positive: enough
}

rt_object_t rt_object_find(const char *name, rt_uint8_t type) {
    rt_object_t found = nullptr;
    if (name)
        rt::any_of(type, [&](rt_object &object) {
            if (rt::has_name(object, name))
                found = &object;
            return found != nullptr;
        });
    return found;
}

rt_err_t rt_object_get_name(rt_object_t object, char *name, rt_uint8_t name_size) {
    RT_REQUIRE(object && name && name_size != 0, -RT_EINVAL);
    rt_strncpy(name, object->name, name_size);
    name[name_size - 1] = 0;
    return RT_EOK;
}

struct rt_custom_object {
    rt_object parent;
    rt_err_t (*destroy)(void *);
    void *data;
};

rt_object_t rt_custom_object_create(const char *name, void *data, rt_err_t (*data_destroy)(void *data)) {
    auto *const custom = rt::allocate<rt_custom_object>();
    if (!custom)
        return nullptr;
    custom->destroy = data_destroy;
    custom->data = data;
    rt::enlist(custom->parent, RT_Object_Class_Custom, name, custom);
    return &custom->parent;
}

rt_err_t rt_custom_object_destroy(rt_object_t obj) {
    RT_REQUIRE(rt::is_dynamic_object(obj, RT_Object_Class_Custom), -RT_EINVAL);
    auto *const custom = rt_list_entry(obj, rt_custom_object, parent);
    const rt_err_t result = custom->destroy ? custom->destroy(custom->data) : RT_EOK;
    rt_object_delete(obj);
    return result;
}

void rt_object_attach_sethook(void (*hook)(rt_object *object)) {
    rt::object_hooks.attach = hook;
}
void rt_object_detach_sethook(void (*hook)(rt_object *object)) {
    rt::object_hooks.detach = hook;
}
void rt_object_trytake_sethook(void (*hook)(rt_object *object)) {
    rt::object_hooks.trytake = hook;
    rt::update_live();
}
void rt_object_take_sethook(void (*hook)(rt_object *object)) {
    rt::object_hooks.take = hook;
    rt::update_live();
}
void rt_object_put_sethook(void (*hook)(rt_object *object)) {
    rt::object_hooks.put = hook;
    rt::update_live();
}
}
