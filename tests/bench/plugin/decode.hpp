// SPDX-License-Identifier: GPL-2.0-only
//
// Of each instruction what the laboratory must know. Encodings: Arm ARM DDI0406C, A5 and B9.3.
#pragma once

#include <cstdint>

namespace lab {

enum class Kind : uint8_t {
    other,
    mask,             // CPSID with I
    unmask,           // CPSIE with I
    write_cpsr,       // MSR CPSR_c: the plugin cannot see what
    exception_return, // MOVS pc, SUBS pc, LDM ^ with pc
    rfe,
    cp15,
    barrier,
};

constexpr Kind decode_arm(uint32_t op) {
    if ((op & 0xfff1fe20) == 0xf1000000) { // CPS
        const uint32_t imod = op >> 18 & 3;
        return !(op & 0x80) || imod < 2 ? Kind::other : imod == 2 ? Kind::unmask : Kind::mask;
    }
    if ((op & 0xfe50ffff) == 0xf8100a00)
        return Kind::rfe;
    if ((op & 0xffffff00) == 0xf57ff000)
        return Kind::barrier;
    if (op >> 28 == 0xf)
        return Kind::other;
    if ((op & 0x0ff1fff0) == 0x0121f000 || (op & 0x0ff1f000) == 0x0321f000)
        return Kind::write_cpsr;
    if ((op & 0x0e508000) == 0x08508000)
        return Kind::exception_return;
    const bool data_processing = (op & 0x0c000000) == 0 && ((op & 0x02000090) != 0x90);
    const uint32_t opcode = op >> 21 & 15;
    if (data_processing && (op & 0x0010f000) == 0x0010f000 && (opcode < 8 || opcode > 11))
        return Kind::exception_return;
    if ((op & 0x0f000f10) == 0x0e000f10)
        return Kind::cp15;
    return Kind::other;
}

constexpr Kind decode_thumb(uint16_t op) {
    if ((op & 0xffe8) == 0xb660 && (op & 2)) // CPS with I
        return op & 0x10 ? Kind::mask : Kind::unmask;
    return Kind::other;
}

// Operand of DBG, in ARM or (the first halfword in the lower half) Thumb code; -1 if it is something else
constexpr int decode_dbg(uint32_t op) {
    if ((op & 0xfffffff0) == 0xe320f0f0)
        return op & 15;
    return (op & 0xfff0ffff) == 0x80f0f3af ? op >> 16 & 15 : -1;
}

} // namespace lab
