# SPDX-License-Identifier: GPL-2.0-only
"""Is a machine still as it must be? Seen from outside, in its memory: nothing that it says is believed.

* code and constants of executive and RTOS are those of their files;
* the translation tables that hardware walks give PL0 nothing but guest RAM, V-Bus, the guest's devices and the shared
  page, each with the rights and in the domain that it may have, and the window is PL1's alone and W^X;
* the RT thread ran all its periods, none late; no FP register of RT's was lost; no abort hit privileged code.
"""
import array
import re
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from elf32 import Elf  # noqa: E402
from rtmux_board import BOARDS, INCLUDE, board, defines, layout  # noqa: E402
from rtmux_lib.paths import BUILD, DEFAULT_BOARD  # noqa: E402
from rtmux_lib.symbols import Symbols  # noqa: E402

MEGABYTE, PAGE = 1 << 20, 4096
EXECUTIVE, KERNEL, USER, VECTORS = range(4)  # domains, hypervisor/mmu/domain.h
VBUS = ROOT / "vbus/include/rtmux"
BINS, VERSION = (defines(VBUS / name)[define] for name, define in (("latency.h", "RTMUX_HISTOGRAM_BINS"),
                                                                  ("measurement.h", "RTMUX_MEASUREMENT_VERSION")))
LATENCY = struct.Struct(f"<QQIIII{BINS}I")   # struct rtmux_latency, of the handler and of the thread
HEAD = struct.Struct("<IIIIQQ")              # and before them struct rtmux_measurement's own
READ_ONLY, READ_WRITE, PL1_READ_WRITE, PL1_READ_ONLY = 7, 3, 1, 5  # AP[2:0]


class Broken(AssertionError):
    """What is not as it must be."""


