// SPDX-License-Identifier: BSD-3-Clause
#include "fp_context.hpp"

#include <rtos/irq_lock.hpp>
#include <stddef.h>

namespace rtos::port {

static_assert(offsetof(FpRegisters, fpscr) == 32 * 8);

extern "C" void rtos_fp_save(FpRegisters *);
extern "C" void rtos_fp_load(const FpRegisters *);

static constinit Context *owner;

static void set_owner(Context *c) {
    if (owner)
        owner->work &= ~Context::owns_fp;
    owner = c;
    if (c)
        c->work |= Context::owns_fp;
}

void fp_begin(Context &guest) {
    set_owner(&guest);
}

void fp_abandon(Context &c) {
    write_fpexc(0);
    if (owner == &c)
        set_owner(nullptr);
}

void fp_take(Context &c) {
    write_fpexc((&c == owner ? read_fpexc() : c.fp.fpexc) | fpexc_en);
    if (&c == owner)
        return;
    if (owner)
        rtos_fp_save(&owner->fp.registers);
    rtos_fp_load(&c.fp.registers);
    set_owner(&c);
}

static bool is_owner(const FpContext &c) {
    return owner && &owner->fp == &c;
}

void fp_copy_out(const FpContext &c, FpRegisters &to) {
    const IrqMask masked;
    if (is_owner(c))
        rtos_fp_save(&to); // EN is set: it runs
    else
        to = c.registers;
}

void fp_copy_in(const FpRegisters &from, FpContext &c) {
    const IrqMask masked;
    if (is_owner(c))
        rtos_fp_load(&from);
    else
        c.registers = from;
}

} // namespace rtos::port
