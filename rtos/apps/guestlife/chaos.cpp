// SPDX-License-Identifier: BSD-3-Clause
// "chaos SEED LIVES CASES": the guest does what tests/payload/chaos.c has it do, a seed a life, and after
// each the real-time side looks whether it is still what it was.
#include "life.hpp"
#include "order.h"

#include <cstdlib>
#include <finsh.h>
#include <rtmux/layout.h>
#include <rtos/heap.hpp>
#include <rtos/log.hpp>

extern "C" const uint32_t __rtos_text_end[];

using namespace rtos;

namespace guestlife {
namespace {

// FNV-1a, a word a step
uint32_t sum(const uint32_t *at, const uint32_t *end) {
    uint32_t value = 2166136261u;
    for (; at != end; ++at)
        value = (value ^ *at) * 16777619u;
    return value;
}

// The code of both: the RTOS's, and the first pages of the executive's.
uint32_t code_sum() {
    constexpr uint32_t executive_code = 32 * 1024;
    const auto *rtos = reinterpret_cast<const uint32_t *>(RTMUX_RTOS_VA);
    const auto *executive = reinterpret_cast<const uint32_t *>(RTMUX_EXEC_VA);
    return sum(rtos, __rtos_text_end) ^ sum(executive, executive + executive_code / sizeof *executive);
}

// How many cases the guest before this one came to.
uint32_t cases_done(uint32_t seed, uint32_t cases) {
    uint32_t done = 0;
    vbus::Message message{};
    good(channel->send(ORDER_PROGRESS, 0, &done, sizeof done, now() + patience) == vbus::Status::ok,
         "cannot ask", seed);
    good(channel->recv(message, &done, sizeof done, now() + patience) == vbus::Status::ok, "no answer", seed);
    return done <= cases ? done : 1; // it may have written over that, too
}

int chaos(int count, char **words) {
    if (count != 4)
        return 1;
    const auto seed = static_cast<uint32_t>(atoi(words[1])), lives = static_cast<uint32_t>(atoi(words[2])),
               cases = static_cast<uint32_t>(atoi(words[3]));
    begin();
    uint32_t ends[RTMUX_CAUSES] = {}, done = 0;
    const uint32_t code = code_sum();
    for (uint32_t i = seed; i < seed + lives && failures() == 0; ++i) {
        if (!talk(i))
            break;
        const uint32_t before = all_ends(), order[2] = {i, cases};
        good(channel->send(ORDER_CHAOS, 0, order, sizeof order, now() + patience) == vbus::Status::ok,
             "cannot order", i);
        if (!good(wait_for(
                      [before] { return all_ends() == before + 1 && guest_state() == RTMUX_GUEST_RUNNING; }),
                  "did not end, or did not come again", i))
            break;
        ++ends[guest_last_cause()];
        good(code_sum() == code, "the code has changed", i);
        good(system_heap().verify(), "the heap is broken", i);
        if (talk(i)) // which tells of the reset
            done += cases_done(i, cases);
    }
    for (uint32_t cause = 0; cause < RTMUX_CAUSES; ++cause)
        log("ended by %s: %u", guest_cause_name(cause), ends[cause]);
    summary("chaos", lives, "cases", done);
    return failures() == 0 ? 0 : 1;
}
MSH_CMD_EXPORT(chaos, SEED LIVES CASES : have the guest do anything)

} // namespace
} // namespace guestlife
