// SPDX-License-Identifier: BSD-3-Clause
#include "log_service.hpp"

#include "log_backlog.hpp"

#include <rtos/log.hpp>

namespace vbus {

namespace {

constinit LogBacklog<8192> backlog;
constinit rtos::Mutex mutex; // of all here: the log's thread and the bus's thread, both of low priority
constinit uint32_t credit, reader = VBUS_RPMSG_ANY;

void on_request(void *, rpmsg::Endpoint &, const uint8_t *data, uint32_t length, uint32_t src);
constinit rpmsg::Endpoint endpoint{VBUS_LOG_SERVICE, rpmsg::Role::service, on_request};

// Send what the reader wants and has room for; a line that finds none stays, and goes with the next.
void send_lines() {
    static LogBacklog<8192>::Line line; // under the mutex, too large for a stack
    uint32_t length;
    while (credit != 0 && backlog.get(line, length)) {
        const Status sent =
            endpoint.send_to(reader, &line, static_cast<uint32_t>(sizeof line.head) + length, no_wait);
        if (sent == Status::reset || sent == Status::down)
            credit = 0; // that reader is gone
        if (sent != Status::ok && sent != Status::too_long)
            return;
        backlog.drop();
        credit--;
    }
}

void on_request(void *, rpmsg::Endpoint &, const uint8_t *data, uint32_t length, uint32_t src) {
    vbus_log_request request;
    if (length != sizeof request)
        return;
    memcpy(&request, data, sizeof request);
    (void)mutex.lock();
    reader = src;
    credit = request.lines;
    endpoint.forget_reset(); // it was an older reader's
    send_lines();
    (void)mutex.unlock();
}

void on_line(const char *text, size_t length) {
    (void)mutex.lock();
    backlog.put(rtos::now().ticks, text, static_cast<uint32_t>(length));
    send_lines();
    (void)mutex.unlock();
}

} // namespace

rtos::Status start_log_service(rpmsg::Bus &bus) {
    rtos::log_attach(on_line);
    return bus.add(endpoint);
}

} // namespace vbus
