// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>

namespace rtos::shell {

inline constexpr size_t line_size = 128; // the final 0 included

// The last lines that were entered. Constant memory.
class History {
  public:
    static constexpr unsigned lines = 16;

    void add(const char *line) {
        if (*line == 0 || (count_ > 0 && __builtin_strcmp(back(1), line) == 0))
            return;
        size_t length = 0;
        for (; line[length] && length < line_size - 1; ++length)
            line_[next_][length] = line[length];
        line_[next_][length] = 0;
        next_ = (next_ + 1) % lines;
        count_ += count_ < lines;
    }
    unsigned count() const { return count_; }
    // The one n before, from 1 for the last to count().
    const char *back(unsigned n) const { return line_[(next_ + lines - n) % lines]; }

  private:
    char line_[lines][line_size] = {};
    unsigned next_ = 0, count_ = 0;
};

} // namespace rtos::shell
