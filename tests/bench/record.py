# SPDX-License-Identifier: GPL-2.0-only
"""A short run against tests/bench/record.json: no average may be 5 % above the record, no worst case above its bar.

What tools/rtmux test runs. Counts of instructions are the same on every machine, so a change here is a change of the code.
One that is meant: tools/rtmux bench record --update, and commit the file.
"""
import json

from rtmux_lib import build, loads
from rtmux_lib.bench import FOLDER, Result, load as benchmark
from rtmux_lib.lab import Lab
from rtmux_lib.loads import command
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD
from rtmux_lib.ui import Failure, Progress, say

RECORD = FOLDER / "record.json"
MARGIN = 1.05
PERIODS = {"idle": 1000, "linux": 400, "memory": 400, "cpu": 300, "kernel": 300, "hostile": 400}
SEEN = 400 # by the plugin
WORST_BAR = 600 # virtual ns, under every load


def from_inside(folder, image):
    """The RT thread's own record under each load."""
    options = {name: value for load in PERIODS for name, value in loads.options(load, folder).items()}
    sampled = benchmark("latency").sampled
    with Machine(folder, image, **options) as machine:
        with Progress("Booting"):
            machine.shell()
        for load, periods in PERIODS.items():
            with Progress(f"{periods} periods under the load {load}"), loads.running(machine, load):
                measured = sampled(machine, periods)
            yield f"{load}.average", measured.thread.average
            yield f"{load}.worst", measured.thread.worst
            yield f"{load}.missed", measured.missed


def from_outside(folder, image):
    """Exact counts, and the model, with Linux idle."""
    lab = Lab(folder)
    with Machine(folder, image, extra=lab.options()) as machine:
        with Progress("Booting under the plugin"):
            machine.shell(1200)
        with Progress(f"{SEEN} interrupts"):
            lab.reset()
            command(machine, f"sleep {SEEN * 500e-6:.1f}", 600)
            report = lab.report()
    if report.rt.instructions.count < SEEN:
        raise Failure(f"the plugin saw {report.rt.instructions.count} wake-ups of the RT thread, not {SEEN}")
    yield "vector_to_isr.average", report.isr["instructions"].average
    yield "vector_to_isr.worst", report.isr["instructions"].worst
    yield "expiry_to_thread.average", report.rt.instructions.average
    yield "expiry_to_thread.worst", report.rt.instructions.worst
    yield "masked.worst", report.masked[0]["longest"]
    yield "lines.worst", sum(report.lines.values())


def worst_bar(name):
    """The budget where there is one: what a guest does never costs more. Else the record's margin."""
    return WORST_BAR if name in [f"{load}.worst" for load in PERIODS] + ["expiry_to_thread.worst"] else None


def results(folder, image):
    measured = dict((*from_inside(folder / "inside", image), *from_outside(folder / "outside", image)))
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    rows = []
    for name, value in measured.items():
        if name.endswith(".missed"):
            rows.append(Result(name, "periods", value, 0, sense="equal"))
            continue
        bar = worst_bar(name) or (recorded[name] * MARGIN if name in recorded else None)
        rows.append(Result(name, "virtual ns", round(value, 1), bar))
    return rows


def update(rows):
    RECORD.write_text(json.dumps({"SPDX-License-Identifier": "GPL-2.0-only"} | {r.name: r.value for r in rows if not r.name.endswith(".missed")}, indent=2) + "\n")
    say(f"Written: {RECORD.relative_to(FOLDER.parents[1])}; commit it with the change that it records.")


def run(update_record=None):
    rows = results(BUILD / "bench/record", build.build(build.DEFAULT_BOARD))
    if update_record:
        update(rows)
    return {"options": list(DETERMINISTIC), "load": " ".join(PERIODS), "samples": sum(PERIODS.values())}, rows
