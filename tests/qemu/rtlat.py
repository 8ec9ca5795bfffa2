#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""rtlat: the RT side's latency measurement, asked for, watched and ended from Linux."""
import json
import re

from harness import check, check_log, main, shell
from rtmux_lib import loads

SAMPLES = 20_000
WORST_NS = 600
CLOCK_ERROR_NS = 42  # a tick of the clock that is read
FIELDS = {"rtlat": int, "clock_hz": int, "interval_us": int, "priority": int, "requested": int, "state": str, "samples": int,
          "missed": int, "streamed": int, "received": int, "dropped": int, "isr": dict, "thread": dict, "worst": dict}
LATENCY = {"count": int, "sum_ticks": int, "min_ns": float, "avg_ns": float, "max_ns": float, "overflow": int,
           "percentiles_ns": dict, "histogram_ticks": list}
WORST = {"sample": int, "isr_ns": float, "thread_ns": float, "guest": str, "user_mode": bool, "irqs_off": bool, "exit": str,
         "hypercall": int, "pc": str, "lr": str, "sp": str, "cpsr": str, "last_hypercall": int, "last_fault_status": str,
         "last_fault_address": str}


def schema(value, fields, what):
    check({name: type(part) for name, part in value.items()} == fields, f"{what} has other fields: {value}")


def consistent(result):
    """Every sample is in the histograms, and everything that is derived from them follows from them."""
    schema(result, FIELDS, "the result")
    schema(result["worst"], WORST, "the worst case")
    tick = 1e9 / result["clock_hz"]
    for name in ("isr", "thread"):
        latency = result[name]
        schema(latency, LATENCY, name)
        bins = latency["histogram_ticks"]
        check(sum(count for _, count in bins) + latency["overflow"] == latency["count"] == result["samples"],
              f"{name}: samples are missing from the histogram")
        check(sum(ticks * count for ticks, count in bins) == latency["sum_ticks"], f"{name}: another sum than the histogram's")
        check(abs(bins[0][0] * tick - latency["min_ns"]) < 0.1 and abs(bins[-1][0] * tick - latency["max_ns"]) < 0.1,
              f"{name}: other extremes than the histogram's")
        ordered = [latency["min_ns"], *latency["percentiles_ns"].values(), latency["max_ns"]]
        check(ordered == sorted(ordered), f"{name}: percentiles out of order: {ordered}")
    check(result["worst"]["thread_ns"] == result["thread"]["max_ns"], "the worst sample is not the maximum")
    check(result["streamed"] + result["dropped"] == result["samples"], "samples are neither streamed nor counted as dropped")
    return result


def run(machine, options="", timeout=120):
    return consistent(json.loads(shell(machine, f"rtlat --json - {options}", timeout=timeout)))


def refused(machine, command, reason, status=1):
    said = shell(machine, f"{command} 2>&1", expected=status)
    check(re.search(reason, said), f"`{command}` says: {said}")


def test_rtlat(boot):
    with boot.machine(rtos="rtlat.elf", **loads.options("linux", boot.folder)) as machine:
        machine.shell()
        refused(machine, "rtlat --attach", "there was no run yet")

        # The standard run, shortened, beside a busy Linux: live lines, raw samples, JSON
        with loads.running(machine, "linux"):
            said = shell(machine, f"rtlat -i 100 -n {SAMPLES} --json /tmp/r --raw /tmp/raw", timeout=300)
        result = consistent(json.loads(shell(machine, "cat /tmp/r")))
        print({name: result[name] for name in ("samples", "missed", "received", "dropped")}, result["thread"], result["worst"])
        check(result["state"] == "complete" and result["samples"] == SAMPLES and result["missed"] == 0,
              f"not {SAMPLES} samples, or some missed: {result}")
        check(result["received"] == result["streamed"], "samples were lost on the way to Linux")
        check(result["thread"]["max_ns"] <= WORST_NS + CLOCK_ERROR_NS, f"worst case {result['thread']['max_ns']} ns")
        check(result["worst"]["guest"] == "running", "the worst case does not know its guest")
        check(len(re.findall(r"^P: 1 I:100 C: *\d+ Min: ", said, re.MULTILINE)) >= 2, f"no live lines:\n{said}")
        check(re.search(r"^thread +\d+ +\d+ ", said, re.MULTILINE), f"no summary:\n{said}")
        check(int(shell(machine, "wc -l </tmp/raw")) == result["received"], "not every sample that came is in the raw file")

        # What cannot be
        for options, reason in (("-i 19", "the interval must be from 20 to 10000000 us"), ("-i 10000001", "interval must be"),
                                ("-p 29", "the priority must be from 0, the most urgent, to 28"),
                                ("-n x", "'x' is not a number"), ("-i -5", "'-5' is not a number"),
                                ("--json /nowhere/f", "/nowhere/f: No such file")):
            refused(machine, f"rtlat {options}", reason)
        refused(machine, "rtlat --nonsense", "lists the options", status=2)
        refused(machine, "rtlat what", "no arguments", status=2)

        # A run without end: a second reader is refused, the first is killed, the run goes on and is found and ended
        shell(machine, "rtlat -q -n 0 -i 200 -p 3 & reader=$!; sleep 0.3")
        refused(machine, "rtlat", "another rtlat has the channel")
        shell(machine, "kill -9 $reader; wait $reader 2>/dev/null; sleep 0.5")
        refused(machine, "rtlat", "a run is on")
        stopped = run(machine, "--stop")
        check(stopped["state"] == "stopped" and stopped["interval_us"] == 200 and stopped["priority"] == 3, f"not that run: {stopped}")
        check(stopped["samples"] >= 4000 and stopped["missed"] == 0 and stopped["dropped"] > 0,
              f"without a reader samples are not counted as dropped: {stopped}")
        check(run(machine, "--attach")["samples"] == stopped["samples"], "a stopped run goes on")

        # ^C ends a run with its result; and the next one begins from nothing
        shell(machine, "rtlat -q -n 0 -j /tmp/r >/dev/null & reader=$!; sleep 0.3; kill -INT $reader; wait $reader")
        check(consistent(json.loads(shell(machine, "cat /tmp/r")))["state"] == "stopped", "SIGINT did not stop the run")
        again = run(machine, "-n 1000 -i 50")
        check(again["samples"] == again["received"] == 1000 and again["dropped"] == 0, f"another run after that: {again}")

        # From the RT side's own shell, which prints into the log
        for command, answer in (("rtlat -n 100 -i 1000", "started; "),
                                ("rtlat", "run 5 is complete, every 1000 us, priority 1: 100 samples, 0 missed\n"),
                                ("rtlat -p 99 -n 1", "the priority is from 0 to 28\n"), ("rtlat -n 1x", r"rtlat \[stop \|")):
            start = len(machine.log.text)
            machine.rt(command)
            said = machine.log.text[start:]
            check(re.search(rf"^\[rt\] (rtlat: )?{answer}", said, re.MULTILINE), f"`{command}` of the RT shell says: {said}")
            shell(machine, "sleep 0.3")
        check(run(machine, "--attach")["samples"] == 100, "Linux does not see the shell's run")
        refused(machine, "rtmux-trace state", "built without a trace")
        check_log(machine)


if __name__ == "__main__":
    main(globals())
