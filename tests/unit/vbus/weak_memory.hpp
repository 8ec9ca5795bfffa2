// SPDX-License-Identifier: GPL-2.0-only
// All executions of two short programs on a memory that is as weak as C++ allows: every interleaving,
// and for every load every value that it may return. To be included before the ring, which then
// accesses its memory through it.
//
// A word of a control line is a list of stores. Each side has a view, the oldest store of each word that it
// may still read; a release store carries the view of its side, an acquire load takes it over. A
// sequentially consistent load sees the latest sequentially consistent store before it. Each word has
// one writer, which makes the order of its stores that of the program.
// Words of the rings are data: two accesses of them that are not ordered by the above are a race, an error.
//
// A program is a function of what its loads returned: going back to a state is running the programs again
// with these. Every state is visited once: memory, views, and of each program what it has read since its last
// checkpoint, where it said all that matters of what it is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace weak {

inline constexpr unsigned words = 80; // two lines, two rings of 64 bytes, and the bells
inline constexpr unsigned first_bell = 64;
inline unsigned first_data = 32; // to first_bell

using View = std::array<uint8_t, words>;
using Clock = std::array<uint16_t, 2>;

inline uint64_t mix(uint64_t hash, uint64_t value) {
    hash += 0x9e3779b97f4a7c15u + value * 0xbf58476d1ce4e5b9u; // splitmix64
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}
template <class T> uint64_t hash_of(const T &bytes, uint64_t hash = 1) {
    static_assert(sizeof(T) % 4 == 0);
    uint32_t words_of[sizeof(T) / 4];
    std::memcpy(words_of, &bytes, sizeof(T));
    for (const uint32_t w : words_of)
        hash = mix(hash, w);
    return hash;
}

struct Store {
    uint32_t value = 0;
    View view{};
    Clock clock{};
    uint64_t hash = 0; // with all stores before it in the same word
};

struct Access {
    enum Kind : uint8_t { load, store, wait, done } kind = done;
    uint8_t word = 0;
    int order = __ATOMIC_RELAXED;
    uint32_t value = 0; // stored; for wait: go on when the word's value differs
};

struct Side {
    std::vector<uint32_t> read; // by each access so far; 0 for a store
    struct Now {
        uint64_t hash = 1; // of its last checkpoint, and of what it read since
        View view{};
        Clock clock{};
        Access next;
    } now;
};

struct State {
    std::array<std::vector<Store>, words> stores;
    struct Word {
        Clock last_read{}, last_write{}; // of data: when, by each side
        uint32_t latest_sc = 0;
    };
    std::array<Word, words> word{};
    std::array<Side, 2> side;
};

struct Stop {}; // unwinds a program at its first access that has not happened yet

struct Execution {
    const uint32_t *memory = nullptr; // null: no exploration, accesses are what they look like
    const std::vector<uint32_t> *read = nullptr;
    size_t position = 0;
    Access pending;
    uint64_t checkpoint = 1;
    size_t checkpoint_position = 0;

    uint32_t access(Access a) {
        if (position < read->size())
            return (*read)[position++];
        pending = a;
        throw Stop{};
    }
};
inline Execution execution;
// An order that is taken for another one, to see the explorer find what comes of it.
inline int weakened = -1, weakened_to = __ATOMIC_RELAXED;

