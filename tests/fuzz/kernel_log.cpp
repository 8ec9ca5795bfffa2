// SPDX-License-Identifier: GPL-2.0-only
// A dead kernel's memory with a log in it, of which the input changes words: pairs of an offset and a value.
#include "guest/kernel_log.hpp"
#include "kernel_log_image.hpp"

#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const KernelLogWriter good = [] {
        KernelLogWriter log;
        for (unsigned i = 0; i < 40; ++i)
            log.write(std::string(i % 7 * 9, static_cast<char>('a' + i % 26)), i * 1'000'000'007ull);
        return log;
    }();
    KernelMemory memory = good.memory;
    struct [[gnu::packed]] Change {
        uint16_t offset;
        uint32_t value;
    } change;
    for (; size >= sizeof change; data += sizeof change, size -= sizeof change) {
        memcpy(&change, data, sizeof change);
        if (change.offset <= memory.bytes.size() - sizeof change.value)
            memory.put(KernelMemory::va + change.offset, change.value);
    }
    rtos::guest::KernelLog<KernelMemory> log(memory, KernelMemory::prb);
    char out[2048];
    const size_t length = log.tail(out, sizeof out);
    if (length >= sizeof out || out[length] != 0)
        __builtin_trap();
    for (size_t i = 0; i < length; ++i)
        if (out[i] != '\n' && (out[i] < ' ' || out[i] > '~'))
            __builtin_trap();
    return 0;
}
