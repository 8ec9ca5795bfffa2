// SPDX-License-Identifier: BSD-3-Clause
#include "rtlat.hpp"

#include "sample_ring.hpp"

#include <rtos/mutex.hpp>
#include <string.h>
#include <vbus.hpp>

namespace rtlat {

using namespace rtos;

namespace {

constexpr unsigned priority = LatencyMeter::worst_priority + 1; // below all that is measured
constexpr Duration pause = milliseconds(20);                    // nobody wakes the thread for samples
constexpr uint32_t batch = 256;                                 // samples in a record
constexpr uint32_t places = 4096;                               // 0.4 s at 10 kHz

constinit SampleRing<rtlat_sample, places> ring;
constinit vbus::Channel *channel;
constinit Mutex mutex; // of runs: shell and stream begin them
constinit uint32_t streamed, unread;
constinit rtlat_report report;

void put(const LatencyMeter::Sample &sample) {
    ring.put({sample.number, sample.isr, sample.thread});
}

// False: no room, or nothing to send. Without a reader samples are dropped here, so that the next one begins
// with new ones.
bool send_batch() {
    uint32_t count;
    const rtlat_sample *const samples = ring.oldest(count);
    if (count == 0)
        return false;
    count = count < batch ? count : batch;
    const rtlat_samples head = {meter.run_number(), count};
    const auto bytes = static_cast<uint32_t>(count * sizeof *samples);
    vbus_slot slot;
    vbus::Status status = channel->reserve(static_cast<uint32_t>(sizeof head) + bytes, slot);
    if (status == vbus::Status::ok) {
        memcpy(slot.payload, &head, sizeof head);
        memcpy(static_cast<uint8_t *>(slot.payload) + sizeof head, samples, bytes);
        status = channel->commit(slot, RTLAT_SAMPLES, 0);
    }
    if (status == vbus::Status::ok)
        streamed += count;
    else if (channel->up())
        return false; // full; or reset, told once
    else
        unread += count;
    ring.take(count);
    return true;
}

void send_samples() {
    (void)mutex.lock();
    for (uint32_t i = 0; i < 2 * places / batch && send_batch(); i++)
        ;
    (void)mutex.unlock();
}

rtlat_result stop_run() {
    meter.stop();
    return RTLAT_OK;
}

rtlat_result serve(uint32_t type, const rtlat_request &request, uint32_t length) {
    if (length != sizeof request || request.version != RTLAT_VERSION)
        return RTLAT_UNKNOWN;
    switch (type) {
    case RTLAT_START:
        return start_run(request.run);
    case RTLAT_STOP:
        return stop_run();
    case RTLAT_REPORT:
        return RTLAT_OK;
    default:
        return RTLAT_UNKNOWN;
    }
}

rtlat_state state() {
    if (meter.run_number() == 0)
        return RTLAT_NONE;
    return meter.running() ? RTLAT_RUNNING : meter.complete() ? RTLAT_COMPLETE : RTLAT_STOPPED;
}

void make_report(uint32_t serial, rtlat_result result) {
    static LatencyMeter::Worst worst;
    (void)mutex.lock();
    const LatencyMeter::Run &run = meter.run();
    const rtlat_state now = state(); // before the copy: a run that has ended changes no more
    meter.copy(report.measured, worst);
    const LatencyMeter::Sample &slowest = worst.sample;
    const rtmux_guest_context &g = worst.guest;
    report.version = RTLAT_VERSION;
    report.size = sizeof report;
    report.serial = serial;
    report.result = result;
    report.least_interval_us = LatencyMeter::least_interval_us;
    report.most_interval_us = LatencyMeter::most_interval_us;
    report.worst_priority = LatencyMeter::worst_priority;
    report.state = now;
    report.number = meter.run_number();
    report.run = {run.interval_us, run.priority, run.samples, 0};
    report.streamed = streamed;
    report.dropped = ring.dropped() + unread;
    report.worst = {{slowest.number, slowest.isr, slowest.thread},
                    g.state,
                    g.user_mode,
                    g.irqs_off,
                    g.pc,
                    g.lr,
                    g.sp,
                    g.cpsr,
                    g.exit,
                    g.hypercall,
                    g.last_hypercall,
                    g.last_status,
                    g.last_address,
                    0};
    (void)mutex.unlock();
}

void answer(const vbus::Message &message, const rtlat_request &request) {
    const rtlat_result result = serve(message.type, request, message.length);
    send_samples();
    make_report(message.length == sizeof request ? request.serial : 0, result);
    // A reader that asked and does not read holds up its own samples only; until it is gone. A reset that is
    // told now was its own coming.
    vbus::Status status;
    do
        status = channel->send(RTLAT_REPORT, 0, &report, sizeof report, after(milliseconds(100)));
    while (status == vbus::Status::reset || (status == vbus::Status::timeout && channel->up()));
}

void serve_channel(void *) {
    for (;;) {
        vbus::Message message;
        rtlat_request request = {};
        const vbus::Status status =
            channel->recv(message, &request, sizeof request, meter.between(after(pause)));
        if (status == vbus::Status::ok || status == vbus::Status::too_long)
            answer(message, request);
        send_samples();
    }
}

constinit Thread thread{"stream", priority, serve_channel};

} // namespace

constinit LatencyMeter meter{"rtlat", put};

rtlat_result start_run(const rtlat_run &run) {
    if (run.interval_us < LatencyMeter::least_interval_us || run.interval_us > LatencyMeter::most_interval_us)
        return RTLAT_BAD_INTERVAL;
    if (run.priority > LatencyMeter::worst_priority)
        return RTLAT_BAD_PRIORITY;
    (void)mutex.lock();
    rtlat_result result = RTLAT_BUSY;
    if (!meter.running()) {
        ring.reset();
        streamed = unread = 0;
        const Status started = meter.start({run.interval_us, run.priority, run.samples});
        result = started == Status::ok ? RTLAT_OK : started == Status::busy ? RTLAT_BUSY : RTLAT_NO_MEMORY;
    }
    (void)mutex.unlock();
    return result;
}

Status start_stream() {
    channel = vbus::create(
        {.name = RTLAT_CHANNEL, .flags = VBUS_CHANNEL_MMAP, .to_guest = {0x10000}, .to_rt = {0x1000}});
    return channel ? thread.start(4096) : Status::no_memory;
}

} // namespace rtlat
