# SPDX-License-Identifier: GPL-2.0-only
"""RT interrupt path: instructions from the interrupt vector to the woken thread, function by function.

QEMU writes down every instruction of the window while the RTOS runs alone. Counted is the path that the control thread's
timer takes most often, from the first instruction of vector_irq to the thread's first one behind its wait.
docs/latency.md explains the steps.
"""
import collections
from itertools import groupby

from rtmux_lib import build, executed, packages
from rtmux_lib.bench import Result
from rtmux_lib.latency import AVERAGE_BAR
from rtmux_lib.machine import DETERMINISTIC
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.symbols import Symbols
from rtmux_lib.ui import Failure, Progress

SAMPLES = 1000
VECTOR, THREAD = "vector_irq", "demo::control(void*)"


def walks(addresses, symbols):
    """For each time that the thread follows the vector, the names of the instructions' functions in between."""
    start, _ = symbols.range(VECTOR)
    names, walk = {}, None
    for address in addresses:
        if address == start:
            walk = []
        if walk is None:
            continue
        name = names.setdefault(address, symbols.name(address))
        if name == THREAD:
            yield walk
            walk = None
        else:
            walk.append(name)


def run():
    packages.require()
    packages.kernel_source()
    build.preset(DEFAULT_BOARD)
    built = BUILD / DEFAULT_BOARD
    folder = BUILD / "bench/path"
    folder.mkdir(parents=True, exist_ok=True)
    image = build.image_without_guest(folder / "rtmux.img")
    symbols = Symbols(built / "hypervisor/executive.elf", built / "rtos/rtos.elf")
    taken = collections.Counter()
    with Progress("Tracing the RTOS alone"), executed.traced(folder, image) as (_, addresses):
        for walk in walks(addresses, symbols):
            taken[tuple((name, len(list(same))) for name, same in groupby(walk))] += 1
            if sum(taken.values()) == SAMPLES:
                break
    if sum(taken.values()) < SAMPLES:
        raise Failure(f"QEMU ended after {sum(taken.values())} of {SAMPLES} interrupts: see {folder}/*.log")
    (path, times), = taken.most_common(1)
    results = [Result(f"{step:02}.{name}", "instructions", count) for step, (name, count) in enumerate(path, 1)]
    results += [Result("path", "instructions", sum(count for _, count in path), AVERAGE_BAR),
                Result("taken", "interrupts", times, SAMPLES // 2, sense="min")]
    return {"options": [*DETERMINISTIC, *executed.options()], "samples": SAMPLES}, results
