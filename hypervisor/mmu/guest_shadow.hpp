// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's shadow on this board: which memory it may read tables from, which
// frames it may map, and the tables that hardware walks.
#pragma once

#include "arm/cpu.hpp"
#include "board.hpp"
#include "executive.hpp"
#include "mmu/hardware.hpp"
#include "mmu/shadow.hpp"
#include "mmu/window.hpp"
#include "rtmux/layout.h"

namespace rtmux {

constexpr unsigned shadow_tables = 1024;

extern uint32_t hardware_l1[4096];
extern uint32_t shadow_pool[shadow_tables][256];

struct GuestMemory {
    static bool read(uint32_t pa, uint32_t &word) {
        if (pa - executive::guest_base() >= executive::guest_size())
            return false;
        word = *const_cast<const volatile uint32_t *>(window::table_slot(pa & ~3u));
        return true;
    }
    static const volatile uint32_t *words(uint32_t pa) { return window::table_slot(pa); }
};

struct GuestAssignment {
    static constexpr uint32_t vbus_pa = RTMUX_VBUS_VA - RTMUX_RAM_VA + BOARD_RAM_BASE;

    static mmu::FrameAccess lookup(uint32_t pa) {
        if (pa - executive::guest_base() < executive::guest_size() || pa - vbus_pa < BOARD_VBUS_SIZE)
            return mmu::FrameAccess::ram;
        switch (board::frame_access(pa)) {
        case board::FrameAccess::full:
            return mmu::FrameAccess::device;
        case board::FrameAccess::read_only:
            return mmu::FrameAccess::device_read_only;
        default:
            return mmu::FrameAccess::none;
        }
    }
    // The guest's RAM is whole megabytes.
    static bool section_is_ram(uint32_t pa) { return pa - executive::guest_base() < executive::guest_size(); }
};

using GuestShadow = mmu::Shadow<GuestMemory, GuestAssignment,
                                mmu::Hardware<hardware_l1, shadow_pool, BOARD_RAM_BASE - RTMUX_RAM_VA>>;
extern GuestShadow shadow;

} // namespace rtmux
