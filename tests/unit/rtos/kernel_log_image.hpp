// SPDX-License-Identifier: GPL-2.0-only
// A kernel's memory with a log in it, written as printk does it (kernel/printk/printk_ringbuffer.c): for the
// unit test, and as the fuzzer's start.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

struct KernelMemory {
    static constexpr uint32_t va = 0xc0000000, prb = va + 0x100, ring = va + 0x200, descs = va + 0x1000;
    uint32_t infos = 0, data = 0;
    std::vector<uint8_t> bytes;
    unsigned reads = 0;

    bool read(uint32_t at, void *to, uint32_t length) {
        ++reads;
        const uint32_t offset = at - va;
        if (offset > bytes.size() || length > bytes.size() - offset)
            return false;
        memcpy(to, &bytes[offset], length);
        return true;
    }
    void put(uint32_t at, uint32_t word) { memcpy(&bytes[at - va], &word, 4); }
    uint32_t get(uint32_t at) const {
        uint32_t word;
        memcpy(&word, &bytes[at - va], 4);
        return word;
    }
};

class KernelLogWriter {
  public:
    static constexpr uint32_t id_mask = 0x3fffffff, finalized = 2u << 30;

    explicit KernelLogWriter(uint32_t count_bits = 5, uint32_t size_bits = 10)
        : count_(1u << count_bits), size_(1u << size_bits) {
        memory.infos = memory.descs + 12 * count_;
        memory.data = memory.infos + 88 * count_;
        memory.bytes.resize(memory.data + size_ - memory.va);
        memory.put(memory.prb, memory.ring);
        const uint32_t words[] = {count_bits, memory.descs, memory.infos, 0, 0,
                                  0,          size_bits,    memory.data,  0, 0};
        for (uint32_t i = 0; i < 10; ++i)
            memory.put(memory.ring + 4 * i, words[i]);
        head_ = id_mask & -count_; // as DESC0_ID: the ids wrap soon
        position_ = -size_;        // as BLK0_LPOS
        first_ = head_;
    }

    void write(const std::string &text, uint64_t nanoseconds, uint32_t state = finalized) {
        head_ = (head_ + 1) & id_mask;
        const uint32_t length = static_cast<uint32_t>(text.size());
        const uint32_t block = (4 + length + 3) & ~3u;
        uint32_t begin = position_, next = begin + block;
        uint32_t at = begin & (size_ - 1);
        if (begin / size_ != (next - 1) / size_) { // the text does not wrap: it is all in the next turn
            at = 0;
            next = (next & -size_) + block;
        }
        if (length == 0)
            begin = next = 3; // EMPTY_LINE_LPOS
        else
            position_ = next;
        const uint32_t index = head_ % count_;
        memory.put(memory.descs + 12 * index, state | head_);
        memory.put(memory.descs + 12 * index + 4, begin);
        memory.put(memory.descs + 12 * index + 8, next);
        const uint32_t info = memory.infos + 88 * index;
        memory.put(info + 8, static_cast<uint32_t>(nanoseconds));
        memory.put(info + 12, static_cast<uint32_t>(nanoseconds >> 32));
        memory.put(info + 16, length);
        if (length != 0) {
            memory.put(memory.data + at, head_);
            memcpy(&memory.bytes[memory.data + at + 4 - memory.va], text.data(), length);
        }
        memory.put(memory.ring + 12, head_);
        const uint32_t oldest = (head_ - count_ + 1) & id_mask;
        memory.put(memory.ring + 16, ++written_ < count_ ? (first_ + 1) & id_mask : oldest);
    }

    KernelMemory memory;

  private:
    uint32_t count_, size_, head_, first_, position_, written_ = 0;
};
