/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of newlib's: 63 signals, 32 of them real-time. */
#ifndef _SYS__SIGSET_H_
#define _SYS__SIGSET_H_

typedef unsigned long long __sigset_t;

#endif
