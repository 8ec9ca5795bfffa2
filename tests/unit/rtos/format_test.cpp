// SPDX-License-Identifier: GPL-2.0-only
#include <rtos/format.hpp>

#include <gtest/gtest.h>
#include <string>

namespace {

template <class... T> std::string formatted(const char *format, T... arguments) {
    char buffer[256];
    const size_t length = rtos::format(buffer, sizeof(buffer), format, arguments...);
    EXPECT_EQ(length, strlen(buffer));
    return buffer;
}

TEST(Format, NumbersOfEveryWidth) {
    EXPECT_EQ(formatted("%u %d %d", 0u, -1, INT64_MIN), "0 -1 -9223372036854775808");
    EXPECT_EQ(formatted("%u", UINT64_MAX), "18446744073709551615");
    EXPECT_EQ(formatted("%u", uint64_t{4294967296}), "4294967296");
    EXPECT_EQ(formatted("%u", uint64_t{10'000'000'000}), "10000000000");
    EXPECT_EQ(formatted("%x %08x", 0xdeadbeefu, 0x12u), "deadbeef 00000012");
}

TEST(Format, FieldsAndText) {
    EXPECT_EQ(formatted("[%5d][%-5d][%05d]", -42, -42, -42), "[  -42][-42  ][-0042]");
    EXPECT_EQ(formatted("[%4s][%-4s][%s]", "ab", "ab", "abcdef"), "[  ab][ab  ][abcdef]");
    EXPECT_EQ(formatted("%c%c %%", 'o', 'k'), "ok %");
}

TEST(Format, WrongArgumentsAreShownNotRead) {
    EXPECT_EQ(formatted("%d %u", 1), "1 ?");
    EXPECT_EQ(formatted("%s", 5), "?");
    EXPECT_EQ(formatted("%d", "text"), "?");
    EXPECT_EQ(formatted("%s", static_cast<const char *>(nullptr)), "?");
    EXPECT_EQ(formatted("%q", 1), "?");
    EXPECT_EQ(formatted("100%"), "100");
}

TEST(Format, TruncatesAtTheEndOfTheBuffer) {
    char buffer[6];
    memset(buffer, 'x', sizeof(buffer));
    EXPECT_EQ(rtos::format(buffer, 5, "%u", 123456789u), 4u);
    EXPECT_STREQ(buffer, "1234");
    EXPECT_EQ(buffer[5], 'x');
    EXPECT_EQ(rtos::format(buffer, 0, "abc"), 0u);
    EXPECT_EQ(buffer[0], '1');
}

} // namespace
