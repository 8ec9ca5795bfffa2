/* SPDX-License-Identifier: GPL-2.0-only */
#include "ring_api.h"

const struct ring_api ring_c = RING_API("C");
