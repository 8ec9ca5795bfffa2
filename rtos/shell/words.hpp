// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::shell {

inline constexpr int max_words = 16;

// Split a line into words, in place: separated by spaces, "..." and '...' keep theirs, and \ takes any
// meaning from the next character. Returns how many; -1: more than max_words, or a quote that has no end.
// word[count] is null, as of main()'s argv.
inline int split(char *line, char *(&word)[max_words + 1]) {
    int count = 0;
    char *to = line;
    for (const char *from = line;;) {
        while (*from == ' ' || *from == '\t')
            ++from;
        if (*from == 0)
            break;
        if (count == max_words)
            return -1;
        word[count++] = to;
        char quote = 0;
        for (; *from && (quote || (*from != ' ' && *from != '\t')); ++from) {
            if (*from == quote) {
                quote = 0;
            } else if (!quote && (*from == '"' || *from == '\'')) {
                quote = *from;
            } else {
                if (*from == '\\' && quote != '\'' && from[1])
                    ++from;
                *to++ = *from;
            }
        }
        if (quote)
            return -1;
        const bool last = *from == 0;
        *to++ = 0; // at or before *from
        if (last)
            break;
        ++from;
    }
    word[count] = nullptr;
    return count;
}

} // namespace rtos::shell
