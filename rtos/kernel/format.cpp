// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/format.hpp>

namespace rtos {

namespace {

// Writes what fits.
struct Output {
    char *next;
    char *const end; // of the text, the final 0 not included

    void put(char c) {
        if (next < end)
            *next++ = c;
    }
    void pad(char c, size_t count) {
        while (count-- > 0)
            put(c);
    }
};

struct Field {
    bool left = false;
    bool zeros = false;
    unsigned width = 0;

    void write(Output &out, const char *sign, const char *text, size_t length) const {
        const size_t total = length + __builtin_strlen(sign);
        const size_t padding = total < width ? width - total : 0;
        if (!left && !zeros)
            out.pad(' ', padding);
        while (*sign)
            out.put(*sign++);
        if (!left && zeros)
            out.pad('0', padding);
        for (size_t i = 0; i < length; ++i)
            out.put(text[i]);
        if (left)
            out.pad(' ', padding);
    }
};

void write_number(Output &out, const Field &field, uint64_t magnitude, bool negative, unsigned base) {
    char digits[20]; // 2^64 has 20
    char *const end = digits + sizeof(digits);
    char *first = end;
    // 64-bit division is a library call on Cortex-A8, so most numbers take the other loop.
    for (; magnitude > UINT32_MAX; magnitude /= base)
        *--first = "0123456789abcdef"[magnitude % base];
    uint32_t low = static_cast<uint32_t>(magnitude);
    do
        *--first = "0123456789abcdef"[low % base];
    while ((low /= base) != 0);
    field.write(out, negative ? "-" : "", first, static_cast<size_t>(end - first));
}

void convert(Output &out, char conversion, Field field, const FormatArgument &a) {
    const bool is_string = a.string() != nullptr;
    switch (conversion) {
    case 's':
        if (is_string) {
            field.zeros = false;
            return field.write(out, "", a.string(), __builtin_strlen(a.string()));
        }
        break;
    case 'd':
    case 'u':
        if (!is_string)
            return write_number(out, field, a.magnitude(), a.negative(), 10);
        break;
    case 'x':
        if (!is_string)
            return write_number(out, field, a.value(), false, 16);
        break;
    case 'c':
        if (!is_string)
            return out.put(static_cast<char>(a.value()));
        break;
    default:
        break;
    }
    out.put('?');
}

} // namespace

size_t format_arguments(char *buffer, size_t size, const char *format, const FormatArgument *arguments,
                        unsigned count) {
    if (size == 0)
        return 0;
    Output out{buffer, buffer + size - 1};
    unsigned used = 0;
    for (; *format; ++format) {
        if (*format != '%') {
            out.put(*format);
            continue;
        }
        ++format;
        Field field;
        for (; *format == '-' || *format == '0'; ++format)
            (*format == '-' ? field.left : field.zeros) = true;
        for (; *format >= '0' && *format <= '9'; ++format)
            field.width = field.width * 10 + static_cast<unsigned>(*format - '0');
        if (*format == 0)
            break;
        if (*format == '%')
            out.put('%');
        else if (used < count)
            convert(out, *format, field, arguments[used++]);
        else
            out.put('?');
    }
    *out.next = 0;
    return static_cast<size_t>(out.next - buffer);
}

} // namespace rtos
