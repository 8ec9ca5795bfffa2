// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "kernel/log.hpp"
#include "kernel/log_ring.hpp"

namespace {

using namespace rtos;

TEST(LogRing, FifoOverManyLapsAndDropsWhenFull) {
    LogRing<4> ring;
    EXPECT_EQ(ring.peek(), nullptr);
    for (uint32_t lap = 0; lap < 1000; ++lap) {
        for (uint32_t i = 0; i < 4; ++i) {
            const FormatArgument a(lap * 4 + i);
            ASSERT_TRUE(ring.put("x", &a, 1));
        }
        const FormatArgument lost(0);
        ASSERT_FALSE(ring.put("x", &lost, 1));
        ASSERT_EQ(ring.dropped(), lap + 1);
        for (uint32_t i = 0; i < 4; ++i) {
            ASSERT_NE(ring.peek(), nullptr);
            ASSERT_EQ(ring.peek()->arguments[0].value(), lap * 4 + i);
            ring.pop();
        }
        ASSERT_EQ(ring.peek(), nullptr);
    }
}

// Writers that interrupt each other at every instruction, as far as a multiprocessor can: each
// writer's records arrive whole and in its order, and none is lost uncounted.
TEST(LogRing, WritersInParallel) {
    static LogRing<8> ring;
    constexpr unsigned writers = 3;
    constexpr uint32_t records = 5000;
    std::atomic<uint32_t> accepted{0};
    std::atomic<unsigned> finished{0};
    std::vector<std::thread> threads;
    for (unsigned w = 0; w < writers; ++w)
        threads.emplace_back([w, &accepted, &finished] {
            for (uint32_t i = 0; i < records; ++i) {
                const FormatArgument a[] = {FormatArgument(w), FormatArgument(i), FormatArgument(i ^ w)};
                if (ring.put("x", a, 3))
                    ++accepted;
                else
                    std::this_thread::yield();
            }
            ++finished;
        });
    int64_t last[writers] = {-1, -1, -1};
    uint32_t received = 0;
    for (;;) {
        const bool all_written = finished == writers;
        const LogRecord *r = ring.peek();
        if (!r) {
            if (all_written)
                break;
            std::this_thread::yield();
            continue;
        }
        const uint64_t w = r->arguments[0].value(), i = r->arguments[1].value();
        ASSERT_LT(w, writers);
        ASSERT_EQ(r->count, 3u);
        ASSERT_EQ(r->arguments[2].value(), i ^ w);
        ASSERT_GT(static_cast<int64_t>(i), last[w]);
        last[w] = static_cast<int64_t>(i);
        ring.pop();
        ++received;
    }
    for (std::thread &t : threads)
        t.join();
    EXPECT_EQ(received, accepted);
    EXPECT_EQ(accepted + ring.dropped(), writers * records);
}

// The log as a whole; one test, because its thread is started once.
TEST(Log, LinesReachTheConsoleFromThreadsAndIsrs) {
    machine::reset();
    ASSERT_EQ(log_start(), Status::ok);
    log("before %s", "start");
    Thread t("t", 5, [](void *) {
        log("thread %d", -7);
        machine::interrupt([] { log("isr %08x", 0xbeefu); });
        EXPECT_EQ(machine::record().console, ""); // nothing is formatted in the writer's time
        for (unsigned i = 0; i < 100; ++i)
            log("flood %u", i);
        EXPECT_GT(log_dropped(), 30u);
    });
    ASSERT_EQ(t.start(4096), Status::ok);
    machine::run_until(5000);
    const std::string &console = machine::record().console;
    EXPECT_EQ(console.find("[rt] before start\n[rt] thread -7\n[rt] isr 0000beef\n[rt] flood 0\n"), 0u);
    const std::string lost = "[rt] log full: " + std::to_string(log_dropped()) + " lines lost\n";
    EXPECT_EQ(console.substr(console.size() - lost.size()), lost);
}

} // namespace
