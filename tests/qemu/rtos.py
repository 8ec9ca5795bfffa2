#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The RTOS on the executive: alone, and what its interfaces promise, beside a busy Linux."""
import re

from harness import check, main, shell
from rtmux_lib import bench, build
from rtmux_lib.machine import Machine

SUITES = 20  # of tests/rtos
UNIT = re.compile(r"^\[ +(OK|FAILED) +\] \[ unit +\] \((\w+)\)", re.MULTILINE)
SUITE = re.compile(r"^\[ +(PASSED|FAILED) +\] \[ result +\] (rtos\.\w+)", re.MULTILINE)


def machine(boot, rtos, preset=None):
    """A machine with this RTOS and no guest; tools/rtmux builds the parts."""
    return Machine(boot.folder / "alone", build.image_without_guest(boot.folder / "rtmux.img", rtos, preset or boot.preset),
                   name=boot.board)


def check_suites(machine):
    """The next whole round of tests/rtos: every suite of it passes."""
    before = re.findall(r"^utest round (\d+):", machine.log.text, re.MULTILINE)
    begin = len(machine.log.text) if before else 0
    if before:
        begin = machine.log.expect(rf"^utest round {int(before[-1]) + 1}:", 300).end()
    end = machine.log.expect(rf"^utest round {int(before[-1]) + 2 if before else 1}: (\d+) suites failed$", 600)
    text = machine.log.text[begin:end.end()]
    failures = re.findall(r"^(\[ +(?:ASSERT|FAILED) .*)$", text, re.MULTILINE)
    check(not failures and end[1] == "0", "\n".join([f"{end[1]} suites failed:", *failures]))
    suites, units = SUITE.findall(text), UNIT.findall(text)
    check(len(suites) == len(set(suites)) == SUITES, f"{len(suites)} suites ran, not {SUITES}: {suites}")
    check(len(units) > 6 * SUITES, f"only {len(units)} units ran")
    print(f"{len(suites)} suites, {len(units)} units passed")


def test_rtos_suites(boot):
    """The RT-Thread API, with no guest and beside a busy Linux: the same results."""
    with machine(boot, "rtos-utest.elf") as alone:
        check_suites(alone)
    with boot.machine(rtos="rtos-utest.elf") as m:
        m.shell()
        shell(m, "load.sh", timeout=600)
        check_suites(m)
        work = re.findall(r"^load (\w+) (\d+)$", shell(m, "load.sh stop", timeout=600), re.MULTILINE)
        check(len(work) == 4 and all(int(rounds) > 0 for _, rounds in work), f"not all of the load ran: {work}")


def test_rtos_debug(boot):
    """The same with 256 priorities, and with every wrong call ending in an assertion that names it."""
    with machine(boot, "rtos-utest.elf", build.DEBUG) as m:
        check_suites(m)


def test_rtos_cost(boot):
    """Instructions of each primitive, at most what RT-Thread alone needs, and the image's size (tests/bench/rtos.py)."""
    benchmark = bench.load("rtos")
    results = [*benchmark.instructions(benchmark.counted(boot.folder)), *benchmark.size()]
    print(bench.table(results))
    missed = [f"{r.name}: {r.value}, bar {r.bar}" for r in results if not r.ok]
    check(not missed, "\n".join(missed))


def test_rtos_selftest(boot):
    """Faults end one thread with a report, floating point registers are each thread's own."""
    with machine(boot, "rtos-selftest.elf") as m:
        passed, failed = m.log.expect(r"\[rt\] selftest: (\d+) passed, (\d+) failed$", 120).groups()
        check(failed == "0" and int(passed) == 15, f"{passed} passed, {failed} failed")
        check(re.search(r"\[rt\] thread overflow ended by a fault: stack overflow at pc ", m.log.text),
              "the overflow was not reported")


def test_rtos_faults(boot):
    """A fault of a thread beside Linux is reported with registers and callers, and ends nothing else; that of an ISR, which
    nobody can be made to answer for, resets the board."""
    with boot.machine(rtos="rtos-selftest.elf") as m:
        m.shell()
        for kind, what in (("data", "data abort"), ("read-only", "data abort"), ("code", "data abort"),
                           ("misaligned", "data abort"), ("prefetch", "prefetch abort"),
                           ("execute-never", "prefetch abort"), ("undefined", "undefined instruction"),
                           ("overflow", "stack overflow")):
            m.log.position = len(m.log.text)
            m.rt(f"fault {kind}")
            m.log.position = 0
            m.log.expect(rf"^\[rt\] thread {kind} ended by a fault: {what} at pc \w{{8}}, address \w{{8}}, ", 30)
            m.log.expect(r"^\[rt\]   r0-r7 ", 30)
        check(shell(m, "echo $((6 * 7))").strip() == "42", "Linux does not calculate any more")
        check(not re.search("faulted", m.rt("ps")), "a thread that faulted is still there")
        m.log.position = len(m.log.text)
        m.log.send("fault isr\r")
        m.log.expect(r"^\[exec\] data abort in the RTOS: pc \w{8} ", 30)
        m.log.expect(r"^\[exec\] resetting the board", 30)
        m.log.expect(r"^\[exec\] RTMux ", 30)
        m.shell()


def test_budgets(boot):
    """A thread that does not stop takes all that Linux has, unless somebody started a budget: 3 in 10 ms."""
    with boot.machine(rtos="rtos-selftest.elf") as m:
        m.shell()
        m.linux.send("while :; do :; done &\n") # it takes what it gets
        for kind, least, most in (("", 0, 5), ("thread", 68, 71), ("all", 68, 71)):
            m.rt(f"starve {kind}")
            m.log.position = 0
            guest, took, overruns = map(int, m.log.expect(rf"^\[rt\] starve {kind}: the guest had (\d+) of (\d+) us, overruns (\d+)\n", 60).groups())
            print(f"{kind or 'no budget'}: {guest} of {took} us, {overruns} overruns", flush=True)
            check(least <= 100 * guest / took <= most, f"{kind}: the guest had {guest} of {took} us")
            check(overruns == 0 if not kind else overruns >= 15, f"{kind}: {overruns} overruns")
        check(shell(m, "echo $((6 * 7))").strip() == "42", "Linux does not calculate any more")


def test_rtos_alone(boot):
    """Without a guest the demo keeps its period within the budget of virtual time, and says that there is none."""
    with machine(boot, "rtos.elf") as m:
        m.log.expect(r"\[rt\] guest (failed|stopped)$", 60)
        for _ in range(2):
            boot.check_rt(m, "no guest")


if __name__ == "__main__":
    main(globals())
