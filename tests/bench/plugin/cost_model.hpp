// SPDX-License-Identifier: GPL-2.0-only
//
// Estimates the time that a stream of instructions takes on a Cortex-A8: caches, TLBs, branch
// prediction, devices. See cortex_a8.hpp for what it knows and from where.
#pragma once

#include "cortex_a8.hpp"

#include <vector>

namespace lab {

// Set-associative, least recently used: of lines, of pages (one set: fully associative), of branches.
class Lru {
  public:
    Lru(uint32_t entries, uint32_t ways); // entries / ways: a power of two

    // Look a key up and make it the most recent of its set. False: it was not there, now it is.
    bool touch(uint64_t key);
    void clear();

  private:
    struct Entry {
        uint64_t key;
        uint64_t used; // 0: empty
    };
    uint32_t sets, ways;
    uint64_t clock = 0;
    std::vector<Entry> entries;
    std::vector<uint32_t> latest; // way of each set that was touched last: mostly it is again
};

// Two-bit counters by address and history, and targets that are known or not (TRM 5.1).
class BranchPredictor {
  public:
    explicit BranchPredictor(const CortexA8 &);
    // A branch at pc went to target (taken), or on. Was that predicted?
    bool predicted(uint32_t pc, bool taken, uint32_t target);
    void clear();

  private:
    Lru btb;
    std::vector<uint8_t> counters;
    uint32_t history = 0;
};

class CostModel {
  public:
    explicit CostModel(const CortexA8 & = {});

    void instructions(uint32_t count) { milli_cycles += uint64_t{count} * cpu.milli_cycles_per_instruction; }
    void fetch(uint32_t va, uint64_t pa);              // of one line
    void access(uint32_t va, uint64_t pa, bool store); // of memory
    void io(bool store);
    void extra_words(uint32_t count) { cycles(count / 2 * cpu.cycles_per_extra_word); }
    void branch(uint32_t pc, bool taken, uint32_t target);
    void exception() { cycles(cpu.cycles_exception); }
    void cp15() { cycles(cpu.cycles_cp15); }
    void barrier() { cycles(cpu.cycles_barrier); }

    // Everything that others left behind: nothing is in caches, TLBs and predictor; in L2, if that is kept,
    // what this model has seen.
    void forget(bool keep_l2 = false);

    uint64_t nanoseconds() const { return milli_cycles / cpu.mhz; }

  private:
    void cycles(uint64_t count) { milli_cycles += count * 1000; }
    void nanoseconds_passed(uint64_t ns) { milli_cycles += ns * cpu.mhz; }
    void line(uint64_t pa, uint32_t cycles_hit);
    void translate(Lru &tlb, uint32_t va);

    const CortexA8 cpu;
    Lru l1i, l1d, l2, itlb, dtlb;
    BranchPredictor predictor;
    uint64_t milli_cycles = 0;
};

} // namespace lab
