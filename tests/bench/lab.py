# SPDX-License-Identifier: GPL-2.0-only
"""RT path seen from outside: instructions, lines touched, masked stretches, and an estimate for a Cortex-A8.

A plugin in QEMU (tests/bench/plugin) sees every instruction: from the interrupt's vector to the RT ISR to the thread that
it wakes, with Linux idle and under a load. Modelled are the times that these would take on a Cortex-A8 of 1 GHz, an estimate:
with what its caches and TLBs hold by then, cold, with nothing of RT in them,
and locked, with nothing of RT in them but in L2. docs/latency.md has the method.

With --validate: the estimate beside what was published of a board.
"""
from rtmux_lib import build, loads, modelcheck, packages
from rtmux_lib.bench import Result
from rtmux_lib.lab import Lab
from rtmux_lib.loads import command
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.ui import Failure, Progress

SAMPLES = 4000
PERIOD = 500e-6  # of the demo's control loop, in seconds
LONGEST = 5      # masked stretches that are shown


def seen(machine, lab, samples):
    lab.reset()
    command(machine, f"sleep {samples * PERIOD + 0.1:.1f}", 3000)
    report = lab.report()
    if report.thread["instructions"].count < samples:
        raise Failure(f"the plugin saw the thread woken {report.thread['instructions'].count} times, not {samples}")
    return report


def rows(load, report, symbols):
    for name, point in (("isr", report.isr), ("thread", report.thread)):
        for kind, unit in (("instructions", "instructions"), ("modelled_ns", "modelled ns"), ("cold_ns", "modelled ns"),
                           ("locked_ns", "modelled ns")):
            counts = point[kind]
            kind = kind.removesuffix("_ns")
            yield Result(f"{load}.{name}.{kind}.average", unit, counts.average)
            yield Result(f"{load}.{name}.{kind}.worst", unit, counts.worst)
    for kind, count in report.lines.items():
        yield Result(f"{load}.lines.{kind}", "64-byte lines", count)
    yield Result(f"{load}.lines", "64-byte lines", sum(report.lines.values()))
    for stretch in report.masked[:LONGEST]:
        yield Result(f"{load}.masked.{symbols.place(stretch['start'])} to {symbols.place(stretch['end'])}",
                     "instructions", stretch["longest"])
    yield Result(f"{load}.not_understood", "writes of CPSR", report.not_understood, 0, sense="equal")


def validated():
    packages.require()
    rows = modelcheck.measure()
    results = [Result(f"{row.name}.{kind}", unit, value) for row in rows for kind, unit, value in
               (("modelled", "ns", row.modelled), ("published.least", "ns", row.least), ("published.most", "ns", row.most),
                ("deviation", "%", row.deviation))]
    return {"options": list(DETERMINISTIC), "source": modelcheck.SOURCE}, results, modelcheck.table(rows)


def run(load=None, samples=SAMPLES, validate=False):
    if validate:
        return validated()
    chosen = [load] if load else ["idle", "linux"]
    folder = BUILD / "bench/lab"
    options = {name: value for one in chosen for name, value in loads.options(one, folder).items()}
    image = build.build(DEFAULT_BOARD)
    lab = Lab(folder)
    results = []
    with Machine(folder, image, extra=lab.options(), **options) as machine:
        with Progress("Booting, about ten times as slow as without the plugin"):
            machine.shell(1200)
        for one in chosen:
            with Progress(f"Measuring under the load {one}"), loads.running(machine, one):
                results += rows(one, seen(machine, lab, samples), lab.symbols)
    return {"options": list(DETERMINISTIC), "load": " ".join(chosen), "samples": samples}, results
