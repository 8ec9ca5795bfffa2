// SPDX-License-Identifier: GPL-2.0-only
#include "console.hpp"

#include "arm/cpu.hpp"
#include "board.hpp"
#include "rtmux/bounded_queue.hpp"
#include "rtos.hpp"

#include <cstring>

namespace rtmux::console {
namespace {

struct Record {
    uint8_t length;
    char text[console::record_text];
};
BoundedQueue<Record, 128> queue;
uint32_t sent;       // of the record at the queue's head
uint32_t lost;       // records
uint32_t characters; // received
bool sending;        // the UART's transmit interrupt is on
bool listening;      // its receive interrupt is on
bool returned;       // CR went before the LF at the queue's head
bool in_line;        // the last record has no LF at its end

// Formats into [to, end); returns the end of what was written.
char *format_number(char *to, const char *end, uint32_t value, uint32_t base, uint32_t width, char fill) {
    char digits[10];
    uint32_t count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    for (; width > count && to < end; width--)
        *to++ = fill;
    while (count > 0 && to < end)
        *to++ = digits[--count];
    return to;
}

char *format_text(char *to, const char *end, const char *text) {
    while (*text != '\0' && to < end)
        *to++ = *text++;
    return to;
}

char *format(char *to, const char *end, const char *text, const Argument *next, const Argument *last) {
    for (; *text != '\0' && to < end; text++) {
        if (*text != '%' || next == last) {
            *to++ = *text;
            continue;
        }
        const char fill = *++text == '0' ? '0' : ' ';
        uint32_t width = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            width = width * 10 + static_cast<uint32_t>(*text - '0');
        if (next->text != nullptr)
            to = format_text(to, end, next->text);
        else
            to = format_number(to, end, next->number, *text == 'x' ? 16 : 10, width, fill);
        next++;
    }
    return to;
}

} // namespace

void init() {
    board::Uart::init();
    board::Uart::rx_irq(true);
    listening = true;
}

int write(const char *text, uint32_t length) {
    bool room = true;
    if (length != 0)
        in_line = text[length - 1] != '\n';
    while (length != 0 && room) {
        const uint32_t count = length < record_text ? length : record_text;
        room = queue.try_put([=](Record &record) {
            memcpy(record.text, text, count);
            record.length = static_cast<uint8_t>(count);
        });
        text += count;
        length -= count;
    }
    board::InterruptController::pend(BOARD_CONSOLE_IRQ);
    return room ? 0 : -1;
}

void log_arguments(const char *text, const Argument *arguments, uint32_t count) {
    char line[record_text] = "\n[exec] "; // the first only if somebody's line has not ended
    char *end = format(line + 8, line + sizeof line - 1, text, arguments, arguments + count);
    *end++ = '\n';
    const char *const start = line + (in_line ? 0 : 1);
    if (write(start, static_cast<uint32_t>(end - start)) != 0)
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
}

void drain(uint32_t budget) {
    const Record *record;
    while ((record = queue.peek()) != nullptr && budget > 0 && board::Uart::tx_ready()) {
        budget--;
        // A terminal wants CR LF
        returned = record->text[sent] == '\n' && !returned;
        if (returned) {
            board::Uart::put('\r');
            continue;
        }
        board::Uart::put(record->text[sent++]);
        if (sent == record->length) {
            sent = 0;
            queue.pop();
        }
    }
    if (record != nullptr) {
        const cpu::IrqMask masked; // interrupt() changes the same register
        board::Uart::tx_irq(true);
        sending = true;
    }
}

void drain_all() {
    do
        drain(fifo);
    while (queue.peek() != nullptr);
}

void interrupt() {
    if (listening && board::Uart::rx_ready()) {
        board::Uart::rx_irq(false);
        listening = false;
        rtos::console_rx();
    } else {
        board::Uart::rx_acknowledge();
    }
    if (sending && board::Uart::tx_ready()) {
        board::Uart::tx_irq(false);
        sending = false;
        board::InterruptController::pend(BOARD_CONSOLE_IRQ);
    }
}

uint32_t read(char *buffer, uint32_t size) {
    uint32_t count = 0;
    while (count < size && board::Uart::rx_ready())
        buffer[count++] = board::Uart::get();
    characters += count;
    const cpu::IrqMask masked;
    board::Uart::rx_irq(true);
    listening = true;
    return count;
}

uint32_t dropped() {
    return lost;
}

uint32_t received() {
    return characters;
}

} // namespace rtmux::console
