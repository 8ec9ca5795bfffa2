// SPDX-License-Identifier: GPL-2.0-only
// Physical memory of a test: what it maps is a copy that dies at the next call,
// so that ASan sees a reader that goes past a piece or keeps an old one.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdint.h>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

inline Bytes load_file(const std::string &name) {
    std::ifstream in(DATA + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct FakePhysical {
    uint32_t base;
    const Bytes &memory;
    uint32_t slot = 1 << 20; // pieces end at multiples of this

    const uint8_t *map(uint32_t pa, uint32_t &available) {
        piece.reset();
        if (pa < base || pa - base >= memory.size())
            return nullptr;
        const uint32_t offset = pa - base;
        available = std::min(slot - pa % slot, static_cast<uint32_t>(memory.size() - offset));
        piece = std::make_unique<uint8_t[]>(available);
        std::copy_n(memory.begin() + offset, available, piece.get());
        return piece.get();
    }

    std::unique_ptr<uint8_t[]> piece = {};
};
