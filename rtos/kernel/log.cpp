// SPDX-License-Identifier: BSD-3-Clause
#include "log.hpp"

#include "log_ring.hpp"

#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

namespace rtos {

static constexpr unsigned log_priority = idle_priority - 1; // above the guest, below all else
static constexpr size_t log_stack = 4096;
static constexpr size_t line_size = 256;

static constinit LogRing<64> ring;
static constinit Semaphore written;
static constinit std::atomic<bool> signalled{false};

bool log_record(const char *format, const FormatArgument *arguments, unsigned count) {
    if (!ring.put(format, arguments, count))
        return false;
    // One wake-up for all records until the reader looks again.
    if (!signalled.exchange(true))
        (void)written.release();
    return true;
}

uint32_t log_dropped() {
    return ring.dropped();
}

static constinit std::atomic<LogSink> sink{nullptr};

void log_attach(LogSink attached) {
    sink.store(attached);
}

void log_write(const char *format, const FormatArgument *arguments, unsigned count) {
    static constexpr char prefix[] = "[rt] ";
    static constexpr size_t prefix_length = sizeof(prefix) - 1;
    char line[line_size];
    __builtin_memcpy(line, prefix, prefix_length);
    size_t length = prefix_length;
    length += format_arguments(line + length, line_size - length - 1, format, arguments, count);
    if (const LogSink to = sink.load())
        to(line + prefix_length, length - prefix_length);
    line[length++] = '\n';
    port::console(line, length);
}

static void write_records(void *) {
    uint32_t dropped_before = 0;
    for (;;) {
        (void)written.take();
        signalled.store(false);
        while (const LogRecord *r = ring.peek()) {
            log_write(r->format, r->arguments, r->count);
            ring.pop();
        }
        if (const uint32_t dropped = ring.dropped(); dropped != dropped_before) {
            const FormatArgument lost(dropped - dropped_before);
            dropped_before = dropped;
            log_write("log full: %u lines lost", &lost, 1);
        }
    }
}

static constinit Thread writer{"log", log_priority, write_records};

Status log_start() {
    return writer.start(log_stack);
}

} // namespace rtos
