// SPDX-License-Identifier: BSD-3-Clause
// "life N": the guest ends in every way, again and again.
#include "life.hpp"
#include "order.h"

#include <cstdlib>
#include <finsh.h>
#include <rtguest.h>
#include <rtos/heap.hpp>
#include <rtos/log.hpp>

using namespace rtos;

namespace guestlife {
namespace {

struct Ending {
    const char *name;
    uint32_t cause;
};
constexpr Ending endings[DEATHS] = {
    {"panic", RTMUX_CAUSE_PANIC},
    {"reboot", RTMUX_CAUSE_REBOOT},
    {"watchdog", RTMUX_CAUSE_WATCHDOG},
    {"page directory", RTMUX_CAUSE_VIOLATION},
    {"poweroff", RTMUX_CAUSE_POWEROFF},
    {"undefined loop", RTMUX_CAUSE_VIOLATION},
    {"abort loop", RTMUX_CAUSE_VIOLATION},
    {"crossed loop", RTMUX_CAUSE_VIOLATION},
    {"watchdog in idle", RTMUX_CAUSE_WATCHDOG},
};
constexpr unsigned kinds = DEATHS + 3; // and stopped by the RTOS in three ways

constinit uint32_t expected[RTMUX_CAUSES];
// It reboots, and before it is booted again somebody says that it shall stay down.
bool stop_between(uint32_t life) {
    const uint32_t order = DEATH_REBOOT;
    if (!good(channel->send(ORDER_DIE, 0, &order, sizeof order, now() + patience) == vbus::Status::ok,
              "cannot order", life))
        return false;
    while (guest_state() == RTMUX_GUEST_RUNNING)
        (void)Thread::sleep_for(microseconds(1));
    const uint32_t lives = rt_guest_lives();
    good(rt_guest_stop() == RT_EOK, "cannot stop what ends", life);
    (void)Thread::sleep_for(milliseconds(20));
    good(guest_state() != RTMUX_GUEST_RUNNING && rt_guest_lives() == lives, "it comes again all the same",
         life);
    return good(rt_guest_start() == RT_EOK, "cannot start", life);
}

bool die(uint32_t life, unsigned kind) {
    const uint32_t ends = all_ends();
    const uint32_t cause = kind < DEATHS        ? endings[kind].cause
                           : kind == DEATHS + 2 ? uint32_t{RTMUX_CAUSE_REBOOT}
                                                : uint32_t{RTMUX_CAUSE_STOPPED};
    ++expected[cause];
    if (kind < DEATHS) {
        const uint32_t order = kind;
        if (!good(channel->send(ORDER_DIE, 0, &order, sizeof order, now() + patience) == vbus::Status::ok,
                  "cannot order", life))
            return false;
    } else if (kind == DEATHS) {
        good(rt_guest_restart() == RT_EOK, "cannot restart", life);
    } else if (kind == DEATHS + 2) {
        if (!stop_between(life))
            return false;
    } else {
        good(rt_guest_stop() == RT_EOK, "cannot stop", life);
        good(wait_for([] { return rt_guest_start() == RT_EOK; }), "cannot start", life);
    }
    const auto ended = [&] { return all_ends() == ends + 1 && guest_state() == RTMUX_GUEST_RUNNING; };
    if (!good(wait_for(ended), "did not end, or did not come again", life))
        return false;
    good(rt_guest_last_cause() == cause, "another cause", life);
    // Whoever talked to the old guest is told
    vbus::Message message;
    uint32_t got[4];
    const vbus::Status told = channel->recv(message, got, sizeof got, now() + patience);
    good(told == vbus::Status::reset, "V-Bus was not told", life);
    char report[32];
    const rt_size_t length = rt_guest_report(0, report, sizeof report);
    good(length == sizeof report && report[0] == 'g', "no report", life);
    return true;
}

void check_statistics(uint32_t lives, uint32_t before) {
    rtmux_statistics s;
    executive().statistics(&s);
    for (uint32_t cause = 0; cause < RTMUX_CAUSES; ++cause) {
        log("ended by %s: %u of %u", guest_cause_name(cause), rt_guest_ends(cause), expected[cause]);
        good(rt_guest_ends(cause) == expected[cause], "the causes do not add up", lives);
    }
    good(rt_guest_lives() == before + lives && s.boots == before + lives, "the lives do not add up", lives);
}

int life(int count, char **words) {
    const uint32_t lives = count == 2 ? static_cast<uint32_t>(atoi(words[1])) : kinds;
    begin();
    const uint32_t before = rt_guest_lives();
    size_t used = 0;
    for (uint32_t i = 0; i < lives && failures() == 0; ++i) {
        if (talk(i))
            (void)die(i, i % kinds);
        if (i == kinds) // everything was there once
            used = system_heap().statistics().used;
    }
    check_statistics(lives, before);
    if (lives > kinds)
        good(system_heap().statistics().used == used, "memory is lost", lives);
    summary("life", lives, "restarts", lives);
    return failures() == 0 ? 0 : 1;
}
MSH_CMD_EXPORT(life, [N] : end the guest so often, in every way)

} // namespace
} // namespace guestlife
