// SPDX-License-Identifier: GPL-2.0-only
// The fuzzer's bytes decide what one end does and what its peer writes between any two loads.
#include "../unit/vbus/hostile.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t at = 0;
    const auto next = [&]() -> uint32_t {
        uint32_t word = 0;
        for (int i = 0; i < 2 && at < size; i++)
            word = word << 8 | data[at++];
        return word & 0x8000 ? word * 0x9e3779b1u : word; // small numbers, and large ones
    };
    vbus_stats stats = {};
    unsigned steps = 0;
    if (size > 4)
        steps = static_cast<unsigned>(size);
    if (test::drive(next, steps, stats))
        __builtin_trap();
    return 0;
}
