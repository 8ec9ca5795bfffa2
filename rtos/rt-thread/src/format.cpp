// SPDX-License-Identifier: BSD-3-Clause
// RT-Thread's printf: the kernel's formatter, with arguments of C.
#include "format.hpp"

namespace rt {

namespace {

using rtos::FormatArgument;
using rtos::FormatKind;
using Length = rtos::FormatLength;

// What C's conversions find in its argument lists, where nothing tells what is there.
class List final : public rtos::FormatSource {
  public:
    explicit List(va_list list) { va_copy(list_, list); }
    List(const List &) = delete;
    List &operator=(const List &) = delete;
    ~List() { va_end(list_); }

    bool next(FormatKind kind, Length length, FormatArgument &a) override {
        switch (kind) {
        case FormatKind::none:
            break;
        case FormatKind::string:
            a = FormatArgument(va_arg(list_, const char *));
            break;
        case FormatKind::pointer:
            a = FormatArgument(reinterpret_cast<uintptr_t>(va_arg(list_, void *)));
            break;
        case FormatKind::character:
            a = FormatArgument(va_arg(list_, int));
            break;
        default:
            a = number(kind == FormatKind::integer, length);
        }
        return true;
    }

  private:
    FormatArgument number(bool is_signed, Length length) {
        if (length == Length::ll || (length == Length::l && sizeof(long) == sizeof(long long))) {
            const auto value = va_arg(list_, long long);
            return is_signed ? FormatArgument(value) : FormatArgument(static_cast<uint64_t>(value));
        }
        int value = va_arg(list_, int); // a long, too
        if (length == Length::hh)
            value = is_signed ? static_cast<signed char>(value) : static_cast<unsigned char>(value);
        else if (length == Length::h)
            value = is_signed ? static_cast<short>(value) : static_cast<unsigned short>(value);
        return is_signed ? FormatArgument(value) : FormatArgument(static_cast<unsigned>(value));
    }

    va_list list_;
};

} // namespace

void format(Sink &out, const char *text, va_list list) {
    List arguments(list);
    rtos::format(out, text, arguments);
}

} // namespace rt
