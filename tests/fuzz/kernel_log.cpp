// SPDX-License-Identifier: GPL-2.0-only
// Any bytes as a dead kernel's memory: the variable prb comes first.
#include "guest/kernel_log.hpp"

#include <cstring>

namespace {

struct Memory {
    const uint8_t *bytes;
    size_t size;

    bool read(uint32_t va, void *to, uint32_t length) {
        const uint32_t offset = va - 0xc0000000;
        if (offset > size || length > size - offset)
            return false;
        memcpy(to, bytes + offset, length);
        return true;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Memory memory{data, size};
    rtos::guest::KernelLog<Memory> log(memory, 0xc0000000);
    char out[2048];
    const size_t length = log.tail(out, sizeof out);
    if (length >= sizeof out || out[length] != 0)
        __builtin_trap();
    for (size_t i = 0; i < length; ++i)
        if (out[i] != '\n' && (out[i] < ' ' || out[i] > '~'))
            __builtin_trap();
    return 0;
}
