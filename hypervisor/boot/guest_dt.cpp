// SPDX-License-Identifier: GPL-2.0-only
#include "guest_dt.hpp"

#include "fdt_interrupts.hpp"
#include "fdt_tree.hpp"

#include <string.h>

namespace rtmux {

namespace {

constexpr const char *messages[] = {
    "good",
    "not a sound device tree",
    "nodes nested too deeply",
    "no room for the edited tree",
    "root node without #address-cells = #size-cells = 1",
    "no interrupt controller (arm,pl390 or ti,am33xx-intc)",
    "no memory node",
};
static_assert(sizeof messages / sizeof messages[0] == static_cast<unsigned>(GuestDtError::count_));

constexpr uint64_t page_size = 4096;
constexpr uint64_t largest_device = 256u << 20;

bool is_memory(const void *fdt, int node) {
    int length = 0;
    const void *type = fdt_getprop(fdt, node, "device_type", &length);
    return type != nullptr && length == sizeof "memory" && memcmp(type, "memory", sizeof "memory") == 0;
}

bool enabled(const void *fdt, int node) {
    int length = 0;
    const void *status = fdt_getprop(fdt, node, "status", &length);
    return status == nullptr || (length == 5 && memcmp(status, "okay", 5) == 0) ||
           (length == 3 && memcmp(status, "ok", 3) == 0);
}

// A bus has drivers for what is on it; none for registers of its own.
bool is_bus(const void *fdt, int node) {
    return fdt_node_check_compatible(fdt, node, "simple-bus") == 0 ||
           fdt_node_check_compatible(fdt, node, "simple-pm-bus") == 0;
}

class Editor {
  public:
    Editor(void *fdt, const GuestDtConfig &config) : fdt_(fdt), config_(config) {
        intc_.reserved_line = config.vbus_irq;
    }

    GuestDtResult run(uint32_t length, uint32_t capacity);

  private:
    bool done(int result); // of a libfdt call: notes its error
    bool fail(GuestDtError error);
    bool set(int node, const char *property, const char *text);
    bool set(int node, const char *property, uint32_t cell);
    bool remove(int node, const char *property);
    bool disable(int node);
    int subnode(int parent, const char *name);
    bool available(int node) const; // it, and all above it

    bool edit_interrupt_controller();
    bool edit_memory();
    bool edit_nodes();
    bool edit_dma();
    bool edit_chosen();
    bool add_vbus();
    bool add_clock(int vbus);

    bool guest_owns(const FdtWalk &walk) const;

