// SPDX-License-Identifier: BSD-3-Clause
// guest: its state, how it ended, and what is to come of it.
#include <rtos/guest.hpp>

#include "shell.hpp"

#include <string.h>

namespace rtos::shell {

namespace {

constexpr const char *actions[] = {"default", "down", "restart", "reset"}; // RTMUX_AFTER_*

const char *state_name(uint32_t state) {
    static constexpr const char *names[] = {"stopped", "running", "failed", "powered off", "to be restarted"};
    return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

const char *exit_name(uint32_t reason) {
    static constexpr const char *names[] = {"in the executive: hypercall",
                                            "in the executive: undefined instruction",
                                            "in the executive: prefetch abort",
                                            "in the executive: data abort",
                                            "in the executive: virtual interrupt",
                                            "in the executive: boot",
                                            "interrupted at work",
                                            "idle"};
    return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown";
}

void print_context(Shell &shell, const rtmux_guest_context &c) {
    shell.print("%s mode, pc %08x lr %08x sp %08x, virtual interrupts %s\n", c.user_mode ? "user" : "kernel",
                c.pc, c.lr, c.sp, c.irqs_off ? "masked" : "open");
    shell.print("%s", exit_name(c.exit));
    if (c.exit == RTMUX_EXIT_SVC && !c.user_mode)
        shell.print(" %u", c.hypercall);
    shell.print("\n");
}

int show_state(Shell &shell) {
    rtmux_guest_context c;
    rtmux_statistics s;
    executive().guest_context(&c);
    executive().statistics(&s);
    const auto milliseconds = static_cast<uint32_t>((now() - guest_since()).microseconds() / 1000);
    shell.print("guest %s for %u.%03u s, boots %u\n", state_name(c.state), milliseconds / 1000,
                milliseconds % 1000, s.boots);
    if (c.state == RTMUX_GUEST_RUNNING)
        print_context(shell, c);
    return 0;
}

int show_report(Shell &shell) {
    char piece[Shell::print_size - 1];
    size_t offset = 0;
    for (;;) {
        const size_t length = guest_report(offset, piece, sizeof piece - 1);
        if (length == 0)
            break;
        piece[length] = 0;
        shell.print("%s", piece);
        offset += length;
    }
    if (offset == 0)
        shell.print(guest_last_cause() == RTMUX_CAUSES ? "no guest has ended yet\n" : "it is being made\n");
    return 0;
}

int show_policies(Shell &shell) {
    shell.print("cause        ends  then\n");
    for (uint32_t cause = 0; cause < RTMUX_CAUSES; ++cause)
        shell.print("%-9s %7u  %s\n", guest_cause_name(cause), guest_ends(cause),
                    cause < RTMUX_POLICIES ? actions[guest_policy(cause)] : "");
    return 0;
}

int set_policy(Shell &shell, const char *cause_word, const char *action_word) {
    uint32_t cause = 0, action = 0;
    while (cause < RTMUX_POLICIES && strcmp(cause_word, guest_cause_name(cause)) != 0)
        ++cause;
    while (action <= RTMUX_AFTER_RESET && strcmp(action_word, actions[action]) != 0)
        ++action;
    if (guest_set_policy(cause, action) == Status::ok)
        return 0;
    shell.print("causes: poweroff reboot panic violation watchdog; then: default down restart reset\n");
    return 22;
}

int change(Shell &shell, const char *verb) {
    const bool start = strcmp(verb, "start") == 0;
    const bool stop = strcmp(verb, "stop") == 0;
    if (!start && !stop && strcmp(verb, "restart") != 0) {
        shell.print("guest [report | policy [CAUSE ACTION] | start | stop | restart]\n");
        return 22;
    }
    if ((start ? guest_start() : stop ? guest_stop() : guest_restart()) == Status::ok)
        return 0;
    shell.print(start ? "it is not down\n" : "it is down\n");
    return 16;
}

} // namespace

int guest(Shell &shell, int count, char **words) {
    if (count == 1)
        return show_state(shell);
    if (count == 2 && strcmp(words[1], "report") == 0)
        return show_report(shell);
    const bool policy = strcmp(words[1], "policy") == 0;
    if (count == 2 && policy)
        return show_policies(shell);
    if (!shell.allows(Access::all)) {
        shell.print("what changes something is not for this terminal\n");
        return 1;
    }
    return count == 4 && policy ? set_policy(shell, words[2], words[3]) : change(shell, words[1]);
}

} // namespace rtos::shell
