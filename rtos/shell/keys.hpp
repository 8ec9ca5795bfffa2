// SPDX-License-Identifier: BSD-3-Clause
// What a terminal's characters mean: ECMA-48 control sequences as xterm, vt100 and Linux send them.
#pragma once

#include <stdint.h>

namespace rtos::shell {

enum class Key : uint8_t {
    none, // nothing yet, or nothing known
    character,
    enter,
    backspace,
    remove, // the Delete key
    tab,
    left,
    right,
    up,
    down,
    home,
    end,
    kill_to_end,
    kill_to_start,
    kill_word,
    clear,
    redraw,
    cancel,
};

class KeyParser {
  public:
    // The key that this character completes. Of Key::character it is the text.
    Key feed(char character);

  private:
    enum class State : uint8_t { text, escape, sequence, single };

    static Key control(uint8_t c);
    static Key final_of(uint8_t c, unsigned parameter);

    State state_ = State::text;
    bool after_cr_ = false;
    uint8_t parameter_ = 0; // the first number of the sequence
    bool first_ = true;     // it is still being read
};

} // namespace rtos::shell
