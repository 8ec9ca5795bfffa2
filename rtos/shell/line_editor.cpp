// SPDX-License-Identifier: BSD-3-Clause
#include "line_editor.hpp"

#include <rtos/format.hpp>

namespace rtos::shell {

void LineEditor::begin() {
    length_ = cursor_ = window_ = 0;
    line_[0] = 0;
    recalled_ = 0;
    draw();
}

LineEditor::Event LineEditor::feed(char c) {
    return act(keys_.feed(c), c);
}

LineEditor::Event LineEditor::act(Key key, char c) {
    switch (key) {
    case Key::none:
        break;
    case Key::character:
        insert(&c, 1);
        break;
    case Key::enter:
        write("\n");
        history_.add(line_);
        return Event::entered;
    case Key::cancel:
        write("^C\n");
        return Event::cancelled;
    case Key::backspace:
        if (cursor_ > 0)
            remove(cursor_ - 1, cursor_);
        break;
    case Key::remove:
        if (cursor_ < length_)
            remove(cursor_, cursor_ + 1);
        break;
    case Key::kill_to_end:
        remove(cursor_, length_);
        break;
    case Key::kill_to_start:
        remove(0, cursor_);
        break;
    case Key::kill_word: {
        size_t from = cursor_;
        while (from > 0 && line_[from - 1] == ' ')
            --from;
        while (from > 0 && line_[from - 1] != ' ')
            --from;
        remove(from, cursor_);
        break;
    }
    case Key::left:
        cursor_ -= cursor_ > 0;
        draw();
        break;
    case Key::right:
        cursor_ += cursor_ < length_;
        draw();
        break;
    case Key::home:
        cursor_ = 0;
        draw();
        break;
    case Key::end:
        cursor_ = length_;
        draw();
        break;
    case Key::up:
        if (recalled_ < history_.count())
            recall(recalled_ + 1);
        break;
    case Key::down:
        if (recalled_ > 0)
            recall(recalled_ - 1);
        break;
    case Key::tab:
        complete();
        break;
    case Key::clear:
        write("\x1b[H\x1b[2J");
        draw();
        break;
    case Key::redraw:
        draw();
        break;
    }
    return Event::none;
}

void LineEditor::insert(const char *text, size_t count) {
    if (count > line_size - 1 - length_)
        return;
    __builtin_memmove(line_ + cursor_ + count, line_ + cursor_, length_ - cursor_ + 1);
    __builtin_memcpy(line_ + cursor_, text, count);
    cursor_ += count;
    length_ += count;
    // At the end of a line that is seen as a whole the terminal does the rest.
    if (cursor_ == length_ && window_ == 0 && prompt_length_ + length_ < columns)
        output_.write(text, count);
    else
        draw();
}

void LineEditor::remove(size_t from, size_t to) {
    if (from == to)
        return;
    __builtin_memmove(line_ + from, line_ + to, length_ - to + 1);
    length_ -= to - from;
    cursor_ = from;
    draw();
}

void LineEditor::recall(unsigned back) {
    if (recalled_ == 0)
        __builtin_memcpy(new_line_, line_, line_size);
    recalled_ = back;
    __builtin_memcpy(line_, back == 0 ? new_line_ : history_.back(back), line_size);
    length_ = cursor_ = __builtin_strlen(line_);
    draw();
}

void LineEditor::complete() {
    size_t start = cursor_;
    while (start > 0 && line_[start - 1] != ' ')
        --start;
    const size_t typed = cursor_ - start;
    Candidates all(line_ + start, typed);
    completer_.candidates(line_, start, all);
    if (all.count() == 0)
        return;
    if (all.common_length() > typed)
        insert(all.common() + typed, all.common_length() - typed);
    if (all.count() == 1) {
        insert(" ", 1);
    } else if (all.common_length() == typed) {
        write("\n");
        Candidates list(line_ + start, typed, &output_);
        completer_.candidates(line_, start, list);
        list.end_list();
        draw();
    }
}

// In one piece, so that a line of the log comes before it or after it.
void LineEditor::draw() {
    const size_t room = columns - 1 - prompt_length_;
    if (cursor_ < window_)
        window_ = cursor_;
    if (cursor_ - window_ > room)
        window_ = cursor_ - room;
    if (length_ <= room)
        window_ = 0;
    const size_t shown = length_ - window_ < room ? length_ - window_ : room;
    char text[columns + 24];
    size_t used = 0;
    const auto append = [&](const char *what, size_t count) {
        __builtin_memcpy(text + used, what, count);
        used += count;
    };
    append("\r", 1);
    append(prompt_, prompt_length_);
    append(line_ + window_, shown);
    append("\x1b[K", 3);
    if (const size_t back = window_ + shown - cursor_; back != 0)
        used += format(text + used, sizeof text - used, "\x1b[%uD", back);
    output_.write(text, used);
}

} // namespace rtos::shell
