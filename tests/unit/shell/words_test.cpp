// SPDX-License-Identifier: GPL-2.0-only
#include "words.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

std::vector<std::string> words(std::string line) {
    char *word[rtos::shell::max_words + 1];
    const int count = rtos::shell::split(line.data(), word);
    if (count < 0)
        return {"error"};
    EXPECT_EQ(word[count], nullptr);
    return {word, word + count};
}

using List = std::vector<std::string>;

TEST(Words, SeparatesAtSpaces) {
    EXPECT_EQ(words(""), List{});
    EXPECT_EQ(words("  \t "), List{});
    EXPECT_EQ(words("ps"), (List{"ps"}));
    EXPECT_EQ(words("  list\tthread  main "), (List{"list", "thread", "main"}));
}

TEST(Words, QuotesAndEscapes) {
    EXPECT_EQ(words("echo \"a  b\" 'c \" d'"), (List{"echo", "a  b", "c \" d"}));
    EXPECT_EQ(words("a\\ b \\\" '\\' \"\\\"\""), (List{"a b", "\"", "\\", "\""}));
    EXPECT_EQ(words("\"\" x"), (List{"", "x"}));
    EXPECT_EQ(words("a\"b c\"d"), (List{"ab cd"}));
    EXPECT_EQ(words("a\\"), (List{"a\\"}));
}

TEST(Words, RefusesWhatItCannotSplit) {
    EXPECT_EQ(words("echo \"a"), List{"error"});
    EXPECT_EQ(words("'"), List{"error"});
    std::string many;
    for (int i = 0; i < rtos::shell::max_words; ++i)
        many += "x ";
    EXPECT_EQ(words(many).size(), size_t{rtos::shell::max_words});
    EXPECT_EQ(words(many + "x"), List{"error"});
}

} // namespace
