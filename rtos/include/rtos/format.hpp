// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

namespace rtos {

// An argument of format(): an integer of any width, or a string. Carries its own type,
// so a conversion never reads what is not there.
class FormatArgument {
  public:
    constexpr FormatArgument() = default;
    template <class T>
    requires std::is_integral_v<T>
    constexpr explicit FormatArgument(T v)
        : value_(static_cast<uint64_t>(v)), negative_(std::is_signed_v<T> && v < T{0}) {}
    explicit FormatArgument(const char *s) : value_(reinterpret_cast<uintptr_t>(s)), string_(true) {}

    bool negative() const { return negative_; }
    uint64_t value() const { return value_; }
    uint64_t magnitude() const { return negative_ ? 0 - value_ : value_; }
    const char *string() const {
        return string_ ? reinterpret_cast<const char *>(static_cast<uintptr_t>(value_)) : nullptr;
    }

  private:
    uint64_t value_ = 0;
    bool negative_ = false;
    bool string_ = false;
};

// Write the format into at most size bytes with a final 0; returns the length written without it.
// Conversions: %s %d %u %x %c %%, with a minimum width and a leading 0 for zero padding, '-' for left.
// %d and %u print any width of integer; a conversion whose argument is missing or of the other kind
// prints "?".
size_t format_arguments(char *out, size_t size, const char *format, const FormatArgument *arguments,
                        unsigned count);

template <class... T> size_t format(char *out, size_t size, const char *text, T... arguments) {
    const FormatArgument values[] = {FormatArgument(arguments)..., FormatArgument(0)};
    return format_arguments(out, size, text, values, sizeof...(T));
}

} // namespace rtos
