// SPDX-License-Identifier: BSD-3-Clause
#include "fp_context.hpp"

#include <rtos/irq_lock.hpp>
#include <stddef.h>

namespace rtos::port {

static_assert(offsetof(FpRegisters, fpscr) == 32 * 8);

extern "C" void rtos_fp_save(FpRegisters *);
extern "C" void rtos_fp_load(const FpRegisters *);

constinit FpContext *fp_owner;

void fp_take(FpContext &c) {
    write_fpexc((&c == fp_owner ? read_fpexc() : c.fpexc) | fpexc_en);
    if (&c == fp_owner)
        return;
    if (fp_owner)
        rtos_fp_save(&fp_owner->registers);
    rtos_fp_load(&c.registers);
    fp_owner = &c;
}

void fp_copy_out(const FpContext &c, FpRegisters &to) {
    const IrqMask masked;
    if (&c == fp_owner)
        rtos_fp_save(&to); // EN is set: it runs
    else
        to = c.registers;
}

void fp_copy_in(const FpRegisters &from, FpContext &c) {
    const IrqMask masked;
    if (&c == fp_owner)
        rtos_fp_load(&from);
    else
        c.registers = from;
}

} // namespace rtos::port
