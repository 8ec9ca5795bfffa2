// SPDX-License-Identifier: BSD-3-Clause
// The end of a dead kernel's log, from its memory: the ring buffer of printk (Linux 6.12,
// kernel/printk/printk_ringbuffer.h), whose kernel may be broken or hostile. Every word is read once and
// checked, what cannot be is left out, and the work is bounded by constants.
#pragma once

#include <rtos/format.hpp>
#include <stddef.h>
#include <stdint.h>

namespace rtos::guest {

// Memory is any class with
//     bool read(uint32_t va, void *to, uint32_t length);
// of the kernel's linear map; false: not all of it is there.
template <class Memory> class KernelLog {
  public:
    static constexpr unsigned most_records = 256; // looked at, from the newest on
    static constexpr uint32_t longest_text = 1024;

    // prb: the address of the kernel's variable of that name.
    KernelLog(Memory &memory, uint32_t prb) : memory_(memory) {
        uint32_t ring;
        good_ = memory_.read(prb, &ring, sizeof ring) && memory_.read(ring, &ring_, sizeof ring_) &&
                ring_.count_bits <= 20 && ring_.size_bits >= 6 && ring_.size_bits <= 25;
    }

    // Write the last lines that fit, each ended by a line feed, no other control character in it, the whole
    // ended by a 0. Returns the length without it. size is at least 1.
    size_t tail(char *out, size_t size) {
        out_ = out;
        room_ = size - 1;
        length_ = 0;
        if (good_)
            for (unsigned n = records_that_fit(); n > 0; --n)
                write(id_before(n - 1));
        out[length_] = 0;
        return length_;
    }
    bool good() const { return good_; }

  private:
    // struct printk_ringbuffer
    struct Ring {
        uint32_t count_bits, descs, infos, head_id, tail_id, last_finalized_seq;
        uint32_t size_bits, data, head_lpos, tail_lpos;
    };
    struct Descriptor { // struct prb_desc
        uint32_t state, begin, next;
    };
    struct Info { // the beginning of struct printk_info
        uint32_t seq[2], nanoseconds[2];
        uint16_t length;
        uint8_t facility, level;
    };
    static constexpr uint32_t info_size = 88;
    static constexpr uint32_t id_mask = 0x3fffffff;
    static constexpr uint32_t committed = 1, finalized = 2;
    static constexpr uint32_t dataless = 1;    // bit 0 of both positions
    static constexpr size_t stamp_length = 15; // "[12345.123456] "

    struct Record {
        uint64_t nanoseconds;
        uint32_t text, length;
    };

    uint32_t id_before(unsigned n) const { return (ring_.head_id - n) & id_mask; }

    // False: there is none, it is not complete, or makes no sense.
    bool find(uint32_t id, Record &record) {
        const uint32_t index = id & ((1u << ring_.count_bits) - 1);
        Descriptor d;
        Info info;
        if (!memory_.read(ring_.descs + index * static_cast<uint32_t>(sizeof d), &d, sizeof d) ||
            (d.state & id_mask) != id || !(d.state >> 30 == committed || d.state >> 30 == finalized) ||
            !memory_.read(ring_.infos + index * info_size, &info, sizeof info))
            return false;
        record.nanoseconds = static_cast<uint64_t>(info.nanoseconds[1]) << 32 | info.nanoseconds[0];
        record.length = info.length < longest_text ? info.length : longest_text;
        return place(d, record);
    }

    // get_data() of printk_ringbuffer.c: a block is the record's ID and its text, all of it in one turn of
    // the ring.
    bool place(const Descriptor &d, Record &record) {
        if (d.begin & d.next & dataless) {
            record.length = 0;
            return true;
        }
        const uint32_t size = 1u << ring_.size_bits, mask = size - 1;
        uint32_t start = d.begin & mask, bytes;
        if (d.begin >> ring_.size_bits == d.next >> ring_.size_bits && d.begin < d.next) {
            bytes = d.next - d.begin;
        } else if ((d.begin + size) >> ring_.size_bits == d.next >> ring_.size_bits) {
            start = 0;
            bytes = d.next & mask;
        } else {
            return false;
        }
        if (start % 4 != 0 || bytes < 4)
            return false;
        if (record.length > bytes - 4)
            record.length = bytes - 4;
        record.text = ring_.data + start + 4;
        return true;
    }

    unsigned records_that_fit() {
        const uint32_t count = 1u << ring_.count_bits;
        const unsigned most = count < most_records ? count : most_records;
        size_t needed = 0;
        unsigned n = 0;
        for (; n < most; ++n) {
            Record record;
            if (find(id_before(n), record)) {
                needed += stamp_length + record.length + 1;
                if (needed > room_)
                    break;
            }
            if (id_before(n) == (ring_.tail_id & id_mask))
                return n + 1;
        }
        return n;
    }

    void put(char c) {
        if (length_ < room_)
            out_[length_++] = c;
    }

    void write(uint32_t id) {
        Record record;
        if (!find(id, record))
            return;
        const uint64_t microseconds = record.nanoseconds / 1000;
        char stamp[32];
        const size_t stamped = format(stamp, sizeof stamp, "[%5u.%06u] ", microseconds / 1'000'000,
                                      static_cast<uint32_t>(microseconds % 1'000'000));
        for (size_t i = 0; i < stamped; ++i)
            put(stamp[i]);
        char piece[64];
        for (uint32_t done = 0; done < record.length; done += sizeof piece) {
            const uint32_t left = record.length - done;
            const uint32_t some = left < sizeof piece ? left : static_cast<uint32_t>(sizeof piece);
            if (!memory_.read(record.text + done, piece, some))
                break;
            for (uint32_t i = 0; i < some; ++i)
                put((piece[i] >= ' ' && piece[i] <= '~') || piece[i] == '\n' ? piece[i] : '.');
        }
        put('\n');
    }

    Memory &memory_;
    Ring ring_ = {};
    bool good_;
    char *out_ = nullptr;
    size_t room_ = 0, length_ = 0;
};

} // namespace rtos::guest
