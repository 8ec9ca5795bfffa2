// SPDX-License-Identifier: BSD-3-Clause
#include "rtlat.hpp"

#include <log_service.hpp>
#include <rpmsg.hpp>
#include <rtos/guest.hpp>
#include <rtos/log.hpp>
#include <rtos/rpmsg_shell.hpp>
#include <rtos/shell.hpp>
#include <trace_service.hpp>
#include <vbus.hpp>

using namespace rtos;

// Shell, log and trace for Linux; below what is measured at the usual priorities.
static constinit vbus::rpmsg::Bus bus{"vbus", 12};

static bool start_services() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return false;
    guest_attach({vbus::doorbell, vbus::guest_state});
    vbus::Channel *const rpmsg =
        vbus::create({.name = "rpmsg", .flags = VBUS_CHANNEL_RPMSG, .to_guest = {0x8000}, .to_rt = {0x4000}});
    return rpmsg && bus.start(*rpmsg, 8192) == Status::ok && vbus::start_log_service(bus) == Status::ok &&
           vbus::start_trace_service(bus) == Status::ok && shell::start(bus) == Status::ok &&
           shell::start() == Status::ok && rtlat::start_stream() == Status::ok;
}

int main() {
    if (!start_services()) {
        log("rtlat: a service did not start");
        return 1;
    }
    log("rtlat: ready, clock %u Hz; on Linux rtlat, here rtlat -n SAMPLES", port::counter_hz);
    return 0;
}
