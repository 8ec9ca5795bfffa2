// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/console.hpp>

#include <rtos/irq_lock.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

#include "executive.hpp"

namespace rtos {

static constexpr uint32_t input_size = 128;
static constexpr uint32_t at_once = 8; // taken from the UART with IRQs masked
static constexpr char redraw = 'R' - '@';
static constexpr char erase_line[] = "\r\x1b[K"; // ECMA-48: CR, EL

static char input[input_size];
static constinit volatile uint32_t written = 0, taken = 0; // of input; wrap
static constinit Semaphore typed{0, 1};
static constinit void (*on_input)(void *) = [](void *) {};
static constinit void *on_input_argument = nullptr;
static constinit volatile bool in_use = false, editing = false, redraw_wanted = false;

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
    for (size_t done = 0; (done += console_try_write(text + done, length - done)) < length;) {
        if (!Thread::may_block())
            return;
        (void)Thread::sleep_for(milliseconds(2));
    }
}

static void take_from_uart() {
    const IrqMask masked;
    const uint32_t room = input_size - (written - taken);
    char piece[at_once];
    const uint32_t count = room == 0 ? 0 : port::exec->console_read(piece, room < at_once ? room : at_once);
    for (uint32_t i = 0; i < count; ++i) {
        input[written % input_size] = piece[i];
        written = written + 1;
    }
}

size_t console_read(char *buffer, size_t size, Time deadline) {
    if (size == 0)
        return 0;
    for (;;) {
        if (redraw_wanted) {
            redraw_wanted = false;
            *buffer = redraw;
            return 1;
        }
        if (written == taken)
            take_from_uart();
        size_t count = 0;
        for (; count < size && taken != written; ++count) {
            buffer[count] = input[taken % input_size];
            taken = taken + 1;
        }
        if (count > 0 || typed.take(deadline) != Status::ok)
            return count;
    }
}

size_t console_available() {
    take_from_uart();
    return written - taken;
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

void console_received() {
    scheduler.interrupted();
    (void)typed.release();
    on_input(on_input_argument);
}

// A line of the log.
void console(const char *text, size_t length) {
    if (in_use) {
        // In one record with the line's beginning: nothing comes between
        char record[RTMUX_CONSOLE_RECORD];
        static constexpr size_t erase = sizeof(erase_line) - 1;
        const size_t first = length < sizeof record - erase ? length : sizeof record - erase;
        __builtin_memcpy(record, erase_line, erase);
        __builtin_memcpy(record + erase, text, first);
        console_write(record, erase + first);
        text += first;
        length -= first;
    }
    console_write(text, length);
    if (editing) {
        redraw_wanted = true;
        (void)typed.release();
    }
}

} // namespace port
} // namespace rtos
