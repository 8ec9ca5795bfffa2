// SPDX-License-Identifier: BSD-3-Clause
// rtos-guestlife.elf: a guest (tests/payload) that dies and comes again under V-Bus traffic. "life N" has it
// die in every way, "chaos SEED LIVES CASES" has it do anything; tests/qemu/guest_life.py reads what they
// say.
#include "life.hpp"
#include "order.h"

#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/shell.hpp>

using namespace rtos;

namespace guestlife {

constinit vbus::Channel *channel;

namespace {

constexpr Duration period = milliseconds(1);
constexpr uint32_t messages = 4; // in each life

constinit uint32_t periods = 0, missed = 0, failed = 0;
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

} // namespace

bool good(bool what, const char *why, uint32_t life) {
    if (!what) {
        ++failed;
        log("life %u: %s", life, why);
    }
    return what;
}

uint32_t failures() {
    return failed;
}

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
        sum += guest_ends(cause);
    return sum;
}

void begin() {
    for (uint32_t cause = 0; cause < RTMUX_POLICIES; ++cause)
        good(guest_set_policy(cause, RTMUX_AFTER_RESTART) == Status::ok, "cannot set the policy", 0);
    good(wait_for([] { return guest_state() == RTMUX_GUEST_RUNNING; }), "no guest", 0);
}

void summary(const char *what, uint32_t lives, const char *unit, uint32_t count) {
    const IrqLock lock;
    log("%s: %u lives, %u %s, %u failures; RT periods %u missed %u, worst %u ns", what, lives, count, unit,
        failed, periods, missed, static_cast<uint32_t>(Duration{worst}.nanoseconds()));
}

} // namespace guestlife

int main() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return 1;
    guest_attach({vbus::doorbell, vbus::guest_state});
    guestlife::channel = vbus::create({.name = "life", .to_guest = {0x1000}, .to_rt = {0x1000}});
    if (!guestlife::channel || guestlife::periodic.start(4096) != Status::ok)
        return 1;
    return shell::start() == Status::ok ? 0 : 1;
}
