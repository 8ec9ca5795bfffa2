// SPDX-License-Identifier: BSD-3-Clause
// What a shell talks over: a terminal at the other end of a stream of characters.
#pragma once

#include <stddef.h>

#include <rtos/time.hpp>

namespace rtos::shell {

class Output {
  public:
    // All of it; waits where there is no room.
    virtual void write(const char *text, size_t length) = 0;

  protected:
    ~Output() = default;
};

class Stream : public Output {
  public:
    // At least one character, or 0 at the deadline.
    virtual size_t read(char *buffer, size_t size, Time deadline) = 0;
    // A line is being edited from now on; or no longer.
    virtual void editing(bool) {}

  protected:
    ~Stream() = default;
};

} // namespace rtos::shell
