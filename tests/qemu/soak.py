#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A long time, most of it idle, which QEMU skips: RT keeps each of its periods, clocks stay together, nothing leaks.

The 24 MHz counter has 32 bits: it wraps every 179 seconds.
"""
import re

from harness import check, check_log, check_rt_reports, main, shell

LEAK = 512  # KiB of the guest's memory that may be gone after all of it: caches and the slab's slack


def soak(boot, seconds):
    with boot.machine() as machine:
        machine.shell()
        before = float(shell(machine, "cut -d' ' -f1 /proc/uptime"))
        reports = len(re.findall(r"^\[rt\] periods ", machine.log.text, re.MULTILINE))
        output = shell(machine, f"soak.sh {seconds}", timeout=seconds * 2 + 600)
        after = float(shell(machine, "cut -d' ' -f1 /proc/uptime"))
        rounds, first, last = map(int, re.search(r"^rounds (\d+) free (\d+) (\d+)$", output, re.MULTILINE).groups())
        print(f"{after - before:.0f} s, {rounds} rounds, {first} KiB free at first, {last} at last", flush=True)
        check(rounds >= seconds // 20, f"only {rounds} rounds in {seconds} s")
        check(first - last < LEAK, f"the guest lost memory: {first} KiB free after the first round, {last} after the last")
        boot.check_rt(machine, f"{seconds} seconds")
        check_rt_reports(machine.log.text, f"{seconds} seconds")
        # RT reports every 2 s of its clock, Linux counts seconds of its own
        reported = len(re.findall(r"^\[rt\] periods ", machine.log.text, re.MULTILINE)) - reports
        check(abs(2 * reported - (after - before)) < 10, f"RT counted {2 * reported} s, Linux {after - before:.0f} s")
        check_log(machine)


def test_soak(boot):
    """Ten minutes: three times around the counter."""
    soak(boot, 600)


def test_soak_day(boot):
    soak(boot, 24 * 3600)


if __name__ == "__main__":
    main(globals())
