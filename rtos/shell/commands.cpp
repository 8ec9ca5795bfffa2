// SPDX-License-Identifier: BSD-3-Clause
#include "exported.hpp"
#include "shell.hpp"

namespace rtos::shell {

const Command commands[] = {
    {"help", "this list", Access::observe, help},
    {"echo", "WORD...: print them", Access::observe, echo},
    {"ps", "threads", Access::observe, ps},
    {"list", "[KIND]: objects of a kind; list_KIND does the same", Access::observe, list},
    {"free", "memory", Access::observe, free_memory},
    {"irq", "interrupt lines", Access::observe, irq},
    {"stat", "what the executive counts of both worlds", Access::observe, stat},
    {"guest", "state of Linux; report, policy, start, stop, restart", Access::observe, guest},
    {"trace", "[on | off]: the executive's, where it was built with one", Access::all, trace},
    {"latency", "[-i US] [-p PRIORITY] [-n SAMPLES] [-h]: of a periodic thread, until ^C", Access::all,
     latency},
};
const unsigned command_count = sizeof(commands) / sizeof(commands[0]);

int help(Shell &shell, int, char **) {
    for (const Command &c : commands)
        if (shell.allows(c.needs))
            shell.print("%-16s %s\n", c.name, c.help);
    if (!shell.allows(Access::all)) {
        shell.print("what changes something is not for this terminal\n");
        return 0;
    }
    // MSH_CMD_EXPORT makes a text of whatever stands there, often one with quotes of its own
    for_each_exported([&](const finsh_syscall &c) { shell.print("%-16s %s\n", exported_name(c), c.desc); });
    return 0;
}

int echo(Shell &shell, int count, char **words) {
    for (int i = 1; i < count; ++i)
        shell.print("%s%s", words[i], i + 1 < count ? " " : "");
    shell.print("\n");
    return 0;
}

} // namespace rtos::shell
