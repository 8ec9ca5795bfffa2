/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that run on the target: a suite is an entry of the section UtestTcTab. */
#ifndef RT_UTEST_H__
#define RT_UTEST_H__

#include <rtthread.h>
#include <utest_assert.h>
#include <utest_log.h>

#ifdef __cplusplus
extern "C" {
#endif

enum utest_error { UTEST_PASSED = 0, UTEST_FAILED = 1, UTEST_SKIPPED = 2 };
typedef enum utest_error utest_err_e;

/* Of the running unit. */
struct utest {
	utest_err_e error;
	uint32_t passed_num;
	uint32_t failed_num;
};
typedef struct utest *utest_t;

struct utest_tc_export {
	const char *name;
	uint32_t run_timeout; /* seconds */
	rt_err_t (*init)(void);
	void (*tc)(void);
	rt_err_t (*cleanup)(void);
};
typedef struct utest_tc_export *utest_tc_export_t;

typedef void (*test_unit_func)(void);

void utest_unit_run(test_unit_func func, const char *unit_func_name);
utest_t utest_handle_get(void);

/*
 * Run all suites whose names begin with prefix (null: all), in the calling thread. For each unit and suite
 * a line, then one with the totals. Returns how many suites failed.
 */
int utest_run(const char *prefix);
/* The command of the shell: utest_run [name], utest_list. */
int utest_testcase_run(int argc, char **argv);
int utest_tc_list(void);

extern const struct utest_tc_export __rt_utest_tc_tab_start[];
extern const struct utest_tc_export __rt_utest_tc_tab_end[];

#define UTEST_NAME_MAX_LEN 128u

#define UTEST_TC_EXPORT(testcase, name, init, cleanup, timeout) \
	rt_used rt_align(sizeof(void *)) static const struct utest_tc_export _utest_testcase \
		rt_section("UtestTcTab") = { name, timeout, init, testcase, cleanup }

/* A failure ends the suite. */
#define UTEST_UNIT_RUN(test_unit_func) \
	utest_unit_run(test_unit_func, #test_unit_func); \
	if (utest_handle_get()->failed_num != 0) \
		return;

#ifdef __cplusplus
}
#endif

#endif