    void *fdt_;
    const GuestDtConfig &config_;
    GuestDtResult result_;
    InterruptController intc_;
};

bool Editor::fail(GuestDtError error) {
    if (result_.error == GuestDtError::none)
        result_.error = error;
    return false;
}

bool Editor::done(int result) {
    if (result >= 0)
        return true;
    return fail(result == -FDT_ERR_NOSPACE ? GuestDtError::no_room : GuestDtError::malformed);
}

bool Editor::set(int node, const char *property, const char *text) {
    return done(fdt_setprop_string(fdt_, node, property, text));
}

bool Editor::set(int node, const char *property, uint32_t cell) {
    return done(fdt_setprop_u32(fdt_, node, property, cell));
}

bool Editor::remove(int node, const char *property) {
    return !fdt_has(fdt_, node, property) || done(fdt_delprop(fdt_, node, property));
}

bool Editor::disable(int node) {
    if (!enabled(fdt_, node))
        return true;
    result_.disabled++;
    return set(node, "status", "disabled");
}

bool Editor::available(int node) const {
    if (node < 0)
        return false;
    for (; node > 0; node = fdt_parent_offset(fdt_, node))
        if (!enabled(fdt_, node))
            return false;
    return true;
}

// The subnode of that name, made if need be; negative after an error.
int Editor::subnode(int parent, const char *name) {
    int node = fdt_subnode_offset(fdt_, parent, name);
    if (node == -FDT_ERR_NOTFOUND)
        node = fdt_add_subnode(fdt_, parent, name);
    done(node);
    return node;
}

bool Editor::edit_interrupt_controller() {
    const int intc = find_interrupt_controller(fdt_, intc_);
    if (intc < 0)
        return fail(GuestDtError::no_interrupt_controller);
    if (intc_.phandle == 0 &&
        !(done(fdt_generate_phandle(fdt_, &intc_.phandle)) && set(intc, "phandle", intc_.phandle)))
        return false;
    return set(intc, "compatible", "rtmux,intc") && set(intc, "#interrupt-cells", 1) && remove(intc, "reg") &&
           remove(intc, "status");
}

bool Editor::edit_memory() {
    int kept = -1;
    int node = fdt_first_subnode(fdt_, 0);
    while (node >= 0) {
        if (!is_memory(fdt_, node)) {
            node = fdt_next_subnode(fdt_, node);
        } else if (kept < 0) {
            kept = node;
            node = fdt_next_subnode(fdt_, node);
        } else {
            if (!done(fdt_del_node(fdt_, node)))
                return false;
            node = fdt_next_subnode(fdt_, kept);
        }
    }
    if (kept < 0)
        return fail(GuestDtError::no_memory_node);
    return set(kept, "reg", config_.memory_base) &&
           done(fdt_appendprop_u32(fdt_, kept, "reg", config_.memory_size)) && remove(kept, "status") &&
           remove(kept, "linux,usable-memory");
}

bool Editor::guest_owns(const FdtWalk &walk) const {
    uint64_t address = 0;
    uint64_t size = 0;
    for (int i = 0; walk.registers(i, address, size); i++) {
        const uint64_t end = address + (size != 0 ? size : 1);
        if (size > largest_device || end > uint64_t{1} << 32 || end <= address)
            return false;
        for (uint64_t page = address & ~(page_size - 1); page < end; page += page_size)
            if (!config_.guest_may(static_cast<uint32_t>(page)))
                return false;
    }
    return true;
}

bool Editor::edit_nodes() {
    for (FdtWalk walk(fdt_); !walk.at_end(); walk.next()) {
        const int node = walk.node();
        if (walk.depth() == 0 || fdt_get_phandle(fdt_, node) == intc_.phandle)
            continue;
        // How processors are started and put to sleep is not the guest's affair.
        const char *area = fdt_get_name(fdt_, walk.ancestor(1), nullptr);
        if (strcmp(area, "cpus") == 0 && !(remove(node, "enable-method") && remove(node, "cpu-idle-states")))
            return false;
        bool wired = true;
        if (walk.interrupt_parent() == intc_.phandle)
            wired = translate_interrupts(fdt_, node, "interrupts", false, intc_);
        wired = translate_interrupts(fdt_, node, "interrupts-extended", true, intc_) && wired;
        // A PMU is in the processor; an interrupt-map may lead anywhere.
        const bool forbidden = fdt_node_check_compatible(fdt_, node, "arm,cortex-a8-pmu") == 0 ||
                               fdt_has(fdt_, node, "interrupt-map");
        const bool is_device =
            !is_memory(fdt_, node) && !is_bus(fdt_, node) && strcmp(area, "reserved-memory") != 0;
        if ((!wired || forbidden || (is_device && !guest_owns(walk))) && !disable(node))
            return false;
    }
    return true;
}

// A driver waits for ever for a DMA controller that is off; without "dmas" it moves data itself.
bool Editor::edit_dma() {
    for (int node = 0; node >= 0; node = fdt_next_node(fdt_, node, nullptr)) {
        int length = 0;
        const void *dmas = fdt_getprop(fdt_, node, "dmas", &length);
        if (dmas == nullptr)
            continue;
        const int controller =
            length >= 4 ? fdt_node_offset_by_phandle(fdt_, fdt32_to_cpu(*static_cast<const fdt32_t *>(dmas)))
                        : -1;
        if (!available(controller) && !(remove(node, "dmas") && remove(node, "dma-names")))
            return false;
    }
    return true;
}

bool Editor::edit_chosen() {
    const int chosen = subnode(0, "chosen");
    if (chosen < 0)
        return false;
    if (config_.bootargs_length != 0) {
        void *text = nullptr;
        const void *zero = memchr(config_.bootargs, 0, config_.bootargs_length);
        const int length = static_cast<int>(
            zero != nullptr ? static_cast<const char *>(zero) - config_.bootargs : config_.bootargs_length);
        if (!done(fdt_setprop_placeholder(fdt_, chosen, "bootargs", length + 1, &text)))
            return false;
        memcpy(text, config_.bootargs, static_cast<size_t>(length));
        static_cast<char *>(text)[length] = 0;
    }
    if (!fdt_has(fdt_, chosen, "stdout-path") && fdt_get_alias(fdt_, "serial0") != nullptr &&
        !set(chosen, "stdout-path", "serial0"))
        return false;
    if (config_.initrd_end == config_.initrd_start)
        return remove(chosen, "linux,initrd-start") && remove(chosen, "linux,initrd-end");
    return set(chosen, "linux,initrd-start", config_.initrd_start) &&
           set(chosen, "linux,initrd-end", config_.initrd_end);
}

bool Editor::add_clock(int vbus) {
    return config_.clock_pa == 0 || (done(fdt_appendprop_u32(fdt_, vbus, "reg", config_.clock_pa)) &&
                                     done(fdt_appendprop_u32(fdt_, vbus, "reg", 4)));
}

bool Editor::add_vbus() {
    const int old = fdt_subnode_offset(fdt_, 0, "rtmux");
    if (old >= 0 && !done(fdt_del_node(fdt_, old)))
        return false;
    const int bus = subnode(0, "rtmux");
    if (bus < 0 || !set(bus, "compatible", "simple-bus") || !set(bus, "#address-cells", 1) ||
        !set(bus, "#size-cells", 1) || !done(fdt_setprop(fdt_, bus, "ranges", nullptr, 0)))
        return false;
    const int vbus = subnode(bus, "vbus");
    return vbus >= 0 && set(vbus, "compatible", "rtmux,vbus") && set(vbus, "reg", config_.vbus_base) &&
           done(fdt_appendprop_u32(fdt_, vbus, "reg", config_.vbus_size)) && add_clock(vbus) &&
           set(vbus, "interrupt-parent", intc_.phandle) && set(vbus, "interrupts", config_.vbus_irq);
}

GuestDtResult Editor::run(uint32_t length, uint32_t capacity) {
    result_.error = check_fdt(fdt_, length);
    if (result_.error != GuestDtError::none)
        return result_;
    if (capacity > INT32_MAX)
        capacity = INT32_MAX;
    if (!done(fdt_open_into(fdt_, fdt_, static_cast<int>(capacity))))
        return result_;
    if (fdt_cell(fdt_, 0, "#address-cells", 2) != 1 || fdt_cell(fdt_, 0, "#size-cells", 1) != 1)
        fail(GuestDtError::root_cells);
    else if (edit_interrupt_controller() && edit_memory() && edit_nodes() && edit_dma() && edit_chosen() &&
             add_vbus() && done(fdt_pack(fdt_)))
        result_.length = fdt_totalsize(fdt_);
    return result_;
}

} // namespace

const char *describe(GuestDtError error) {
    return error < GuestDtError::count_ ? messages[static_cast<unsigned>(error)] : "unknown error";
}

GuestDtResult edit_guest_dt(void *tree, uint32_t length, uint32_t capacity, const GuestDtConfig &config) {
    return Editor(tree, config).run(length, capacity);
}

} // namespace rtmux
