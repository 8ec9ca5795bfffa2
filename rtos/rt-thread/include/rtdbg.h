/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LOG_E, LOG_W, LOG_I and LOG_D: lines on the console with level and tag. Before including it a file says
 *
 *	#define DBG_TAG "mod"
 *	#define DBG_LVL DBG_INFO
 */
#include <rtthread.h>

#ifndef RT_DBG_H__
#define RT_DBG_H__

#define DBG_ERROR 0
#define DBG_WARNING 1
#define DBG_INFO 2
#define DBG_LOG 3

#if !defined(DBG_TAG) && defined(DBG_SECTION_NAME)
#define DBG_TAG DBG_SECTION_NAME
#endif
#ifndef DBG_TAG
#define DBG_TAG "DBG"
#endif
#if !defined(DBG_LVL) && defined(DBG_LEVEL)
#define DBG_LVL DBG_LEVEL
#endif
#ifndef DBG_LVL
#define DBG_LVL DBG_WARNING
#endif

#define dbg_log_line(level, name, fmt, ...) \
	do { \
		if ((level) <= (DBG_LVL)) \
			rt_kprintf("[" name "/" DBG_TAG "] " fmt "\n", ##__VA_ARGS__); \
	} while (0)

#define LOG_E(fmt, ...) dbg_log_line(DBG_ERROR, "E", fmt, ##__VA_ARGS__)
#define LOG_W(fmt, ...) dbg_log_line(DBG_WARNING, "W", fmt, ##__VA_ARGS__)
#define LOG_I(fmt, ...) dbg_log_line(DBG_INFO, "I", fmt, ##__VA_ARGS__)
#define LOG_D(fmt, ...) dbg_log_line(DBG_LOG, "D", fmt, ##__VA_ARGS__)
#define LOG_RAW(...) rt_kprintf(__VA_ARGS__)

#define dbg_log(level, fmt, ...) \
	do { \
		if ((level) <= (DBG_LVL)) \
			rt_kprintf(fmt, ##__VA_ARGS__); \
	} while (0)
#define dbg_raw(...) rt_kprintf(__VA_ARGS__)
#define dbg_here dbg_log(DBG_LOG, DBG_TAG " Here %s:%d\n", __func__, __LINE__)
#define dbg_enter dbg_log(DBG_LOG, DBG_TAG " Enter %s\n", __func__)
#define dbg_exit dbg_log(DBG_LOG, DBG_TAG " Exit %s:%d\n", __func__, __LINE__)

#endif
