# SPDX-License-Identifier: GPL-2.0-only
"""The list of attacks, and what must come of each. tests/attack/attack.py runs it, docs/security.md shows it.

Outcomes:
  held     the attack ran to its end, and every step of it ended with a fault, an error or nothing
  oops     the process in whose name it was made is killed by the guest kernel's own oops
  stopped  the executive stops the guest, says why, and shows its registers
  exception  what natively ends in a fault, and in a guest cannot: docs/security.md has each
  fate     whatever the guest's kernel makes of itself: held, oops, stopped, panic, restart, or silence
Never: anything that the audit (tests/attack/audit.py) does not find in order, or that the RT thread feels.
"""
from dataclasses import dataclass

HELD, OOPS, STOPPED, FATE, EXCEPTION = "held", "oops", "stopped", "fate", "exception"
KERNEL, PROCESS = "kernel", "process"


@dataclass(frozen=True)
class Attack:
    name: str      # of /proc/hostile, or of userattack
    does: str
    expected: tuple  # of outcomes, any
    quick: tuple = ("",)  # its numbers, a run each
    full: tuple = ()      # further ones in the long tests
    by: str = KERNEL
    natively: bool = False  # makes sense there, with the same end


def numbers(*values):
    return tuple(str(value) for value in values)


REFUSED = (HELD, OOPS)
PAGES = numbers(0, 1, 0x1bf, 0x200, 0x3ff)
# of a forged cpsr: SVC with what a return must not take over; modes that it must refuse
SVC_FORGED = tuple(f"{cpsr:#x}" for cpsr in (0x93, 0xd3, 0x193, 0x1d3, 0xb3, 0x293, 0x1000093, 0x600fc93))
OTHER_MODES = tuple(f"{0x80 | mode:#x}" for mode in (0x11, 0x12, 0x16, 0x17, 0x1a, 0x1b, 0x1f, 0x00, 0x03))

