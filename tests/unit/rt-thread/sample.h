/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

int sample_run(void);
int sample_sum(void);
int sample_expiries(void);
extern char sample_order[8];

#ifdef __cplusplus
}
#endif
