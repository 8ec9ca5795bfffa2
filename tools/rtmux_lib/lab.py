# SPDX-License-Identifier: GPL-2.0-only
"""The laboratory: what tests/bench/plugin sees of a running machine."""
import json
import os
import time
from pathlib import Path

from rtmux_board import board, layout

from . import build, ui
from .paths import BUILD, DEFAULT_BOARD
from .symbols import Symbols

PLUGIN = BUILD / "host/tests/bench/plugin/rtmux_lab.so"
ISR, THREAD = "rtos::TimerQueue::interrupt(void*)", "demo::control(void*)"


class Counts:
    """A histogram: {value: times}."""

    def __init__(self, times):
        self.times = {int(value): count for value, count in times.items()}
        self.count = sum(self.times.values())
        self.average = sum(value * count for value, count in self.times.items()) / self.count if self.count else None
        self.best = min(self.times, default=None)
        self.worst = max(self.times, default=None)


class Report:
    """Histograms of isr and thread, each from the vector in instructions, modelled_ns and cold_ns; lines touched on the
    way; the stretches with IRQs masked, the longest first."""

    def __init__(self, data):
        self.isr, self.thread = ({kind: Counts(times) for kind, times in data[point].items()}
                                 for point in ("isr", "thread"))
        self.lines = data["lines"]
        self.masked = sorted(data["masked"], key=lambda stretch: -stretch["longest"])
        self.not_understood = data["cpsr_writes_not_understood"]


class Lab:
    """Attach it to a machine with extra=lab.options(); then reset() and report() at any time while RT interrupts come."""

    def __init__(self, folder, preset=DEFAULT_BOARD, rtos="rtos.elf", isr=ISR, thread=THREAD):
        build.preset("host", target="rtmux_lab")
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        built = BUILD / preset
        self.symbols = Symbols(built / "hypervisor/executive.elf", built / "rtos" / rtos)
        self.isr, self.thread = self.symbols.range(isr)[0], self.symbols.range(thread)
        self.control = self.folder / "control"
        self.control.unlink(missing_ok=True)
        os.mkfifo(self.control)
        self.writer = None

    def options(self):
        window = layout()
        first = window["RTMUX_EXEC_VA"]
        words = {"vectors": f"{self.symbols.range('vectors')[0]:#x}", "isr": f"{self.isr:#x}",
                 "thread": f"{self.thread[0]:#x}-{self.thread[1]:#x}", "window": f"{first:#x}-{first + 0x1000000:#x}",
                 "anchor": f"{window['RTMUX_RAM_VA']:#x}:{board(DEFAULT_BOARD)['BOARD_RAM_BASE']:#x}",
                 "control": self.control}
        return ["-plugin", ",".join([str(PLUGIN), *(f"{name}={value}" for name, value in words.items())])]

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