FAMILIES = {
    "The window, by address": (
        Attack("window-pages", "reads, writes and executes every page of the window, in kernel and user mode, and words "
               "that cross into the next page", (HELD,)),
        Attack("window-entry", "L1 entries of the guest's own over the whole window, then reads there", REFUSED),
        Attack("window", "the same by Linux's own accesses", (HELD,)),
        Attack("window", "a process reads, writes and executes every page of the window", (HELD,), by=PROCESS),
    ),
    "Frames that are not the guest's": (
        Attack("physical", "all 4 GiB of physical memory through sections with all rights, in steps of so many pages: "
               "what can be read must be guest RAM, V-Bus and the guest's devices", (HELD,), numbers(16), numbers(1)),
        Attack("ram-pages", "`ioremap` of all of RTMux's memory: V-Bus is open, and nothing else", (HELD,)),
        Attack("ram", "`ioremap` of a page of RTMux's memory; Linux's own reads and writes", REFUSED, PAGES),
        Attack("image", "the same, of the image at the top of RAM", REFUSED, numbers(0, 1)),
        Attack("gic", "the same, of the interrupt controller", REFUSED, numbers(0, 1)),
        Attack("rt-timer", "the same, of the RT timer", REFUSED),
        Attack("console", "the same, of the executive's UART", REFUSED),
    ),
    "Translation tables": (
        Attack("sections", "sections of foreign frames in both halves: 16 domains, 8 AP, 32 memory types, XN, nG, S, NS; "
               "read, written, executed, in both modes", (HELD,), numbers(1), numbers(20)),
        Attack("supersections", "the same with supersections", (HELD,), numbers(1), numbers(20)),
        Attack("small-pages", "the same with small pages", (HELD,), numbers(1), numbers(20)),
        Attack("large-pages", "the same with large pages", (HELD,), numbers(1), numbers(20)),
        Attack("table-places", "L2 tables in RTMux's memory, in devices, behind RAM, anywhere", (HELD,), numbers(4096),
               numbers(100000)),
        Attack("self-tables", "the page directory as its own table; tables that map and change themselves, looked at "
               "before and after each kind of flush", (HELD,), numbers(2000), numbers(50000)),
        Attack("random-tables", "random words in tables of both halves, changed with and without flushes, accesses in "
               "between", (HELD,), numbers(1, 2), numbers(*range(3, 40))),
        Attack("section", "a section on the executive, by domain (+16: user half); Linux's own accesses", REFUSED,
               numbers(0, 15, 16, 31), numbers(*range(1, 15))),
        Attack("page", "the same with a small page", REFUSED, numbers(0, 31), numbers(1, 2, 3, 15, 16)),
        Attack("section-rt-timer", "the same on the RT timer", REFUSED, numbers(0)),
        Attack("supersection", "the same as a supersection", REFUSED),
        Attack("large-page", "the same as a large page", REFUSED, numbers(0)),
        Attack("foreign-table", "an L2 table in RTMux's memory (0), outside all RAM (1)", REFUSED, numbers(0, 1)),
        Attack("fatal-pgd", "a page directory outside the guest's RAM", (STOPPED,), ("0x10000000", "0x70000000"),
               ("0", "0x701c0000", "0x7ffff000", "0xfffffff0", "0x70400001")),
        Attack("fatal-random-pgd", "a page directory of random words", (FATE,), numbers(5), numbers(6, 7)),
        Attack("fatal-ttbr0", "TTBR0 outside the guest's RAM", (STOPPED,), ("0x70000000",)),
        Attack("fatal-mmu-off", "SCTLR.M off in the middle of the kernel", (STOPPED,)),
    ),
    "Coprocessors": (
        Attack("coprocessor", "every CDP, MCR, MRC, MCRR, MRRC, LDC and STC of one coprocessor, one by one (bits 3:0 its "
               "number, 4: in user mode, 5: in Thumb, 6: unconditional): what is executed is the closed list of "
               "[guest-abi.md](guest-abi.md) and what the architecture gives user mode: identification, debug, ThumbEE, PMU, "
               "preload engine, lockdown and set/way among them", (HELD,),
               numbers(15, 31, 47, 79, 14, 30), numbers(46, 62, 63, 78, 94, 95, *range(10), *range(12, 14))),
        Attack("cp15", "Linux's own writes of DACR (0), VBAR (3), CPACR (5), CONTEXTIDR (7), TPIDRPRW (8), PMUSERENR (9), "
               "then the window", REFUSED, numbers(0, 3, 5, 7, 8, 9)),
        Attack("cp15", "TTBR1 (1), TTBCR (2), PRRR (4), ACTLR (6): what only a kernel without the patch writes", (STOPPED,),
               numbers(1, 2, 4, 6)),
        Attack("set-way", "DCISW (0), DCCISW (1) of every line", (STOPPED,), numbers(0, 1)),
        Attack("vfp", "FPEXC, FPINST with everything set: exceptional state; FPSCR at random", (HELD,)),
        Attack("coprocessor", "20,000 instructions of CP14 and CP15 by a process", (HELD,), by=PROCESS, natively=True),
        Attack("fpscr", "arithmetic of a process under every FPSCR", (HELD,), by=PROCESS, natively=True),
    ),
    "Hypercalls": (
        Attack("numbers", "every number that is none", (HELD,)),
        Attack("arguments", "3,000 calls with wild arguments, by seed", (HELD,), numbers(1, 2), numbers(*range(3, 20))),
        Attack("pointers", "each argument of each call at, before and behind every place that is none", (HELD,)),
        Attack("unreadable-vectors", "vectors in the window, misaligned", (HELD,), numbers(0, 3)),
        Attack("user-calls", "every number in user mode is a system call; kernel pages and the shared page from there",
               (HELD,)),
        Attack("hypercalls", "the same by a process, through its own kernel", (HELD,), by=PROCESS, natively=True),
        Attack("fatal-hello", "another version of the ABI", (STOPPED,)),
        Attack("fatal-reset", "RESET_CPU to where nothing is", (STOPPED,), ("0", "0x70000000"), ("0xffff0000", "3")),
        Attack("task-size", "the border of the kernel half at 0, at the window, in it, misaligned", (FATE,),
               ("0xfe800000", "0xffffffff"), ("0", "0xff000000", "0xc0000001", "0x80000000")),
    ),
    "Forged returns and vectors": (
        Attack("returns", "returns with random cpsr (every mode, T, J, E, A, I, F, IT) and odd pc; the code there reads the "
               "real CPSR", (HELD,), numbers(4000), numbers(200000)),
        Attack("return-places", "returns into the window, the shared page, holes, the other half, in both modes", (HELD,)),
        Attack("iret", "by Linux's own return: SVC mode and bits that must not be taken over", (HELD,), SVC_FORGED),
        Attack("iret", "the same with every other mode", (OOPS,), OTHER_MODES),
        Attack("iret-odd", "to an odd address", (HELD,), numbers(0, 1, 2)),
        Attack("iret-window", "into the window", (OOPS,), ("0", "0x200000")),
        Attack("iret-user", "to user mode at a kernel's address, on a stack that is none", (FATE,),
               ("0", "0xfe800000", "0xffff1000", "0xdead0001")),
        Attack("vector", "one vector (bits 3:0) leads into the window (0), to nothing (16), into the shared page (32), to the "
               "last word (48), to an odd address (64)", (FATE,), numbers(0, 3, 17, 5, 35, 9, 54, 8),
               numbers(*(place * 16 + vector for place in range(5) for vector in range(10)))),
        Attack("fatal-vectors", "all vectors at nothing, then an undefined instruction", (STOPPED,)),
        Attack("fatal-stack", "a kernel stack that is none", (STOPPED,), ("0", "0xfe830000", "0xff000ff0")),
        Attack("jump", "to nowhere", (OOPS,), natively=True),
        Attack("undefined", "an undefined instruction of the kernel's", (OOPS,), natively=True),
        Attack("sigreturn", "signal frames of a process with every mode and mask, and kernel addresses", (HELD,), by=PROCESS,
               natively=True),
    ),
    "The shared page": (
        Attack("shared", "rubbish in it, calls in between, interrupts masked; by seed", (HELD,), numbers(1, 2),
               numbers(*range(3, 12))),
        Attack("shared-storm", "rubbish in it while everything runs; by seed", (FATE,), numbers(1, 2, 3),
               numbers(*range(4, 24))),
    ),
    "Interrupt lines": (
        Attack("line-ends", "ends of every line there is and is not, RT's among them, again and again", (HELD,)),
        Attack("line-bitmaps", "all lines enabled and pending for ever", (HELD,), numbers(2000), numbers(50000)),
        Attack("line-storm", "a level that never falls, each end brings the next interrupt; milliseconds", (HELD,),
               numbers(30), numbers(500)),
        Attack("timer-storm", "Linux's timer every microsecond; milliseconds", (HELD,), numbers(30), numbers(500)),
    ),
    "A process against its own kernel": (
        Attack("kernel-half", "reads, writes and executes all of the kernel half but the vectors' page, in steps of so many "
               "pages", (HELD,), numbers(256), numbers(4), by=PROCESS),
        Attack("pointers", "system calls with pointers into the kernel half and into every page of the window", (HELD,),
               by=PROCESS),
        Attack("unprivileged-load", "`ldrt` of the kernel's from a kernel's address: natively a fault", (EXCEPTION,),
               natively=True),
    ),
    "Timing": (
        Attack("irqs-off", "virtual interrupts masked for half a second", (HELD,), natively=True),
        Attack("fault-storm", "50,000 faults", (HELD,), natively=True),
        Attack("hypercall-storm", "200,000 calls of no number", (HELD,)),
        Attack("doorbell-storm", "200,000 doorbells", (HELD,)),
        Attack("tlb-storm", "flushes of all and of ranges of everything", (HELD,)),
        Attack("cache-storm", "cache maintenance of everything, and of what is not mapped", (HELD,)),
        Attack("switch-storm", "5,000 switches between hundreds of address spaces", (HELD,)),
        Attack("storm", "system calls, faults, undefined instructions and mappings of a process", (HELD,), by=PROCESS,
               natively=True),
    ),
    "V-Bus": (
        Attack("vbus-control", "rubbish in its header, directory and control words, with doorbells; milliseconds", (HELD,),
               numbers(30), numbers(300)),
        Attack("vbus-scribble", "rubbish all over it", (HELD,), numbers(30), numbers(1000)),
    ),
}

