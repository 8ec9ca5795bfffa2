// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtmux/bounded_queue.hpp>
#include <rtos/log.hpp>

namespace rtos {

struct LogRecord {
    const char *format;
    unsigned count;
    FormatArgument arguments[log_max_arguments];
};

template <uint32_t slots> class LogRing : public rtmux::BoundedQueue<LogRecord, slots> {
  public:
    // False: full; the record is counted as dropped.
    bool put(const char *format, const FormatArgument *arguments, unsigned count) {
        return rtmux::BoundedQueue<LogRecord, slots>::put([=](LogRecord &record) {
            record.format = format;
            record.count = count < log_max_arguments ? count : log_max_arguments;
            for (unsigned i = 0; i < record.count; ++i)
                record.arguments[i] = arguments[i];
        });
    }
};

} // namespace rtos
