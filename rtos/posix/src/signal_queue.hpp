// SPDX-License-Identifier: BSD-3-Clause
// Signals that are pending. No header of a C library: the host tests it.
#pragma once

#include <bit>
#include <stdint.h>

#include <rtos/list.hpp>

namespace rtos::posix {

inline constexpr int first_queued = 32; // SIGRTMIN: from here on each one generated is delivered

constexpr uint64_t signal_bit(int number) {
    return uint64_t{1} << number;
}

// What comes with a signal; siginfo_t is made of it at delivery.
struct SignalInfo {
    int number = 0;
    int code = 0;
    uintptr_t value = 0;
};

// A pending signal: from the pool, or a part of the timer that sends it.
struct SignalEntry : private Link {
    SignalInfo info;
    // Called when it leaves the queue, IRQs masked; null: goes back to the pool.
    void (*taken)(SignalEntry &) = nullptr;

    bool queued() const { return linked(); }

  private:
    friend class SignalQueue;
    friend class SignalPool;
};

// The spare entries.
class SignalPool {
  public:
    void add(SignalEntry &e) { free_.insert_before(e); }
    SignalEntry *take() {
        if (!free_.linked())
            return nullptr;
        SignalEntry &e = static_cast<SignalEntry &>(*free_.next());
        e.unlink();
        return &e;
    }

  private:
    Link free_;
};

// The signals pending for a thread, or for the process: the lowest number first, those of a number in order
// of arrival. A number may be pending without an entry, when there was none left. IRQs masked in all of it.
class SignalQueue {
  public:
    uint64_t set() const { return set_; }
    bool has(int number) const { return set_ & signal_bit(number); }

    void put(SignalEntry &e) {
        set_ |= signal_bit(e.info.number);
        entries_.insert_before(e);
    }
    void put_bare(int number) { set_ |= signal_bit(number); }

    // Take the first signal of a set; false: none of them is pending. entry: its entry, or null.
    bool take(uint64_t wanted, SignalInfo &info, SignalEntry *&entry) {
        const uint64_t candidates = set_ & wanted;
        if (!candidates)
            return false;
        const int number = std::countr_zero(candidates);
        entry = nullptr;
        bool more = false;
        for (Link *l = entries_.next(); l != &entries_; l = l->next()) {
            SignalEntry &e = static_cast<SignalEntry &>(*l);
            if (e.info.number != number)
                continue;
            if (entry) {
                more = true;
                break;
            }
            entry = &e;
        }
        info = entry ? entry->info : SignalInfo{number, 0, 0};
        if (entry)
            entry->unlink();
        if (!more)
            set_ &= ~signal_bit(number);
        return true;
    }

    // Take out an entry that its owner wants back.
    void remove(SignalEntry &e) {
        e.unlink();
        for (Link *l = entries_.next(); l != &entries_; l = l->next())
            if (static_cast<SignalEntry &>(*l).info.number == e.info.number)
                return;
        set_ &= ~signal_bit(e.info.number);
    }

  private:
    uint64_t set_ = 0;
    Link entries_;
};

} // namespace rtos::posix
