// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "tick.hpp"

#include <rthw.h>

#include <rtos/interrupt.hpp>

// errno of what is not a thread.
static constinit rt_err_t isr_error;

extern "C" {

rt_err_t rt_get_errno(void) {
    const rt_thread_t self = rtos::in_interrupt() ? nullptr : rt_thread_self();
    return self ? self->error : isr_error;
}

void rt_set_errno(rt_err_t no) {
    const rt_thread_t self = rtos::in_interrupt() ? nullptr : rt_thread_self();
    (self ? self->error : isr_error) = no;
}

int *_rt_errno(void) {
    static_assert(sizeof(int) == sizeof(rt_err_t) || sizeof(void *) == 8);
    const rt_thread_t self = rtos::in_interrupt() ? nullptr : rt_thread_self();
    return reinterpret_cast<int *>(self ? &self->error : &isr_error);
}

const char *rt_strerror(rt_err_t error) {
    static constexpr const char *text[] = {
        "OK     ", "ERROR  ", "ETIMOUT", "ERSFULL", "ERSEPTY", "ENOMEM ", "ENOSYS ",
        "EBUSY  ", "EIO    ", "EINTRPT", "EINVAL ", "ENOENT ", "ENOSPC ", "EPERM  ",
        "ETRAP  ", "EFAULT ", "ENOBUFS", "ESCDISR", "ESCDLCK",
    };
    const rt_ubase_t code = static_cast<rt_ubase_t>(error < 0 ? -error : error);
    return code < RT_ARRAY_SIZE(text) ? text[code] : "EUNKNOW";
}

int __rt_ffs(int value) {
    return __builtin_ffs(value);
}

unsigned long __rt_ffsl(unsigned long value) {
    return static_cast<unsigned long>(__builtin_ffsl(static_cast<long>(value)));
}

unsigned long __rt_clz(unsigned long value) {
    return value ? static_cast<unsigned long>(__builtin_clzl(value)) : 8 * sizeof(value);
}

char *rt_strncpy(char *dst, const char *src, rt_size_t count) {
    rt_size_t i = 0;
    for (; i < count && src[i]; ++i)
        dst[i] = src[i];
    for (; i < count; ++i)
        dst[i] = 0;
    return dst;
}

rt_size_t rt_strnlen(const char *s, rt_ubase_t max) {
    rt_size_t length = 0;
    while (length < max && s[length])
        ++length;
    return length;
}

char *rt_strdup(const char *s) {
    if (!s)
        return nullptr;
    const rt_size_t size = rt_strnlen(s, SIZE_MAX) + 1;
    char *const copy = static_cast<char *>(rt_malloc(size));
    return copy ? static_cast<char *>(rt_memcpy(copy, s, size)) : nullptr;
}

void rt_hw_us_delay(rt_uint32_t us) {
    const rtos::Time end = rtos::now() + rtos::microseconds(us);
    while (rtos::now() < end) {
    }
}

void rt_show_version(void) {
    rt_kprintf("RT-Thread API %d.%d.%d on RTMux\n", RT_VERSION_MAJOR, RT_VERSION_MINOR, RT_VERSION_PATCH);
}
}
