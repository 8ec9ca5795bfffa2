// SPDX-License-Identifier: BSD-3-Clause
// Runs the suites of the section UtestTcTab.
#include <utest.h>

static utest unit = {};
static rt_uint8_t log_level = UTEST_LOG_ASSERT;

static bool matches(const char *name, const char *prefix) {
    return !prefix || rt_strncmp(name, prefix, rt_strlen(prefix)) == 0;
}

// In the calling thread: the time limit is looked at when it is over.
static bool run(const utest_tc_export &suite) {
    unit = {};
    rt_kprintf("[==========] [ utest    ] %s\n", suite.name);
    const rt_tick_t began = rt_tick_get();
    bool passed = true;
    if (suite.init && suite.init() != RT_EOK) {
        rt_kprintf("[  FAILED  ] [ result   ] %s: init\n", suite.name);
        return false;
    }
    suite.tc();
    passed = unit.failed_num == 0;
    if (suite.cleanup && suite.cleanup() != RT_EOK) {
        rt_kprintf("[  FAILED  ] [ cleanup  ] %s\n", suite.name);
        passed = false;
    }
    const rt_tick_t took = rt_tick_get() - began;
    if (suite.run_timeout != 0 && took > suite.run_timeout * RT_TICK_PER_SECOND) {
        rt_kprintf("[  FAILED  ] [ timeout  ] %s: %u ticks\n", suite.name, took);
        passed = false;
    }
    rt_kprintf("[  %s  ] [ result   ] %s\n", passed ? "PASSED" : "FAILED", suite.name);
    return passed;
}

static void failed(const char *file, int line, const char *func, const char *msg) {
    rt_kprintf("[  ASSERT  ] [ unit     ] at (%s); func: (%s:%d); msg: (%s)\n", file, func, line, msg);
}

extern "C" {

utest_t utest_handle_get(void) {
    return &unit;
}

void utest_log_lv_set(rt_uint8_t lv) {
    log_level = lv;
}

void utest_unit_run(test_unit_func func, const char *unit_func_name) {
    unit = {};
    func();
    if (unit.failed_num == 0)
        rt_kprintf("[    OK    ] [ unit     ] (%s) passed %u\n", unit_func_name, unit.passed_num);
    else
        rt_kprintf("[  FAILED  ] [ unit     ] (%s) failed %u of %u\n", unit_func_name, unit.failed_num,
                   unit.failed_num + unit.passed_num);
}

rt_bool_t utest_assert(int value, const char *file, int line, const char *func, const char *msg) {
    const rt_base_t level = rt_enter_critical(); // threads of a unit may assert at once
    if (value) {
        ++unit.passed_num;
    } else {
        unit.error = UTEST_FAILED;
        ++unit.failed_num;
    }
    rt_exit_critical_safe(level);
    if (!value)
        failed(file, line, func, msg);
    else if (log_level == UTEST_LOG_ALL)
        rt_kprintf("[    OK    ] [ unit     ] func: (%s:%d)\n", func, line);
    return value != 0;
}

rt_bool_t utest_assert_string(const char *a, const char *b, rt_bool_t equal, const char *file, int line,
                              const char *func, const char *msg) {
    const bool same = a && b && rt_strcmp(a, b) == 0;
    return utest_assert(a && b && same == (equal != 0), file, line, func, msg);
}

rt_bool_t utest_assert_buf(const char *a, const char *b, rt_size_t size, rt_bool_t equal, const char *file,
                           int line, const char *func, const char *msg) {
    const bool same = a && b && rt_memcmp(a, b, size) == 0;
    return utest_assert(a && b && same == (equal != 0), file, line, func, msg);
}

int utest_run(const char *prefix) {
    int ran = 0;
    int failures = 0;
    for (const utest_tc_export *suite = __rt_utest_tc_tab_start; suite != __rt_utest_tc_tab_end; ++suite) {
        if (!matches(suite->name, prefix))
            continue;
        ++ran;
        failures += run(*suite) ? 0 : 1;
    }
    rt_kprintf("[==========] [ utest    ] %d suites ran, %d failed\n", ran, failures);
    return failures;
}

int utest_testcase_run(int argc, char **argv) {
    return utest_run(argc > 1 ? argv[1] : nullptr);
}

int utest_tc_list(void) {
    for (const utest_tc_export *suite = __rt_utest_tc_tab_start; suite != __rt_utest_tc_tab_end; ++suite)
        rt_kprintf("%-24s %u s\n", suite->name, static_cast<unsigned>(suite->run_timeout));
    return 0;
}
}

MSH_CMD_EXPORT_ALIAS(utest_testcase_run, utest_run, utest_run[name] : run suites whose names begin so);
MSH_CMD_EXPORT_ALIAS(utest_tc_list, utest_list, list the suites);
