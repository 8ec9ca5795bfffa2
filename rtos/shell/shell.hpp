// SPDX-License-Identifier: BSD-3-Clause
// A shell on a stream. Several may run, each in a thread of its own.
#pragma once

#include <rtos/format.hpp>
#include <rtos/shell.hpp>

#include "line_editor.hpp"
#include "stream.hpp"

namespace rtos::shell {

class Shell final : private Completer {
  public:
    Shell(Stream &stream, Access access) : stream_(stream), editor_("rt> ", stream, *this), access_(access) {}

    // Serve the terminal for ever.
    [[noreturn]] void run();

    // Before run.
    void allow(Access access) { access_ = access; }
    bool allows(Access needed) const { return access_ == Access::all || needed == Access::observe; }

    // For commands: at most print_size - 1 characters each; waits for room.
    template <class... T> void print(const char *text, T... arguments) {
        const FormatArgument values[] = {FormatArgument(arguments)..., FormatArgument(0)};
        print_arguments(text, values, sizeof...(T));
    }
    static constexpr size_t print_size = 160;

    // Wait until the deadline, or for ^C: true.
    bool cancelled_before(Time deadline);

  private:
    void print_arguments(const char *text, const FormatArgument *arguments, unsigned count);
    void execute(char *line);
    void refuse(const char *command);
    void candidates(const char *before, size_t length, Candidates &to) override;

    Stream &stream_;
    LineEditor editor_;
    Access access_;
};

struct Command {
    const char *name;
    const char *help;
    Access needs; // exported ones need all
    // words[0] is the name. Returns the exit status; not 0 is said.
    int (*run)(Shell &shell, int count, char **words);
};

// commands.cpp
extern const Command commands[];
extern const unsigned command_count;

// What each file has of them
int help(Shell &, int, char **);
int echo(Shell &, int, char **);
int ps(Shell &, int, char **);
int list(Shell &, int, char **);
int free_memory(Shell &, int, char **);
int irq(Shell &, int, char **);
int stat(Shell &, int, char **);
int guest(Shell &, int, char **);
int trace(Shell &, int, char **);
int latency(Shell &, int, char **);

// objects.cpp
void kind_candidates(Candidates &to);
void object_candidates(Candidates &to);

// The number of an option's argument. False: none, or not at least and at most what is allowed.
bool parse_number(const char *word, uint32_t least, uint32_t most, uint32_t &number);

} // namespace rtos::shell
