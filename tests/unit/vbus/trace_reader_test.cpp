// SPDX-License-Identifier: GPL-2.0-only
// The reader of the executive's trace beside a writer that is anywhere in its work.
#include <gtest/gtest.h>
#include <memory>
#include <trace_reader.hpp>
#include <vector>

namespace {

constexpr uint32_t places = RTMUX_TRACE_RECORDS;

// hypervisor/trace.hpp's writer, in its steps.
class Writer {
  public:
    uint32_t begin() { return ring->next++; }
    void fill(uint32_t number) {
        rtmux_trace_record &r = ring->record[number % places];
        r.time = number * 10;
        r.a = number;
        r.b = ~number;
    }
    void end(uint32_t number) { ring->record[number % places].event = RTMUX_TRACE_RT_IRQ | number << 8; }
    void write(uint32_t count = 1) {
        for (; count > 0; --count) {
            const uint32_t number = begin();
            fill(number);
            end(number);
        }
    }
    std::unique_ptr<rtmux_trace> ring = std::make_unique<rtmux_trace>();
};

struct Trace : testing::Test {
    Writer writer;
    vbus::TraceReader reader{writer.ring.get()};

    std::vector<rtmux_trace_record> read(uint32_t most = 4 * places) {
        std::vector<rtmux_trace_record> records(most);
        records.resize(reader.read(records.data(), most));
        return records;
    }
    // These numbers, whole.
    static void expect(const std::vector<rtmux_trace_record> &records, uint32_t first, uint32_t count) {
        ASSERT_EQ(records.size(), count);
        for (uint32_t i = 0; i < count; i++) {
            const rtmux_trace_record &r = records[i];
            ASSERT_EQ(r.event, uint32_t{RTMUX_TRACE_RT_IRQ});
            ASSERT_EQ(r.a, first + i);
            ASSERT_EQ(r.b, ~(first + i));
            ASSERT_EQ(r.time, (first + i) * 10);
        }
    }
};

TEST_F(Trace, NothingThere) {
    EXPECT_TRUE(read().empty());
    EXPECT_EQ(reader.waiting(), 0u);
}

TEST_F(Trace, InOrderAndOnce) {
    writer.write(10);
    expect(read(4), 0, 4);
    expect(read(), 4, 6);
    EXPECT_TRUE(read().empty());
    writer.write(3);
    EXPECT_EQ(reader.waiting(), 3u);
    expect(read(), 10, 3);
}

TEST_F(Trace, WholeRingAndNoneLost) {
    writer.write(places);
    expect(read(), 0, places);
    EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(Trace, OverwrittenOnesAreCountedAndTold) {
    writer.write(5);
    expect(read(), 0, 5);
    writer.write(places + 7);
    EXPECT_EQ(reader.waiting(), places);
    std::vector<rtmux_trace_record> records = read();
    ASSERT_EQ(records.size(), places + 1);
    EXPECT_EQ(records[0].event, uint32_t{RTMUX_TRACE_LOST});
    EXPECT_EQ(records[0].a, 7u);
    EXPECT_EQ(records[0].time, records[1].time);
    records.erase(records.begin());
    expect(records, 12, places);
    EXPECT_EQ(reader.lost(), 7u);
}

// A thread comes between a writer's steps: the record is not there yet, nor are those behind it.
TEST_F(Trace, AWriterThatWasInterrupted) {
    writer.write(3);
    const uint32_t number = writer.begin();
    expect(read(), 0, 3);
    writer.fill(number);
    EXPECT_TRUE(read().empty());
    writer.write(2); // an interrupt's
    EXPECT_TRUE(read().empty());
    writer.end(number);
    expect(read(), 3, 3);
}

TEST_F(Trace, AWriterThatWasInterruptedOneRoundLater) {
    writer.write(places + 3);
    (void)read();
    const uint32_t number = writer.begin();
    EXPECT_TRUE(read().empty()); // what stands there is of the round before
    writer.fill(number);
    EXPECT_TRUE(read().empty());
    writer.end(number);
    expect(read(), places + 3, 1);
}

// It never goes on, and others do: the reader gets past it when it is overwritten.
TEST_F(Trace, AWriterThatNeverEnds) {
    (void)writer.begin();
    writer.write(places);
    const std::vector<rtmux_trace_record> records = read();
    ASSERT_EQ(records.size(), places + 1);
    EXPECT_EQ(records[0].a, 1u);
    EXPECT_EQ(reader.lost(), 1u);
}

TEST_F(Trace, SkipForgets) {
    writer.write(places + 100);
    (void)read(1);
    reader.skip();
    EXPECT_EQ(reader.lost(), 0u);
    EXPECT_TRUE(read().empty());
    writer.write(2);
    expect(read(), places + 100, 2);
}

TEST_F(Trace, WhatReachedNobodyIsLost) {
    writer.write(4);
    (void)read();
    reader.give_up(4);
    writer.write();
    const std::vector<rtmux_trace_record> records = read();
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].a, 4u);
    EXPECT_EQ(reader.lost(), 4u);
}

TEST_F(Trace, NumbersWrap) {
    writer.ring->next = UINT32_MAX - 2;
    reader.skip();
    writer.write(6);
    expect(read(), UINT32_MAX - 2, 6);
    EXPECT_EQ(reader.lost(), 0u);
}

} // namespace
