// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/console.hpp>

#include <rtos/irq_lock.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

#include "executive.hpp"

namespace rtos {

static constexpr uint32_t input_size = 256;
static constexpr char redraw = 'R' - '@';
static constexpr char erase_line[] = "\r\x1b[K"; // ECMA-48: CR, EL

static volatile char input[input_size];
static constinit volatile uint32_t written = 0, taken = 0; // of input; wrap. Each has one writer.
static constinit volatile uint32_t overruns = 0;
static constinit Semaphore typed;
static constinit void (*on_input)(void *) = [](void *) {};
static constinit void *on_input_argument = nullptr;
static constinit volatile bool in_use = false, editing = false;

size_t console_try_write(const char *text, size_t length) {
    size_t done = 0;
    while (done < length) {
        const size_t left = length - done;
        const uint32_t count =
            left < RTMUX_CONSOLE_RECORD ? static_cast<uint32_t>(left) : uint32_t{RTMUX_CONSOLE_RECORD};
        if (port::exec->log(text + done, count) != 0)
            break;
        done += count;
    }
    return done;
}

void console_write(const char *text, size_t length) {
    // At 115200 bit/s a record takes 10 ms to leave.
    for (size_t done = 0; (done += console_try_write(text + done, length - done)) < length;)
        if (Thread::sleep_for(milliseconds(2)) == Status::would_block)
            return;
}

size_t console_read(char *buffer, size_t size, Time deadline) {
    for (;;) {
        size_t count = 0;
        for (; count < size && taken != written; ++count) {
            buffer[count] = input[taken % input_size];
            taken = taken + 1;
        }
        if (count > 0 || size == 0 || typed.take(deadline) != Status::ok)
            return count;
    }
}

size_t console_available() {
    return written - taken;
}

uint32_t console_overruns() {
    return overruns;
}

void console_on_input(void (*handler)(void *), void *argument) {
    const IrqLock lock;
    on_input = handler;
    on_input_argument = argument;
}

void console_in_use() {
    in_use = true;
}

void console_editing(bool on) {
    editing = on;
}

namespace port {

void console_received(char c) {
    if (written - taken == input_size) {
        overruns = overruns + 1;
        return;
    }
    input[written % input_size] = c;
    written = written + 1;
    if (typed.count() == 0)
        (void)typed.release();
    on_input(on_input_argument);
}

// A line of the log.
void console(const char *text, size_t length) {
    if (in_use)
        console_write(erase_line, sizeof(erase_line) - 1);
    console_write(text, length);
    if (editing) {
        const IrqLock lock;
        console_received(redraw);
    }
}

} // namespace port
} // namespace rtos
