// SPDX-License-Identifier: GPL-2.0-only
#include "console.hpp"

#include "board.hpp"
#include "rtmux/bounded_queue.hpp"

#include <cstring>

namespace rtmux::console {
namespace {

struct Record {
    uint8_t length;
    char text[console::record_text];
};
BoundedQueue<Record, 128> queue;
uint32_t sent; // of the record at the queue's head
uint32_t draining;

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
}

void write(const char *text, uint32_t length) {
    while (length != 0) {
        const uint32_t count = length < record_text ? length : record_text;
        queue.put([=](Record &record) {
            memcpy(record.text, text, count);
            record.length = static_cast<uint8_t>(count);
        });
        text += count;
        length -= count;
    }
    board::InterruptController::pend(BOARD_UART_IRQ);
}

void log_arguments(const char *text, const Argument *arguments, uint32_t count) {
    char line[record_text] = "[exec] ";
    char *end = format(line + 7, line + sizeof line - 1, text, arguments, arguments + count);
    *end++ = '\n';
    write(line, static_cast<uint32_t>(end - line));
}

void drain(uint32_t budget) {
    // One at a time; whoever comes second has nothing to wait for.
    if (__atomic_exchange_n(&draining, 1, __ATOMIC_ACQUIRE) != 0)
        return;
    const Record *record;
    while ((record = queue.peek()) != nullptr && budget > 0 && board::Uart::tx_ready()) {
        board::Uart::put(record->text[sent++]);
        budget--;
        if (sent == record->length) {
            sent = 0;
            queue.pop();
        }
    }
    board::Uart::tx_irq(record != nullptr);
    __atomic_store_n(&draining, 0, __ATOMIC_RELEASE);
}

void drain_all() {
    draining = 0;
    do
        drain(fifo);
    while (queue.peek() != nullptr);
}

uint32_t dropped() {
    return queue.dropped();
}

} // namespace rtmux::console