inline uint8_t word_of(const uint32_t *address) {
    return static_cast<uint8_t>(address - execution.memory);
}
inline uint32_t load(const uint32_t *address, int order) {
    if (!execution.memory)
        return *address;
    return execution.access({Access::load, word_of(address), order == weakened ? weakened_to : order, 0});
}
inline void store(uint32_t *address, uint32_t value, int order) {
    if (!execution.memory)
        *address = value;
    else
        execution.access({Access::store, word_of(address), order == weakened ? weakened_to : order, value});
}
// The other side is interrupted by word bell, where `count` interrupts have come before.
inline void ring(unsigned bell, uint32_t count) {
    execution.access({Access::store, static_cast<uint8_t>(first_bell + bell), __ATOMIC_SEQ_CST, count + 1});
}
// What the program does from here on is a function of this hash, and of what it reads.
inline void checkpoint(uint64_t hash) {
    execution.checkpoint = hash;
    execution.checkpoint_position = execution.position;
}
// How many have come; and sleep until there are more.
inline uint32_t bells(unsigned bell) {
    return execution.access({Access::load, static_cast<uint8_t>(first_bell + bell), __ATOMIC_SEQ_CST, 0});
}
inline void sleep(unsigned bell, uint32_t seen) {
    execution.access({Access::wait, static_cast<uint8_t>(first_bell + bell), __ATOMIC_SEQ_CST, seen});
}

class Explorer {
  public:
    using Program = std::function<void()>;
    // Called with both programs at their end (or asleep for ever, then false): run them again with
    // replay() to see what they did. What is wrong, or nothing.
    using Verdict = std::function<std::string(Explorer &, bool ended)>;

    Explorer(const uint32_t *memory, Program first, Program second, Verdict verdict)
        : memory_(memory), programs_{std::move(first), std::move(second)}, verdict_(std::move(verdict)) {}

    // Explore all; what is wrong with the first bad execution, or nothing.
    std::string run() {
        for (unsigned w = 0; w < words; w++)
            state_.stores[w].push_back({w < first_bell ? memory_[w] : 0, {}, {}, 0});
        for (unsigned s = 0; s < 2; s++)
            look(s);
        explore();
        execution = {};
        return wrong_;
    }

    // A side's program up to where it is: at its end, or where it waits.
    void replay(unsigned s) { (void)run_program(s); }
    size_t states() const { return visited_.size(); }
    size_t ends() const { return ends_; }

  private:
    static constexpr size_t longest = 2000; // accesses of a side; more is a program that does not end

    Access run_program(unsigned s) {
        execution = Execution{};
        execution.memory = memory_;
        execution.read = &state_.side[s].read;
        try {
            programs_[s]();
        } catch (const Stop &) {
            return execution.pending;
        }
        return {};
    }

    void look(unsigned s) {
        Side &side = state_.side[s];
        side.now.next = run_program(s);
        side.now.hash = execution.checkpoint;
        for (size_t i = execution.checkpoint_position; i < side.read.size(); i++)
            side.now.hash = mix(side.now.hash, side.read[i]);
        side.now.hash = mix(side.now.hash, side.read.size() - execution.checkpoint_position);
        if (side.read.size() > longest)
            wrong_ = "a program does not end";
    }

    uint64_t key() const {
        uint64_t hash = 1;
        for (const Side &side : state_.side) {
            hash = mix(hash, side.now.hash);
            hash = hash_of(side.now.view, hash_of(side.now.clock, hash));
        }
        for (const auto &stores : state_.stores)
            hash = mix(hash, stores.back().hash);
        return hash_of(state_.word, hash);
    }

    void explore() {
        Side *side = state_.side.data();
        if (!wrong_.empty() || !visited_.insert(key()).second)
            return;
        for (unsigned s = 0; s < 2; s++)
            if (is_independent(s, side[s].now.next)) {
                step(s);
                return;
            }
        bool moved = false;
        for (unsigned s = 0; s < 2; s++) {
            const Access &next = side[s].now.next;
            if (next.kind == Access::done)
                continue;
            if (next.kind == Access::wait && state_.stores[next.word].back().value == next.value)
                continue;
            moved = true;
            step(s);
        }
        if (moved || !wrong_.empty())
            return;
        ends_++;
        const bool ended = side[0].now.next.kind == Access::done && side[1].now.next.kind == Access::done;
        wrong_ = verdict_(*this, ended);
    }

