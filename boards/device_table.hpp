// SPDX-License-Identifier: BSD-3-Clause
// Who owns which device: what a board's table (devices.hpp) is made of, the
// checks of it, and the look-ups that the executive makes in it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rtmux/layout.h"

namespace board {

enum class Owner : uint8_t {
    executive,
    rtos,
    guest,           // mapped into the guest as it is
    guest_read_only, // the guest reads; of its writes the table says which reach the device
    nobody,          // unmapped everywhere, the reason beside it
};

// Writes that keep a device from raising its line, and from going on with what it was told to do: for a guest
// that is dead. Whatever its state, and without a look at it.
struct Quiet {
    static constexpr uint16_t no_register = 0xffff;
    struct Write {
        uint16_t offset = no_register; // ends the list
        uint32_t value = 0;
    } write[5] = {};
};
struct QuietWrite {
    uint32_t pa, value;
};

// Registers of a guest_read_only device, such as one that clocks others or routes pins. They are the guest's
// to write if the device that lists them is: the other one, or else the guest_read_only one itself.
struct Control {
    enum class Start : uint8_t { leave, write, enable_clock };
    uint32_t first, last;       // physical; first = 0 ends a list
    Start start = Start::leave; // by the executive at boot, if the device is its own or the RTOS's
    uint32_t value = 0;         // to write
};

struct Device {
    const char *name;
    uint32_t base;
    uint32_t size;
    Owner owner;
    uint8_t lines[8] = {}; // 0 ends the list: it is no device's line on any board
    Control controls[7] = {};
    Quiet quiet = {}; // of the guest's
};

enum class FrameAccess : uint8_t { none, read_only, full };
enum class LineClass : uint8_t { none, rt, guest, executive };

inline constexpr uint32_t page_size = 4096;
inline constexpr uint32_t line_count = 128;

// A bit per line, as interrupt controllers have it.
struct LineSet {
    uint32_t word[line_count / 32];
};

inline constexpr size_t device_window_pages =
    255; // up to RTMUX_TABLE_SLOTS_VA, but one: window::device_slot()
static_assert(RTMUX_DEVICE_VA + (device_window_pages + 1) * page_size == RTMUX_TABLE_SLOTS_VA);

// Functions are constexpr, not consteval: clang 14, which builds the fuzzers, cannot have those in its members'
// initializers.
template <const auto &devices> class DeviceMap {
    static constexpr bool mapped(Owner o) { return o != Owner::guest && o != Owner::nobody; }

    static constexpr FrameAccess access(Owner o) {
        return o == Owner::guest             ? FrameAccess::full
               : o == Owner::guest_read_only ? FrameAccess::read_only
                                             : FrameAccess::none;
    }

    static constexpr LineClass line_class_of(Owner o) {
        switch (o) {
        case Owner::executive:
            return LineClass::executive;
        case Owner::rtos:
            return LineClass::rt;
        case Owner::guest:
        case Owner::guest_read_only:
            return LineClass::guest;
        default:
            return LineClass::none;
        }
    }

    // Neighbours of equal access are one range: fewer steps in the search.
    struct Range {
        uint32_t base, size;
        FrameAccess access;
    };
    struct Ranges {
        Range range[sizeof(devices) / sizeof(devices[0])];
        size_t count;
    };
    static constexpr Ranges make_ranges() {
        Ranges r{};
        for (const Device &d : devices) {
            const FrameAccess a = access(d.owner);
            if (a == FrameAccess::none)
                continue;
            Range *last = r.count ? &r.range[r.count - 1] : nullptr;
            if (last && last->access == a && last->base + last->size == d.base)
                last->size += d.size;
            else
                r.range[r.count++] = {d.base, d.size, a};
        }
        return r;
    }
    static constexpr Ranges ranges = make_ranges();

    struct Lines {
        LineClass of[line_count];
    };
    static constexpr Lines make_lines() {
        Lines l{};
        for (const Device &d : devices)
            for (uint32_t line : d.lines)
                if (line)
                    l.of[line] = line_class_of(d.owner);
        return l;
    }
    static constexpr Lines line_table = make_lines();

    // The controls of all devices, in the order of the table.
    struct Span {
        uint32_t first, last;
        bool guest;
        bool by_default; // of the guest_read_only device itself
    };
    static constexpr bool is_started(const Device &d, const Control &c) {
        return c.start != Control::Start::leave && (d.owner == Owner::executive || d.owner == Owner::rtos);
    }
    static constexpr size_t count_controls(bool started) {
        size_t n = 0;
        for (const Device &d : devices)
            for (const Control &c : d.controls)
                n += c.first != 0 && (!started || is_started(d, c));
        return n;
    }
    template <class Entry, size_t count> struct List {
        Entry entry[count + 1]; // the last is empty
    };
    static constexpr auto make_spans() {
        List<Span, count_controls(false)> list{};
        Span *next = list.entry;
        for (const Device &d : devices)
            for (const Control &c : d.controls)
                if (c.first != 0)
                    *next++ = {c.first, c.last, d.owner == Owner::guest, d.owner == Owner::guest_read_only};
        return list;
    }
    static constexpr auto spans = make_spans();
    static constexpr auto make_starts() {
        List<Control, count_controls(true)> list{};
        Control *next = list.entry;
        for (const Device &d : devices)
            for (const Control &c : d.controls)
                if (c.first != 0 && is_started(d, c))
                    *next++ = c;
        return list;
    }
    static constexpr auto starts = make_starts();

  public:
    // The pages that the executive maps into the window, ascending.
    static constexpr size_t count_pages() {
        size_t n = 0;
        for (const Device &d : devices)
            n += mapped(d.owner) ? d.size / page_size : 0;
        return n;
    }
    struct Pages {
        uint32_t pa[count_pages()];
    };
    static constexpr Pages make_pages() {
        Pages p{};
        size_t n = 0;
        for (const Device &d : devices)
            if (mapped(d.owner))
                for (uint32_t offset = 0; offset < d.size; offset += page_size)
                    p.pa[n++] = d.base + offset;
        return p;
    }
    static constexpr Pages pages = make_pages();

    // What the guest may do with the page at this physical address.
    static constexpr FrameAccess frame_access(uint32_t pa) {
        size_t low = 0, high = ranges.count; // the answer is the last range with base <= pa
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (pa < ranges.range[middle].base)
                high = middle;
            else
                low = middle + 1;
        }
        if (low == 0)
            return FrameAccess::none;
        const Range &r = ranges.range[low - 1];
        return pa - r.base < r.size ? r.access : FrameAccess::none;
    }

