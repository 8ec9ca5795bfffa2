// SPDX-License-Identifier: GPL-2.0-only
//
// A guest that edits its tables, accesses, flushes and switches as a stream of numbers tells it,
// and the judge: at every event the shadow may let hardware load only what a TLB of the guest's
// own tables could hold and the assignment allows, and an access is answered as native hardware
// would. Used by the property test (random numbers) and the fuzzer (its input).
#ifndef RTMUX_TESTS_MMU_SCENARIO_HPP
#define RTMUX_TESTS_MMU_SCENARIO_HPP

#define RTMUX_CHAOS
#include "guest_tables.hpp"
#include "mmu/shadow.hpp"
#include "reference.hpp"

namespace rtmux::test {

template <class Next, unsigned pool_size = 64> class Scenario {
  public:
    Scenario(Options o, Next n) : options{std::move(o)}, next{std::move(n)} {
        machine.slots = options.slots;
        machine.pages = options.pages;
        machine.fill_window();
        machine.check = [this](const Loaded &e) { judge(e); };
        guest.fill(task_size);
        shadow.reset();
        enter(false, 0, 0);
        require(shadow.set_ttbr0(Tables::pgd_pa(0)), "set_ttbr0");
        shadow.set_mmu(true);
        enter(true, Tables::pgd_pa(0), 0);
    }

    void step() {
        switch (next(64)) {
        default:
            access(guest.any_va(), next(2) ? Access::read : static_cast<Access>(next(3)), next(3) == 0);
            break;
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
            guest.edit_page();
            learn();
            break;
        case 5:
            guest.edit_l1(task_size);
            learn();
            break;
        case 6:
        case 7:
        case 8:
            flush_page();
            break;
        case 9:
        case 10:
            flush_range(true);
            break;
        case 11:
            flush_range(false);
            break;
        case 12: {
            const uint32_t a = next(options.asids);
            shadow.flush_asid(a);
            forget([=](uint32_t tag, const GuestLeaf &) { return tag == a; });
            break;
        }
        case 13:
        case 14:
        case 15:
        case 16:
            switch_mm();
            break;
        case 17:
            if (next(8) == 0)
                shadow.chaos_drop(next(0xffffffff));
            break;
        case 18:
            if (next(4) == 0)
                rare();
            break;
        case 19:
        case 20: // a working set that fills lists and pool
            for (uint32_t slot : options.slots)
                access(slot << 20 | options.pages[0] << 12, Access::read, slot < task_size >> 20 && next(2));
            break;
        }
        settle();
    }

    using M = Machine<pool_size>;
    M machine;
    mmu::Shadow<MemoryPolicy<M>, AssignmentPolicy, HardwarePolicy<M, pool_size>> shadow{
        {&machine}, {}, {&machine}};
    uint32_t filled = 0, faults = 0, mediated = 0;

  private:
    using Tables = GuestTables<M, Next>;
    Options options;
    Next next;
    Tables guest{machine, options, next};

    // The reference TLB: by tag (ASID or global) and page
    std::map<std::pair<uint32_t, uint32_t>, std::set<GuestLeaf>> known;
    bool mmu_on = false;
    uint32_t pgd = 0, asid = 0, task_size = 0xbf000000;
    uint32_t other_asid = 0; // while a switch is under way: where it goes
    bool switching = false;

    void access(uint32_t va, Access kind, bool user_mode) {
        const Expected e = expected_fill(machine, mmu_on, pgd, task_size, va, kind, user_mode);
        const mmu::FillResult r = user_mode && kind == Access::read ? shadow.fill_mapped(va, kind)
                                                                    : shadow.fill(va, kind, user_mode);
        using Kind = mmu::FillResult::Kind;
        switch (e.kind) {
        case Expected::filled: {
            require(r.kind == Kind::filled, "an access that the guest allows is refused");
            filled++;
            const std::vector<Loaded> now = machine.walk(va);
            require(now.size() == 1, "filled, but nothing is there");
            require(may(loaded_allowed(now[0], user_mode), now[0].execute_never, kind),
                    "filled, but not for this access");
            for (const Loaded &l : machine.tlb) // or the access would fault for ever
                if (l.va == (va & ~0xfffu) && (l.asid == asid || l.asid == Loaded::global))
                    require(may(loaded_allowed(l, user_mode), l.execute_never, kind),
                            "filled, but the TLB has less");
            break;
        }
        case Expected::fault:
            require(r.kind == Kind::fault, "an access that the guest forbids is filled");
            require(r.fsr == e.fsr, "fault status");
            faults++;
            break;
        case Expected::mediated:
            require(r.kind == Kind::mediated && r.pa == e.pa, "mediated store");
            mediated++;
            break;
        }
    }

    void flush_page() {
        const uint32_t va = guest.any_va(), a = next(4) ? asid : next(options.asids);
        shadow.flush_page(va, a);
        forget_page(va, a);
    }
    void forget_page(uint32_t va, uint32_t a) {
        forget([=](uint32_t tag, const GuestLeaf &l) {
            return (tag == a || tag == Loaded::global) && va >= l.va && va - l.va < l.size;
        });
    }
    void flush_range(bool user) {
        const uint32_t start = guest.any_va(), a = user ? (next(4) ? asid : next(options.asids)) : 0;
        uint32_t end = next(8) ? start + next(next(2) ? 0x4000 : 0x400000) : guest.any_va();
        if (next(64) == 0)
            end = 0;
        if (user)
            shadow.flush_user_range(start, end, a);
        else
            shadow.flush_kernel_range(start, end);
        const uint32_t first = start & ~0xfffu, last = (end > start ? end - 1 : start) | 0xfff;
        forget([=](uint32_t tag, const GuestLeaf &l) {
            return (tag == a || tag == Loaded::global) && l.va <= last && l.va + (l.size - 1) >= first;
        });
    }
    void switch_mm() {
        const uint32_t a = next(options.asids);
        uint32_t to = Tables::pgd_pa(next(16) ? a % Tables::pgds
                                              : next(Tables::pgds)); // seldom an ASID with other tables
        const uint32_t bad = next(24);
        if (bad == 0)
            to = next(2) ? to + 0x1000 : next(2) ? 0x70078000 : 0x7007c000;
        const uint32_t wrong_asid = bad == 1 ? 256 + next(0xffff) : a;
        other_asid = a;
        switching = true;
        const bool done = shadow.switch_mm(to, wrong_asid);
        switching = false;
        require(done == (bad > 1), "switch_mm's answer");
        if (!done)
            return;
        pgd = to;
        asid = a;
        learn();
    }
    void rare() {
        switch (next(8)) {
        case 0:
            shadow.set_mmu(false);
            if (mmu_on)
                enter(false, pgd, asid);
            break;
        case 1: {
            if (!options.task_sizes)
                break;
            const uint32_t wanted = next(2) ? 0xbf000000 : next(2) ? 0x70200000 : 0x00000000;
            require(shadow.set_task_size(wanted), "set_task_size refuses");
            require(!shadow.set_task_size(0x70000800) && !shadow.set_task_size(0xff000000),
                    "set_task_size accepts");
            if (task_size != wanted) {
                task_size = wanted;
                enter(mmu_on, pgd, asid);
            }
            break;
        }
        case 2:
            if (!options.task_sizes)
                break;
            shadow.reset();
            task_size = 0xbf000000;
            enter(false, 0, 0);
            break;
        case 3:
            switching = true;
            other_asid = 0;
            if (shadow.set_ttbr0(Tables::pgd_pa(0) | 0x6a)) {
                pgd = Tables::pgd_pa(0);
                asid = 0;
            }
            switching = false;
            learn();
            break;
        case 4:
            shadow.flush_all();
            enter(mmu_on, pgd, asid);
            break;
        default:
            if (!mmu_on && pgd) { // seldom off for long
                shadow.set_mmu(true);
                enter(true, pgd, asid);
            }
        }
    }

    void enter(bool on, uint32_t new_pgd, uint32_t new_asid) {
        known.clear();
        mmu_on = on;
        pgd = new_pgd;
        asid = new_asid;
        learn();
    }
    // The reference TLB loads all there is.
    void learn() {
        for (uint32_t slot : options.slots) {
            for (uint32_t page : options.pages) {
                const uint32_t va = slot << 20 | page << 12;
                if (in_window(va))
                    continue;
                if (!mmu_on) {
                    const bool is_ram = frame_access(va) == FrameAccess::ram;
                    if (frame_access(va) != FrameAccess::none)
                        known[{asid, va}].insert(GuestLeaf{va, 0x1000, va, 1, is_ram ? 3u : 0u, 0, !is_ram,
                                                           !is_ram, true, true, false});
                    continue;
                }
                const Walk w = reference_walk(machine, pgd, va);
                if (w.leaf)
                    known[{w.leaf->not_global ? asid : Loaded::global, va}].insert(*w.leaf);
            }
        }
    }
    template <class Match> void forget(Match match) {
        for (auto &at : known)
            std::erase_if(at.second, [&](const GuestLeaf &l) { return match(at.first.first, l); });
        learn();
    }

    static std::string text(const Loaded &e) {
        char line[128];
        std::snprintf(line, sizeof line, "va %08x asid %x pa %08x ap %x type %x domain %x section %d", e.va,
                      e.asid, e.pa, e.ap, e.type, e.domain, e.section);
        return line;
    }
    bool known_as(uint32_t tag, const Loaded &e) const {
        const auto found = known.find({tag, e.va});
        if (found == known.end())
            return false;
        for (const GuestLeaf &l : found->second)
            if (covers(l, e))
                return true;
        return false;
    }
    // Any translation, at the moment hardware could load it
    void judge(const Loaded &e) const {
        require(!in_window(e.va), "a translation in the window");
        const bool user_half = e.va < task_size;
        require(user_half == (e.asid != Loaded::global), "nG does not follow from the address");
        require(e.domain != 0 && e.domain <= 3, "domain");
        if (!user_half)
            require(e.domain == (e.va >= 0xfff00000 && e.domain != 1 ? 3 : 1), "domain in the kernel half");
        else
            require(e.domain == 1 || e.domain == 2, "domain in the user half");
        require(frame_access(e.pa) != FrameAccess::none, "a frame that is not the guest's");
        if (!usable(e))
            throw Failure{"a translation that the guest's tables never allowed: " + text(e)};
    }
    bool usable(const Loaded &e) const {
        if (e.asid ==
            Loaded::global) // one kernel half for all: what is private there must not survive a switch
            return known_as(Loaded::global, e) || known_as(asid, e) || (switching && known_as(other_asid, e));
        if (known_as(e.asid, e) || known_as(Loaded::global, e))
            return true;
        // Between two address spaces ASID 0 is set, and may pick up either's.
        return switching && e.asid == 0 && (known_as(asid, e) || known_as(other_asid, e));
    }
    // Between operations: everything the TLB holds must still be allowed, and nothing be in flight.
    void settle() {
        require(machine.all_clean(), "a store that was not cleaned");
        require(machine.contextidr == asid && shadow.asid() == asid, "CONTEXTIDR");
        for (const Loaded &e : machine.tlb) {
            if (e.asid == 0 && asid != 0) // nothing runs under it; it is flushed before something does
                continue;
            if (!usable(e))
                throw Failure{"a translation that was flushed is still there: " + text(e)};
        }
    }
};

} // namespace rtmux::test

#endif
