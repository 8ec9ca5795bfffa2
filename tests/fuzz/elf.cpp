// SPDX-License-Identifier: GPL-2.0-only
// Any bytes as the RTOS. The region is a buffer of exactly its size: ASan sees a write beside it.
#include "elf.hpp"
#include "fake_physical.hpp"
#include "rtmux/layout.h"

using namespace rtmux;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    constexpr uint32_t region_size = 0x10000;
    constexpr uint32_t pa = 0x7e0fff00;
    const Bytes file(data, data + size);
    const auto memory = std::make_unique<uint8_t[]>(region_size);
    FakePhysical physical{pa, file, 4096};
    const ElfProgram program =
        load_elf(physical, pa, static_cast<uint32_t>(size), {RTMUX_RTOS_VA, region_size, memory.get()});
    if (program.error != ElfError::none)
        return 0;
    for (uint32_t i = 0; i < program.count; i++)
        if (program.segment[i].writable && program.segment[i].executable)
            __builtin_trap();
    return 0;
}
