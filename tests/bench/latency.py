# SPDX-License-Identifier: GPL-2.0-only
"""RT latency: timer expiry to the first instruction of the woken thread, with Linux idle and under a load.

Read from the RT thread's own record through V-Bus, 20,000 periods each unless --samples says otherwise; without --load
idle and the load "linux". Virtual nanoseconds: one instruction is one; the clock that is read has a resolution of
41.7 ns.
"""
from rtmux_lib import build, latency, loads
from rtmux_lib.bench import Result
from rtmux_lib.loads import command
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.ui import Failure, Progress

SAMPLES = 20_000


def measure(machine):
    return latency.parse(command(machine, "vbus stats --raw"))


def sampled(machine, samples):
    """What the RT thread recorded for that many periods from now on."""
    before = measure(machine)
    seconds = samples * before.period_ns / 1e9
    command(machine, f"sleep {seconds + 0.1:.1f}", 1800)
    measured = measure(machine) - before
    if measured.thread.count < samples:
        raise Failure(f"only {measured.thread.count} samples, {samples} were asked for")
    return measured


def rows(name, measured, samples):
    return [Result(f"{name}.average", "virtual ns", measured.thread.average, latency.AVERAGE_BAR),
            Result(f"{name}.worst", "virtual ns", measured.thread.worst, latency.WORST_BAR),
            Result(f"{name}.best", "virtual ns", measured.thread.best),
            Result(f"{name}.interrupt.average", "virtual ns", measured.isr.average),
            Result(f"{name}.interrupt.worst", "virtual ns", measured.isr.worst),
            Result(f"{name}.samples", "periods", measured.thread.count, samples, sense="min"),
            Result(f"{name}.missed", "periods", measured.missed, 0, sense="equal")]


def run(load=None, samples=SAMPLES):
    chosen = [load] if load else ["idle", "linux"]
    folder = BUILD / "bench/latency"
    options = {name: value for one in chosen for name, value in loads.options(one, folder).items()}
    image = build.build(DEFAULT_BOARD)
    with Machine(folder, image, **options) as machine:
        with Progress("Booting"):
            machine.shell()
            boot = measure(machine)
        results = [Result("boot.periods", "periods", boot.periods, 1, sense="min"),
                   Result("boot.missed", "periods", boot.missed, 0, sense="equal")]
        for one in chosen:
            with Progress(f"Measuring under the load {one}"), loads.running(machine, one):
                results += rows(one, sampled(machine, samples), samples)
    return {"options": list(DETERMINISTIC), "load": " ".join(chosen), "samples": samples}, results
