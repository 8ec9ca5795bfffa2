# SPDX-License-Identifier: GPL-2.0-only
"""The cost model against a board: what lmbench measures, by the model on the native kernel, beside published figures."""
import re
from dataclasses import dataclass

from . import build, ui
from .lab import NativeLab
from .loads import command
from .machine import Machine
from .paths import BUILD

# TI, Processor SDK Linux, Performance Guide for AM335x: AM335x EVM at 1 GHz with DDR3-800, as the BeagleBone Black.
# LMBench of the editions 07.00 (Linux 5.4) and 09.03 (Linux 6.1), ns.
SOURCE = "TI, Performance Guide for AM335x, Processor SDK Linux 07.00 and 09.03"
PUBLISHED = {
    "mem16k": ("load, stride 128: L1 (16 KiB; published: 31)", 3.02, 3.19),
    "mem62k": ("load, 62 KiB: L2", 8.72, 9.35),
    "mem125k": ("load, 125 KiB: L2 and TLB", 11.68, 14.61),
    "mem1000k": ("load, 1000 KiB: memory", 220.90, 270.29),
    "null": ("null system call", 510, 530),
    "signal": ("signal to oneself, caught", 6000, 8190),
    "pipe": ("pipe round trip, two processes", 34680, 38210),
}


@dataclass
class Row:
    name: str
    title: str
    modelled: float
    least: float
    most: float

    @property
    def deviation(self):
        """Percent from the middle of what is published."""
        middle = (self.least + self.most) / 2
        return 100 * (self.modelled - middle) / middle


def measure():
    kernel = build.linux("native")
    folder = BUILD / "bench/modelcheck"
    initrd = build.initramfs("native", kernel)
    lab = NativeLab(folder, kernel)
    with Machine(folder, kernel.uimage, initrd=initrd, dtb=kernel.dtb, append=build.BOOTARGS, extra=lab.options()) as machine:
        with ui.Progress("Running what lmbench measures, under the model"):
            machine.shell(1800)
            output = command(machine, "modelcheck", 1800)
            intervals = lab.report().intervals
    rows = []
    for name, number, operations in re.findall(r"^(\w+) (\d+) (\d+)$", output, re.MULTILINE):
        interval = intervals[int(number)]
        if interval["instructions"] < int(operations):
            raise ui.Failure(f"the plugin did not see {name}")
        rows.append(Row(name, PUBLISHED[name][0], interval["modelled_ns"] / int(operations), *PUBLISHED[name][1:]))
    if [row.name for row in rows] != list(PUBLISHED):
        raise ui.Failure(f"modelcheck did not print what it should: {output}")
    return rows


def table(rows):
    lines = [("ns per operation", "published", "modelled", "deviation")]
    lines += [(row.title, f"{row.least:g} to {row.most:g}", f"{row.modelled:.1f}", f"{row.deviation:+.0f} %") for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(f"{line[0]:<{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:>{widths[2]}}  {line[3]:>{widths[3]}}"
                     for line in lines) + f"\n\nPublished: {SOURCE}"
