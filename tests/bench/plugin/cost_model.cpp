// SPDX-License-Identifier: GPL-2.0-only
#include "cost_model.hpp"

#include <algorithm>

namespace lab {

namespace {

// The translation tables are memory of their own to the model: the plugin does not see TTBR. One level-1
// entry of 4 bytes for each MiB, one of level 2 for each page; above what memory there is.
constexpr uint64_t level1_tables = uint64_t{1} << 40;
constexpr uint64_t level2_tables = uint64_t{1} << 41;

} // namespace

Lru::Lru(uint32_t entries_, uint32_t ways_)
    : sets{entries_ / ways_}, ways{ways_}, entries(entries_), latest(entries_ / ways_) {}

bool Lru::touch(uint64_t key) {
    const size_t index = key & (sets - 1);
    Entry *const set = &entries[index * ways];
    if (Entry &last = set[latest[index]]; last.used && last.key == key) {
        last.used = ++clock;
        return true;
    }
    for (uint32_t way = 0; way < ways; ++way) {
        if (set[way].key == key && set[way].used) {
            set[way].used = ++clock;
            latest[index] = way;
            return true;
        }
    }
    Entry *const oldest =
        std::min_element(set, set + ways, [](const Entry &a, const Entry &b) { return a.used < b.used; });
    *oldest = {key, ++clock};
    latest[index] = static_cast<uint32_t>(oldest - set);
    return false;
}

void Lru::clear() {
    std::fill(entries.begin(), entries.end(), Entry{});
}

BranchPredictor::BranchPredictor(const CortexA8 &cpu)
    : btb{cpu.btb_entries, cpu.btb_ways}, counters(cpu.ghb_entries, 1) {}

bool BranchPredictor::predicted(uint32_t pc, bool taken, uint32_t target) {
    uint8_t &counter = counters[(pc >> 2 ^ history << 4) % counters.size()];
    // A target other than the last one is another key: a return or an indirect branch that changed.
    const bool known = taken && btb.touch(uint64_t{target} << 32 | pc >> 2);
    const bool right = taken ? known && counter >= 2 : counter < 2;
    if (taken)
        counter = static_cast<uint8_t>(std::min(counter + 1, 3));
    else if (counter > 0)
        --counter;
    history = (history << 1 | taken) & 0xff;
    return right;
}

void BranchPredictor::clear() {
    btb.clear();
    std::fill(counters.begin(), counters.end(), 1);
    history = 0;
}

CostModel::CostModel(const CortexA8 &cpu_)
    : cpu{cpu_}, l1i{cpu.l1_bytes / cpu.line_bytes, cpu.l1_ways}, l1d{l1i}, l2{cpu.l2_bytes / cpu.line_bytes,
                                                                               cpu.l2_ways},
      itlb{cpu.tlb_entries, cpu.tlb_entries}, dtlb{itlb}, predictor{cpu} {}

void CostModel::line(uint64_t pa, uint32_t cycles_hit) {
    if (l2.touch(pa / cpu.line_bytes)) {
        cycles(cycles_hit);
    } else {
        cycles(cpu.cycles_l2_miss);
        nanoseconds_passed(cpu.ns_dram);
    }
}

void CostModel::translate(Lru &tlb, uint32_t va) {
    if (tlb.touch(va >> 12))
        return;
    // Walks go to L2, not to the L1 data cache (TRM 6.4).
    line(level1_tables + (va >> 20) * 4, cpu.cycles_tlb_walk / 2);
    line(level2_tables + (va >> 12) * 4, cpu.cycles_tlb_walk / 2);
}

void CostModel::fetch(uint32_t va, uint64_t pa) {
    translate(itlb, va);
    if (!l1i.touch(pa / cpu.line_bytes))
        line(pa, cpu.cycles_l2_hit);
}

void CostModel::access(uint32_t va, uint64_t pa, bool store) {
    translate(dtlb, va);
    if (l1d.touch(pa / cpu.line_bytes))
        return;
    if (store)
        l2.touch(pa / cpu.line_bytes); // the store buffer hides it (TRM table 16-16)
    else
        line(pa, cpu.cycles_l2_hit);
}

void CostModel::io(bool store) {
    nanoseconds_passed(store ? cpu.ns_io_write : cpu.ns_io_read);
}

void CostModel::branch(uint32_t pc, bool taken, uint32_t target) {
    if (!predictor.predicted(pc, taken, target))
        cycles(cpu.cycles_mispredicted);
}

void CostModel::forget(bool keep_l2) {
    for (Lru *part : {&l1i, &l1d, &itlb, &dtlb})
        part->clear();
    if (!keep_l2)
        l2.clear();
    predictor.clear();
}

} // namespace lab
