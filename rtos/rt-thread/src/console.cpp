// SPDX-License-Identifier: BSD-3-Clause
// rt_kprintf: to the executive's console, or a device.
#include "format.hpp"

#include <rthw.h>

#include <rtos/console.hpp>

static constinit rt_device_t console;

static void write(const char *text, size_t length) {
    if (console)
        rt_device_write(console, 0, text, length);
    else
        rtos::console_write(text, length);
}

namespace {

// Collects what it can, so that short lines come in one piece, on the caller's stack: no line waits for
// another one.
class Console final : public rt::Sink {
  public:
    void put(char c) override {
        line_[used_++] = c;
        ++length_;
        if (used_ == sizeof line_)
            flush();
    }
    int finish() {
        flush();
        return length_;
    }

  private:
    void flush() {
        if (used_ != 0)
            write(line_, used_);
        used_ = 0;
    }

    char line_[RT_CONSOLEBUF_SIZE];
    size_t used_ = 0;
    int length_ = 0;
};

} // namespace

extern "C" {

int rt_kprintf(const char *fmt, ...) {
    Console out;
    va_list args;
    va_start(args, fmt);
    rt::format(out, fmt, args);
    va_end(args);
    return out.finish();
}

void rt_kputs(const char *str) {
    if (str)
        write(str, rt_strnlen(str, SIZE_MAX));
}

void rt_hw_console_output(const char *str) {
    if (str)
        rtos::console_write(str, rt_strnlen(str, SIZE_MAX));
}

rt_device_t rt_console_get_device(void) {
    return console;
}

rt_device_t rt_console_set_device(const char *name) {
    const rt_device_t before = console;
    rt_device_t next = name ? rt_device_find(name) : nullptr;
    if (next == before)
        return before;
    if (next && rt_device_open(next, RT_DEVICE_OFLAG_RDWR | RT_DEVICE_FLAG_STREAM) != RT_EOK)
        next = nullptr;
    console = next;
    if (before)
        rt_device_close(before);
    return before;
}
}
