# SPDX-License-Identifier: GPL-2.0-only
"""Measure what README.md and docs/latency.md say, and write it there: their tables, and docs/latency.svg.

A table stands between <!-- NAME --> and <!-- end of NAME -->, NAME being loads, peers or model; --only takes one of them. The
picture is in git because the README shows it: text, about 20 KB, of nothing but these figures. It takes hours on a busy
machine, most of it QEMU with the plugin. --samples: of the systems compared, 2,000; the loads have twice as many.
"""
import re

from rtmux_lib import build, latency, loads, modelcheck, packages, peers, plot
from rtmux_lib.bench import Result, load as benchmark
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, ROOT
from rtmux_lib.ui import Failure, Progress

PICTURE = ROOT / "docs/latency.svg"
PAGES = (ROOT / "README.md", ROOT / "docs/latency.md")
LOAD = "linux" # of the comparison
SAMPLES = 2000


def insert(name, text):
    """Put a table into the pages that have its place; an error if none has."""
    places = 0
    for page in PAGES:
        old = page.read_text()
        new, found = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", lambda place: place[1] + text + place[2], old,
                             flags=re.DOTALL)
        places += found
        if new != old:
            page.write_text(new)
    if not places:
        raise Failure(f"no page has a place for the table {name}")


def markdown(rows):
    head, *body = [[str(cell) for cell in row] for row in rows]
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)]) + "\n"


def publish_loads(samples):
    """From inside: the RT thread's own record under each load."""
    folder, names = BUILD / "bench/publish", loads.names()
    options = {option: value for name in names for option, value in loads.options(name, folder).items()}
    sampled = benchmark("latency").sampled
    rows, results = [("load", "average", "worst", "best", "missed")], []
    with Machine(folder, build.build(DEFAULT_BOARD), **options) as machine:
        with Progress("Booting"):
            machine.shell()
        for name in names:
            with Progress(f"{2 * samples} periods under the load {name}"), loads.running(machine, name):
                measured = sampled(machine, 2 * samples)
            thread = measured.thread
            rows.append((f"`{name}`", f"{thread.average:.0f}", f"{thread.worst:.0f}", f"{thread.best:.0f}", measured.missed))
            results.append(Result(f"{name}.worst", "virtual ns", thread.worst, latency.WORST_BAR))
    insert("loads", f"Virtual ns from expiry to thread, {2 * samples} periods each:\n\n" + markdown(rows))
    return results


def publish_peers(samples):
    """From outside: RTMux and the Linux kernels it is compared with."""
    compared = benchmark("latency")
    systems = peers.measure(LOAD, samples, compared.RATIO_BARS)
    first = systems[0]
    rows = [("", "average", "99 %", "99.9 %", "worst", "ratio", "cyclictest's worst", "modelled average",
             "modelled worst")]
    for one in systems:
        rows.append((peers.TITLES[one.name], *(f"{ns / 1000:.2f}" for ns in (
            one.latency.average, one.latency.percentile(99), one.latency.percentile(99.9), one.worst)),
            f"{one.worst / first.worst:.0f}", one.own.worst if one.own else "",
            f"{one.modelled.average / 1000:.1f}", f"{one.modelled.worst / 1000:.1f}"))
    insert("peers", f"Microseconds from expiry to thread, load `{LOAD}`, {samples} periods of {peers.PERIOD_US} us each:\n\n"
           + markdown(rows))
    plot.histogram(PICTURE, f"Load: {LOAD}, {samples} periods of {peers.PERIOD_US} us", peers.curves(systems))
    return [Result(f"{one.name}.worst", "virtual ns", one.worst) for one in systems]


def publish_model(_samples):
    rows = modelcheck.measure()
    insert("model", markdown([("ns per operation", "published", "modelled", "deviation"),
                              *((row.title, f"{row.least:g} to {row.most:g}", f"{row.modelled:.1f}", f"{row.deviation:+.0f} %")
                                for row in rows)]))
    return [Result(f"{row.name}.deviation", "%", row.deviation) for row in rows]


PARTS = {"loads": publish_loads, "peers": publish_peers, "model": publish_model}


def run(samples=SAMPLES, only=None):
    if only and only not in PARTS:
        raise Failure(f"no part named {only}", "Known: " + " ".join(PARTS))
    packages.require()
    build.preset(DEFAULT_BOARD)
    results = [result for name, part in PARTS.items() if only in (None, name) for result in part(samples)]
    return {"options": list(DETERMINISTIC), "samples": samples}, results
