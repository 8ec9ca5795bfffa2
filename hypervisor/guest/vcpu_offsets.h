/* SPDX-License-Identifier: GPL-2.0-only */
/* Offsets of struct Vcpu for assembly; vcpu.hpp asserts every one. */
#ifndef RTMUX_VCPU_OFFSETS_H
#define RTMUX_VCPU_OFFSETS_H

#define V_KERNEL_SP 0x00 /* first: one instruction moves it to or from USR mode's sp */
#define V_R0 0x04        /* r0-r12, sp, lr of USR mode */
#define V_PC 0x40
#define V_CPSR 0x44
#define V_USER_MODE 0x48 /* not 0: virtual user mode */
#define V_SHARED 0x4c    /* behind V_USER_MODE: loaded together */
#define V_IRET_PC 0x50
#define V_SLOW 0x54 /* behind V_IRET_PC; not 0: no fast return, see Vcpu::slow */
#define V_VECTOR_SVC 0x58
#define V_HOST_SP 0x5c
#define V_SCRATCH 0x60
#define V_STATUS 0x70
#define V_ADDRESS 0x74
#define V_FAST_SVC 0x78
#define V_EXITS 0x7c

#define V_SLOW_FILL 2 /* of V_SLOW: what only the IRET looks at */

/* Why the guest was left */
#define EXIT_SVC 0
#define EXIT_UNDEFINED 1
#define EXIT_PREFETCH_ABORT 2
#define EXIT_DATA_ABORT 3
#define EXIT_IRQ 4
#define EXIT_REASONS 5
#define EXIT_BOOT 5 /* no exit: a boot */

#define VCPU_STACK_SIZE 8192
#define ABORT_STACK_SIZE 4096

#endif
