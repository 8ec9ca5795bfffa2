// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/format.hpp>
#include <rtthread.h>

namespace rt {

// Where formatted text goes.
using Sink = rtos::TextSink;

// The conversions of rtklibc.h.
void format(Sink &out, const char *text, va_list arguments);

} // namespace rt
