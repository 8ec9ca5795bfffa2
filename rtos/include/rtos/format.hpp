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
        : value_(static_cast<uint64_t>(v)),
          kind_(std::is_signed_v<T> && v < T{0} ? Kind::negative : Kind::natural) {}
    explicit FormatArgument(const char *s) : value_(reinterpret_cast<uintptr_t>(s)), kind_(Kind::string) {}

    bool negative() const { return kind_ == Kind::negative; }
    uint64_t value() const { return value_; }
    uint64_t magnitude() const { return negative() ? 0 - value_ : value_; }
    const char *string() const {
        return kind_ == Kind::string ? reinterpret_cast<const char *>(static_cast<uintptr_t>(value_))
                                     : nullptr;
    }

  private:
    enum class Kind : uint8_t { natural, negative, string };

    uint64_t value_ = 0;
    Kind kind_ = Kind::natural;
};

// Where text goes.
class TextSink {
  public:
    virtual void put(char c) = 0;

  protected:
    ~TextSink() = default;
};

// Where arguments come from. What a conversion wants, and the length that stands before it.
enum class FormatKind : uint8_t { none, integer, natural, pointer, string, character };
enum class FormatLength : uint8_t { hh, h, none, l, ll };
class FormatSource {
  public:
    // False: it is missing or of another kind, and "?" is written. none: of what is no conversion; true: it
    // is text.
    virtual bool next(FormatKind kind, FormatLength length, FormatArgument &argument) = 0;

  protected:
    ~FormatSource() = default;
};

// Conversions: %d %i %u %o %x %X %b %B (binary) %p %s %c %%, with C's flags, width, precision and lengths.
void format(TextSink &out, const char *text, FormatSource &arguments);

// Write the format into at most size bytes with a final 0; returns the length written without it.
// %d and %u print any width of integer; a conversion whose argument is missing or of the other kind prints
// "?".
size_t format_arguments(char *out, size_t size, const char *format, const FormatArgument *arguments,
                        unsigned count);

template <class... T> size_t format(char *out, size_t size, const char *text, T... arguments) {
    const FormatArgument values[] = {FormatArgument(arguments)..., FormatArgument(0)};
    return format_arguments(out, size, text, values, sizeof...(T));
}

} // namespace rtos
