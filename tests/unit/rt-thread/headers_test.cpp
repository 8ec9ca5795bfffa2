// SPDX-License-Identifier: GPL-2.0-only
// The headers in C++20, an application in C, and the tables that its macros fill.
#include "fixture.hpp"
#include "sample.h"

#include <finsh.h>
#include <rtdbg.h>
#include <rtdevice.h>
#include <rtm.h>
#include <utest.h>

extern "C" {
extern void (*const rt_functions[])();
extern const int rt_function_count;
void rtos_before_main();
}

namespace {

struct Headers : Api {};

void units() {
    uassert_true(1 + 1 == 2);
    uassert_int_equal(4, 2 * 2);
    uassert_str_equal("a", "a");
    uassert_str_not_equal("a", "b");
    uassert_buf_equal("abc", "abd", 2);
    uassert_in_range(5, 1, 9);
    uassert_not_null(&units);
}
void fails() {
    uassert_false(true);
}
void suite() {
    UTEST_UNIT_RUN(units);
}
void failing_suite() {
    UTEST_UNIT_RUN(fails);
    UTEST_UNIT_RUN(units);
}
UTEST_TC_EXPORT(suite, "good.suite", nullptr, nullptr, 10);
namespace other {
UTEST_TC_EXPORT(failing_suite, "bad.suite", nullptr, nullptr, 10);
}

TEST_F(Headers, EveryFunctionIsThere) {
    EXPECT_GT(rt_function_count, 250);
    for (int i = 0; i < rt_function_count; ++i)
        EXPECT_NE(rt_functions[i], nullptr);
}

TEST_F(Headers, AnApplicationRuns) {
    run([] {
        EXPECT_EQ(sample_run(), RT_EOK);
        EXPECT_EQ(sample_sum(), 10 * 100 + 55);
        EXPECT_EQ(sample_expiries(), 3);
        rt_thread_mdelay(1);
    });
    EXPECT_NE(machine::record().console.find("sum 1055, expiries 3\n"), std::string::npos);
}

TEST_F(Headers, InitialisersRunByLevel) {
    sample_order[0] = 0;
    run([] { rtos_before_main(); });
    EXPECT_STREQ(sample_order, "123456");
}

TEST_F(Headers, CommandsAreInTheTable) {
    std::vector<std::string> names;
    for (const finsh_syscall *c = __fsymtab_start; c != __fsymtab_end; ++c) {
        names.push_back(c->name);
        if (names.back() == "__cmd_led") {
            EXPECT_STREQ(c->desc, "led <on|off>");
        }
    }
    for (const char *name : {"__cmd_sample_run", "__cmd_led", "__cmd_lamp", "led"})
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST_F(Headers, UtestCountsAndStopsAtAFailure) {
    run([] {
        EXPECT_EQ(utest_run("good."), 0);
        EXPECT_EQ(utest_run("bad."), 1);
        EXPECT_EQ(utest_run("none."), 0);
    });
    const std::string &console = machine::record().console;
    EXPECT_NE(console.find("(units) passed 7"), std::string::npos);
    EXPECT_NE(console.find("(fails) failed 1"), std::string::npos);
    EXPECT_NE(console.find("(true) is true"), std::string::npos);
    EXPECT_EQ(console.find("(units)", console.find("(fails)")), std::string::npos);
}

} // namespace
