// SPDX-License-Identifier: GPL-2.0-only
//
// A guest that does whatever a stream of numbers says: every way out of it, with its registers, its shared
// page, its tables and the instructions at its program counter as it likes them. Used by the unit test
// (random numbers) and the fuzzer (its input).
#pragma once

#include "../../mmu/guest_tables.hpp"
#include "simulation.hpp"

namespace rtmux::simulation {

// Next: callable, uint32_t(uint32_t bound), a number below bound
template <class Next> class HostileGuest {
  public:
    // Powers the machine on: it knows one guest at a time.
    explicit HostileGuest(Next n) : next{std::move(n)} {
        power_on();
        machine.slots = options.slots;
        machine.pages = options.pages;
        tables.fill(0xbf000000);
        control.interrupts_open = [this] { interrupt(); };
        control.wait = [this] {
            if (next(2) == 0)
                throw Stopped{"waits for ever"};
            vcpu.write_shared(RTMUX_S_ENABLED + 4 * next(4), ~0u);
            interrupt();
        };
        if (next(8) != 0)
            start();
    }

    // One exit and what the guest does before it.
    void step() {
        for (uint32_t acts = next(3); acts > 0; acts--)
            act();
        exit_guest(prepare_exit());
        exits++;
    }

    // From here on, other numbers decide.
    void decide(Next n) { next = std::move(n); }

    uint32_t exits = 0;

  private:
    static constexpr uint32_t code_va = 0xc0000000, code_pa = 0x70200000;
    test::Options options{
        {0x000, 0x001, 0x100, 0x700, 0xbf0, 0xc00, 0xfe8, 0xfff}, {0, 9, 16, 255}, 5, true, true};
    Next next;
    test::GuestTables<SimulatedMachine, Next> tables{machine, options, next};

    // A kernel that said hello, has vectors and an MMU: most of the code is behind that.
    void start() {
        constexpr uint32_t table = 0x70201000;
        for (uint32_t i = 0; i < RTMUX_NR_VECTORS; i++)
            machine.word(table + 4 * i) = code_va + 0x100 + 64 * i;
        call(RTMUX_HELLO, RTMUX_ABI_VERSION, 0xbf000000);
        call(RTMUX_SET_VECTORS, table);
        for (uint32_t p = 0; p < 4; p++)
            machine.word(pgd(p) + (code_va >> 20) * 4) = (code_pa & 0xfff00000) | 0x00000c0e; // section, AP 3
        call(RTMUX_SWITCH_MM, pgd(0), 1);
        guest::system_registers.mmu = true;
        shadow.set_mmu(true);
        for (uint32_t i = 0; i < 4; i++)
            vcpu.write_shared(RTMUX_S_ENABLED + 4 * i, ~0u);
    }
    void call(uint32_t number, uint32_t a0 = 0, uint32_t a1 = 0) {
        vcpu.r[12] = number;
        vcpu.r[0] = a0;
        vcpu.r[1] = a1;
        vcpu.pc = 0x70200004;
        exit_guest(EXIT_SVC);
    }

    static uint32_t pgd(uint32_t p) { return decltype(tables)::pgd_pa(p); }

    // Of the mapped page, before the handlers in it
    uint32_t any_code() { return code_va + 4 * next(64); }

    uint32_t any_word() {
        switch (next(8)) {
        case 0:
            return next(256);
        case 1:
            return ~next(256);
        case 2:
            return pgd(next(4));
        case 3:
            return RTMUX_WINDOW + next(RTMUX_WINDOW_END - RTMUX_WINDOW);
        case 4:
            return RTMUX_SHARED + next(0x1000);
        case 5:
            return tables.any_va();
        case 6:
            return 1u << next(32);
        default:
            return next(0xffffffff);
        }
    }

    // What would not leave it
    void act() {
        switch (next(8)) {
        case 0:
            tables.edit_page();
            break;
        case 1:
            tables.edit_l1(0xbf000000);
            break;
        case 2: // kernel mode only: user mode cannot reach the shared page
            if (!vcpu.user_mode)
                vcpu.write_shared(next(2) ? 4 * next(32) : 4 * next(1024), any_word());
            break;
        case 3:
            vcpu.r[next(15)] = any_word();
            break;
        case 4:
            vcpu.cpsr = (vcpu.cpsr & ~psr::user) | (any_word() & psr::user);
            break;
        case 5: // vectors.S keeps it at a return to user mode
            if (vcpu.user_mode)
                vcpu.kernel_sp = any_word();
            break;
        case 6:
            machine.word(code_pa + (any_code() - code_va)) = any_instruction();
            break;
        default:
            vcpu.pc = any_word();
        }
    }

    // Half of them on the list of what is emulated, or one bit beside it
    uint32_t any_instruction() {
        constexpr uint32_t listed[] = {
            0xee010f10,                         // SCTLR
            0xee020f10,                         // TTBR0
            0xee030f10,                         // DACR
            0xee080f17, 0xee080f37, 0xee080f57, // TLBIALL, TLBIMVA, TLBIASID
            0xee070f15, 0xee070fd5, 0xee070f3a, // ICIALLU, BPIALL, DCCMVAC
            0xee400f10, 0xeee80a10, 0xee110f10, 0xee100f10, 0xe5810000, 0xe1c100b0, 0xe5c10000,
        };
        const uint32_t word =
            next(2) ? listed[next(sizeof listed / sizeof *listed)] | next(15) << 12 : next(0xffffffff);
        return next(4) == 0 ? word ^ 1u << next(32) : word;
    }

    uint32_t prepare_exit() {
        switch (next(8)) {
        case 0:
            vcpu.pc = vcpu.iret_pc;
            if (next(8) != 0)
                vcpu.write_shared(RTMUX_S_CPSR,
                                  (any_word() & ~psr::mode_mask) | (next(2) ? psr::usr : psr::svc));
            return svc();
        case 1:
        case 2:
            prepare_hypercall();
            return svc();
        case 3: {
            const uint32_t at = any_code();
            machine.word(code_pa + (at - code_va)) = any_instruction();
            vcpu.pc = at + 4;
            return EXIT_UNDEFINED;
        }
        case 4: {
            vcpu.pc = next(4) ? any_code() : any_word();
            vcpu.address = vcpu.pc + (next(4) == 0 ? 2 : 0);
            vcpu.status = any_status();
            return EXIT_PREFETCH_ABORT;
        }
        case 5:
            return EXIT_IRQ;
        case 6: { // a store to a page that it may write through the executive only
            const uint32_t at = any_code();
            machine.word(code_pa + (at - code_va)) = next(4) ? 0xe5810000 : any_instruction();
            vcpu.pc = at;
            vcpu.address = tables.any_va();
            vcpu.status = 1u << 11 | 0xf;
            return EXIT_DATA_ABORT;
        }
        default:
            vcpu.pc = next(8) ? any_code() : any_word();
            vcpu.address = next(2) ? tables.any_va() : any_word();
            vcpu.status = any_status();
            return EXIT_DATA_ABORT;
        }
    }
    void prepare_hypercall() {
        vcpu.pc = any_code();
        vcpu.r[12] = next(8) ? next(RTMUX_NR_CALLS + 2) : any_word();
        const bool ends = vcpu.r[12] == RTMUX_RESTART || vcpu.r[12] == RTMUX_POWER_OFF ||
                          vcpu.r[12] == RTMUX_RESET_CPU || vcpu.r[12] == RTMUX_HELLO;
        if (ends && next(16) != 0)
            vcpu.r[12] = RTMUX_TLB_USER;
        for (uint32_t i = 0; i < 4; i++)
            if (next(2))
                vcpu.r[i] = any_word();
        if (vcpu.r[12] == RTMUX_SWITCH_MM && next(16) != 0) {
            vcpu.r[0] = pgd(next(4));
            vcpu.r[1] = next(6);
        }
    }
    // vectors.S sees to the svc of virtual user mode.
    uint32_t svc() {
        return vcpu.user_mode ? static_cast<uint32_t>(EXIT_IRQ) : static_cast<uint32_t>(EXIT_SVC);
    }

    uint32_t any_status() {
        constexpr uint32_t translation[] = {5, 7, 0xd, 0xf, 9, 0xb};
        const uint32_t status = next(4) ? translation[next(6)] : next(0x2000);
        return status | (next(2) ? 1u << 11 : 0);
    }

    void interrupt() {
        if (next(4) != 0)
            return;
        const bool before = cpu::simulated.masked;
        cpu::simulated.masked = true;
        const uint32_t line = next(board::line_count);
        if (board::line_class(line) == board::LineClass::guest && board::InterruptController::enabled[line])
            test::require(guest::vic.raise_physical(line), "a line of the guest's is refused");
        else
            test::require(board::line_class(line) == board::LineClass::guest ||
                              !guest::vic.raise_physical(line),
                          "a line that is not the guest's is taken");
        vcpu.set_slow(Vcpu::slow_irq);
        if (next(8) == 0)
            vcpu.set_slow(Vcpu::slow_console);
        cpu::simulated.masked = before;
    }
};

} // namespace rtmux::simulation
