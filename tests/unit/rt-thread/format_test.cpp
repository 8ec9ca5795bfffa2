// SPDX-License-Identifier: GPL-2.0-only
// The formatter against the host's.
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <rtthread.h>
#include <string>

#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-truncation"

namespace {

template <class... T> void same(const char *format, T... arguments) {
    char ours[400], theirs[400];
    for (const size_t size : {sizeof(ours), size_t{5}, size_t{1}}) {
        std::memset(ours, '#', sizeof(ours));
        std::memset(theirs, '#', sizeof(theirs));
        EXPECT_EQ(rt_snprintf(ours, size, format, arguments...),
                  std::snprintf(theirs, size, format, arguments...))
            << format;
        EXPECT_EQ(std::memcmp(ours, theirs, sizeof(ours)), 0) << format << ": " << ours << " not " << theirs;
    }
}

TEST(Format, EveryFlagWidthPrecisionAndConversionIsTheHosts) {
    const char *flags[] = {"", "-", "+", " ", "#", "0", "-0", "+0", "#0", "-+#", "- ", "+ ", "#-", "0+ #-"};
    const char *widths[] = {"", "1", "7", "20"};
    const char *precisions[] = {"", ".", ".0", ".1", ".5", ".18"};
    const long long values[] = {0,         1,         -1,        42,        -42,          255,
                                INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1'000'000'007};
    for (const char *flag : flags)
        for (const char *width : widths)
            for (const char *precision : precisions)
                for (const long long v : values) {
                    const std::string head = std::string("<%") + flag + width + precision;
                    for (const char c : {'d', 'i', 'u', 'o', 'x', 'X'}) {
                        same((head + "hh" + c + ">").c_str(), static_cast<int>(v));
                        same((head + "h" + c + ">").c_str(), static_cast<int>(v));
                        same((head + c + ">").c_str(), static_cast<int>(v));
                        same((head + "l" + c + ">").c_str(), static_cast<long>(v));
                        same((head + "ll" + c + ">").c_str(), v);
                        same((head + "j" + c + ">").c_str(), static_cast<intmax_t>(v));
                        same((head + "z" + c + ">").c_str(), static_cast<size_t>(v));
                        same((head + "t" + c + ">").c_str(), static_cast<ptrdiff_t>(v));
                    }
                    if (std::strpbrk(flag, "+ #0") == nullptr) {
                        same((head + "s>").c_str(), "a text of some length");
                        same((head + "s>").c_str(), "");
                    }
                }
}

TEST(Format, StarsCharactersAndText) {
    same("%*d|%-*d|%.*d|%*.*d", 6, 1, 6, 2, 4, 3, 8, 3, 4);
    same("%*d|%.*d", -6, 1, -1, 2); // a negative width is left, a negative precision none
    same("%.*s|%*s", 2, "abc", 5, "de");
    same("%c%c%c|%5c|%-5c|", 'a', 'b', 'c', 'd', 'e');
    same("100%% of nothing");
    same("");
    same("%d %s %x and %s", 1, "two", 3, "four");
}

TEST(Format, BinaryAsC23HasIt) {
    char text[80];
    EXPECT_EQ(rt_snprintf(text, sizeof(text), "%b|%#b|%08b|%lb", 5u, 5u, 5u, 1ul << 31), 51);
    EXPECT_STREQ(text, "101|0b101|00000101|10000000000000000000000000000000");
}

TEST(Format, WhatIsNoConversionIsText) {
    char text[40];
    rt_snprintf(text, sizeof(text), "%y %5", 1);
    EXPECT_STREQ(text, "%y %5");
    rt_snprintf(text, sizeof(text), "%");
    EXPECT_STREQ(text, "%");
    rt_snprintf(text, sizeof(text), "%s", static_cast<const char *>(nullptr));
    EXPECT_STREQ(text, "(NULL)");
    EXPECT_EQ(rt_snprintf(nullptr, 0, "%d", 12345), 5);
}

TEST(Format, APointerHasAllItsDigits) {
    char text[40];
    rt_snprintf(text, sizeof(text), "%p", reinterpret_cast<void *>(0xabc));
    EXPECT_STREQ(text, sizeof(void *) == 8 ? "0x0000000000000abc" : "0x00000abc");
}

TEST(Format, AWidthThatHasNoOppositeIsNone) {
    char text[16];
    EXPECT_EQ(rt_snprintf(text, sizeof text, "<%*d>", INT32_MIN, 5), 3);
    EXPECT_STREQ(text, "<5>");
}

} // namespace
