# SPDX-License-Identifier: GPL-2.0-only
"""RT latency: timer expiry to the first instruction of the woken thread, with Linux idle and under a load.

Read from the RT thread's own record through V-Bus, 20,000 periods each unless --samples says otherwise; without --load
idle and the load "linux". Virtual nanoseconds: one instruction is one; the clock that is read has a resolution of
41.7 ns.

With --against, from outside instead, by the plugin: RTMux, and native Linux kernels with cyclictest at the same rate under the
same load (tools/rtmux_lib/peers.py), 4,000 periods each.
"""
from rtmux_lib import build, cyclictest, latency, loads, packages, peers, plot
from rtmux_lib.bench import Result
from rtmux_lib.loads import command
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.ui import Failure, Progress

SAMPLES = 20_000
SAMPLES_AGAINST = 4000
RATIO_BARS = {"preempt-rt": 20, "preempt": 80} # so many times better is RTMux' worst case under a load


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


def compared(load, samples, names, svg):
    packages.require()
    build.preset(DEFAULT_BOARD)
    systems = peers.measure(load, samples, names)
    results = []
    for one in systems:
        results += [Result(f"{one.name}.average", "virtual ns", one.latency.average),
                    Result(f"{one.name}.99", "virtual ns", one.latency.percentile(99)),
                    Result(f"{one.name}.99.9", "virtual ns", one.latency.percentile(99.9)),
                    Result(f"{one.name}.worst", "virtual ns", one.worst,
                           latency.WORST_BAR if one.name == "rtmux" else None),
                    Result(f"{one.name}.modelled.average", "modelled ns", one.modelled.average),
                    Result(f"{one.name}.modelled.worst", "modelled ns", one.modelled.worst),
                    Result(f"{one.name}.samples", "wake-ups", one.latency.count)]
        if one.own:
            results += [Result(f"{one.name}.cyclictest.average", "us", one.own.average),
                        Result(f"{one.name}.cyclictest.worst", "us", one.own.worst)]
        if one.name in RATIO_BARS:
            results.append(Result(f"{one.name}.ratio", "worst/RTMux' worst", one.worst / systems[0].worst,
                                  None if load == "idle" else RATIO_BARS[one.name], sense="min"))
    if svg:
        plot.histogram(svg, f"Load: {load}, {samples} periods of {peers.PERIOD_US} us", peers.curves(systems))
    bars = [f"{peers.TITLES[r.name.removesuffix('.ratio')]}: {r.value:.1f} times RTMux' worst case, the bar is {r.bar}: "
            + ("ok" if r.ok else "MISSED") for r in results if r.name.endswith(".ratio") and r.bar]
    text = "\n".join([f"Load {load}, {samples} periods of {peers.PERIOD_US} us", "", peers.table(systems), "", *bars,
                      f"Picture: {svg}" if svg else ""]).rstrip()
    return {"options": list(DETERMINISTIC), "load": load, "samples": samples, "peers": list(names),
            "peer_options": [peers.PEER_BOOTARGS, cyclictest.command(peers.PERIOD_US, samples)]}, results, text


def run(load=None, samples=None, against=None, svg=None):
    if against:
        return compared(load or "linux", samples or SAMPLES_AGAINST, against.split(","), svg)
    if svg:
        raise Failure("--svg draws what --against compares")
    samples = samples or SAMPLES
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
