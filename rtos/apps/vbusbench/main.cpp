// SPDX-License-Identifier: BSD-3-Clause
// rtos-vbus-bench.elf: what V-Bus costs, measured from the RT side with the RT clock. Linux's ends are
// tests/guest/modules/vbusecho.c and tests/guest/vbuscheck/peer.c; each measurement begins with the
// empty message by which its end says where it is. tests/bench/vbus.py reads the log.
#include <rpmsg.hpp>
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/thread.hpp>
#include <string.h>

using rtos::Duration;
using rtos::IrqLock;
using rtos::log;
using rtos::milliseconds;
using rtos::now;
using rtos::Thread;
using rtos::Time;
using vbus::Channel;
using vbus::Status;

namespace {

constexpr uint32_t rounds = 2000, burst = 200, megabytes = 8;
constexpr Time for_ever = Time::never();

Channel *rpmsg, *mapped;
alignas(8) uint8_t buffer[0x4000];

uint32_t tenths(Duration d, uint32_t count) { // of a ns each, the clock's resolution being 41.7 ns in all
    return static_cast<uint32_t>(static_cast<uint64_t>(d.nanoseconds()) * 10 / count);
}

void say(const char *what, Duration d, uint32_t count) {
    const uint32_t value = tenths(d, count);
    log("vbus-bench %s %u.%u", what, value / 10, value % 10);
}

[[gnu::always_inline]] inline void check(Status status, const char *what) {
    if (status != Status::ok) [[unlikely]]
        log("vbus-bench failed: %s, status %u", what, static_cast<unsigned>(status));
}

struct Message {
    vbus_rpmsg head;
    uint8_t data[64];
};
Message message;

[[gnu::always_inline]] inline void send() {
    check(rpmsg->send(0, 0, &message, sizeof message, for_ever), "send");
}

[[gnu::always_inline]] inline void receive() {
    vbus::Message received;
    check(rpmsg->recv(received, buffer, sizeof buffer), "receive");
}

// There and back, one at a time.
void round_trip(const char *name, uint32_t src, uint32_t dst) {
    Duration least{INT64_MAX}, most{0}, all{0};
    message.head = {src, dst};
    for (uint32_t i = 0; i < rounds; i++) {
        const Time start = now();
        send();
        receive();
        const Duration d = now() - start;
        all = all + d;
        least = d < least ? d : least;
        most = most < d ? d : most;
    }
    log("vbus-bench %s %u min %u max %u", name, tenths(all, rounds) / 10,
        static_cast<uint32_t>(least.nanoseconds()), static_cast<uint32_t>(most.nanoseconds()));
}

// RT calls alone: a burst that Linux has not seen yet, and one that has all come back.
void calls(uint32_t src, uint32_t dst) {
    message.head = {src, dst};
    send(); // rings; the rest of the burst finds a receiver that is awake
    Time start = now();
    for (uint32_t i = 1; i < burst; i++)
        send();
    say("send", now() - start, burst - 1);
    (void)Thread::sleep_for(milliseconds(50));
    start = now();
    for (uint32_t i = 0; i < burst; i++)
        receive();
    say("receive", now() - start, burst);
}

// Records of 4 KiB as fast as the other end takes them: ns, that is instructions, per byte in all. The
// processor is never idle: either side has something to do.
void throughput(const char *name, Channel &channel, uint32_t head_bytes) {
    constexpr uint32_t bytes = 4096, count = megabytes << 20 >> 12;
    const uint64_t rung = channel.stats().doorbells;
    const Time start = now();
    for (uint32_t i = 0; i < count; i++)
        check(channel.send(0, 0, buffer, head_bytes + bytes, for_ever), "stream");
    const Duration d = now() - start;
    const auto thousandths =
        static_cast<uint32_t>(static_cast<uint64_t>(d.nanoseconds()) * 1000 / (megabytes << 20));
    const vbus_stats &stats = channel.stats();
    log("vbus-bench %s %u.%03u", name, thousandths / 1000, thousandths % 1000);
    log("vbus-bench %s-doorbells %u", name, static_cast<uint32_t>(stats.doorbells - rung));
}

// What a doorbell for a channel costs with IRQs masked, with nothing behind it and with a record.
void doorbells() {
    constexpr uint32_t count = 1000;
    uint32_t before, after;
    {
        const IrqLock lock;
        before = rtos::port::counter();
        for (uint32_t i = 0; i < count; i++)
            vbus::doorbell(mapped->index());
        after = rtos::port::counter();
    }
    say("doorbell", Duration{after - before}, count);
}

enum : uint32_t { kernel_echo = 11, user_echo = 12, user_sink = 13 };

void announce(const char *name, uint32_t address) {
    struct {
        vbus_rpmsg head;
        vbus_rpmsg_announcement announcement;
    } words = {{address, VBUS_RPMSG_NAME_SERVICE}, {{}, address, VBUS_RPMSG_CREATE}};
    strncpy(words.announcement.name, name, sizeof words.announcement.name - 1);
    while (rpmsg->send(0, 0, &words, sizeof words, for_ever) != Status::ok)
        ;
}

void serve(void *) {
    announce("kernel-echo", kernel_echo);
    announce("user-echo", user_echo);
    announce("user-sink", user_sink);
    for (;;) {
        vbus::Message received;
        if (rpmsg->recv(received, buffer, sizeof buffer) != Status::ok ||
            received.length != sizeof(vbus_rpmsg))
            continue;
        vbus_rpmsg from;
        memcpy(&from, buffer, sizeof from);
        (void)Thread::sleep_for(milliseconds(20)); // until it waits
        switch (from.dst) {
        case kernel_echo:
            round_trip("kernel", from.dst, from.src);
            calls(from.dst, from.src);
            break;
        case user_echo:
            round_trip("user", from.dst, from.src);
            break;
        case user_sink: {
            const vbus_rpmsg head = {from.dst, from.src};
            memcpy(buffer, &head, sizeof head);
            throughput("read", *rpmsg, sizeof head);
            break;
        }
        }
    }
}

void serve_mapped(void *) {
    for (;;) {
        vbus::Message received;
        if (mapped->recv(received, buffer, sizeof buffer) != Status::ok)
            continue;
        (void)Thread::sleep_for(milliseconds(20));
        throughput("mmap", *mapped, 0);
        doorbells();
    }
}

constinit Thread thread{"bench", 5, serve}, mapped_thread{"mapped", 5, serve_mapped};

} // namespace

int main() {
    check(vbus::start(rtos::executive()), "start");
    rtos::guest_attach({vbus::doorbell, vbus::guest_state});
    rpmsg = vbus::create(
        {.name = "rpmsg", .flags = VBUS_CHANNEL_RPMSG, .to_guest = {0x10000}, .to_rt = {0x10000}});
    mapped =
        vbus::create({.name = "bench", .flags = VBUS_CHANNEL_MMAP, .to_guest = {0x10000}, .to_rt = {0x1000}});
    if (!rpmsg || !mapped)
        log("vbus-bench failed: no channels");
    return thread.start(8192) == rtos::Status::ok && mapped_thread.start(8192) == rtos::Status::ok ? 0 : 1;
}
