// SPDX-License-Identifier: BSD-3-Clause
// The last lines of the log, in a ring of fixed size: a new line pushes the oldest ones out.
#pragma once

#include <rtmux/vbus_log.h>
#include <string.h>

namespace vbus {

template <uint32_t bytes> class LogBacklog {
  public:
    static constexpr uint32_t longest = 256;
    static_assert((bytes & (bytes - 1)) == 0 && bytes >= 2 * longest);

    struct Line {
        vbus_log_line head;
        char text[longest];
    };

    void put(uint64_t timestamp, const char *text, uint32_t length) {
        length = length < longest ? length : longest;
        const Entry entry = {{timestamp, number_++, 0}, length};
        while (head_ - tail_ + size(length) > bytes)
            drop();
        copy_in(head_, &entry, sizeof entry);
        copy_in(head_ + static_cast<uint32_t>(sizeof entry), text, length);
        head_ += size(length);
    }
    // The oldest line and the length of its text; false: there is none.
    bool get(Line &line, uint32_t &length) const {
        if (head_ == tail_)
            return false;
        Entry entry;
        copy_out(&entry, tail_, sizeof entry);
        line.head = entry.head;
        length = entry.length;
        copy_out(line.text, tail_ + static_cast<uint32_t>(sizeof entry), length);
        return true;
    }
    void drop() {
        Entry entry;
        copy_out(&entry, tail_, sizeof entry);
        tail_ += size(entry.length);
    }

  private:
    struct Entry {
        vbus_log_line head;
        uint32_t length;
    };
    static constexpr uint32_t size(uint32_t length) { return static_cast<uint32_t>(sizeof(Entry)) + length; }

    void copy_in(uint32_t at, const void *from, uint32_t length) {
        const uint32_t start = at % bytes, first = length < bytes - start ? length : bytes - start;
        memcpy(ring_ + start, from, first);
        memcpy(ring_, static_cast<const uint8_t *>(from) + first, length - first);
    }
    void copy_out(void *to, uint32_t at, uint32_t length) const {
        const uint32_t start = at % bytes, first = length < bytes - start ? length : bytes - start;
        memcpy(to, ring_ + start, first);
        memcpy(static_cast<uint8_t *>(to) + first, ring_, length - first);
    }

    uint32_t head_ = 0, tail_ = 0; // bytes ever put in and taken out, modulo 2^32
    uint32_t number_ = 0;
    uint8_t ring_[bytes] = {};
};

} // namespace vbus
