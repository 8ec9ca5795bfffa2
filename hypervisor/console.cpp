// SPDX-License-Identifier: GPL-2.0-only
#include "console.hpp"

#include "arm/cpu.hpp"
#include "board.hpp"

#include <cstring>

namespace rtmux::console {
namespace {

// A bounded queue after D. Vyukov: a record's turn says whose it is. Producers
// claim a record by moving `tail`; the one consumer (who holds `draining`)
// takes them in order, and waits for one that is claimed but not yet filled.
struct Record {
    uint32_t turn;
    uint8_t length;
    char text[console::record_text];
};
constexpr uint32_t records = 128; // a power of 2
Record queue[records];
uint32_t tail, head, drop_count, sent;
uint32_t draining;

void put_record(const char *text, uint32_t length) {
    uint32_t at = __atomic_load_n(&tail, __ATOMIC_RELAXED);
    Record *record;
    for (;;) {
        record = &queue[at % records];
        const uint32_t turn = __atomic_load_n(&record->turn, __ATOMIC_ACQUIRE);
        if (turn == at) {
            if (__atomic_compare_exchange_n(&tail, &at, at + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                break;
        } else if (static_cast<int32_t>(turn - at) < 0) {
            __atomic_fetch_add(&drop_count, 1, __ATOMIC_RELAXED);
            return;
        } else {
            at = __atomic_load_n(&tail, __ATOMIC_RELAXED);
        }
    }
    memcpy(record->text, text, length);
    record->length = static_cast<uint8_t>(length);
    __atomic_store_n(&record->turn, at + 1, __ATOMIC_RELEASE);
}

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
    for (uint32_t i = 0; i < records; i++)
        queue[i].turn = i;
    board::Uart::init();
}

void write(const char *text, uint32_t length) {
    while (length != 0) {
        const uint32_t count = length < record_text ? length : record_text;
        put_record(text, count);
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
    bool more = true;
    while (budget > 0 && board::Uart::tx_ready()) {
        const Record &record = queue[head % records];
        if (__atomic_load_n(&record.turn, __ATOMIC_ACQUIRE) != head + 1) {
            more = false;
            break;
        }
        if (sent < record.length) {
            board::Uart::put(record.text[sent++]);
            budget--;
        }
        if (sent == record.length) {
            sent = 0;
            __atomic_store_n(&queue[head % records].turn, head + records, __ATOMIC_RELEASE);
            head++;
        }
    }
    board::Uart::tx_irq(more);
    __atomic_store_n(&draining, 0, __ATOMIC_RELEASE);
}

void drain_all() {
    draining = 0;
    do
        drain(fifo);
    while (__atomic_load_n(&queue[head % records].turn, __ATOMIC_ACQUIRE) == head + 1);
}

uint32_t dropped() { return __atomic_load_n(&drop_count, __ATOMIC_RELAXED); }

} // namespace rtmux::console
