// SPDX-License-Identifier: BSD-3-Clause
#include "format.hpp"

#include <limits.h>

namespace rt {

namespace {

struct Field {
    bool left = false;
    bool plus = false;
    bool space = false;
    bool alternate = false;
    bool zeros = false;
    int width = 0;
    int precision = -1; // none
};

void pad(Sink &out, char c, int count) {
    for (; count > 0; --count)
        out.put(c);
}

void write_text(Sink &out, const Field &f, const char *text, int length) {
    if (!f.left)
        pad(out, ' ', f.width - length);
    for (int i = 0; i < length; ++i)
        out.put(text[i]);
    if (f.left)
        pad(out, ' ', f.width - length);
}

void write_string(Sink &out, const Field &f, const char *text) {
    if (!text)
        text = "(NULL)";
    int length = 0;
    while ((f.precision < 0 || length < f.precision) && text[length])
        ++length;
    write_text(out, f, text, length);
}

struct Base {
    unsigned base;
    const char *digits;
    const char *prefix; // with #
};

void write_number(Sink &out, const Field &f, uint64_t value, bool negative, bool is_signed, const Base &b) {
    char digits[64];
    int length = 0;
    uint64_t rest = value;
    // 64-bit division is a library call on Cortex-A8, so most numbers take the other loop.
    for (; rest > UINT32_MAX; rest /= b.base)
        digits[length++] = b.digits[rest % b.base];
    for (uint32_t low = static_cast<uint32_t>(rest); low != 0 || length == 0; low /= b.base) {
        if (low == 0 && f.precision == 0) // of a zero with precision 0 nothing is written
            break;
        digits[length++] = b.digits[low % b.base];
    }

    char sign = 0;
    if (is_signed)
        sign = negative ? '-' : f.plus ? '+' : f.space ? ' ' : 0;
    const char *prefix = f.alternate && value != 0 ? b.prefix : "";
    int zeros = f.precision > length ? f.precision - length : 0;
    if (b.base == 8 && f.alternate && zeros == 0 && (value != 0 || length == 0)) {
        prefix = "";
        zeros = 1; // C11 7.21.6.1: so that the first digit is a zero
    }
    const int prefix_length = prefix[0] ? 2 : 0;
    const int taken = (sign ? 1 : 0) + prefix_length + length;
    if (f.zeros && !f.left && f.precision < 0 && f.width > taken + zeros)
        zeros = f.width - taken;

    if (!f.left)
        pad(out, ' ', f.width - taken - zeros);
    if (sign)
        out.put(sign);
    for (int i = 0; i < prefix_length; ++i)
        out.put(prefix[i]);
    pad(out, '0', zeros);
    while (length > 0)
        out.put(digits[--length]);
    if (f.left)
        pad(out, ' ', f.width - taken - zeros);
}

constexpr char lower[] = "0123456789abcdef";
constexpr char upper[] = "0123456789ABCDEF";

enum class Length { hh, h, none, l, ll };

struct Arguments {
    va_list list; // in a struct it can be passed by reference everywhere

