/* SPDX-License-Identifier: BSD-3-Clause */
/* The shell for C; commands are exported by finsh.h. */
#ifndef MSH_H
#define MSH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Start the shell on the RT console; it waits silently for the first key. 0, or -1: started before, or no memory. */
int finsh_system_init(void);

#ifdef __cplusplus
}
#endif

#endif