    // May the guest write the register at this address of a guest_read_only device?
    static constexpr bool write_allowed(uint32_t pa) {
        bool allowed = false;
        for (const Span *s = spans.entry; s->first != 0; s++)
            if (pa >= s->first && pa <= s->last && pa % 4 == 0) {
                if (!s->by_default)
                    return s->guest;
                allowed = true;
            }
        return allowed;
    }

    // The controls of executive and RTOS that want setting up, in the table's order.
    template <class Visit> static void for_each_start(Visit visit) {
        for (const Control *c = starts.entry; c->first != 0; c++)
            visit(*c);
    }

    static constexpr LineClass line_class(uint32_t line) {
        return line < line_count ? line_table.of[line] : LineClass::none;
    }

    static constexpr LineSet line_set(LineClass wanted) {
        LineSet set{};
        for (uint32_t line = 0; line < line_count; ++line)
            if (line_table.of[line] == wanted)
                set.word[line / 32] |= 1u << line % 32;
        return set;
    }

    // The window's address of a mapped device register; 0: not mapped.
    static constexpr uint32_t device_va(uint32_t pa) {
        for (size_t i = 0; i < count_pages(); ++i)
            if (pa - pages.pa[i] < page_size)
                return RTMUX_DEVICE_VA + static_cast<uint32_t>(i) * page_size + pa % page_size;
        return 0;
    }

    // What quietens the guest's devices, in the table's order.
    static constexpr size_t count_quiet() {
        size_t n = 0;
        for (const Device &d : devices)
            for (const Quiet::Write &w : d.quiet.write)
                n += w.offset != Quiet::no_register;
        return n;
    }
    struct QuietWrites {
        QuietWrite write[count_quiet()];
    };
    static constexpr QuietWrites make_quiet() {
        QuietWrites q{};
        size_t n = 0;
        for (const Device &d : devices)
            for (const Quiet::Write &w : d.quiet.write)
                if (w.offset != Quiet::no_register)
                    q.write[n++] = {d.base + w.offset, w.value};
        return q;
    }
    static constexpr QuietWrites quiet_writes = make_quiet();

    // Every device of the guest's that has a line can be kept from raising it, and no other device is
    // touched.
    static constexpr bool quiet_valid() {
        for (const Device &d : devices) {
            const bool listed = d.quiet.write[0].offset != Quiet::no_register;
            if (listed != (d.owner == Owner::guest && d.lines[0] != 0))
                return false;
            for (const Quiet::Write &w : d.quiet.write)
                if (w.offset != Quiet::no_register && (w.offset >= d.size || w.offset % 4))
                    return false;
        }
        return true;
    }

    // Sorted, whole pages, no page in two devices; the mapped ones fit the window.
    static constexpr bool pages_in_order() {
        uint32_t end = 0;
        for (const Device &d : devices) {
            if (d.base < end || d.base % page_size || d.size % page_size || d.size == 0)
                return false;
            end = d.base + d.size;
        }
        return count_pages() <= device_window_pages;
    }

    // Every line exists at the controller and has one device.
    static constexpr bool lines_valid(uint32_t controller_lines) {
        bool seen[line_count] = {};
        for (const Device &d : devices)
            for (uint32_t line : d.lines) {
                if (line == 0)
                    continue;
                if (line >= controller_lines || line >= line_count || seen[line])
                    return false;
                seen[line] = true;
            }
        return true;
    }

    // Controls lie in a guest_read_only device, and no two other devices have the same.
    static constexpr bool controls_valid() {
        for (const Device &d : devices)
            for (const Control &c : d.controls) {
                if (c.first == 0)
                    continue;
                bool inside = false;
                for (const Device &in : devices)
                    inside = inside || (in.owner == Owner::guest_read_only && c.first - in.base < in.size &&
                                        c.last - in.base < in.size && (d.owner != in.owner || &d == &in));
                if (!inside || c.first > c.last || c.first % 4 || c.last % 4)
                    return false;
                if (d.owner == Owner::guest_read_only)
                    continue;
                for (const Device &other : devices)
                    for (const Control &o : other.controls)
                        if (&o != &c && o.first != 0 && other.owner != Owner::guest_read_only &&
                            o.first <= c.last && c.first <= o.last)
                            return false;
            }
        return true;
    }
};

} // namespace board
