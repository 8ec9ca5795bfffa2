#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""POSIX on the RTOS: the conformance tests of tests/rtos/posix, alone and beside a Linux that boots."""
import re

from harness import check, main
from rtmux_lib import build
from rtmux_lib.machine import Machine
from rtmux_lib.paths import DEFAULT_BOARD

IMAGE = "rtos-posix-tests.elf"
TESTS = 76
SUMMARY = r"^posix: (\d+) passed, (\d+) failed$"


def check_tests(machine):
    """All tests of the image pass, exit() runs what is due, and the process ends with main's value."""
    machine.log.expect(r"^posix: type$", 300)
    machine.log.send("x\r")
    passed, failed = machine.log.expect(SUMMARY, 300).groups()
    failures = re.findall(r"^posix: (?:FAIL .*|\S+:\d+: .*)$", machine.log.text, re.MULTILINE)
    check(failed == "0" and not failures, "\n".join([f"{failed} tests failed:", *failures]))
    check(int(passed) == TESTS, f"{passed} tests ran, not {TESTS}")
    machine.log.expect(r"^posix: atexit$", 60)
    machine.log.expect(r"\[rt\] process ended: exit status 42$", 60)
    faults = re.findall(r"thread (\S+) ended by a fault", machine.log.text)
    check(faults == ["pthread"], f"one thread was to fault, not {faults}")


def test_posix(boot):
    """Each function's results and errors, threads, signals, timers, newlib and libstdc++ in many threads; no guest."""
    with Machine(boot.folder / "alone", build.image_without_guest(boot.folder / "rtmux.img", IMAGE, DEFAULT_BOARD)) as m:
        check_tests(m)


def test_posix_linux(boot):
    """The same while Linux boots: to the tests' millisecond."""
    with boot.machine(rtos=IMAGE) as m:
        check_tests(m)
        m.shell()


if __name__ == "__main__":
    main(globals())
