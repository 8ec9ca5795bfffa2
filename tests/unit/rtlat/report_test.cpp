// SPDX-License-Identifier: GPL-2.0-only
// What rtlat prints and writes of a report.
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <rtmux/abi/rtos.h>
#include <string>

extern "C" {
#include <rtlat.h>
}

namespace {

template <class Write> std::string written(Write write) {
    char *text = nullptr;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    write(file);
    fclose(file);
    const std::string result(text, size);
    free(text);
    return result;
}

struct Report : rtlat_report {
    Report() : rtlat_report{} {
        rtmux_measurement_reset(&measured, 24'000'000, 2400);
        version = RTLAT_VERSION;
        least_interval_us = 20;
        most_interval_us = 10'000'000;
        worst_priority = 28;
        state = RTLAT_COMPLETE;
        number = 3;
        run = {100, 1, 4, 0};
    }
    void add(uint32_t isr, uint32_t thread) {
        rtmux_latency_add(&measured.isr, isr);
        rtmux_latency_add(&measured.thread, thread);
        measured.periods++;
    }
};

std::string json(const Report &r, uint32_t received = 0) {
    return written([&](FILE *to) { write_json(to, &r, received); });
}
std::string summary(const Report &r, bool histogram = false) {
    return written([&](FILE *to) { print_summary(to, &r, histogram); });
}
bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

TEST(Report, Json) {
    Report r;
    for (int i = 0; i < 3; i++)
        r.add(2, 7);
    r.add(3, 600);
    r.streamed = 3;
    r.dropped = 1;
    r.worst.sample = {3, 3, 600};
    r.worst.guest_state = RTMUX_GUEST_RUNNING;
    r.worst.pc = 0xc0001000;
    r.worst.exit = RTMUX_EXIT_DATA_ABORT;
    const std::string text = json(r, 3);
    for (const char *part :
         {"\"rtlat\": 1,", "\"clock_hz\": 24000000,", "\"samples\": 4,", "\"state\": \"complete\"",
          "\"dropped\": 1,", "\"received\": 3,", "\"histogram_ticks\": [[2, 3], [3, 1]]",
          "\"histogram_ticks\": [[7, 3]]", "\"overflow\": 1,", "\"max_ns\": 25000.0", "\"50\": 291.7",
          "\"99.999\": 25000.0", "\"pc\": \"c0001000\"", "\"exit\": \"data abort\"", "\"user_mode\": false"})
        EXPECT_TRUE(has(text, part)) << part << " is not in\n" << text;
}

// No sample at all: no division by none, no minimum of 4 billion.
TEST(Report, NothingMeasured) {
    const Report r;
    EXPECT_TRUE(
        has(json(r), "\"count\": 0, \"sum_ticks\": 0, \"min_ns\": 0.0, \"avg_ns\": 0.0, \"max_ns\": 0.0"));
    EXPECT_TRUE(has(json(r), "\"histogram_ticks\": []"));
    EXPECT_TRUE(has(summary(r, true), "0 samples every 100 us"));
    EXPECT_FALSE(has(summary(r), "worst:"));
}

TEST(Report, NamesOfWhatIsUnknown) {
    Report r;
    r.add(1, 1);
    r.state = 99;
    r.worst.guest_state = 99;
    r.worst.exit = 99;
    EXPECT_TRUE(has(json(r), "\"state\": \"unknown\""));
    EXPECT_TRUE(has(json(r), "\"exit\": \"unknown\""));
    EXPECT_TRUE(has(summary(r), "Linux was not running"));
}

TEST(Report, TheWorstCaseSaysWhatLinuxDid) {
    Report r;
    r.add(2, 7);
    r.worst.guest_state = RTMUX_GUEST_RUNNING;
    r.worst.exit = RTMUX_EXIT_IDLE;
    EXPECT_TRUE(has(summary(r), "Linux was idle, pc"));
    r.worst.exit = RTMUX_EXIT_NONE;
    r.worst.user_mode = 1;
    EXPECT_TRUE(has(summary(r), "Linux was in user mode, pc"));
    r.worst.exit = RTMUX_EXIT_SVC;
    r.worst.user_mode = 0;
    r.worst.hypercall = 5;
    EXPECT_TRUE(has(summary(r), "Linux had left kernel mode: svc, hypercall 5, pc"));
    r.worst.hypercall = 0;
    EXPECT_TRUE(has(summary(r), "svc, return from an exception, pc"));
}

TEST(Report, HistogramAndOverflow) {
    Report r;
    r.add(2, RTMUX_HISTOGRAM_BINS);
    const std::string text = summary(r, true);
    EXPECT_TRUE(has(text, "      83 ns          1\n")) << text;
    EXPECT_TRUE(has(text, "   21333 ns and more 1\n")) << text;
}

TEST(Report, LineOfASecond) {
    Report r;
    r.add(2, 7);
    r.measured.missed = 2;
    r.dropped = 5;
    const rtlat_sample last = {0, 2, 7};
    const std::string text = written([&](FILE *to) { print_line(to, &r, &last); });
    EXPECT_TRUE(has(text, "P: 1 I:100 C:       1 Min:   292 Act:   292 Avg:   292 Max:   292 ns")) << text;
    EXPECT_TRUE(has(text, ", missed 2, not streamed 5\n")) << text;
}

TEST(Report, RefusalsSayWhatToDo) {
    Report r;
    char text[160];
    const auto refusal = [&](uint32_t result) {
        r.result = result;
        return std::string(describe_result(&r, text, sizeof text));
    };
    EXPECT_TRUE(has(refusal(RTLAT_BAD_INTERVAL), "from 20 to 10000000 us"));
    EXPECT_TRUE(has(refusal(RTLAT_BAD_PRIORITY), "to 28"));
    EXPECT_TRUE(has(refusal(RTLAT_BUSY), "rtlat --stop"));
    EXPECT_TRUE(has(refusal(RTLAT_NO_MEMORY), "memory"));
    EXPECT_TRUE(has(refusal(77), "result 77"));
}

} // namespace
