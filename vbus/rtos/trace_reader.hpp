// SPDX-License-Identifier: BSD-3-Clause
// Reads the executive's trace while it is written. The writer is the executive, in the guest's time or in an
// interrupt: it may come between any two steps here, and this thread may have come between any two of its.
#pragma once

#include <rtmux/abi/trace.h>

namespace vbus {

class TraceReader {
  public:
    constexpr explicit TraceReader(rtmux_trace *ring = nullptr) : ring_(ring) {}

    // From the next record on, with nothing lost so far.
    void skip() {
        position_ = load(ring_->next);
        lost_ = untold_ = 0;
    }

    // So many that were read reached nobody.
    void give_up(uint32_t records) {
        lost_ += records;
        untold_ += records;
    }

    uint32_t lost() const { return lost_; }
    uint32_t waiting() const {
        const uint32_t behind = load(ring_->next) - position_;
        return behind < RTMUX_TRACE_RECORDS ? behind : RTMUX_TRACE_RECORDS;
    }

    // Copies at most so many records, in order, their events without the number. Before the first one behind
    // a gap stands a record RTMUX_TRACE_LOST. Returns how many; less than most: there are no more now.
    uint32_t read(rtmux_trace_record *to, uint32_t most) {
        uint32_t count = 0;
        while (count < most) {
            const uint32_t behind = load(ring_->next) - position_;
            if (behind == 0)
                break;
            if (behind > RTMUX_TRACE_RECORDS) {
                lose(behind - RTMUX_TRACE_RECORDS);
                continue;
            }
            rtmux_trace_record record;
            if (!copy(record)) {
                if (load(ring_->next) - position_ > RTMUX_TRACE_RECORDS)
                    continue; // overwritten meanwhile
                break;        // its writer was interrupted, and goes on when this thread lets it
            }
            if (untold_ != 0) {
                to[count++] = {record.time, RTMUX_TRACE_LOST, untold_, 0};
                untold_ = 0;
                continue;
            }
            to[count++] = record;
            position_++;
        }
        return count;
    }

  private:
    static uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }

    void lose(uint32_t records) {
        position_ += records;
        give_up(records);
    }

    // False: at its place is another record, or half of it.
    bool copy(rtmux_trace_record &record) const {
        const rtmux_trace_record &from = ring_->record[position_ % RTMUX_TRACE_RECORDS];
        const uint32_t event = load(from.event);
        __atomic_signal_fence(__ATOMIC_ACQUIRE);
        record = {load(from.time), event & 0xff, load(from.a), load(from.b)};
        __atomic_signal_fence(__ATOMIC_ACQUIRE);
        return record.event != 0 && event >> 8 == (position_ & 0xffffff) && load(from.event) == event &&
               load(ring_->next) - position_ <= RTMUX_TRACE_RECORDS;
    }

    rtmux_trace *ring_;
    uint32_t position_ = 0;          // number of the next record
    uint32_t lost_ = 0, untold_ = 0; // untold: of those, without a record of it yet
};

} // namespace vbus
