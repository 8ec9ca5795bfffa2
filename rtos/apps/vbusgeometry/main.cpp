// SPDX-License-Identifier: BSD-3-Clause
// rtos-vbus-geometry.elf: channels of the smallest size, and of nearly all of the memory that there is, which
// send back what they get. tests/qemu/vbus.py runs tests/guest/vbuscheck/geometry.c at their other ends.
#include <rtos/guest.hpp>
#include <rtos/log.hpp>
#include <rtos/thread.hpp>
#include <vbus.hpp>

using namespace rtos;

namespace {

template <uint32_t longest> void echo(void *channel) {
    static uint8_t buffer[longest];
    vbus::Channel &c = *static_cast<vbus::Channel *>(channel);
    for (;;) {
        vbus::Message message;
        if (c.recv(message, buffer, sizeof buffer) == vbus::Status::ok)
            while (c.send(message.type, message.flags, buffer, message.length, Time::never()) ==
                   vbus::Status::reset)
                ;
    }
}

} // namespace

int main() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return 1;
    guest_attach({vbus::doorbell, vbus::guest_state});
    vbus::Channel *const tiny = vbus::create({.name = "tiny",
                                              .flags = VBUS_CHANNEL_MMAP,
                                              .to_guest = {VBUS_MIN_RING, 48, 8},
                                              .to_rt = {VBUS_MIN_RING}});
    vbus::Channel *const huge =
        vbus::create({.name = "huge", .flags = VBUS_CHANNEL_MMAP, .to_guest = {0x20000}, .to_rt = {0x10000}});
    if (!tiny || !huge)
        return 1;
    static Thread tiny_thread{"tiny", 12, echo<VBUS_MIN_RING / 4>, tiny};
    static Thread huge_thread{"huge", 13, echo<0x10000 / 4>, huge};
    if (tiny_thread.start(4096) != Status::ok || huge_thread.start(4096) != Status::ok)
        return 1;
    log("channels tiny and huge are there");
    return 0;
}
