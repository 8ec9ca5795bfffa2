# SPDX-License-Identifier: GPL-2.0-only
"""RT interrupt path: instructions from the interrupt vector to the woken thread, function by function.

QEMU writes down every instruction of the window while the RTOS runs alone. Counted is the path that the control thread's
timer takes most often, from the first instruction of vector_irq to the thread's first one behind its wait.
docs/latency.md explains the steps.
"""
import collections
import os
import re
from itertools import groupby

from rtmux_board import layout
from rtmux_lib import build, packages
from rtmux_lib.bench import Result
from rtmux_lib.latency import AVERAGE_BAR
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.symbols import Symbols
from rtmux_lib.ui import Failure, Progress

SAMPLES = 1000
VECTOR, THREAD = "vector_irq", "demo::control(void*)"
EXECUTED = re.compile(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")


def walks(trace, symbols):
    """For each time that the thread follows the vector, the names of the instructions' functions in between."""
    start, _ = symbols.range(VECTOR)
    names, walk = {}, None
    for line in trace:
        found = EXECUTED.match(line)
        if not found:
            continue
        address = int(found[1], 16)
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
    window = layout()
    end = window["RTMUX_RTOS_VA"] + window["RTMUX_RTOS_SIZE"] - 1
    pipe = folder / "trace"  # some 200 bytes for each instruction: read as it is written, never kept
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    trace = ["-singlestep", "-d", "exec,nochain", "-dfilter", f"{window['RTMUX_EXEC_VA']:#x}..{end:#x}", "-D", pipe]
    taken = collections.Counter()
    with Progress("Tracing the RTOS alone"), Machine(folder, image, extra=trace) as machine, pipe.open() as lines:
        for walk in walks(lines, symbols):
            taken[tuple((name, len(list(same))) for name, same in groupby(walk))] += 1
            if sum(taken.values()) == SAMPLES:
                machine.process.kill()
                break
    if sum(taken.values()) < SAMPLES:
        raise Failure(f"QEMU ended after {sum(taken.values())} of {SAMPLES} interrupts: see {folder}/*.log")
    (path, times), = taken.most_common(1)
    results = [Result(f"{step:02}.{name}", "instructions", count) for step, (name, count) in enumerate(path, 1)]
    results += [Result("path", "instructions", sum(count for _, count in path), AVERAGE_BAR),
                Result("taken", "interrupts", times, SAMPLES // 2, sense="min")]
    return {"options": [*DETERMINISTIC, *map(str, trace[:3])], "samples": SAMPLES}, results
