// SPDX-License-Identifier: GPL-2.0-only
// Two sides in two threads (built with TSan): every record once and in order, or its loss reported.
// usage: vbus_thread [records]
#include "link.hpp"

#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

namespace {

using test::End;
using test::Link;

std::atomic<bool> failed{false};

void expect(bool condition, const char *what) {
    if (!condition && !failed.exchange(true))
        std::fprintf(stderr, "FAILED: %s\n", what);
}

std::string record(uint32_t number) {
    std::string text(sizeof number + number % 53, static_cast<char>(number));
    std::memcpy(text.data(), &number, sizeof number);
    return text;
}

// Sends numbered records and checks the peer's, resetting now and then.
void side(End &end, uint32_t records, bool resets, std::atomic<unsigned> &finished, uint32_t seed) {
    std::mt19937 random(seed);
    uint32_t sent = 0, expected = 0, seen = end.generation;
    bool done = false;
    while (finished < 2 && !failed) {
        if (resets && sent < records && random() % 20000 == 0)
            end.api->reset(&end);
        if (sent < records && end.send(record(sent), 7, 8, sent) == VBUS_OK)
            sent++;
        vbus_message message;
        std::string payload;
        const vbus_result result = end.recv(payload, message);
        if (result == VBUS_OK) {
            const auto number = static_cast<uint32_t>(message.timestamp);
            expect(number == expected || (number > expected && seen != end.generation),
                   "a loss without a reset");
            expect(payload == record(number) && message.type == 7 && message.flags == 8,
                   "a record's content");
            seen = end.generation;
            expected = number + 1;
        }
        // Without resets everything arrives; with them, the end of sending is all there is to wait for.
        if (!done && sent == records && (resets || expected == records)) {
            done = true;
            finished++;
        }
        if (result != VBUS_OK)
            std::this_thread::yield();
    }
    expect(end.stats.violations == 0, "a violation between correct peers");
    expect(resets || end.stats.resets == 0, "a reset without a cause");
}

void run(uint32_t records, bool resets) {
    Link link(512, 256);
    link.open_guest();
    std::atomic<unsigned> finished{0};
    std::thread guest([&] { side(link.guest, records, resets, finished, 6); });
    side(link.rt, records, resets, finished, 7);
    guest.join();
    std::printf("%u records each way, %llu resets seen by RT, %llu by the guest\n", records,
                static_cast<unsigned long long>(link.rt.stats.resets),
                static_cast<unsigned long long>(link.guest.stats.resets));
    expect(!resets || records < 100000 || link.rt.stats.resets > 0, "no reset was tried");
}

} // namespace

int main(int count, char **arguments) {
    const auto records = static_cast<uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 0) : 200000);
    run(records, false);
    run(records, true);
    return failed ? 1 : 0;
}
