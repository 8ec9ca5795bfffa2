// SPDX-License-Identifier: GPL-2.0-only
//
// The plugin's options: plugin.cpp says what they mean.
#pragma once

#include "wakeup.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

struct Range {
    uint32_t first = 0, end = 0;
    bool contains(uint32_t va) const { return va >= first && va < end; }
};

struct Options {
    uint32_t vectors = 0;
    std::vector<uint32_t> isr;
    Range thread, window;
    uint32_t anchor_va = 0;
    uint64_t anchor_pa = 0;
    std::string control;
    std::string irq_log;
    unsigned irq = ~0u, linux_irq = ~0u;
    uint32_t wakes = 0;
    std::vector<Signature> sleeps, woken, waiter;

    // throws std::invalid_argument, or std::out_of_range of a number
    void set(const std::string &name, const std::string &value);
};

} // namespace lab
