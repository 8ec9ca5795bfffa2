/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory locking only: all memory of the RTOS is resident. */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MCL_CURRENT 1
#define MCL_FUTURE 2

int mlockall(int __flags);
int munlockall(void);
int mlock(const void *, size_t);
int munlock(const void *, size_t);

#ifdef __cplusplus
}
#endif
#endif
