// SPDX-License-Identifier: BSD-3-Clause
#include "shell.hpp"

#include "exported.hpp"
#include "words.hpp"

namespace rtos::shell {

void Shell::run() {
    for (;;) {
        stream_.editing(true);
        editor_.begin();
        for (LineEditor::Event event = LineEditor::Event::none; event == LineEditor::Event::none;) {
            char c;
            if (stream_.read(&c, 1, Time::never()) == 1)
                event = editor_.feed(c);
            if (event == LineEditor::Event::cancelled)
                event = LineEditor::Event::none, editor_.begin();
        }
        stream_.editing(false);
        execute(editor_.line());
    }
}

void Shell::execute(char *line) {
    char *word[max_words + 1];
    const int count = split(line, word);
    if (count < 0)
        return print("a quote has no end, or there are more than %u words\n", max_words);
    if (count == 0)
        return;
    int status = -1;
    bool known = false;
    for (unsigned i = 0; i < command_count && !known; ++i)
        if (__builtin_strcmp(commands[i].name, word[0]) == 0) {
            known = true;
            if (!allows(commands[i].needs))
                return refuse(word[0]);
            status = commands[i].run(*this, count, word);
        }
    if (!known) {
        if (const finsh_syscall *const c = find_exported(word[0])) {
            known = true;
            if (!allows(Access::all))
                return refuse(word[0]);
            status = run_exported(*c, count, word);
        } else if (__builtin_strncmp(word[0], "list_", 5) == 0 && count < max_words) {
            // RT-Thread's names: list_thread
            known = true;
            char *const words[] = {word[0], word[0] + 5, nullptr};
            status = list(*this, 2, const_cast<char **>(words));
        }
    }
    if (!known)
        print("%s: no such command; help lists them\n", word[0]);
    else if (status != 0)
        print("%s: failed (%d)\n", word[0], status);
}

void Shell::refuse(const char *command) {
    print("%s: not from this terminal\n", command);
}

void Shell::print_arguments(const char *text, const FormatArgument *arguments, unsigned count) {
    char line[print_size];
    stream_.write(line, format_arguments(line, sizeof line, text, arguments, count));
}

bool Shell::cancelled_before(Time deadline) {
    static constexpr char ctrl_c = 'C' - '@';
    for (;;) {
        char c;
        if (stream_.read(&c, 1, deadline) == 0)
            return false;
        if (c == ctrl_c)
            return true;
    }
}

void Shell::candidates(const char *before, size_t length, Candidates &to) {
    const char *first = before;
    while (length > 0 && *first == ' ')
        ++first, --length;
    if (length == 0) {
        for (unsigned i = 0; i < command_count; ++i)
            if (allows(commands[i].needs))
                to.add(commands[i].name);
        if (allows(Access::all))
            for_each_exported([&](const finsh_syscall &c) { to.add(exported_name(c)); });
        return;
    }
    if (length >= 5 && __builtin_strncmp(first, "list ", 5) == 0)
        kind_candidates(to);
    object_candidates(to);
}

bool parse_number(const char *word, uint32_t least, uint32_t most, uint32_t &number) {
    if (!word || *word == 0)
        return false;
    uint64_t value = 0;
    for (; *word; ++word) {
        if (*word < '0' || *word > '9' || value > UINT32_MAX / 10)
            return false;
        value = value * 10 + static_cast<unsigned>(*word - '0');
    }
    number = static_cast<uint32_t>(value);
    return value >= least && value <= most;
}

} // namespace rtos::shell
