// SPDX-License-Identifier: GPL-2.0-only
//
// The RTOS, as the executive calls it: rtmux/abi/rtos.h is the contract.
#pragma once

#include "boot/image.hpp"
#include "rtmux/abi/rtos.h"
#include "statistics.hpp"

namespace rtmux::rtos {

// Loads the image's RTOS into its place, and enters it. Returns only if that
// cannot be done, after saying why.
void start(const ImagePart &part);

// All with IRQs masked or, where said, open.
inline uint32_t isr(uint32_t line) { // not 0: a switch is due
    return dispatch.rtos.isr(line);
}
void console_rx();
void preempt();
void preempt_if_needed();
void doorbell(uint32_t channel);                                 // open
[[nodiscard]] uint32_t guest_call(uint32_t number, uint32_t *r); // open
void take_fp();                   // the guest becomes the owner of the FP registers
void guest_state(uint32_t state); // open
[[nodiscard]] bool fault(rtmux_fault &fault);
[[nodiscard]] bool contains(uint32_t va);

} // namespace rtmux::rtos
