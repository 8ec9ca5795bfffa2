// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtthread.h>

namespace rt {

// Where formatted text goes.
class Sink {
  public:
    virtual void put(char c) = 0;

  protected:
    ~Sink() = default;
};

// The conversions of rtklibc.h.
void format(Sink &out, const char *text, va_list arguments);

} // namespace rt
