// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's interrupt controller: the two bitmaps of the shared page over the
// board's controller. A line travels so:
//
//     raise_physical(), raise()   sync()                    guest
//     any context            ──►  the executive, last   ──► takes the bit,
//     pending_ (private)          thing before the guest    calls eoi()
//
// A device's line is disabled at the controller from its interrupt to the
// guest's EOI, so that each costs RT one interrupt at most. The shared words are
// the guest's to scribble on: only "is an enabled line pending" is derived from
// them, never a line number.
#pragma once

#include "rtmux/abi/guest.h"

#include <cstdint>

namespace rtmux {

// Words that an interrupt or an RT thread may change between any two of our
// instructions. One processor: only the compiler has to be kept in order.
struct PreemptibleWords {
    static void store(uint32_t &word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }
    static uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
    static uint32_t exchange(uint32_t &word, uint32_t value) {
        return __atomic_exchange_n(&word, value, __ATOMIC_RELAXED);
    }
    static uint32_t fetch_or(uint32_t &word, uint32_t bits) {
        return __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED);
    }
    static uint32_t fetch_and(uint32_t &word, uint32_t bits) {
        return __atomic_fetch_and(&word, bits, __ATOMIC_RELAXED);
    }
    static void compiler_barrier() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
};

template <class Controller, class Words = PreemptibleWords> class VirtualIc {
    static constexpr uint32_t words = RTMUX_NR_IRQS / 32;

  public:
    struct Statistics {
        uint32_t raised[RTMUX_NR_IRQS];
        uint32_t eois;
        // EOIs that changed nothing: of a virtual line, a second one, a foreign line's
        uint32_t idle_eois;
    };

    // The shared page, and the lines that are the guest's. Before all else, with
    // the controller initialised; enables nothing yet.
    void attach(uint32_t *shared_page, const uint32_t (&assigned)[words]) {
        shared_ = shared_page;
        for (uint32_t i = 0; i < words; ++i)
            assigned_[i] = assigned[i];
    }

    // The guest's lines silent and all state forgotten: for a guest that is dead.
    void stop() {
        for_each_assigned([](uint32_t line) { Controller::disable(line); });
        for (uint32_t i = 0; i < words; ++i) {
            Words::store(disabled_[i], 0);
            Words::store(pending_[i], 0);
            write(RTMUX_S_PENDING + 4 * i, 0);
            write(RTMUX_S_ENABLED + 4 * i, 0);
        }
        Words::store(raised_, 0);
        write(RTMUX_S_IRQ_PEND, 0);
    }

    // As after power-on: for a guest about to boot.
    void reset() {
        stop();
        for_each_assigned([](uint32_t line) {
            Controller::forget(line);
            Controller::enable(line);
        });
    }

    // A device's line fired. From the IRQ handler, IRQs masked; the caller then
    // ends the interrupt at the controller. False: not the guest's, nothing done.
    bool raise_physical(uint32_t line) {
        if (!is_assigned(line))
            return false;
        Controller::disable(line);
        Words::fetch_or(disabled_[line / 32], bit(line));
        raise(line);
        return true;
    }

    // A line becomes pending. From any context.
    void raise(uint32_t line) {
        if (line >= RTMUX_NR_IRQS)
            return;
        ++statistics_.raised[line];
        Words::fetch_or(pending_[line / 32], bit(line));
        Words::compiler_barrier();
        Words::store(raised_, 1); // after the bit: sync() clears it before it takes bits
    }

    // Has anything been raised since the last sync()?
    bool raised() const { return Words::load(raised_) != 0; }

    // Shows the guest what was raised. Returns whether an enabled line is
    // pending, which is also IRQ_PEND from then on: while the guest's interrupts
    // are masked it polls when it opens them. With IRQs masked, as the last thing
    // before a return to the guest or a WFI: later raises come with an interrupt,
    // whose exit has to look at raised() again.
    bool sync() {
        Words::store(raised_, 0);
        Words::compiler_barrier();
        uint32_t deliverable = 0;
        for (uint32_t i = 0; i < words; ++i) {
            uint32_t pending = read(RTMUX_S_PENDING + 4 * i);
            if (Words::load(pending_[i])) {
                pending |= Words::exchange(pending_[i], 0);
                write(RTMUX_S_PENDING + 4 * i, pending);
            }
            deliverable |= pending & read(RTMUX_S_ENABLED + 4 * i);
        }
        write(RTMUX_S_IRQ_PEND, deliverable != 0);
        return deliverable != 0;
    }

    // The guest was entered at its IRQ vector. Its handler takes lines until none
    // is left, so it need not poll when it opens its interrupts.
    void delivered() { write(RTMUX_S_IRQ_PEND, 0); }

    // The guest is done with a line (a hypercall, IRQs open).
    void eoi(uint32_t line) {
        ++statistics_.eois;
        // The bit first: as soon as the line is enabled it can fire and set it again.
        if (line >= RTMUX_NR_IRQS || !(Words::fetch_and(disabled_[line / 32], ~bit(line)) & bit(line))) {
            ++statistics_.idle_eois;
            return;
        }
        Words::compiler_barrier();
        Controller::enable(line);
    }

    const Statistics &statistics() const { return statistics_; }

  private:
    static constexpr uint32_t bit(uint32_t line) { return 1u << line % 32; }

    bool is_assigned(uint32_t line) const {
        return line < RTMUX_NR_IRQS && (assigned_[line / 32] & bit(line));
    }

    template <class Visit> void for_each_assigned(Visit visit) const {
        for (uint32_t line = 0; line < RTMUX_NR_IRQS; ++line)
            if (is_assigned(line))
                visit(line);
    }

    // volatile: each shared word is read once, into a local.
    uint32_t read(uint32_t offset) const {
        return static_cast<const volatile uint32_t *>(shared_)[offset / 4];
    }
    void write(uint32_t offset, uint32_t value) {
        static_cast<volatile uint32_t *>(shared_)[offset / 4] = value;
    }

    uint32_t *shared_ = nullptr;
    uint32_t assigned_[words] = {};
    uint32_t pending_[words] = {};  // raised, not yet shown to the guest
    uint32_t disabled_[words] = {}; // disabled at the controller until the guest's EOI
    uint32_t raised_ = 0;
    Statistics statistics_ = {};
};

} // namespace rtmux
