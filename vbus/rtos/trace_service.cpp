// SPDX-License-Identifier: BSD-3-Clause
#include "trace_service.hpp"

#include "trace_reader.hpp"

#include <rtmux/vbus_trace.h>
#include <rtos/guest.hpp>
#include <string.h>

namespace vbus {

namespace {

// Of the bus's thread.
constinit TraceReader reader;
struct {
    vbus_trace_answer head;
    rtmux_trace_record record[VBUS_TRACE_MAX_RECORDS];
} answer;

void serve(uint32_t type, rtmux_trace &trace) {
    switch (type) {
    case VBUS_TRACE_ON:
        reader.skip();
        trace.enabled = 1;
        break;
    case VBUS_TRACE_OFF:
        trace.enabled = 0;
        break;
    case VBUS_TRACE_READ:
        answer.head.count = reader.read(answer.record, VBUS_TRACE_MAX_RECORDS);
        break;
    default:
        break;
    }
    answer.head.version = RTMUX_TRACE_VERSION;
    answer.head.clock_hz = trace.clock_hz;
    answer.head.enabled = trace.enabled;
    answer.head.waiting = reader.waiting();
    answer.head.lost = reader.lost();
}

void on_request(void *, rpmsg::Endpoint &self, const uint8_t *data, uint32_t length, uint32_t src) {
    vbus_trace_request request;
    if (length != sizeof request)
        return;
    memcpy(&request, data, sizeof request);
    answer.head = {};
    answer.head.type = request.type;
    rtmux_trace *const trace = rtos::executive().trace;
    if (trace && trace->magic == RTMUX_TRACE_MAGIC && trace->version == RTMUX_TRACE_VERSION)
        serve(request.type, *trace);
    self.forget_reset();
    // It asked, but the bus does not wait for it.
    if (self.send_to(src, &answer,
                     static_cast<uint32_t>(sizeof answer.head + answer.head.count * sizeof *answer.record)) !=
        Status::ok)
        reader.give_up(answer.head.count);
}

constinit rpmsg::Endpoint endpoint{VBUS_TRACE_SERVICE, rpmsg::Role::service, on_request};

} // namespace

rtos::Status start_trace_service(rpmsg::Bus &bus) {
    if (rtmux_trace *const trace = rtos::executive().trace)
        reader = TraceReader{trace};
    return bus.add(endpoint);
}

} // namespace vbus
