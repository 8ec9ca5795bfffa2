# SPDX-License-Identifier: GPL-2.0-only
"""What Linux pays for being a guest: the same kernel natively and under RTMux, as ratios of instructions.

Each operation is repeated, in several memory layouts (the initramfs padded to different sizes, which moves what the
kernel allocates); the smallest figure of each side counts. "boot" is counted from the board's reset, the executive's
own start and its check of the image included, to the first shell script; "kernel_boot" from the kernel's first
instruction.
"""
import re
import statistics

from rtmux_board import board
from rtmux_lib import build, packages
from rtmux_lib.bench import Result
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, ROOT
from rtmux_lib.ui import Failure, Progress

LAYOUTS = (1, 300_000, 1_100_000)  # bytes of padding
REPETITIONS = int(re.search(r"bench all (\d+)", (ROOT / "tests/guest/bench-guest.sh").read_text())[1])
# The rows that the geometric mean is of
ROWS = ("boot", "getppid", "clock_gettime", "sched_yield", "pipe_self", "pipe_round_trip", "futex_round_trip",
        "signal_install", "signal", "fork_exit", "fork_exec", "vfork_exec", "first_touch", "file_touch", "mmap_munmap",
        "munmap_page", "mprotect_page", "hackbench", "dd", "cpu", "cpu_fp")
# What is reached (docs/guest-abi.md, "What a guest pays": why some are above what was aimed at)
BARS = {"boot": 1.19, "getppid": 1.46, "sched_yield": 1.22, "pipe_round_trip": 1.13, "signal": 1.11, "fork_exit": 1.16,
        "fork_exec": 1.11, "first_touch": 1.23, "hackbench": 1.12, "cpu": 1.005}
GEOMETRIC_MEAN_BAR = 1.15
COUNTER_HZ = board(DEFAULT_BOARD)["BOARD_COUNTER_HZ"]
BOOTARGS = f"{build.BOOTARGS} rtmux.run=/usr/bin/bench-guest.sh"


def figures(machine):
    """{operation: least nanoseconds} of one boot."""
    end = machine.linux.expect(r"rtmux: /usr/bin/bench-guest.sh ended with status (\d+)", 1800)
    text = machine.linux.text[:end.start()]
    if end[1] != "0":
        raise Failure(f"the benchmark in the guest ended with status {end[1]}:\n{text[-2000:]}")
    best = {}
    # The executive writes down when it starts the kernel; natively that is at reset.
    started = re.search(r"guest: kernel at .* counter (\d+)", machine.log.text)
    for name, value in re.findall(r"^([a-z_]+) (\d+(?:\.\d+)?)$", text, re.MULTILINE):
        best[name] = min(float(value), best.get(name, float("inf")))
    best["kernel_boot"] = best.get("boot", 0) - (int(started[1]) * 1e9 / COUNTER_HZ if started else 0)
    missing = set(ROWS) - best.keys()
    if missing:
        raise Failure(f"the benchmark in the guest did not print {', '.join(sorted(missing))}:\n{text[-2000:]}")
    return best


def least(runs):
    return {name: min(run[name] for run in runs) for name in runs[0]}


def native(pad, kernel):
    initrd = build.initramfs(f"bench-native-{pad}", kernel, pad=pad)
    return Machine(BUILD / f"bench/native-{pad}", kernel.uimage, initrd=initrd, dtb=kernel.dtb, append=BOOTARGS)


def guest(pad, kernel):
    folder = BUILD / f"bench/guest-{pad}"
    folder.mkdir(parents=True, exist_ok=True)
    initrd = build.initramfs(f"bench-guest-{pad}", kernel, pad=pad)
    return Machine(folder, build.image(kernel=kernel, initrd=initrd, bootargs=BOOTARGS, output=folder / "rtmux.img"))


def run():
    packages.require()
    build.preset(DEFAULT_BOARD)
    sides = {}
    for name, start in (("native", native), ("guest", guest)):
        kernel = build.linux(name)
        runs = []
        for pad in LAYOUTS:
            with start(pad, kernel) as machine, Progress(f"Running {name}, {pad} bytes of padding"):
                runs.append(figures(machine))
        sides[name] = least(runs)
    results = []
    for operation, ns in sides["native"].items():
        results += [Result(f"{operation}.native", "virtual ns", ns),
                    Result(f"{operation}.guest", "virtual ns", sides["guest"][operation]),
                    Result(f"{operation}.ratio", "guest/native", sides["guest"][operation] / ns, BARS.get(operation))]
    mean = statistics.geometric_mean(sides["guest"][row] / sides["native"][row] for row in ROWS)
    results.append(Result("geometric_mean", "guest/native", mean, GEOMETRIC_MEAN_BAR))
    return {"options": list(DETERMINISTIC), "samples": REPETITIONS * len(LAYOUTS)}, results
