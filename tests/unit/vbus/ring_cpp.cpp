// SPDX-License-Identifier: GPL-2.0-only
#include "ring_api.h"

const ring_api ring_cpp = RING_API("C++");
