// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include <rtos/format.hpp>

namespace rtos {

inline constexpr unsigned log_max_arguments = 8;

// Append a line to the log: the format and its arguments are stored in constant time and formatted
// later by the log's own thread, so format and strings must live on (literals, names of threads).
// Callable from anywhere. When the ring is full the line is dropped and counted.
// False: dropped.
bool log_record(const char *format, const FormatArgument *arguments, unsigned count);
// Format and write the line in the caller's time, waiting for room on the console: for strings that do
// not live on. Thread context.
void log_write(const char *format, const FormatArgument *arguments, unsigned count);
// Lines dropped so far.
uint32_t log_dropped();
// Whom to give each line that is written, without prefix and line feed, in the thread that writes it: mostly the
// log's own. One; null: nobody.
using LogSink = void (*)(const char *text, size_t length);
void log_attach(LogSink sink);

template <class... T> bool log(const char *format, T... arguments) {
    static_assert(sizeof...(T) <= log_max_arguments);
    const FormatArgument values[] = {FormatArgument(arguments)..., FormatArgument(0)};
    return log_record(format, values, sizeof...(T));
}

template <class... T> void log_now(const char *format, T... arguments) {
    static_assert(sizeof...(T) <= log_max_arguments);
    const FormatArgument values[] = {FormatArgument(arguments)..., FormatArgument(0)};
    log_write(format, values, sizeof...(T));
}

} // namespace rtos
