// SPDX-License-Identifier: GPL-2.0-only
#include "fdt_interrupts.hpp"

#include "fdt_tree.hpp"
#include "rtmux/abi/guest.h"

#include <string.h>

namespace rtmux {

namespace {

// The controllers of the boards, and the cells of an interrupt in their bindings.
struct Binding {
    const char *compatible;
    uint32_t cells;
};
constexpr Binding gic = {"arm,pl390", 3};
constexpr Binding bindings[] = {gic, {"ti,am33xx-intc", 1}};

constexpr uint32_t gic_spi = 0; // first cell: dt-bindings/interrupt-controller/arm-gic.h
constexpr uint32_t gic_first_spi = 32;
constexpr uint32_t no_line = UINT32_MAX;

uint32_t line_of(const fdt32_t *cells, const InterruptController &controller) {
    uint32_t line = fdt32_to_cpu(cells[0]);
    if (controller.cells == gic.cells) {
        const uint32_t spi = fdt32_to_cpu(cells[1]);
        if (line != gic_spi || spi >= RTMUX_NR_IRQS - gic_first_spi) // a PPI is the processor's own
            return no_line;
        line = spi + gic_first_spi;
    }
    return line < RTMUX_NR_IRQS && line != controller.reserved_line ? line : no_line;
}

uint32_t interrupt_cells(const void *fdt, uint32_t phandle) {
    const int node = phandle != 0 ? fdt_node_offset_by_phandle(fdt, phandle) : -1;
    return node >= 0 ? fdt_cell(fdt, node, "#interrupt-cells", 0) : 0;
}

} // namespace

int find_interrupt_controller(const void *fdt, InterruptController &controller) {
    for (int node = 0; node >= 0; node = fdt_next_node(fdt, node, nullptr))
        for (const Binding &known : bindings)
            if (fdt_node_check_compatible(fdt, node, known.compatible) == 0 &&
                fdt_has(fdt, node, "interrupt-controller") &&
                fdt_cell(fdt, node, "#interrupt-cells", 0) == known.cells) {
                controller.cells = known.cells;
                controller.phandle = fdt_get_phandle(fdt, node);
                return node;
            }
    return -1;
}

bool translate_interrupts(void *fdt, int node, const char *property, bool extended,
                          const InterruptController &controller) {
    int length = 0;
    fdt32_t *cells = static_cast<fdt32_t *>(fdt_getprop_w(fdt, node, property, &length));
    if (cells == nullptr)
        return true;
    const uint32_t count = static_cast<uint32_t>(length) / sizeof *cells;
    uint32_t out = 0; // never ahead of in: an interrupt can only shrink
    for (uint32_t in = 0; in < count;) {
        uint32_t phandle = controller.phandle;
        if (extended) {
            phandle = fdt32_to_cpu(cells[in++]);
            cells[out++] = cpu_to_fdt32(phandle);
        }
        const bool ours = phandle == controller.phandle;
        const uint32_t arguments = ours ? controller.cells : interrupt_cells(fdt, phandle);
        if (arguments > count - in)
            return false;
        if (ours) {
            const uint32_t line = line_of(cells + in, controller);
            if (line == no_line)
                return false;
            cells[out++] = cpu_to_fdt32(line);
        } else {
            memmove(cells + out, cells + in, arguments * sizeof *cells);
            out += arguments;
        }
        in += arguments;
    }
    // Cuts off the rest; what is kept stays as written.
    void *kept = nullptr;
    return fdt_setprop_placeholder(fdt, node, property, static_cast<int>(out * sizeof *cells), &kept) == 0;
}

} // namespace rtmux