    int64_t next_signed(Length length) {
        switch (length) {
        case Length::hh:
            return static_cast<signed char>(va_arg(list, int));
        case Length::h:
            return static_cast<short>(va_arg(list, int));
        case Length::none:
            return va_arg(list, int);
        case Length::l:
            return va_arg(list, long);
        default:
            return va_arg(list, long long);
        }
    }
    uint64_t next_unsigned(Length length) {
        switch (length) {
        case Length::hh:
            return static_cast<unsigned char>(va_arg(list, unsigned));
        case Length::h:
            return static_cast<unsigned short>(va_arg(list, unsigned));
        case Length::none:
            return va_arg(list, unsigned);
        case Length::l:
            return va_arg(list, unsigned long);
        default:
            return va_arg(list, unsigned long long);
        }
    }
};

constexpr Length pointer_length = sizeof(void *) == sizeof(long) ? Length::l : Length::none;
constexpr Length size_length = sizeof(size_t) == sizeof(int) ? Length::none : Length::l;

// A number in the format, or the argument that a * stands for.
int number(const char *&format, Arguments &arguments) {
    if (*format == '*') {
        ++format;
        return va_arg(arguments.list, int);
    }
    int n = 0;
    for (; *format >= '0' && *format <= '9'; ++format)
        if (n < 100'000) // of greater ones nobody waits for the end
            n = n * 10 + (*format - '0');
    return n;
}

Field field(const char *&format, Arguments &arguments) {
    Field f;
    for (;; ++format) {
        switch (*format) {
        case '-':
            f.left = true;
            continue;
        case '+':
            f.plus = true;
            continue;
        case ' ':
            f.space = true;
            continue;
        case '#':
            f.alternate = true;
            continue;
        case '0':
            f.zeros = true;
            continue;
        default:
            break;
        }
        break;
    }
    f.width = number(format, arguments);
    if (f.width < 0) {
        f.left = true;
        f.width = f.width == INT_MIN ? 0 : -f.width;
    }
    if (*format == '.') {
        ++format;
        f.precision = number(format, arguments);
    }
    return f;
}

Length length(const char *&format) {
    switch (*format) {
    case 'h':
        ++format;
        return *format == 'h' ? (++format, Length::hh) : Length::h;
    case 'l':
        ++format;
        return *format == 'l' ? (++format, Length::ll) : Length::l;
    case 'L':
    case 'j':
        ++format;
        return Length::ll;
    case 'z':
    case 't':
        ++format;
        return size_length;
    default:
        return Length::none;
    }
}

// False: there is no such conversion, and no argument was taken.
bool convert(Sink &out, char conversion, Field f, Length width, Arguments &arguments) {
    switch (conversion) {
    case 'd':
    case 'i': {
        const int64_t v = arguments.next_signed(width);
        write_number(out, f, v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v), v < 0, true,
                     {10, lower, ""});
        return true;
    }
    case 'u':
        write_number(out, f, arguments.next_unsigned(width), false, false, {10, lower, ""});
        return true;
    case 'o':
        write_number(out, f, arguments.next_unsigned(width), false, false, {8, lower, ""});
        return true;
    case 'x':
        write_number(out, f, arguments.next_unsigned(width), false, false, {16, lower, "0x"});
        return true;
    case 'X':
        write_number(out, f, arguments.next_unsigned(width), false, false, {16, upper, "0X"});
        return true;
    case 'b':
        write_number(out, f, arguments.next_unsigned(width), false, false, {2, lower, "0b"});
        return true;
    case 'B':
        write_number(out, f, arguments.next_unsigned(width), false, false, {2, upper, "0B"});
        return true;
    case 'p':
        f.precision = 2 * sizeof(void *);
        f.alternate = true;
        write_number(out, f, arguments.next_unsigned(pointer_length), false, false, {16, lower, "0x"});
        return true;
    case 's':
        write_string(out, f, va_arg(arguments.list, const char *));
        return true;
    case 'c': {
        const char c = static_cast<char>(va_arg(arguments.list, int));
        write_text(out, f, &c, 1);
        return true;
    }
    default:
        return false;
    }
}

} // namespace

void format(Sink &out, const char *text, va_list list) {
    Arguments arguments;
    va_copy(arguments.list, list);
    for (; *text; ++text) {
        if (*text != '%') {
            out.put(*text);
            continue;
        }
        const char *const begin = text++;
        const Field f = field(text, arguments);
        const Length width = length(text);
        if (*text == '%') {
            out.put('%');
        } else if (!convert(out, *text, f, width, arguments)) {
            // What is no conversion is text, up to where the format ends.
            for (const char *c = begin; c <= text && *c; ++c)
                out.put(*c);
            if (!*text)
                break;
        }
    }
    va_end(arguments.list);
}

} // namespace rt
