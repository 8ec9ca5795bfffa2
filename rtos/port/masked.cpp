// SPDX-License-Identifier: BSD-3-Clause
#include "port.hpp"

#ifdef RTOS_MEASURE_MASKED
namespace rtos::port {

constinit LongestMasked longest_masked = {};
constinit uint32_t masked_since = 0, masked_from = 0;

} // namespace rtos::port
#endif
