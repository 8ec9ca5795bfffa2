// SPDX-License-Identifier: GPL-2.0-only
#include "fdt_tree.hpp"

namespace rtmux {

namespace {

// A number of 0 to 2 cells.
uint64_t number(const fdt32_t *cells, int count) {
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 32 | fdt32_to_cpu(*cells++);
    return value;
}

} // namespace

GuestDtError check_fdt(const void *fdt, uint32_t length) {
    constexpr uint32_t oldest_version = 17; // what dtc writes since 2005
    if (length < sizeof(fdt_header) || fdt_magic(fdt) != FDT_MAGIC || fdt_version(fdt) < oldest_version ||
        fdt_check_header(fdt) != 0 || fdt_totalsize(fdt) > length || fdt_off_dt_struct(fdt) % 4 != 0 ||
        fdt_off_mem_rsvmap(fdt) % 8 != 0 || fdt_num_mem_rsv(fdt) < 0)
        return GuestDtError::malformed;

    int depth = 0;
    int next = 0;
    for (int offset = 0;; offset = next) {
        const uint32_t tag = fdt_next_tag(fdt, offset, &next);
        if (next < 0)
            return GuestDtError::malformed;
        const char *name = nullptr;
        int name_length = 0;
        switch (tag) {
        case FDT_BEGIN_NODE:
            if (depth == 0 && offset != 0) // a second root
                return GuestDtError::malformed;
            if (depth == fdt_depth_max)
                return GuestDtError::too_deep;
            if (fdt_get_name(fdt, offset, &name_length) == nullptr)
                return GuestDtError::malformed;
            depth++;
            break;
        case FDT_END_NODE:
            if (depth == 0)
                return GuestDtError::malformed;
            depth--;
            break;
        case FDT_PROP:
            if (depth == 0 || fdt_getprop_by_offset(fdt, offset, &name, nullptr) == nullptr)
                return GuestDtError::malformed;
            break;
        case FDT_NOP:
            if (offset == 0) // libfdt takes offset 0 for the root
                return GuestDtError::malformed;
            break;
        default: // FDT_END: libfdt reports any other tag by next < 0
            return depth == 0 && offset != 0 ? GuestDtError::none : GuestDtError::malformed;
        }
    }
}

bool fdt_has(const void *fdt, int node, const char *property) {
    return fdt_getprop(fdt, node, property, nullptr) != nullptr;
}

uint32_t fdt_cell(const void *fdt, int node, const char *property, uint32_t fallback) {
    int length = 0;
    const void *value = fdt_getprop(fdt, node, property, &length);
    return value != nullptr && length == sizeof(fdt32_t) ? fdt32_to_cpu(*static_cast<const fdt32_t *>(value))
                                                         : fallback;
}

void FdtWalk::enter(int node) {
    // Without interrupt-parent it is the node above, if that takes interrupts, or what the node above has.
    uint32_t inherited = 0;
    if (depth_ > 0) {
        const Frame &above = frame_[depth_ - 1];
        inherited = fdt_has(fdt_, above.node, "#interrupt-cells") ? fdt_get_phandle(fdt_, above.node)
                                                                  : above.interrupt_parent;
    }
    frame_[depth_] = {node, fdt_cell(fdt_, node, "interrupt-parent", inherited)};
}

void FdtWalk::next() {
    const int node = fdt_next_node(fdt_, frame_[depth_].node, &depth_);
    if (node < 0 || depth_ < 0 || depth_ >= fdt_depth_max)
        depth_ = -1;
    else
        enter(node);
}

bool FdtWalk::registers(int index, uint64_t &address, uint64_t &size) const {
    if (depth_ == 0)
        return false;
    const int bus = depth_ - 1;
    const int address_cells = fdt_address_cells(fdt_, ancestor(bus));
    const int size_cells = fdt_size_cells(fdt_, ancestor(bus));
    if (address_cells < 1 || address_cells > 2 || size_cells < 1 || size_cells > 2)
        return false;
    int length = 0;
    const void *reg = fdt_getprop(fdt_, node(), "reg", &length);
    const int cells = address_cells + size_cells;
    if (reg == nullptr || index >= length / (cells * 4))
        return false;
    const fdt32_t *entry = static_cast<const fdt32_t *>(reg) + index * cells;
    address = number(entry, address_cells);
    size = number(entry + address_cells, size_cells);
    return translate(bus, address, size);
}

bool FdtWalk::translate(int bus, uint64_t &address, uint64_t size) const {
    for (; bus > 0; bus--) {
        int length = 0;
        const void *ranges = fdt_getprop(fdt_, ancestor(bus), "ranges", &length);
        if (ranges == nullptr)
            return false;
        if (length == 0) // the same addresses on both sides
            continue;
        const int child_cells = fdt_address_cells(fdt_, ancestor(bus));
        const int parent_cells = fdt_address_cells(fdt_, ancestor(bus - 1));
        const int size_cells = fdt_size_cells(fdt_, ancestor(bus));
        if (child_cells < 1 || child_cells > 2 || parent_cells < 1 || parent_cells > 2 || size_cells < 1 ||
            size_cells > 2)
            return false;
        const int cells = child_cells + parent_cells + size_cells;
        const fdt32_t *entry = static_cast<const fdt32_t *>(ranges);
        const fdt32_t *end = entry + length / 4 / cells * cells;
        for (; entry != end; entry += cells) {
            const uint64_t child = number(entry, child_cells);
            const uint64_t span = number(entry + child_cells + parent_cells, size_cells);
            if (address < child || address - child >= span || size > span - (address - child))
                continue;
            address = number(entry + child_cells, parent_cells) + (address - child);
            break;
        }
        if (entry == end)
            return false;
    }
    return true;
}

} // namespace rtmux
