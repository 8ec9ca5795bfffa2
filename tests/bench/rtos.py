# SPDX-License-Identifier: GPL-2.0-only
"""RTOS primitives through the RT-Thread API: instructions of each, latencies beside a busy Linux, masked stretches, size.

The bars are what RT-Thread alone costs on the same QEMU. An instruction is a virtual ns (docs/rtos.md, "Measured").
An operation's instructions are counted in a trace of all that is executed, function by function into
build/bench/rtos/OPERATION.txt; the same in loops beside Linux is timed by the RT clock, and must agree.
"""
import collections
import re
import sys
from itertools import groupby

from rtmux_lib import build, executed, packages
from rtmux_lib.bench import Result, load
from rtmux_lib.lab import Lab
from rtmux_lib.loads import command
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.symbols import Symbols
from rtmux_lib.ui import Failure, Progress

PROGRAM = "rtos-bench.elf"
BARS = {
    "yield": 100,
    "sem_to_waiter": 145,
    "sem_ping_pong": None,
    "mutex_take_release": 85,
    "sem_take_release": 42,
    "mq_send_recv": 195,
    "mq_to_waiter": 310,
    "mb_send_recv": 94,
    "mb_to_waiter": 209,
    "timer_start_stop_behind_0": 80,
    "timer_start_stop_behind_16": None,
    "timer_start_stop_behind_1000": None,
    "irq_to_isr": None,
    "irq_to_thread": 280,
    "irq_to_thread_by_rt_timer": None,
}
# "No slower behind 1,000 active timers than logarithmic": log2(1001) / log2(17) is 2.44
LOGARITHMIC = 2.44
LATENCY_BAR = 280  # ns, average, beside a busy Linux
# What the measurement itself is of a latency: 18 instructions from reading the clock to starting the timer, 8 in the
# thread to reading it again.
MEASURING = 26
SIZE_BAR = 32 * 1024
SAMPLES = 2000  # of tests/bench/rtos/latency.c in each round
ROUNDS = 2  # of measurements beside a busy Linux
MASKED_SHOWN = 5


def operations(addresses, symbols):
    """{operation: [instructions by function, a Counter, of each time]}."""
    def start(name):
        return symbols.range(name)[0]

    begin, end, vector, last = (start(name) for name in ("bench_begin", "bench_end", "vector_irq", "bench_operations_end"))
    starts = {start(f"op_{name}"): name for name in ("nothing", *BARS)}
    names, found, operation, seen = {}, collections.defaultdict(list), None, None
    for address in addresses:
        if address in starts:
            operation, seen = starts[address], None
        elif address == last:
            return found
        elif address == begin:
            seen = collections.Counter()
            continue
        elif address == vector and operation and operation.startswith("irq_"):
            seen = collections.Counter()
        elif address == end and seen is not None:
            found[operation].append(seen)
            seen = None
        if seen is not None:
            seen[names.setdefault(address, symbols.name(address))] += 1
    raise Failure("QEMU ended before the operations did")


def counted(folder=BUILD / "bench/rtos"):
    """{operation: instructions of its quickest and of its slowest time}; the first two warm up what is done once."""
    folder.mkdir(parents=True, exist_ok=True)
    image = build.image_without_guest(folder / "alone.img", rtos=PROGRAM)
    symbols = Symbols(BUILD / DEFAULT_BOARD / "hypervisor/executive.elf", BUILD / DEFAULT_BOARD / "rtos" / PROGRAM)
    with Progress("Tracing the operations"), executed.traced(folder, image) as (_, addresses):
        found = operations(addresses, symbols)
    empty = found.pop("nothing")[-1].total()
    counts = {}
    for name, times in found.items():
        best, *_, worst = sorted(times[2:], key=lambda seen: seen.total())
        overhead = 0 if name.startswith("irq_") else empty
        counts[name] = best.total() - overhead, worst.total() - overhead
        lines = [f"{count:5} {function}" for function, count in worst.most_common()]
        (folder / f"{name}.txt").write_text("\n".join([f"{counts[name][1]:5} {name}", *lines]) + "\n")
    missing = [name for name in BARS if name not in counts]
    if missing:
        raise Failure(f"not seen in the trace: {', '.join(missing)}")
    return counts


def instructions(counts):
    slowest = {name: worst for name, (_, worst) in counts.items()}
    results = [Result(name, "virtual ns", slowest[name], bar) for name, bar in BARS.items()]
    ratio = slowest["timer_start_stop_behind_1000"] / slowest["timer_start_stop_behind_16"]
    return results + [Result("timer_start_stop.1000_to_16", "ratio", ratio, LOGARITHMIC)]


