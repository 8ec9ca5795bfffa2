// SPDX-License-Identifier: BSD-3-Clause
// rtos-guestlife.elf: has the guest of tests/payload die in every way, again and again, under V-Bus traffic,
// and a thread of 1 kHz that must not notice. "life N" begins; tests/qemu/guest_life.py reads what it says.
#include "order.h"

#include <cstdlib>
#include <finsh.h>
#include <rtguest.h>
#include <rtos/guest.hpp>
#include <rtos/heap.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/shell.hpp>
#include <rtos/thread.hpp>
#include <rtthread.h>
#include <vbus.hpp>

using namespace rtos;

namespace {

constexpr Duration period = milliseconds(1);
constexpr Duration patience = milliseconds(500);
constexpr uint32_t messages = 4; // in each life

constinit vbus::Channel *channel;
constinit uint32_t periods = 0, missed = 0;
constinit int64_t worst = 0; // ticks from a deadline to the thread

// A job of half its period's length is left to the others: what comes late misses the next deadline.
void rt_loop(void *) {
    Time deadline = now() + period;
    for (;;) {
        (void)Thread::sleep_until(deadline);
        const Time begin = now();
        const int64_t late = (begin - deadline).ticks;
        const IrqLock lock;
        worst = late > worst ? late : worst;
        ++periods;
        for (deadline = deadline + period; deadline <= begin; deadline = deadline + period)
            ++missed;
    }
}

constinit Thread periodic{"rt", 0, rt_loop};

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
constexpr unsigned kinds = DEATHS + 2; // and stopped by the RTOS in two ways

constinit uint32_t expected[RTMUX_CAUSES];
constinit uint32_t failures = 0;

bool good(bool what, const char *why, uint32_t life) {
    if (!what) {
        ++failures;
        log("life %u: %s", life, why);
    }
    return what;
}

template <class Condition> bool wait_for(Condition condition) {
    for (const Time end = now() + patience; now() < end; (void)Thread::sleep_for(microseconds(200)))
        if (condition())
            return true;
    return condition();
}

// The guest is there, and sends back what it gets.
bool talk(uint32_t life) {
    for (uint32_t i = 0; i < messages; ++i) {
        const uint32_t sent[4] = {life, i, ~life, life * 2654435761u + i};
        uint32_t got[4] = {};
        vbus::Message message{};
        vbus::Status status;
        do // until the guest has opened the channel, which may be told as a reset of it
            status = channel->send(ORDER_ECHO, 0, sent, sizeof sent, now() + patience);
        while (status == vbus::Status::reset);
        if (!good(status == vbus::Status::ok, "cannot send", life))
            return false;
        do
            status = channel->recv(message, got, sizeof got, now() + patience);
        while (i == 0 && status == vbus::Status::reset);
        if (!good(status == vbus::Status::ok && message.length == sizeof got, "no answer", life) ||
            !good(got[0] == sent[0] && got[1] == sent[1] && got[2] == sent[2] && got[3] == sent[3],
                  "another answer", life))
            return false;
    }
    return true;
}

uint32_t all_ends() {
    uint32_t sum = 0;
    for (uint32_t cause = 0; cause < RTMUX_CAUSES; ++cause)
        sum += rt_guest_ends(cause);
    return sum;
}

bool die(uint32_t life, unsigned kind) {
    const uint32_t ends = all_ends();
    const uint32_t cause = kind < DEATHS ? endings[kind].cause : uint32_t{RTMUX_CAUSE_STOPPED};
    ++expected[cause];
    if (kind < DEATHS) {
        const uint32_t order = kind;
        if (!good(channel->send(ORDER_DIE, 0, &order, sizeof order, now() + patience) == vbus::Status::ok,
                  "cannot order", life))
            return false;
    } else if (kind == DEATHS) {
        good(rt_guest_restart() == RT_EOK, "cannot restart", life);
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
    for (uint32_t cause = 0; cause < RTMUX_POLICIES; ++cause)
        good(rt_guest_set_policy(cause, RTMUX_AFTER_RESTART) == RT_EOK, "cannot set the policy", 0);
    good(wait_for([] { return guest_state() == RTMUX_GUEST_RUNNING; }), "no guest", 0);
    const uint32_t before = rt_guest_lives();
    size_t used = 0;
    for (uint32_t i = 0; i < lives && failures == 0; ++i) {
        if (talk(i))
            (void)die(i, i % kinds);
        if (i == kinds) // everything was there once
            used = system_heap().statistics().used;
    }
    check_statistics(lives, before);
    if (lives > kinds)
        good(system_heap().statistics().used == used, "memory is lost", lives);
    const IrqLock lock;
    log("life: %u restarts, %u failures; RT periods %u missed %u, worst %u ns", lives, failures, periods,
        missed, static_cast<uint32_t>(Duration{worst}.nanoseconds()));
    return failures == 0 ? 0 : 1;
}
MSH_CMD_EXPORT(life, [N] : end the guest so often, in every way)

} // namespace

int main() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return 1;
    guest_attach({vbus::doorbell, vbus::guest_state});
    channel = vbus::create({.name = "life", .to_guest = {0x1000}, .to_rt = {0x1000}});
    if (!channel || periodic.start(4096) != Status::ok)
        return 1;
    return shell::start() == Status::ok ? 0 : 1;
}