    // Make the side's next access, in every way that it can come out, and go on from there; then undo it.
    void step(unsigned s) {
        Side &side = state_.side[s];
        const Side::Now before = side.now;
        const Access next = before.next;
        const State::Word word = state_.word[next.word];
        auto &stores = state_.stores[next.word];
        if (next.kind == Access::store) {
            make_store(s, next);
            advance(s, 0);
            stores.pop_back();
        } else {
            const auto newest = static_cast<unsigned>(stores.size() - 1);
            unsigned oldest = before.view[next.word];
            if (next.word >= first_data) // data, and interrupts, are where they are
                oldest = newest;
            else if (next.order == __ATOMIC_SEQ_CST && word.latest_sc > oldest)
                oldest = word.latest_sc;
            for (unsigned which = oldest; which <= newest && wrong_.empty(); which++) {
                side.now = before;
                make_load(s, next, which);
                advance(s, stores[which].value);
            }
        }
        side.now = before;
        state_.word[next.word] = word;
    }

    void advance(unsigned s, uint32_t value) {
        if (!wrong_.empty())
            return;
        Side &side = state_.side[s];
        side.read.push_back(value);
        look(s);
        explore();
        side.read.pop_back();
    }

    // Whether it comes before or after what the other side does next is all the same: a store that is not
    // sequentially consistent need not be seen by who comes after it; a race of data is one in either order;
    // and a side's own words say what it wrote.
    static bool is_independent(unsigned s, const Access &a) {
        if (is_data(a.word))
            return a.kind == Access::load || a.kind == Access::store;
        if (a.kind == Access::store)
            return a.order != __ATOMIC_SEQ_CST;
        return a.kind == Access::load && a.word / 16u == s;
    }

    static bool is_data(unsigned word) { return word >= first_data && word < first_bell; }

    void make_store(unsigned s, const Access &a) {
        Side::Now &side = state_.side[s].now;
        State::Word &word = state_.word[a.word];
        if (is_data(a.word)) {
            side.clock[s]++;
            if (word.last_read[!s] > side.clock[!s] || word.last_write[!s] > side.clock[!s])
                wrong_ = "a word of a ring is written that the other side may still read";
            word.last_write[s] = side.clock[s];
        }
        Store store{a.value, {}, {}, 0};
        const auto index = static_cast<uint8_t>(state_.stores[a.word].size());
        side.view[a.word] = index;
        if (a.order != __ATOMIC_RELAXED) {
            store.view = side.view;
            store.clock = side.clock;
        }
        if (a.order == __ATOMIC_SEQ_CST)
            word.latest_sc = index;
        store.hash = mix(state_.stores[a.word].back().hash, a.value * 8u + static_cast<unsigned>(a.order));
        store.hash = hash_of(store.view, hash_of(store.clock, store.hash));
        state_.stores[a.word].push_back(store);
    }

    void make_load(unsigned s, const Access &a, unsigned which) {
        Side::Now &side = state_.side[s].now;
        side.view[a.word] = static_cast<uint8_t>(which);
        if (is_data(a.word)) {
            side.clock[s]++;
            State::Word &word = state_.word[a.word];
            if (word.last_write[!s] > side.clock[!s])
                wrong_ = "a word of a ring is read that the other side may still write";
            word.last_read[s] = side.clock[s];
            return;
        }
        const Store &store = state_.stores[a.word][which];
        if (a.order == __ATOMIC_RELAXED)
            return;
        for (unsigned w = 0; w < words; w++)
            side.view[w] = std::max(side.view[w], store.view[w]);
        for (unsigned i = 0; i < 2; i++)
            side.clock[i] = std::max(side.clock[i], store.clock[i]);
    }

    const uint32_t *memory_;
    Program programs_[2];
    Verdict verdict_;
    std::unordered_set<uint64_t> visited_;
    State state_;
    size_t ends_ = 0;
    std::string wrong_;
};

} // namespace weak

#define vbus_load(word, order) weak::load(word, __ATOMIC_##order)
#define vbus_store(word, value, order) weak::store(word, value, __ATOMIC_##order)
#include <region.h>