def device_pages(name):
    """{page number: "guest" or "guest_read_only"} of a board's table."""
    facts = board(name)
    pages = {}
    for base, size, owner in re.findall(r'\{"[\w-]+",\s*(\w+),\s*(\w+),\s*Owner::(\w+)',
                                        (BOARDS / name / "devices.hpp").read_text()):
        base = facts[base] if base in facts else int(base, 0)
        if owner.startswith("guest"):
            pages.update(dict.fromkeys(range(base // PAGE, (base + int(size, 0)) // PAGE), owner))
    return pages


class Leaf:
    """A section, or a page, of the tables that hardware walks."""

    def __init__(self, word, section):
        self.word, self.section = word, section
        if section:
            self.pa, self.size = word & 0xfff00000, MEGABYTE
            self.ap, self.execute_never = word >> 13 & 4 | word >> 10 & 3, bool(word & 16)
        else:
            self.pa, self.size = word & 0xfffff000, PAGE
            self.ap, self.execute_never = word >> 7 & 4 | word >> 4 & 3, bool(word & 1)


class Audit:
    """Of one machine, that runs an image of a preset: begin() before an attack, check() after it."""

    def __init__(self, machine, qmp, preset=DEFAULT_BOARD, rtos="rtos.elf"):
        self.machine, self.qmp = machine, qmp
        self.facts, self.layout = board(DEFAULT_BOARD), layout()
        folder = BUILD / preset
        executive, program = folder / "hypervisor/executive.elf", folder / "rtos" / rtos
        self.data = Symbols(executive, program).data
        ends = Elf(executive.read_bytes()).symbols(("__text_start", "__rodata_end"))
        self.fixed = [(ends["__text_start"],
                       (folder / "hypervisor/executive.bin").read_bytes()[:ends["__rodata_end"] - ends["__text_start"]])]
        elf = Elf(program.read_bytes())
        self.fixed += [(s.vaddr, elf.data[s.offset:s.offset + s.filesz]) for s in elf.loaded() if not s.flags & 2]
        self.devices = device_pages(DEFAULT_BOARD)
        base, size = re.search(r"^\[exec\] guest: kernel at (\w+), (\d+) KiB of memory", machine.log.text,
                               re.MULTILINE).groups()
        first = int(base, 16) // MEGABYTE * MEGABYTE
        self.ram = range(first, first + int(size) * 1024)
        vbus = self.pa(self.layout["RTMUX_VBUS_VA"])
        self.vbus = range(vbus, vbus + self.facts["BOARD_VBUS_SIZE"])
        self.shared = defines(INCLUDE / "abi/guest.h")["RTMUX_SHARED"]

    def pa(self, va):
        return va - self.layout["RTMUX_RAM_VA"] + self.facts["BOARD_RAM_BASE"]

    def memory(self, va, size):
        return self.qmp.memory(self.pa(va), size)

    def word(self, name):
        return struct.unpack("<I", self.memory(self.data[name], 4))[0]

    # The RT side's record, and what came to it since begin()

    def record(self):
        data = self.memory(self.data["demo::record"], HEAD.size + 2 * LATENCY.size)
        version, size, _, _, periods, missed = HEAD.unpack_from(data)
        if (version, size) != (VERSION, len(data)):
            raise Broken(f"RT's record has version {version} and {size} bytes")
        fields = LATENCY.unpack_from(data, HEAD.size + LATENCY.size)
        return periods, missed, fields[3], fields[4], fields[6:]

    def begin(self):
        self.before = self.record()

    def worst(self):
        """(periods, worst latency in ns) since begin(); its bins are ticks of the RT clock."""
        periods, missed, highest, overflow, histogram = self.record()
        if missed:
            raise Broken(f"RT missed {missed} periods")
        bins = [n for n, count in enumerate(histogram) if count != self.before[4][n]]
        if periods != self.before[0] and not bins and overflow == self.before[3]:
            raise Broken("RT's periods have no latencies")
        ticks = highest if overflow != self.before[3] else max(bins, default=0)
        return periods - self.before[0], ticks * 1_000_000_000 // self.facts["BOARD_COUNTER_HZ"]

    def check_code(self):
        for va, expected in self.fixed:
            if self.memory(va, len(expected)) != expected:
                raise Broken(f"code or constants at {va:#x} have changed")

    def check_counters(self):
        if self.word("demo::mismatches"):
            raise Broken("RT lost an FP register")

    # Translation tables

    def allowed(self, pa, writes, executes):
        if pa in self.ram or pa in self.vbus:
            return True
        owner = self.devices.get(pa // PAGE)
        return owner == "guest" and not executes or owner == "guest_read_only" and not (writes or executes)

    def check_guest_leaf(self, leaf, where, domain):
        if leaf.ap not in (0, READ_ONLY, READ_WRITE):
            raise Broken(f"{where}: AP {leaf.ap} in {leaf.word:08x}")
        if leaf.ap and not all(self.allowed(pa, leaf.ap == READ_WRITE, not leaf.execute_never)
                               for pa in range(leaf.pa, leaf.pa + leaf.size, PAGE)):
            raise Broken(f"{where}: {leaf.word:08x} gives the guest what is not its own")
        if domain not in (KERNEL, USER, VECTORS):
            raise Broken(f"{where}: domain {domain}")

    def check_window_leaf(self, leaf, where):
        if leaf.ap not in (PL1_READ_WRITE, PL1_READ_ONLY):
            raise Broken(f"{where}: AP {leaf.ap} in {leaf.word:08x}")
        if leaf.ap == PL1_READ_WRITE and not leaf.execute_never:
            raise Broken(f"{where}: {leaf.word:08x} is written and executed")

    def check_tables(self):
        l1 = array.array("I", self.memory(self.data["rtmux::hardware_l1"], 4 * 4096))
        pool_va = self.data["rtmux::shadow_pool"]
        pool = array.array("I", self.memory(pool_va, MEGABYTE))
        window = range(self.layout["RTMUX_RAM_VA"] >> 20, (self.layout["RTMUX_RAM_VA"] >> 20) + 16)
        # Of free tables too: whatever was ever filled was the guest's
        leaves = {word for word in set(pool) if word}
        for word in leaves:
            if not word & 2:
                raise Broken(f"{word:08x} in a shadow table is no small page")
            self.check_guest_leaf(Leaf(word, False), "shadow table", KERNEL)
        for slot, word in enumerate(l1):
            where, domain = f"L1 slot {slot:#x}", word >> 5 & 15
            if slot in window:
                self.check_window(slot, word, domain)
            elif word & 3 == 1:
                if not 0 <= (word & 0xfffffc00) - self.pa(pool_va) < MEGABYTE or domain not in (KERNEL, USER, VECTORS):
                    raise Broken(f"{where}: {word:08x} is no table of the pool's")
            elif word & 3 == 2:
                if word & 1 << 18:
                    raise Broken(f"{where}: {word:08x} is a supersection")
                self.check_guest_leaf(Leaf(word, True), where, domain)
            elif word:
                raise Broken(f"{where}: {word:08x}")

    def check_window(self, slot, word, domain):
        where = f"window, {slot << 20:#x}"
        if word == 0:
            return
        if slot == self.shared >> 20:
            table = array.array("I", self.memory((word & 0xfffffc00) - self.facts["BOARD_RAM_BASE"] +
                                                 self.layout["RTMUX_RAM_VA"], 1024))
            shared = Leaf(table[0], False)
            if domain != KERNEL or any(table[1:]) or shared.ap != READ_WRITE or not shared.execute_never or \
                    shared.pa != self.pa(self.data["rtmux::window::(anonymous namespace)::shared_page_memory"]):
                raise Broken(f"{where}: the shared page's table")
        elif domain != EXECUTIVE:
            raise Broken(f"{where}: domain {domain}")
        elif word & 3 == 2:
            self.check_window_leaf(Leaf(word, True), where)
        else:
            table_va = (word & 0xfffffc00) - self.facts["BOARD_RAM_BASE"] + self.layout["RTMUX_RAM_VA"]
            for entry in array.array("I", self.memory(table_va, 1024)):
                if entry:
                    self.check_window_leaf(Leaf(entry, False), where)

    def check(self):
        """Everything; returns what worst() does."""
        self.check_code()
        self.check_tables()
        self.check_counters()
        return self.worst()
