// SPDX-License-Identifier: GPL-2.0-only
// What guest_dt needs beside libfdt: a check of a whole tree, and a walk that
// knows every node's ancestors.
// Devicetree Specification 0.4, chapter 2 (ranges, interrupts) and 5 (format).
#pragma once

#include "guest_dt.hpp"

#include <libfdt.h>

namespace rtmux {

constexpr int fdt_depth_max = 16;

// Is the tree of `length` bytes sound in every tag and name, and of a depth that FdtWalk can hold?
[[nodiscard]] GuestDtError check_fdt(const void *fdt, uint32_t length);

[[nodiscard]] bool fdt_has(const void *fdt, int node, const char *property);
// A property of one cell; `fallback` if it is not that.
[[nodiscard]] uint32_t fdt_cell(const void *fdt, int node, const char *property, uint32_t fallback);

// Nodes in the order of the file, the root first. The node at hand may be edited;
// its ancestors come before it, so their offsets stay.
class FdtWalk {
  public:
    explicit FdtWalk(const void *fdt) : fdt_(fdt) { enter(0); }

    [[nodiscard]] bool at_end() const { return depth_ < 0; }
    void next();

    [[nodiscard]] int node() const { return frame_[depth_].node; }
    [[nodiscard]] int depth() const { return depth_; }
    // The ancestor at that depth.
    [[nodiscard]] int ancestor(int depth) const { return frame_[depth].node; }
    // phandle of the controller that the node's `interrupts` go to; 0: unknown.
    [[nodiscard]] uint32_t interrupt_parent() const { return frame_[depth_].interrupt_parent; }

    // The index-th register block of the node as the processor sees it. False
    // if there is none: past the last, or not memory-mapped (on I2C, say).
    [[nodiscard]] bool registers(int index, uint64_t &address, uint64_t &size) const;

  private:
    struct Frame {
        int node;
        uint32_t interrupt_parent;
    };

    void enter(int node);
    [[nodiscard]] bool translate(int bus, uint64_t &address, uint64_t size) const;

    const void *fdt_;
    int depth_ = 0;
    Frame frame_[fdt_depth_max] = {};
};

} // namespace rtmux
