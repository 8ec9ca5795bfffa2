/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _SYS_UTSNAME_H
#define _SYS_UTSNAME_H

#ifdef __cplusplus
extern "C" {
#endif

struct utsname {
	char sysname[16];
	char nodename[16];
	char release[16];
	char version[32];
	char machine[16];
};

int uname(struct utsname *);

#ifdef __cplusplus
}
#endif
#endif
