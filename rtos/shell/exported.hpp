// SPDX-License-Identifier: BSD-3-Clause
// Commands that MSH_CMD_EXPORT put into the section FSymTab (rtos.ld).
#pragma once

#include <finsh.h>

namespace rtos::shell {

inline constexpr char exported_prefix[] = "__cmd_"; // others are functions for another shell
inline constexpr size_t exported_prefix_length = sizeof(exported_prefix) - 1;

inline const char *exported_name(const finsh_syscall &c) {
    return c.name + exported_prefix_length;
}

template <class F> void for_each_exported(F f) {
    for (const finsh_syscall *c = __fsymtab_start; c != __fsymtab_end; ++c)
        if (__builtin_strncmp(c->name, exported_prefix, exported_prefix_length) == 0)
            f(*c);
}

inline const finsh_syscall *find_exported(const char *name) {
    const finsh_syscall *found = nullptr;
    for_each_exported([&](const finsh_syscall &c) {
        if (__builtin_strcmp(exported_name(c), name) == 0)
            found = &c;
    });
    return found;
}

// int command(int argc, char **argv); one that takes no arguments does not mind them (AAPCS).
inline int run_exported(const finsh_syscall &c, int count, char **words) {
    using Function = int (*)(int, char **);
    return reinterpret_cast<Function>(reinterpret_cast<void (*)()>(c.func))(count, words);
}

} // namespace rtos::shell
