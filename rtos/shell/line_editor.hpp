// SPDX-License-Identifier: BSD-3-Clause
// A line, edited on a terminal that understands CR and ECMA-48's EL, CUB and ED. A line longer than the
// terminal is wide is seen through a window. No hardware, no waiting but in the output.
#pragma once

#include "completion.hpp"
#include "history.hpp"
#include "keys.hpp"

namespace rtos::shell {

class LineEditor {
  public:
    static constexpr size_t columns = 77; // used of a terminal of 80: the cursor and ^C fit behind

    // prompt: shorter than columns / 2.
    LineEditor(const char *prompt, Output &output, Completer &completer)
        : prompt_(prompt), prompt_length_(__builtin_strlen(prompt)), output_(output), completer_(completer) {}

    enum class Event : uint8_t { none, entered, cancelled };

    // An empty line with its prompt.
    void begin();
    // Act on a character. entered: line() is complete, and the cursor below it.
    Event feed(char c);

    char *line() { return line_; }
    size_t length() const { return length_; }
    size_t cursor() const { return cursor_; }

  private:
    Event act(Key key, char c);
    void insert(const char *text, size_t count);
    void remove(size_t from, size_t to);
    void recall(unsigned back);
    void complete();
    void draw();
    void write(const char *text) { output_.write(text, __builtin_strlen(text)); }

    const char *const prompt_;
    const size_t prompt_length_;
    Output &output_;
    Completer &completer_;
    KeyParser keys_;
    History history_;
    unsigned recalled_ = 0; // lines back; 0: the new one
    size_t length_ = 0, cursor_ = 0;
    size_t window_ = 0; // the first character shown
    char line_[line_size] = {};
    char new_line_[line_size] = {}; // while an old one is shown
};

} // namespace rtos::shell
