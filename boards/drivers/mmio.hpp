// SPDX-License-Identifier: BSD-3-Clause
// The register access of every driver here: a policy with static read, write
// and barrier. Mmio is the target's; tests have a register block that records.
#pragma once

#include <cstdint>

namespace drivers {

// Registers mapped at a fixed address, as device or strongly-ordered memory.
template <uint32_t base> struct Mmio {
    static_assert(base != 0, "a device page that the executive does not map");

    static uint32_t read(uint32_t offset) {
        return *reinterpret_cast<volatile const uint32_t *>(uintptr_t{base} + offset);
    }
    static void write(uint32_t offset, uint32_t value) {
        *reinterpret_cast<volatile uint32_t *>(uintptr_t{base} + offset) = value;
    }
    // Returns when every earlier access has reached its device (Arm ARM A3.8.3).
    static void barrier() {
#ifdef __arm__
        asm volatile("dsb" ::: "memory");
#endif
    }
};

// The same of a device whose registers are halfwords, such as EHRPWM.
template <uint32_t base> struct Mmio16 {
    static_assert(base != 0, "a device page that the executive does not map");

    static uint32_t read(uint32_t offset) {
        return *reinterpret_cast<volatile const uint16_t *>(uintptr_t{base} + offset);
    }
    static void write(uint32_t offset, uint32_t value) {
        *reinterpret_cast<volatile uint16_t *>(uintptr_t{base} + offset) = static_cast<uint16_t>(value);
    }
    static void barrier() { Mmio<base>::barrier(); }
};

// What every driver has: accesses by its own register names.
template <class Bus, class Reg> struct Registers {
    static uint32_t read(Reg r) { return Bus::read(static_cast<uint32_t>(r)); }
    static void write(Reg r, uint32_t value) { Bus::write(static_cast<uint32_t>(r), value); }
    static uint32_t read(Reg r, uint32_t index) { return Bus::read(static_cast<uint32_t>(r) + 4 * index); }
    static void write(Reg r, uint32_t index, uint32_t value) {
        Bus::write(static_cast<uint32_t>(r) + 4 * index, value);
    }
};

} // namespace drivers
