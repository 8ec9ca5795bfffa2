# SPDX-License-Identifier: GPL-2.0-only
"""RTMux and the Linux kernels it is compared with, each measured by the plugin on the same machine under the same load.

A peer is configured as who wants real time from it would: cyclictest's memory locked, its thread SCHED_FIFO, no limit to the
time of real-time threads, the tick left on (no time lost with turning it on and off), no debugging, messages off the console.
Idle states deeper than WFI do not exist on this board.
"""
from dataclasses import dataclass

from . import build, cyclictest, loads
from .lab import Counts, Lab, NativeLab
from .loads import command
from .machine import Machine
from .paths import BUILD
from .ui import Failure, Progress

KERNELS = {"preempt": "native", "preempt-rt": "preempt-rt"} # peer: variant of tools/build-linux
TITLES = {"rtmux": "RTMux, RT thread", "preempt": "Linux PREEMPT", "preempt-rt": "Linux PREEMPT_RT",
          "guest": "Linux in RTMux"}
PEER_BOOTARGS = "nohz=off"
PERIOD_US = 500 # of the RT thread, and of cyclictest
BOOT_SECONDS, RUN_SECONDS = 1800, 4 * 3600


@dataclass
class Measured:
    """One system under a load: expiry of the timer to the first instruction of the thread that waits for it."""
    name: str
    latency: Counts      # virtual ns: one instruction is one
    modelled: Counts     # ns of the Cortex-A8 model: an estimate
    own: cyclictest.Histogram | None = None  # what cyclictest saw

    @property
    def worst(self):
        """The line may rise for an earlier deadline, be served late, and wake the thread as well: cyclictest, which knows its
        deadline, sees then less than the plugin."""
        return min(self.latency.worst, (self.own.worst + 1) * 1000) if self.own else self.latency.worst


def _cyclictest(machine, lab, samples):
    command(machine, "echo -1 >/proc/sys/kernel/sched_rt_runtime_us")
    lab.reset()
    own = cyclictest.Histogram(command(machine, cyclictest.command(PERIOD_US, samples), RUN_SECONDS))
    return own, lab.report()


def _linux(name, own, report, samples):
    if report.linux.instructions.count < samples * 0.99:
        raise Failure(f"{name}: the plugin saw {report.linux.instructions.count} of {samples} wake-ups of cyclictest")
    return Measured(name, report.linux.instructions, report.linux.modelled_ns, own)


def rtmux(load, samples, folder=BUILD / "bench/latency-rtmux"):
    """RTMux' RT thread, and cyclictest in its guest at the same time."""
    kernel = build.linux("guest")
    lab = Lab(folder, kernel=kernel)
    with Machine(folder, build.image(kernel=kernel), extra=lab.options(), **loads.options(load, folder)) as machine:
        with Progress("RTMux: booting"):
            machine.shell(BOOT_SECONDS)
        with Progress(f"RTMux: {samples} periods under the load {load}"), loads.running(machine, load):
            own, report = _cyclictest(machine, lab, samples)
    if report.rt.instructions.count < samples:
        raise Failure(f"the plugin saw {report.rt.instructions.count} of {samples} wake-ups of the RT thread")
    return [Measured("rtmux", report.rt.instructions, report.rt.modelled_ns), _linux("guest", own, report, samples)]


def native(name, kernel, initrd, load, samples, folder):
    """A native kernel that is there."""
    lab = NativeLab(folder, kernel)
    with Machine(folder, kernel.uimage, initrd=initrd, dtb=kernel.dtb, append=f"{build.BOOTARGS} {PEER_BOOTARGS}",
                 extra=lab.options(), **loads.options(load, folder)) as machine:
        with Progress(f"{TITLES[name]}: booting"):
            machine.shell(BOOT_SECONDS)
        with Progress(f"{TITLES[name]}: {samples} periods under the load {load}"), loads.running(machine, load):
            own, report = _cyclictest(machine, lab, samples)
    return _linux(name, own, report, samples)


def peer(name, load, samples):
    """A native kernel, built if it is not there."""
    if name not in KERNELS:
        raise Failure(f"nothing named {name} to compare with", "Known: " + " ".join(KERNELS))
    kernel = build.linux(KERNELS[name])
    return native(name, kernel, build.initramfs(KERNELS[name], kernel), load, samples, BUILD / f"bench/latency-{name}")


def measure(load, samples, names):
    """RTMux, the peers, and Linux in RTMux."""
    ours, guest = rtmux(load, samples)
    return [ours, *(peer(name, load, samples) for name in names), guest]


def curves(systems):
    """What plot.histogram draws."""
    return [(TITLES[one.name], one.latency.times) for one in systems]


def table(systems):
    """One row each, times in microseconds."""
    def us(ns):
        return f"{ns / 1000:.2f}"

    best = systems[0].worst
    rows = [("us from expiry to thread", "average", "99 %", "99.9 %", "worst", "ratio", "modelled average", "worst",
             "cyclictest's own average", "worst")]
    for one in systems:
        rows.append((TITLES[one.name], us(one.latency.average), us(one.latency.percentile(99)),
                     us(one.latency.percentile(99.9)), us(one.worst), f"{one.worst / best:.1f}", us(one.modelled.average),
                     us(one.modelled.worst), *((f"{one.own.average:.1f}", str(one.own.worst)) if one.own else ("", ""))))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])
                     .rstrip() for row in rows)
