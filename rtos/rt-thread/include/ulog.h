/* SPDX-License-Identifier: BSD-3-Clause */
/* ulog's macros on rtdbg's: LOG_TAG and LOG_LVL, no back ends, no asynchronous output. */
#ifndef RT_ULOG_H__
#define RT_ULOG_H__

#define LOG_LVL_ASSERT 0
#define LOG_LVL_ERROR 3
#define LOG_LVL_WARNING 4
#define LOG_LVL_INFO 6
#define LOG_LVL_DBG 7

#ifndef LOG_TAG
#define LOG_TAG "NO_TAG"
#endif
#ifndef LOG_LVL
#define LOG_LVL LOG_LVL_DBG
#endif

#undef DBG_TAG
#undef DBG_LVL
#define DBG_TAG LOG_TAG
#define DBG_LVL \
	(LOG_LVL >= LOG_LVL_DBG	    ? DBG_LOG : \
	 LOG_LVL >= LOG_LVL_INFO    ? DBG_INFO : \
	 LOG_LVL >= LOG_LVL_WARNING ? DBG_WARNING : \
				      DBG_ERROR)

#include <rtdbg.h>

#endif
