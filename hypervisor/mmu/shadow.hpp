// SPDX-License-Identifier: GPL-2.0-only
//
// Shadow page tables: a TLB of the guest's tables, in the form hardware walks.
//
//   guest tables (requests)          hardware L1, 16 KiB, the only one
//   pgd -> pte                      +---------------------------+
//       | fill(): walk, check,      | user half: the current    |--> shadow tables, 1 KiB each,
//       | grant                     | address space's slots     |    from one pool; each has one
//       v                           +---------------------------+    L1 entry that points to it
//   spaces[asid]: list of slots --->| kernel half               |
//   of a cached user half, put in   +---------------------------+
//   at switch_mm()                  | window: never touched     |
//                                   +---------------------------+
//
// Invariants
//  - The shadow holds only what a TLB could hold: leaves that the guest's tables have had
//    since the last flush that covers them, whose frame the assignment allows.
//  - The hardware's TLB holds only what the shadow holds, or what a flush that is under way
//    is about to remove; under ASID 0, while another is set, it may hold more, and is flushed
//    before ASID 0 is used.
//  - A table is taken from the pool only after the L1 entry that pointed to it has been
//    written, cleaned, and the TLB flushed; an L1 entry is written only after its table.
//  - The user half is always not-global with the guest's ASID, the kernel half global.
//
// Everything runs with IRQs open; RT code may preempt it anywhere and never comes here.
// Every loop is bounded by a constant of AddressSpace, SlotSet or the pool.
//
// Policies, by value, stateless on the target:
//   GuestMemory  bool read(uint32_t pa, uint32_t &word): an aligned word of guest RAM
//                const volatile uint32_t *words(uint32_t pa): the rest of a page that read() can read
//   Assignment   FrameAccess lookup(uint32_t pa); bool section_is_ram(uint32_t pa): all of the megabyte at pa
//   is Hardware     see hardware.hpp
#ifndef RTMUX_MMU_SHADOW_HPP
#define RTMUX_MMU_SHADOW_HPP

#include "address_space.hpp"
#include "protection.hpp"
#include "rtmux/abi/guest.h"
#include "statistics.hpp"
#include "table_pool.hpp"
#include "walk.hpp"

