/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_UTEST_LOG_H__
#define RT_UTEST_LOG_H__

#define UTEST_DEBUG

#ifndef DBG_TAG
#define DBG_TAG "utest"
#endif
#ifndef DBG_LVL
#define DBG_LVL DBG_INFO
#endif
#include <rtdbg.h>

#define UTEST_LOG_ALL 1u
#define UTEST_LOG_ASSERT 2u

/* UTEST_LOG_ALL: passed assertions are printed too. */
#ifdef __cplusplus
extern "C"
#endif
void utest_log_lv_set(rt_uint8_t lv);

#endif
