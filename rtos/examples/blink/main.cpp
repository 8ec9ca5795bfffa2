// SPDX-License-Identifier: BSD-3-Clause
#include <board.hpp>
#include <rtos/log.hpp>
#include <rtos/thread.hpp>

using namespace rtos;

int main() {
    using Gpio = board::RtGpio;
    Gpio::init();
    Gpio::output(BOARD_LED_PIN);
    bool on = false;
    for (Time next = now();;) {
        on = !on;
        Gpio::set(BOARD_LED_PIN, on);
        log("blink: LED %s", Gpio::get(BOARD_LED_PIN) ? "on" : "off");
        next = next + milliseconds(500);
        (void)Thread::sleep_until(next); // absolute: it does not drift
    }
}