namespace rtmux::mmu {

struct FillResult {
    enum class Kind : uint32_t {
        filled,   // do the access again
        fault,    // give the guest a fault with status fsr
        mediated, // a write that the guest may do, to pa, on a device_read_only page
    };
    Kind kind;
    uint32_t fsr; // FS[3:0], domain in [7:4]; no WnR
    uint32_t pa;
};

template <class GuestMemory, class Assignment, class Hardware> class Shadow {
  public:
    static constexpr unsigned asids = 256;
    static constexpr uint32_t default_task_size = 0xbf000000; // Linux, VMSPLIT_3G

    constexpr Shadow(GuestMemory memory, Assignment assignment, Hardware hardware)
        : memory_{memory}, assignment_{assignment}, hardware_{hardware} {}
    Shadow(const Shadow &) = delete;
    Shadow &operator=(const Shadow &) = delete;

    // An access at PL0 that hardware refused.
    [[gnu::always_inline]] FillResult fill(uint32_t va, Access access, bool user_mode) {
        return fill_plain(va, access, user_mode, access == Access::execute);
    }
    // In user mode, what the guest's kernel has mapped because of such an access; of a file, Linux maps
    // sixteen pages.
    [[gnu::always_inline]] FillResult fill_mapped(uint32_t va, Access access) {
        return fill_plain(va, access, true, access != Access::write);
    }

    // Address spaces. False, and nothing changed: pgd is misaligned or not in guest RAM, asid > 255.
    // ASID 0 is Linux's init_mm, and what set_ttbr0() uses.
    [[nodiscard]] bool switch_mm(uint32_t pgd, uint32_t asid);
    // TTBR0 as the guest writes it, before it uses switch_mm(); attribute bits are ignored.
    [[nodiscard]] bool set_ttbr0(uint32_t ttbr0) { return switch_mm(ttbr0 & ~pgd_offset, 0); }
    // Off: VA = PA of guest RAM and assigned devices. Caches are the caller's business.
    void set_mmu(bool on);
    bool mmu_on() const { return mmu_on_; }
    uint32_t pgd() const { return pgd_; }
    uint32_t asid() const { return current_; }
    // First address of the kernel half. False: not a multiple of 1 MiB, or above the window.
    [[nodiscard]] bool set_task_size(uint32_t va);

    // The guest's TLB maintenance. Operands are hostile; end is exclusive.
    void flush_all();
    void flush_asid(uint32_t asid);
    void flush_page(uint32_t va, uint32_t asid);
    void flush_user_range(uint32_t start, uint32_t end, uint32_t asid);
    void flush_kernel_range(uint32_t start, uint32_t end);

    // As after boot: MMU off, nothing mapped, nothing cached. Statistics go on. Once before
    // anything else, too: the object itself is all zeroes, to be in .bss.
    void reset();

#ifdef RTMUX_CHAOS
    // Drops something, or everything: a TLB may do that at any time.
    void chaos_drop(uint32_t random);
#endif

    const ShadowStatistics &statistics() const {
        return statistics_;
    }

  private:
    static constexpr uint32_t pgd_offset = 0x3fff;
    static constexpr uint32_t pgd_last_word = 0x3ffc;
    static constexpr unsigned window_slot = RTMUX_WINDOW >> 20;
    static constexpr unsigned window_slots = (RTMUX_WINDOW_END - RTMUX_WINDOW) >> 20;
    static_assert(RTMUX_WINDOW % 0x100000 == 0 && RTMUX_WINDOW_END % 0x100000 == 0);
    // Flushing more pages than this costs more than refilling the TLB (A8: 32 entries)
    static constexpr uint32_t max_page_flushes = 8;

    static constexpr bool in_window(uint32_t va) {
        return (va >> 20) - window_slot < window_slots;
    }
    static constexpr FillResult filled() {
        return {FillResult::Kind::filled, 0, 0};
    }
    static constexpr FillResult fault(uint32_t status) {
        return {FillResult::Kind::fault, status, 0};
    }

    bool user_half(unsigned slot) const {
        return slot < first_kernel_slot_;
    }
    L1Entry l1(unsigned slot) {
        return L1Entry{hardware_.l1()[slot]};
    }
    uint32_t *table_of(L1Entry entry) {
        return hardware_.table(hardware_.table_index(entry.table_pa()));
    }

    // A page of RAM that processes may use, in one of the two types that Linux gives their memory; what the
    // shadow grants for it is then the guest's entry itself, less what a guest does not get to choose.
    bool plain_user_page(uint32_t guest) {
        constexpr uint32_t wanted = SmallPage::not_global_bit | SmallPage::rights_bits(Rights::read_write) |
                                    SmallPage::write_back_type | 2;
        return (guest & wanted) == wanted && assignment_.section_is_ram(guest);
    }
    static bool user_table(L1Entry entry) {
        return entry.is_table() && entry.domain() == RTMUX_DOMAIN_USER;
    }
    static constexpr uint32_t plain_user_leaf(uint32_t guest) {
        return guest & (SmallPage::base_mask | SmallPage::type_bits | SmallPage::not_global_bit |
                        SmallPage::rights_bits(Rights::read_only) | SmallPage::execute_never_bit | 2);
    }

    // shadow_fill.hpp
    FillResult fill_plain(uint32_t va, Access access, bool user_mode, bool around);
    FillResult fill_any(uint32_t va, Access access, bool user_mode);
    void fill_around(uint32_t *entry, uint32_t va, uint32_t guest_word);
    FillResult fill_flat(uint32_t va, Access access, bool user_mode);
    FillResult fill_large_leaf(uint32_t va, Access access, bool user_mode, const Translation &guest);
    FillResult fill_leaf(uint32_t va, Access access, bool user_mode, const Translation &guest, bool section);
    void install_page(uint32_t va, SmallPage leaf, uint32_t domain, LeafSize from);
    uint32_t *new_table(unsigned slot, uint32_t domain);
    void install_section(uint32_t va, SmallPage leaf, uint32_t domain);
    void attach(unsigned slot, L1Entry entry);
    void evict();

    // shadow_flush.hpp
    void write_l1(unsigned slot, L1Entry entry) {
        hardware_.store(&hardware_.l1()[slot], entry.raw());
        hardware_.clean(&hardware_.l1()[slot]);
    }
    bool fine_table(L1Entry entry) {
        return entry.is_table() && !pool_.coarse(hardware_.table_index(entry.table_pa()));
    }
    void give_table(L1Entry entry) {
        if (entry.is_table())
            pool_.give(hardware_.table_index(entry.table_pa()));
    }
    void give_tables(AddressSpace &space);
    void take_out_current();
    void drop_space(unsigned asid);
    void detach(unsigned slot, unsigned asid);
    bool clear_range(L1Entry entry, unsigned slot, uint32_t first, uint32_t last);
    void flush_range(uint32_t start, uint32_t end, unsigned asid);

    // shadow_switch.hpp
    bool valid_pgd(uint32_t pgd);
    void swap_slots(const AddressSpace &from, const AddressSpace &to);

    [[no_unique_address]] GuestMemory memory_;
    [[no_unique_address]] Assignment assignment_;
    [[no_unique_address]] Hardware hardware_;

    unsigned user_slots_ = 0; // first_kernel_slot_ with the MMU on and a pgd set, otherwise 0
    uint32_t pgd_ = 0;        // the current address space's
    unsigned current_ = 0;
    unsigned first_kernel_slot_ = 0;
    bool mmu_on_ = false;
    // A leaf was filled that is global in the user half, not global in the kernel half, or a
    // supersection: flushes and switches then concern more slots than they name, so they all
    // act as flush_all().
    bool mixed_ = false;
    unsigned hand_ = 0;
    ShadowStatistics statistics_ = {};
    AsidSet live_ = {}; // spaces whose list survived the last flush_all(), with the current one
    SlotSet kernel_slots_ = {};
    TablePool<Hardware::tables> pool_ = {};
    AddressSpace spaces_[asids] = {};
};

} // namespace rtmux::mmu

#include "shadow_fill.hpp"
#include "shadow_flush.hpp"
#include "shadow_switch.hpp"

#endif
