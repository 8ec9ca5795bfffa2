// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

namespace rtos::shell {

static constexpr uint8_t escape = 0x1b, rubout = 0x7f;

static constexpr uint8_t ctrl(char letter) {
    return static_cast<uint8_t>(letter - '@');
}

// As readline's default bindings.
Key KeyParser::control(uint8_t c) {
    switch (c) {
    case ctrl('A'):
        return Key::home;
    case ctrl('B'):
        return Key::left;
    case ctrl('C'):
        return Key::cancel;
    case ctrl('D'):
        return Key::remove;
    case ctrl('E'):
        return Key::end;
    case ctrl('F'):
        return Key::right;
    case ctrl('H'):
    case rubout:
        return Key::backspace;
    case ctrl('I'):
        return Key::tab;
    case ctrl('K'):
        return Key::kill_to_end;
    case ctrl('L'):
        return Key::clear;
    case ctrl('N'):
        return Key::down;
    case ctrl('P'):
        return Key::up;
    case ctrl('R'):
        return Key::redraw;
    case ctrl('U'):
        return Key::kill_to_start;
    case ctrl('W'):
        return Key::kill_word;
    default:
        return Key::none;
    }
}

Key KeyParser::final_of(uint8_t c, unsigned parameter) {
    switch (c) {
    case 'A':
        return Key::up;
    case 'B':
        return Key::down;
    case 'C':
        return Key::right;
    case 'D':
        return Key::left;
    case 'F':
        return Key::end;
    case 'H':
        return Key::home;
    case '~':
        switch (parameter) {
        case 1:
        case 7:
            return Key::home;
        case 3:
            return Key::remove;
        case 4:
        case 8:
            return Key::end;
        default:
            return Key::none;
        }
    default:
        return Key::none;
    }
}

Key KeyParser::feed(char character) {
    const auto c = static_cast<uint8_t>(character);
    const bool line_feed_of_cr = c == '\n' && after_cr_;
    after_cr_ = c == '\r';
    if (c == escape) { // also in the middle of a sequence
        state_ = State::escape;
        return Key::none;
    }
    if (c < ' ' || c == rubout) {
        state_ = State::text;
        if (c == '\r' || c == '\n')
            return line_feed_of_cr ? Key::none : Key::enter;
        return control(c);
    }
    switch (state_) {
    case State::text:
        return c < rubout ? Key::character : Key::none; // ASCII alone
    case State::escape:
        state_ = c == '[' ? State::sequence : c == 'O' ? State::single : State::text;
        parameter_ = 0;
        first_ = true;
        return Key::none;
    case State::single: // ESC O: a letter (SS3)
        state_ = State::text;
        return final_of(c, 0);
    case State::sequence: // ESC [ (CSI): parameters, intermediates, and a final of 0x40-0x7e (ECMA-48 5.4)
        if (c >= 0x40) {
            state_ = State::text;
            return c < rubout ? final_of(c, parameter_) : Key::none;
        }
        first_ = first_ && c >= '0' && c <= '9';
        if (first_)
            parameter_ = static_cast<uint8_t>(parameter_ * 10 + (c - '0'));
        return Key::none;
    }
    return Key::none;
}

} // namespace rtos::shell
