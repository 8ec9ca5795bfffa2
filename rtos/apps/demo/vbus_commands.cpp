// SPDX-License-Identifier: BSD-3-Clause
// Commands of the demo's shell about V-Bus.
#include <finsh.h>
#include <rtos/log.hpp>
#include <rtos/thread.hpp>
#include <vbus.hpp>

using namespace rtos;

static uint32_t number_of(const char *text) {
    uint32_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + static_cast<uint32_t>(*text - '0');
    return value;
}

// vbus_restart [times]: the RT side of V-Bus starts anew, every 1 to 5 ms.
extern "C" int vbus_restart(int count, char **words) {
    const uint32_t times = count > 1 ? number_of(words[1]) : 1;
    for (uint32_t i = 0; i < times; i++) {
        (void)Thread::sleep_for(microseconds(1000 + i * 997 % 4000));
        vbus::restart();
    }
    log("vbus: %u restarts, %u repairs", times, vbus::counters().repairs);
    return 0;
}
// clang-format off
MSH_CMD_EXPORT(vbus_restart, start the RT side of V-Bus anew)
// clang-format on

// vbus_list: channels and their counters.
extern "C" int vbus_list(void) {
    for (uint32_t i = 0; const vbus::Channel *c = vbus::channel(i); i++) {
        const vbus_stats &s = c->stats();
        const auto low = [](uint64_t n) { return static_cast<uint32_t>(n); };
        log_now("%-15s %s sent %u received %u full %u", c->name(), c->up() ? "up" : "down", low(s.tx_records),
                low(s.rx_records), low(s.tx_full));
        log_now("%-15s doorbells %u saved %u resets %u violations %u congestions %u", "", low(s.doorbells),
                low(s.doorbells_saved), low(s.resets), low(s.violations), low(s.congestions));
    }
    return 0;
}
// clang-format off
MSH_CMD_EXPORT(vbus_list, channels of V-Bus)
// clang-format on
