# SPDX-License-Identifier: GPL-2.0-only
"""The laboratory: what tests/bench/plugin sees of a running machine."""
import json
import os
import time
from pathlib import Path

from rtmux_board import board, layout

from . import build, cyclictest, ui
from .paths import BUILD, DEFAULT_BOARD
from .symbols import Symbols

PLUGIN = BUILD / "host/tests/bench/plugin/rtmux_lab.so"
LINUX_TIMER_IRQ = 36 # on the PB-A8: the first SP804
LINUX_VA, LINUX_VECTORS = 0xc0000000, 0xffff0000
ISR, THREAD = "rtos::TimerQueue::interrupt(void*)", "demo::control(void*)"


class Counts:
    """A histogram: {value: times}."""

    def __init__(self, times):
        self.times = {int(value): count for value, count in times.items()}
        self.count = sum(self.times.values())
        self.average = sum(value * count for value, count in self.times.items()) / self.count if self.count else None
        self.best = min(self.times, default=None)
        self.worst = max(self.times, default=None)

    def percentile(self, percent):
        """The least value that so many percent of all do not exceed."""
        left = self.count * percent / 100
        for value, count in sorted(self.times.items()):
            left -= count
            if left <= 0:
                return value
        return self.worst


class WakeUps:
    """Expiry of the timer to the first instruction of the thread that waited; ambiguous: how many had another's wake-up
    between."""

    def __init__(self, data):
        self.instructions, self.modelled_ns = Counts(data["instructions"]), Counts(data["modelled_ns"])
        self.ambiguous = data["ambiguous"]


class Report:
    """Histograms of isr and thread, each from the vector in instructions, modelled_ns, cold_ns and locked_ns; lines
    touched on the way; the stretches with IRQs masked, the longest first."""

    def __init__(self, data):
        self.isr, self.thread = ({kind: Counts(times) for kind, times in data[point].items()}
                                 for point in ("isr", "thread"))
        self.touched = data["lines"]  # virtual addresses, of the time that touched most
        self.lines = {kind: len(lines) for kind, lines in self.touched.items()}
        self.masked = sorted(data["masked"], key=lambda stretch: -stretch["longest"])
        self.not_understood = data["cpsr_writes_not_understood"]
        self.intervals = data["intervals"] # of a program's own marks, by their numbers
        self.rt, self.linux = (WakeUps(data["wakeups"][side]) for side in ("rt", "linux"))


class _Plugin:
    """Attach it to a machine with extra=options(); then reset() and report() at any time while interrupts come."""

    def __init__(self, folder, words):
        build.preset("host", target="rtmux_lab")
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.control = self.folder / "control"
        self.control.unlink(missing_ok=True)
        os.mkfifo(self.control)
        self.irq_log = self.folder / "irq.log"
        self.words = words | {"control": self.control, "irq-log": self.irq_log}
        self.writer = None

    def options(self):
        words = (f"{name}={value:#x}" if isinstance(value, int) else f"{name}={value}"
                 for name, value in self.words.items())
        return ["-plugin", ",".join([str(PLUGIN), *words]), "-trace", "gic_set_irq", "-D", self.irq_log]

    def _command(self, text):
        if self.writer is None:
            self.writer = self.control.open("w")
        self.writer.write(text + "\n")
        self.writer.flush()

    def reset(self):
        """Forget what was seen so far."""
        self._command("reset")

    def report(self, timeout=60):
        """What was seen since reset()."""
        file = self.folder / "report.json"
        file.unlink(missing_ok=True)
        self._command(f"report {file}")
        deadline = time.monotonic() + timeout
        while not file.exists():
            if time.monotonic() > deadline:
                raise ui.Failure(f"the plugin did not write {file} within {timeout} s", f"See {self.folder}/qemu.log")
            time.sleep(0.05)
        return Report(json.loads(file.read_text()))


def _linux(kernel):
    """Plugin options for cyclictest in a Linux."""
    return cyclictest.signatures() | {"linux-irq": LINUX_TIMER_IRQ,
                                      "wakes": cyclictest.function(kernel.vmlinux, "hrtimer_wakeup")}


class Lab(_Plugin):
    """RTMux, and with its kernel cyclictest in the guest."""

    def __init__(self, folder, preset=DEFAULT_BOARD, rtos="rtos.elf", isr=ISR, thread=THREAD, kernel=None):
        built = BUILD / preset
        self.symbols = Symbols(built / "hypervisor/executive.elf", built / "rtos" / rtos)
        window, facts = layout(), board(DEFAULT_BOARD)
        first, waiter = window["RTMUX_EXEC_VA"], self.symbols.range(thread)
        super().__init__(folder, {
            "vectors": self.symbols.range("vectors")[0], "isr": self.symbols.range(isr)[0],
            "thread": f"{waiter[0]:#x}-{waiter[1]:#x}", "irq": facts["BOARD_RT_TIMER_IRQ"],
            "window": f"{first:#x}-{first + 0x1000000:#x}",
            "anchor": f"{window['RTMUX_RAM_VA']:#x}:{facts['BOARD_RAM_BASE']:#x}"} | (_linux(kernel) if kernel else {}))


class NativeLab(_Plugin):
    """A native Linux, and cyclictest in it."""

    def __init__(self, folder, kernel):
        text = [cyclictest.function(kernel.vmlinux, name) for name in ("_stext", "_etext")]
        super().__init__(folder, {
            "vectors": LINUX_VECTORS, "window": f"{text[0]:#x}-{text[1]:#x}",
            "anchor": f"{LINUX_VA:#x}:{board(DEFAULT_BOARD)['BOARD_RAM_BASE']:#x}"} | _linux(kernel))
