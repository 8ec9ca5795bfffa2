# SPDX-License-Identifier: GPL-2.0-only
"""RT latency: timer expiry to the first instruction of the woken thread, idle and with Linux busy.

20,000 periods each, read from the RT thread's own record through V-Bus. Virtual nanoseconds: one instruction is one;
the clock that is read has a resolution of 41.7 ns.
"""
from rtmux_lib import build, latency
from rtmux_lib.bench import Result
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.ui import Failure, Progress

SAMPLES = 20_000
LOAD = "hackbench, dd, find and a fork loop, side by side (tests/guest/load.sh)"


def command(machine, text, timeout=60):
    status, output = machine.run(text, timeout)
    if status != 0:
        raise Failure(f"in the guest, `{text}` ended with status {status}: {output}")
    return output


def measure(machine):
    return latency.parse(command(machine, "vbus stats --raw"))


def sampled(machine, timeout):
    """What the RT thread recorded while Linux slept, or its load ran, for SAMPLES periods."""
    before = measure(machine)
    seconds = SAMPLES * before.period_ns / 1e9
    command(machine, f"sleep {seconds + 0.1:.1f}", timeout)
    measured = measure(machine) - before
    if measured.thread.count < SAMPLES:
        raise Failure(f"only {measured.thread.count} samples, {SAMPLES} were asked for")
    return measured


def rows(name, measured):
    return [Result(f"{name}.average", "virtual ns", measured.thread.average, latency.AVERAGE_BAR),
            Result(f"{name}.worst", "virtual ns", measured.thread.worst, latency.WORST_BAR),
            Result(f"{name}.best", "virtual ns", measured.thread.best),
            Result(f"{name}.interrupt.average", "virtual ns", measured.isr.average),
            Result(f"{name}.interrupt.worst", "virtual ns", measured.isr.worst),
            Result(f"{name}.samples", "periods", measured.thread.count, SAMPLES, sense="min"),
            Result(f"{name}.missed", "periods", measured.missed, 0, sense="equal")]


def run():
    image = build.build(DEFAULT_BOARD)
    with Machine(BUILD / "bench/latency", image) as machine:
        with Progress("Booting"):
            machine.shell()
            boot = measure(machine)
        with Progress("Measuring with Linux idle"):
            idle = sampled(machine, 600)
        with Progress("Measuring with Linux busy"):
            command(machine, "load.sh")
            busy = sampled(machine, 1800)
            work = command(machine, "load.sh stop", 600)
            if " 0\n" in work:
                raise Failure(f"part of the load did not run:\n{work}")
    results = [Result("boot.periods", "periods", boot.periods, 1, sense="min"),
               Result("boot.missed", "periods", boot.missed, 0, sense="equal")]
    return ({"options": list(DETERMINISTIC), "load": LOAD, "samples": SAMPLES},
            results + rows("idle", idle) + rows("busy", busy))
