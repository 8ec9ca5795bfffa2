/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an access meets while a module's clock is off: on the part, an external abort. A gate lies over the module's
 * window, and is away while the module is enabled.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "clock_gates.h"
#include "am335x.h"

#define ABOVE_MODULES 10

struct ClockGate {
    MemoryRegion window;
    hwaddr base;
    uint16_t clkctrl;
    ClockGate *next;
};

static MemTxResult gate_read(void *opaque, hwaddr a, uint64_t *v, unsigned size, MemTxAttrs attrs)
{
    ClockGate *gate = opaque;

    am335x_guest_error("read of %08x, its clock is off (PRCM register %03x)\n", (unsigned)(gate->base + a),
                       gate->clkctrl);
    *v = 0;
    return MEMTX_ERROR;
}

static MemTxResult gate_write(void *opaque, hwaddr a, uint64_t v, unsigned size, MemTxAttrs attrs)
{
    ClockGate *gate = opaque;

    am335x_guest_error("write to %08x, its clock is off (PRCM register %03x)\n", (unsigned)(gate->base + a),
                       gate->clkctrl);
    return MEMTX_ERROR;
}

static const MemoryRegionOps gate_ops = {
    .read_with_attrs = gate_read,
    .write_with_attrs = gate_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
};

void clock_gate_add(ClockGate **gates, Object *owner, uint16_t clkctrl, hwaddr base, hwaddr size)
{
    ClockGate *gate = g_new0(ClockGate, 1);

    gate->base = base;
    gate->clkctrl = clkctrl;
    gate->next = *gates;
    *gates = gate;
    memory_region_init_io(&gate->window, owner, &gate_ops, gate, "clock-off", size);
    memory_region_add_subregion_overlap(get_system_memory(), base, &gate->window, ABOVE_MODULES);
}

void clock_gate_set(ClockGate *gates, uint16_t clkctrl, bool clock_on)
{
    for (ClockGate *gate = gates; gate; gate = gate->next) {
        if (gate->clkctrl == clkctrl) {
            memory_region_set_enabled(&gate->window, !clock_on);
        }
    }
}
