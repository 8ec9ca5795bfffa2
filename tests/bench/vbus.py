# SPDX-License-Identifier: GPL-2.0-only
"""V-Bus: what sending and receiving cost the RT side, round trips to Linux, and throughput.

Measured by rtos-vbus-bench.elf with the RT clock. Virtual nanoseconds: one instruction is one. A round trip is RT, Linux, RT:
through a driver's callback in the kernel, and through a process that waits in read() on /dev/rpmsg*. Throughput is
what all of the machine does, RT, kernel and process, for each byte of records of 4 KiB.
"""
from rtmux_lib import build
from rtmux_lib.bench import Result
from rtmux_lib.machine import DETERMINISTIC, Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD
from rtmux_lib.ui import Failure, Progress

PROGRAM = "rtos-vbus-bench.elf"
BARS = {
    "send": ("virtual ns", 350),
    "receive": ("virtual ns", 350),
    "doorbell": ("virtual ns, masked", None),
    "kernel": ("virtual ns", 6000),
    "user": ("virtual ns", 15000),
    "read": ("instructions per byte", 2.0),
    "mmap": ("instructions per byte", 0.6),
}


def run():
    build.build(DEFAULT_BOARD)
    folder = BUILD / "bench/vbus"
    folder.mkdir(parents=True, exist_ok=True)
    image = build.image(output=folder / "rtmux.img", rtos=PROGRAM)
    found = {}

    def measure(machine, command, *names):
        machine.linux.send(command + "\n")
        for name in names:
            said = machine.log.expect(rf"^\[rt\] vbus-bench (?:({name}) ([0-9.]+)(?: min (\d+) max (\d+))?|(failed): (.*))\n", 600)
            if said[5]:
                raise Failure(f"the RT side failed: {said[6]}")
            found[name] = (float(said[2]), said[3] and int(said[3]), said[4] and int(said[4]))

    with Machine(folder, image) as machine:
        with Progress("Booting"):
            machine.shell()
        with Progress("Round trips through the kernel, calls"):
            measure(machine, "insmod /lib/test-modules/vbusecho.ko", "kernel", "send", "receive")
        with Progress("Round trips through a process"):
            measure(machine, "vbuscheck echo user-echo &", "user")
        with Progress("Throughput through read"):
            measure(machine, "vbuscheck sink user-sink &", "read", "read-doorbells")
        with Progress("Throughput through a mapped channel"):
            measure(machine, "vbuscheck mapsink bench &", "mmap", "mmap-doorbells", "doorbell")
    results = [Result(name, unit, found[name][0], bar) for name, (unit, bar) in BARS.items()]
    for name in ("kernel", "user"):
        results += [Result(f"{name}.best", "virtual ns", found[name][1]), Result(f"{name}.worst", "virtual ns", found[name][2])]
    results += [Result(f"{name}.doorbells", "of 2048 records", found[f"{name}-doorbells"][0]) for name in ("read", "mmap")]
    return {"options": list(DETERMINISTIC), "samples": 2000}, results
