/* SPDX-License-Identifier: GPL-2.0-only */
/* The formatter behind rt_kprintf. */
#include "suite.h"

static char text[64];

#define uassert_format(expected, ...)                                                               \
	do {                                                                                        \
		memset(text, 'x', sizeof(text));                                                    \
		uassert_equal((int)strlen(expected), rt_snprintf(text, sizeof(text), __VA_ARGS__)); \
		uassert_string(expected, text);                                                     \
	} while (0)

static void test_integers(void)
{
	uassert_format("0 1 -1", "%d %d %d", 0, 1, -1);
	uassert_format("-2147483648 2147483647", "%d %i", -2147483647 - 1, 2147483647);
	uassert_format("4294967295", "%u", 0xffffffffu);
	uassert_format("deadbeef DEADBEEF", "%x %X", 0xdeadbeefu, 0xdeadbeefu);
	uassert_format("777", "%o", 0777);
	uassert_format("-9223372036854775808", "%lld", (long long)(-9223372036854775807LL - 1));
	uassert_format("18446744073709551615", "%llu", 18446744073709551615ULL);
	uassert_format("123456789abcdef0", "%llx", 0x123456789abcdef0ULL);
	uassert_format("1 2", "%ld %lu", 1L, 2UL);
	uassert_format("-1 255", "%hhd %hhu", 255, 255);
	uassert_format("-1 65535", "%hd %hu", 65535, 65535);
}

static void test_width_and_flags(void)
{
	uassert_format("|   42|", "|%5d|", 42);
	uassert_format("|42   |", "|%-5d|", 42);
	uassert_format("|00042|", "|%05d|", 42);
	uassert_format("|-0042|", "|%05d|", -42);
	uassert_format("|+42|", "|%+d|", 42);
	uassert_format("| 42|", "|% d|", 42);
	uassert_format("|   42|", "|%*d|", 5, 42);
	uassert_format("|42   |", "|%*d|", -5, 42);
	uassert_format("|  042|", "|%5.3d|", 42);
	uassert_format("|0x2a|", "|%#x|", 42);
	uassert_format("|123456|", "|%3d|", 123456);
}

static void test_strings(void)
{
	uassert_format("hello", "%s", "hello");
	uassert_format("|   ab|", "|%5s|", "ab");
	uassert_format("|ab   |", "|%-5s|", "ab");
	uassert_format("|ab|", "|%.2s|", "abcdef");
	uassert_format("|ab|", "|%.*s|", 2, "abcdef");
	uassert_format("a%b", "a%%b");
	uassert_format("[c]", "[%c]", 'c');
	uassert_format("(NULL)", "%s", (char *)RT_NULL);
	uassert_format("", "%s", "");
}

static void test_pointer(void)
{
	rt_snprintf(text, sizeof(text), "%p", (void *)0xabcd);
	uassert_true(strstr(text, "abcd") != RT_NULL);
}

static void test_truncation(void)
{
	memset(text, 'x', sizeof(text));
	uassert_equal(10, rt_snprintf(text, 5, "0123456789"));
	uassert_string("0123", text);
	uassert_equal('x', text[5]); /* nothing behind its end */
	memset(text, 'x', sizeof(text));
	uassert_equal(10, rt_snprintf(text, 0, "0123456789"));
	uassert_equal('x', text[0]);
	uassert_equal(5, rt_sprintf(text, "%s", "12345"));
	uassert_string("12345", text);
}

static void test_odd_formats(void)
{
	rt_snprintf(text, sizeof(text), "50%"); /* ends in the middle */
	uassert_true(strncmp(text, "50", 2) == 0);
	rt_snprintf(text, sizeof(text), "%y%d",
		    1); /* an unknown conversion takes nothing away from the known */
	uassert_true(strlen(text) < 8);
}

static void test_kprintf(void)
{
	uassert_equal(7, rt_kprintf("%s %d\n", "kpri", 1));
}

static void print_in_isr(void *unused)
{
	(void)unused;
	uassert_true(rt_kprintf("printed in an ISR\n") > 0);
}

static void test_from_isr(void)
{
	suite_in_isr(print_in_isr, RT_NULL);
}

static void test_errno(void)
{
	rt_set_errno(-RT_EBUSY);
	uassert_equal(-RT_EBUSY, rt_get_errno());
	rt_set_errno(0);
	uassert_not_null(rt_strerror(-RT_ETIMEOUT));
}

static void testcase(void)
{
	UNIT(test_integers);
	UNIT(test_width_and_flags);
	UNIT(test_strings);
	UNIT(test_pointer);
	UNIT(test_truncation);
	UNIT(test_odd_formats);
	UNIT(test_kprintf);
	UNIT(test_from_isr);
	UNIT(test_errno);
}
SUITE("kprintf");
