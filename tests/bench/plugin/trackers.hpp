// SPDX-License-Identifier: GPL-2.0-only
//
// What is followed through the stream of instructions: stretches with IRQs masked, and the path from
// the interrupt vector to the thread.
#pragma once

#include "decode.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace lab {

// Stretches with IRQs masked in the window, in instructions. CPSR cannot be read, so the mask is inferred:
// exceptions set it, CPSID and CPSIE say what they do, and an exception return restores what was: always
// open for an interrupt, for the guest, and for whatever a fault found open.
class MaskedStretches {
  public:
    struct Stretch {
        uint64_t longest = 0;
        uint64_t times = 0;
        uint32_t end = 0; // of the longest: where IRQs opened
    };

    void exception(uint32_t pc, uint64_t now) {
        before_fault = masked;
        begin(pc, now);
    }
    void instruction(Kind kind, uint32_t pc, uint64_t now) {
        switch (kind) {
        case Kind::mask:
            return begin(pc, now);
        case Kind::unmask:
            return end(pc, now);
        case Kind::rfe:
            before_fault = false;
            [[fallthrough]];
        case Kind::exception_return:
            returning = pc;
            return;
        case Kind::write_cpsr:
            ++unknown;
            return;
        default:
            return;
        }
    }
    // Every block's first instruction; in_window: privileged code is at pc.
    void block(bool in_window, uint64_t now) {
        if (!returning)
            return;
        if (!in_window || !before_fault)
            end(returning, now);
        before_fault = false;
        returning = 0;
    }

    void clear() {
        stretches.clear();
        unknown = 0;
    }
    const std::map<uint32_t, Stretch> &all() const { return stretches; } // by where they begin
    uint64_t not_understood() const { return unknown; }                  // writes of CPSR

  private:
    void begin(uint32_t pc, uint64_t now) {
        if (masked)
            return;
        masked = true;
        start = pc;
        since = now;
    }
    void end(uint32_t pc, uint64_t now) {
        if (!masked)
            return;
        masked = false;
        Stretch &s = stretches[start];
        ++s.times;
        if (now - since > s.longest) {
            s.longest = now - since;
            s.end = pc;
        }
    }

    bool masked = true; // at reset
    bool before_fault = false;
    uint32_t start = 0;
    uint32_t returning = 0;
    uint64_t since = 0;
    uint64_t unknown = 0;
    std::map<uint32_t, Stretch> stretches;
};

// How often each value was seen.
class Histogram {
  public:
    void add(uint64_t value) { ++counts[value]; }
    void clear() { counts.clear(); }
    const std::map<uint64_t, uint64_t> &all() const { return counts; }

  private:
    std::map<uint64_t, uint64_t> counts;
};

// Clocks that run side by side.
struct Clocks {
    uint64_t instructions;  // exact
    uint64_t modelled_ns;   // the model, with what caches and TLBs hold by then
    uint64_t cold_ns = 0;   // the model, nothing in them when the vector is fetched
    uint64_t locked_ns = 0; // as cold, but L2 keeps what was RT's, as with a way of it locked (TRM 3.2.56)
};

// Vector to ISR to thread.
class Path {
  public:
    enum Point { isr, thread, points };
    // By physical address; with the virtual one, as it came first, rounded down.
    struct Lines {
        std::map<uint64_t, uint32_t> code, data, tables;
        size_t total() const { return code.size() + data.size() + tables.size(); }
    };
    struct Record {
        Histogram instructions, modelled_ns, cold_ns, locked_ns;
    };

    bool active() const { return state != none; }
    void vector(const Clocks &now) {
        from = now;
        state = entered;
        touched = {};
    }
    void at_isr(const Clocks &now) {
        if (state != entered)
            return;
        state = served;
        note(isr, now);
    }
    void at_thread(const Clocks &now) {
        if (state != served)
            return;
        state = none;
        note(thread, now);
        if (touched.total() > most.total())
            most = touched;
    }
    // The guest goes on, or a thread that was interrupted: nobody was woken.
    void abandon() { state = none; }

    void code(uint32_t va, uint64_t pa) {
        touched.code.emplace(pa / 64, va & ~63u);
        walk(va);
    }
    void data(uint32_t va, uint64_t pa) {
        touched.data.emplace(pa / 64, va & ~63u);
        walk(va);
    }

    void clear() {
        for (Record &r : records)
            r = {};
        most = {};
    }
    const Record &record(Point p) const { return records[p]; }
    const Lines &most_lines() const { return most; }

  private:
    void note(Point p, const Clocks &now) {
        records[p].instructions.add(now.instructions - from.instructions);
        records[p].modelled_ns.add(now.modelled_ns - from.modelled_ns);
        records[p].cold_ns.add(now.cold_ns - from.cold_ns);
        records[p].locked_ns.add(now.locked_ns - from.locked_ns);
    }
    // Both levels of the tables: 16 sections, or 16 pages, have their entries in one line.
    void walk(uint32_t va) {
        touched.tables.emplace(uint64_t{1} << 32 | va >> 24, va & 0xff000000);
        touched.tables.emplace(uint64_t{2} << 32 | va >> 16, va & 0xffff0000);
    }

    enum { none, entered, served } state = none;
    Clocks from{};
    Lines touched, most;
    Record records[points];
};

} // namespace lab