def size():
    """Code and constants, as sums of sections, without what pages leave unused. The bar is for what RT-Thread's kernel has;
    the link of that image fails when a function of tests/bench/rtos/kernel_api.txt is missing."""
    for name, elf, bar in (("kernel_api", "rtos-size-kernel.elf", SIZE_BAR), ("whole_api", "rtos-size.elf", None)):
        fixed, data, zeroed = load("size").section_sizes(BUILD / DEFAULT_BOARD / "rtos" / elf)
        yield Result(f"size.{name}", "bytes", fixed, bar)
        yield Result(f"size.{name}.data", "bytes", data)
        yield Result(f"size.{name}.zeroed", "bytes", zeroed)


def rounds(machine, count):
    """What the next whole rounds print: {loop: hundredths of ns}, {latency: [(samples, min, average, max)]}."""
    machine.log.position = len(machine.log.text)
    first = machine.log.expect(r"^round (\d+)\n", 900)
    machine.log.expect(rf"^round {int(first[1]) + count}$", 3000)
    text = machine.log.text[first.end():machine.log.position]
    loops = {name: int(value) for name, value in re.findall(r"^loop (\S+) (\d+)$", text, re.MULTILINE)}
    latencies = collections.defaultdict(list)
    for name, *values in re.findall(r"^latency (\S+) (\d+) (\d+) (\d+) (\d+)$", text, re.MULTILINE):
        latencies[name].append(tuple(map(int, values)))
    return loops, latencies


def beside_linux():
    folder = BUILD / "bench/rtos-busy"
    folder.mkdir(parents=True, exist_ok=True)
    image = build.image(rtos=PROGRAM, output=folder / "rtmux.img")
    with Machine(folder, image) as machine:
        with Progress("Booting"):
            machine.shell()
        with Progress("Measuring beside a busy Linux"):
            command(machine, "load.sh", 600)
            measured = rounds(machine, ROUNDS)
            work = command(machine, "load.sh stop", 600)
    if " 0\n" in work:
        raise Failure(f"part of the load did not run:\n{work}")
    return measured


def latencies(measured):
    for name, records in measured.items():
        samples = sum(record[0] for record in records)
        average = sum(record[0] * record[2] for record in records) / samples
        yield Result(f"busy.{name}.average", "virtual ns", average - MEASURING, LATENCY_BAR if name == "thread" else None)
        yield Result(f"busy.{name}.best", "virtual ns", min(record[1] for record in records) - MEASURING)
        yield Result(f"busy.{name}.worst", "virtual ns", max(record[3] for record in records) - MEASURING)
        yield Result(f"busy.{name}.samples", "samples", samples, SAMPLES * ROUNDS, sense="min")


def agreement(counts, loops):
    """The loops see what the trace counts: those of one thread within what calls share in a loop."""
    for name, hundredths in loops.items():
        yield Result(f"clock.{name}", "virtual ns", hundredths / 100)
        if name not in ("yield", "sem_ping_pong"):  # whose counts are the worst of several paths
            best, worst = counts[name] # a loop's average lies between
            differs = max(best - hundredths / 100, hundredths / 100 - worst, 0)
            yield Result(f"clock.{name}.differs", "virtual ns", differs, 3)


def masked(program, end, timeout=1800):
    """Stretches with IRQs masked while a program runs until it prints end, the longest first, with their places."""
    folder = BUILD / f"bench/masked-{program}"
    lab = Lab(folder, rtos=program, isr="rtos::TimerQueue::interrupt(void*)", thread="main")
    image = build.image_without_guest(folder / "rtmux.img", rtos=program)
    with Machine(folder, image, extra=lab.options()) as machine:
        machine.log.expect(r"^\[exec\] RTOS", 300)
        lab.reset()
        machine.log.expect(end, timeout)
        report = lab.report()
    for stretch in report.masked[:MASKED_SHOWN]:
        place = f"{lab.symbols.place(stretch['start'])} to {lab.symbols.place(stretch['end'])}"
        yield Result(f"masked.{place}", "virtual ns", stretch["longest"])


def run():
    packages.require()
    packages.kernel_source()
    build.preset(DEFAULT_BOARD)
    counts = counted()
    results = [*instructions(counts), *size()]
    loops, measured = beside_linux()
    results += [*latencies(measured), *agreement(counts, loops)]
    with Progress("Looking for the longest stretch with IRQs masked"):
        results += masked(PROGRAM, r"^round 1$")
    return {"options": [*DETERMINISTIC, *executed.options()], "load": "tests/bench/loads/load.sh", "samples": SAMPLES * ROUNDS}, results


if __name__ == "__main__":
    sys.exit("Run it with: tools/rtmux bench rtos")
