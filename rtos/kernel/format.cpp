// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/format.hpp>

#include <limits.h>

namespace rtos {

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

void pad(TextSink &out, char c, int count) {
    for (; count > 0; --count)
        out.put(c);
}

void write_text(TextSink &out, const Field &f, const char *text, int length) {
    if (!f.left)
        pad(out, ' ', f.width - length);
    for (int i = 0; i < length; ++i)
        out.put(text[i]);
    if (f.left)
        pad(out, ' ', f.width - length);
}

void write_string(TextSink &out, const Field &f, const char *text) {
    if (!text)
        text = "(NULL)";
    int length = 0;
    while ((f.precision < 0 || length < f.precision) && text[length])
        ++length;
    write_text(out, f, text, length);
}

struct Base {
    unsigned shift; // 0: base 10
    const char *digits;
    const char *prefix; // with #
};

// Take the last digit off the value.
unsigned next_digit(uint64_t &value, unsigned shift) {
    const uint64_t before = value;
    if (shift != 0)
        return value >>= shift, static_cast<unsigned>(before & ((1u << shift) - 1));
    // 64-bit division is a library call on Cortex-A8, 32-bit division by a constant a multiplication.
    value = before > UINT32_MAX ? before / 10 : static_cast<uint32_t>(before) / 10;
    return static_cast<unsigned>(before - value * 10);
}

void write_number(TextSink &out, const Field &f, uint64_t value, bool negative, bool is_signed,
                  const Base &b) {
    char digits[64];
    int length = 0;
    // Of a zero with precision 0 nothing is written.
    for (uint64_t rest = value; rest != 0 || (length == 0 && f.precision != 0);)
        digits[length++] = b.digits[next_digit(rest, b.shift)];

    char sign = negative ? '-' : 0;
    if (is_signed && !negative)
        sign = f.plus ? '+' : f.space ? ' ' : 0;
    const char *prefix = f.alternate && value != 0 ? b.prefix : "";
    int zeros = f.precision > length ? f.precision - length : 0;
    if (b.shift == 3 && f.alternate && zeros == 0 && (value != 0 || length == 0)) {
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

// A number in the format, or the argument that a * stands for.
int number(const char *&format, FormatSource &arguments) {
    if (*format == '*') {
        ++format;
        FormatArgument a;
        (void)arguments.next(FormatKind::integer, FormatLength::none, a);
        return static_cast<int>(a.value());
    }
    int n = 0;
    for (; *format >= '0' && *format <= '9'; ++format)
        if (n < 100'000) // of greater ones nobody waits for the end
            n = n * 10 + (*format - '0');
    return n;
}

Field field(const char *&format, FormatSource &arguments) {
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

FormatLength length(const char *&format) {
    switch (*format) {
    case 'h':
        ++format;
        return *format == 'h' ? (++format, FormatLength::hh) : FormatLength::h;
    case 'l':
        ++format;
        return *format == 'l' ? (++format, FormatLength::ll) : FormatLength::l;
    case 'L':
    case 'j':
        ++format;
        return FormatLength::ll;
    case 'z':
    case 't':
        ++format;
        return sizeof(size_t) == sizeof(int) ? FormatLength::none : FormatLength::l;
    default:
        return FormatLength::none;
    }
}

FormatKind kind_of(char conversion) {
    switch (conversion) {
    case 'd':
    case 'i':
        return FormatKind::integer;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        return FormatKind::natural;
    case 'p':
        return FormatKind::pointer;
    case 's':
        return FormatKind::string;
    case 'c':
        return FormatKind::character;
    default:
        return FormatKind::none;
    }
}

void convert(TextSink &out, char conversion, Field f, const FormatArgument &a) {
    const bool is_signed = conversion == 'd' || conversion == 'i';
    Base base = {4, lower, "0x"};
    switch (conversion) {
    case 's':
        return write_string(out, f, a.string());
    case 'c': {
        const char c = static_cast<char>(a.value());
        return write_text(out, f, &c, 1);
    }
    case 'd':
    case 'i':
    case 'u':
        return write_number(out, f, a.magnitude(), a.negative(), is_signed, {0, lower, ""});
    case 'o':
        base = {3, lower, ""};
        break;
    case 'X':
        base = {4, upper, "0X"};
        break;
    case 'b':
        base = {1, lower, "0b"};
        break;
    case 'B':
        base = {1, upper, "0B"};
        break;
    case 'p':
        f.precision = 2 * sizeof(void *);
        f.alternate = true;
        break;
    default: // x
        break;
    }
    write_number(out, f, a.value(), false, false, base);
}

// Writes what fits.
class Buffer final : public TextSink {
  public:
    Buffer(char *begin, char *end) : next_(begin), end_(end) {}
    void put(char c) override {
        if (next_ < end_)
            *next_++ = c;
    }
    char *next() const { return next_; }

  private:
    char *next_;
    char *const end_;
};

// Arguments that know their kinds.
class Array final : public FormatSource {
  public:
    Array(const FormatArgument *next, unsigned count) : next_(next), left_(count) {}
    bool next(FormatKind kind, FormatLength, FormatArgument &a) override {
        if (left_ == 0)
            return false;
        --left_;
        a = *next_++;
        return kind != FormatKind::none && (a.string() != nullptr) == (kind == FormatKind::string);
    }

  private:
    const FormatArgument *next_;
    unsigned left_;
};

} // namespace

void format(TextSink &out, const char *text, FormatSource &arguments) {
    for (; *text; ++text) {
        if (*text != '%') {
            out.put(*text);
            continue;
        }
        const char *const begin = text++;
        const Field f = field(text, arguments);
        const FormatLength width = length(text);
        const FormatKind kind = kind_of(*text);
        FormatArgument a;
        if (*text == '%') {
            out.put('%');
        } else if (!arguments.next(kind, width, a)) {
            if (*text)
                out.put('?');
        } else if (kind != FormatKind::none) {
            convert(out, *text, f, a);
        } else {
            // What is no conversion is text, up to where the format ends.
            for (const char *c = begin; c <= text && *c; ++c)
                out.put(*c);
        }
        if (!*text)
            break;
    }
}

size_t format_arguments(char *buffer, size_t size, const char *format_text, const FormatArgument *arguments,
                        unsigned count) {
    if (size == 0)
        return 0;
    Buffer out(buffer, buffer + size - 1);
    Array source(arguments, count);
    format(out, format_text, source);
    *out.next() = 0;
    return static_cast<size_t>(out.next() - buffer);
}

} // namespace rtos
