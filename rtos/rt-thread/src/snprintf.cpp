// SPDX-License-Identifier: BSD-3-Clause
// rt_snprintf and its kin: formatted text in memory.
#include "format.hpp"

#include <rtthread.h>

namespace {

class Buffer final : public rt::Sink {
  public:
    Buffer(char *text, size_t size) : text_(text), size_(size) {}
    void put(char c) override {
        if (length_ + 1 < size_)
            text_[length_] = c;
        ++length_;
    }
    int finish() {
        if (size_ != 0)
            text_[length_ < size_ ? length_ : size_ - 1] = 0;
        return static_cast<int>(length_);
    }

  private:
    char *const text_;
    const size_t size_;
    size_t length_ = 0;
};

} // namespace

extern "C" {

int rt_vsnprintf(char *buf, rt_size_t size, const char *format, va_list args) {
    Buffer out(buf, buf ? size : 0);
    rt::format(out, format, args);
    return out.finish();
}

int rt_vsprintf(char *buf, const char *format, va_list args) {
    return rt_vsnprintf(buf, SIZE_MAX, format, args);
}

int rt_snprintf(char *buf, rt_size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int length = rt_vsnprintf(buf, size, format, args);
    va_end(args);
    return length;
}

int rt_sprintf(char *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int length = rt_vsprintf(buf, format, args);
    va_end(args);
    return length;
}
}
