/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Domains of the hardware's translation tables, and the DACR of each virtual mode.
 * Literals only: assembly reads it. No manager domain anywhere: on Cortex-A8 a
 * manager access ignores AP and XN (Arm ARM DDI 0406C, B3.7.3).
 */
#ifndef RTMUX_MMU_DOMAIN_H
#define RTMUX_MMU_DOMAIN_H

#define RTMUX_DOMAIN_EXECUTIVE 0 /* the window, except the shared page */
#define RTMUX_DOMAIN_KERNEL 1    /* the guest kernel's; no access in virtual user mode */
#define RTMUX_DOMAIN_USER 2      /* the guest's user half */
#define RTMUX_DOMAIN_VECTORS 3   /* the megabyte of the guest's vectors and kuser helpers */

/* Two bits per domain: 0 no access, 1 client */
#define RTMUX_DACR_KERNEL_MODE 0x55
#define RTMUX_DACR_USER_MODE 0x51

#endif /* RTMUX_MMU_DOMAIN_H */
