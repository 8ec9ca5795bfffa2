// SPDX-License-Identifier: BSD-3-Clause
// ps. No thread waits for it: the scheduler is locked for one row, or a piece of a stack, at a time.
#include <rtos/thread.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

struct Row {
    char name[name_size];
    unsigned priority, base_priority;
    Thread::State state;
    bool suspended;
    Duration run_time;
    uint32_t missed;
    const void *stack;
    size_t stack_size;
};

// Call f on the thread at this place of the list. False: there is none.
template <class F> bool at(unsigned place, F f) {
    bool found = false;
    unsigned n = 0;
    Thread::for_each([&](Thread &t) {
        if (n++ == place) {
            found = true;
            f(t);
        }
    });
    return found;
}

bool row_at(unsigned place, Row &row) {
    return at(place, [&](const Thread &t) {
        row = {.name = {},
               .priority = t.priority(),
               .base_priority = t.base_priority(),
               .state = t.state(),
               .suspended = t.suspended(),
               .run_time = t.run_time(),
               .missed = t.missed_deadlines(),
               .stack = t.stack_base(),
               .stack_size = t.stack_size()};
        for (size_t i = 0; i + 1 < sizeof row.name && t.name()[i]; ++i)
            row.name[i] = t.name()[i];
    });
}

// The most that was ever used, counted in steps; less if the thread is gone by then.
size_t stack_used(unsigned place, const Row &row) {
    static constexpr size_t step = 64;
    size_t untouched = 0;
    for (bool more = row.stack_size > 0; more;) {
        more = false;
        (void)at(place, [&](const Thread &t) {
            if (t.stack_base() != row.stack || t.stack_size() != row.stack_size)
                return;
            const size_t counted = t.stack_untouched(untouched, step);
            untouched += counted;
            more = counted == step;
        });
    }
    return row.stack_size - untouched;
}

const char *state_name(const Row &row) {
    if (row.suspended)
        return "suspended";
    switch (row.state) {
    case Thread::State::created:
        return "created";
    case Thread::State::ready:
        return "ready";
    case Thread::State::waiting:
        return "waiting";
    case Thread::State::ended:
        return "ended";
    case Thread::State::faulted:
        return "faulted";
    default:
        return "suspended";
    }
}

} // namespace

int ps(Shell &shell, int, char **) {
    shell.print("thread           prio state      stack   used    cpu    seconds  missed\n");
    Row row;
    for (unsigned place = 0; row_at(place, row); ++place) {
        const size_t used = stack_used(place, row);
        const auto permille =
            static_cast<uint32_t>(row.run_time.ticks * 1000 / static_cast<int64_t>(now().ticks));
        const auto milliseconds = static_cast<uint32_t>(row.run_time.microseconds() / 1000);
        shell.print("%-16s %3u%c %-9s %6u %6u %3u.%u%% %6u.%03u %7u\n", row.name, row.priority,
                    row.priority == row.base_priority ? ' ' : '*', state_name(row), row.stack_size, used,
                    permille / 10, permille % 10, milliseconds / 1000, milliseconds % 1000, row.missed);
    }
    return 0;
}

} // namespace rtos::shell
