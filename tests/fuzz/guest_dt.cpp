// SPDX-License-Identifier: GPL-2.0-only
// Any bytes as the board's device tree. What comes out must be sound again.
#include "fdt_tree.hpp"
#include "guest_dt_fixture.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    constexpr uint32_t capacity = 96 * 1024;
    if (size > capacity)
        return 0;
    Tree tree(Bytes(data, data + size), capacity);
    const rtmux::GuestDtResult result = tree.edit(plain_config);
    if (result.error == rtmux::GuestDtError::none &&
        (result.length > capacity ||
         rtmux::check_fdt(tree.fdt(), result.length) != rtmux::GuestDtError::none))
        __builtin_trap();
    return 0;
}