# What a coprocessor instruction may be executed as, without Rt; everywhere else it must be undefined.
# In user mode natively, too: Arm ARM DDI 0406C, B4.1; CP14's three are the identification of the debug architecture.
ANY_MODE = {
    15: {"mcr c13,c0,2": "TPIDRURW", "mrc c13,c0,2": "TPIDRURW", "mrc c13,c0,3": "TPIDRURO", "mrc c9,c14,0": "PMUSERENR",
         "mcr c7,c5,4": "ISB", "mcr c7,c10,4": "DSB", "mcr c7,c10,5": "DMB"},
    14: {"mrc c0,c0,0": "DBGDIDR", "mrc c1,c0,0": "DBGDRAR", "mrc c2,c0,0": "DBGDSAR"},
}
# Emulated, in kernel mode and ARM state: hypervisor/guest/emulate.cpp
EMULATED = {
    "mcr 2,c0,c0,0": "CSSELR", "mrc 2,c0,c0,0": "CSSELR", "mrc 1,c0,c0,0": "CCSIDR", "mrc 1,c0,c0,1": "CLIDR",
    "mrc c0,c0,0": "MIDR", "mrc c0,c0,1": "CTR", "mrc c0,c0,2": "TCMTR", "mrc c0,c3,4": "ID_PFR2",
    **{f"mrc c0,c{crm},{op2}": "identification" for crm in (1, 2) for op2 in range(8)},
    "mrc c1,c0,0": "SCTLR", "mcr c1,c0,0": "SCTLR", "mrc c1,c0,2": "CPACR", "mcr c1,c0,2": "CPACR",
    "mrc c2,c0,0": "TTBR0", "mcr c2,c0,0": "TTBR0", "mrc c3,c0,0": "DACR", "mcr c3,c0,0": "DACR",
    "mcr c7,c5,0": "ICIALLU", "mcr c7,c5,6": "BPIALL", "mcr c7,c10,1": "DCCMVAC", "mcr c8,c7,0": "TLBIALL",
    "mcr c8,c7,1": "TLBIMVA", "mcr c8,c7,2": "TLBIASID",
}
