/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a guest's kernel asks of the RTOS about its own life: hypercalls that the
 * executive passes on (docs/guest-abi.md).  C and C++; constants only.
 *
 * r1 has to be the magic number: they can end the guest, and a kernel that has
 * lost its way does not do that by one wrong number. Without it: -ENOSYS.
 */
#ifndef RTMUX_ABI_LIFE_H
#define RTMUX_ABI_LIFE_H

/* r0: milliseconds until which to call again, 0: no more watched. 0, or -EINVAL */
#define RTMUX_WATCHDOG 0x51u
/* The kernel has panicked: stopped, as soon as the call returns */
#define RTMUX_PANIC 0x52u
/* r0: offset in the report of how the last guest ended. The number of bytes there, at most 12, in r1-r3 */
#define RTMUX_REPORT 0x53u

#define RTMUX_LIFE_MAGIC 0x4c494645u /* "LIFE" */
#define RTMUX_REPORT_PIECE 12u
#define RTMUX_WATCHDOG_MAX_MS 3600000u

/*
 * Why a guest ended, and what is done then, by the image's policy word: nibble n
 * is an enum rtmux_after for cause n.  tools/mkimage.py reads these enums.
 */
enum rtmux_cause {
	RTMUX_CAUSE_POWEROFF = 0,  /* it asked for it */
	RTMUX_CAUSE_REBOOT = 1,    /* " */
	RTMUX_CAUSE_PANIC = 2,     /* it said so */
	RTMUX_CAUSE_VIOLATION = 3, /* the executive cannot let it go on */
	RTMUX_CAUSE_WATCHDOG = 4,  /* it did not call in time */
	/* from here on what is done is no matter of policy */
	RTMUX_CAUSE_STOPPED = 5, /* the RTOS wanted it, and says what comes then */
	RTMUX_CAUSE_IMAGE = 6,   /* it could not be booted; nor could it again */
};
#define RTMUX_POLICIES 5u
#define RTMUX_CAUSES 7u

enum rtmux_after {
	RTMUX_AFTER_DEFAULT = 0, /* restart after reboot, else stay down */
	RTMUX_AFTER_DOWN = 1,
	RTMUX_AFTER_RESTART = 2,
	RTMUX_AFTER_RESET = 3, /* reset the board */
};

#endif /* RTMUX_ABI_LIFE_H */
