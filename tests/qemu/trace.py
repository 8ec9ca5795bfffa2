#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The executive's trace, read from a machine that runs: from QEMU's memory, and from Linux."""
import base64
import gzip
import re
from collections import Counter

from harness import check, main, shell
from rtmux_lib import build, timeline
from rtmux_lib.loads import command
from rtmux_lib.machine import Machine

PERIOD_NS = 500_000
ALWAYS = ("to_rt", "to_guest", "rt_irq", "rt_irq_end", "guest_irq", "deliver", "exit", "enter", "hypercall", "fault")


def alternate(events, names, what):
    """The events of these names take turns, where none is lost in between."""
    chosen = [event.name for event in events if event.name in (*names, "lost")]
    check(all(one != other for one, other in zip(chosen, chosen[1:])), what)


def sound(events, expected):
    """What every trace of the demo has."""
    seen = Counter(event.name for event in events)
    print(dict(seen), flush=True)
    for name in expected:
        check(seen[name], f"no {name} in {dict(seen)}")
    check(not [name for name in seen if name.startswith("event ")], f"unknown events: {dict(seen)}")
    check(all(before.time_ns <= after.time_ns + 1000 for before, after in zip(events, events[1:])), "the clock runs backwards")
    alternate(events, ("to_rt", "to_guest"), "a world is entered twice")
    alternate(events, ("rt_irq", "rt_irq_end"), "RT interrupts nest")
    alternate(events, ("exit", "enter"), "an exit without its entry")
    # The demo's control loop: a world switch every 500 us
    starts = [event.time_ns for event in events if event.name == "to_rt"]
    check(len(starts) > 20, f"only {len(starts)} switches to RT")
    periodic = [start for start in starts if any(abs(other - start - PERIOD_NS) < 2000 for other in starts)]
    check(len(periodic) > len(starts) // 2, f"no period of 500 us: {[round(start) for start in starts[:20]]}")


def recorded(machine, options):
    """What rtmux-trace writes in the guest: its events, and how many it says were lost."""
    said = shell(machine, f"rtmux-trace -o /tmp/trace {options}")
    records, lost = map(int, re.search(r"^(\d+) records in /tmp/trace, (\d+) events lost$", said, re.MULTILINE).groups())
    events = timeline.parse(gzip.decompress(base64.b64decode(shell(machine, "gzip -c /tmp/trace | base64"))))
    check(len(events) == records, f"{len(events)} events in the file, not {records}")
    check(sum(event.a for event in events if event.name == "lost") == lost, "the file does not say what was lost")
    return events, lost


def count(machine):
    """Of all events so far, by the RT side's shell; the trace is off."""
    said = machine.rt("trace")
    return int(re.search(r"^trace off, (\d+) events so far", said, re.MULTILINE)[1])


def test_trace(boot):
    folder = boot.folder / "1"
    image = build.image(timeline.PRESET, kernel=build.built_linux("guest"), initrd=build.initramfs_path("guest"),
                        output=boot.folder / "rtmux.img")
    tracer = timeline.Tracer(folder)
    with Machine(folder, image, extra=tracer.options()) as machine:
        machine.shell()
        command(machine, "sleep 0.2")
        sound(tracer.read(), ALWAYS)

        # The switch, from either side
        check("trace on, " in shell(machine, "rtmux-trace state"), "it does not begin with the executive")
        shell(machine, "rtmux-trace off")
        before = count(machine)
        shell(machine, "sleep 0.1")
        check(count(machine) == before, "events are recorded while it is off")
        machine.rt("trace on")
        check("trace on, " in shell(machine, "rtmux-trace state"), "the RT side's shell does not switch it")
        shell(machine, "rtmux-trace off")

        # All of it while it runs; nothing is missing that is not counted
        before = count(machine)
        events, lost = recorded(machine, "-s 1")
        sound(events, (*ALWAYS, "doorbell", "notify"))
        check(len(events) > timeline.ABI["RTMUX_TRACE_RECORDS"], f"only {len(events)} events: not more than the ring holds")
        whole = len([event for event in events if event.name != "lost"]) + lost
        check(whole == count(machine) - before, f"{whole} events recorded and lost, {count(machine) - before} happened")

        # The last events under work, of which most are lost
        events, lost = recorded(machine, "--last hackbench -g 1 -l 20")
        sound(events, ALWAYS)
        check(lost > 0 and events[0].name == "lost", "of a long recording the last events, and how many are lost")
        check(len(events) >= timeline.ABI["RTMUX_TRACE_RECORDS"] // 2, f"only {len(events)} last events")
        # A command's exit status; and what is wrong
        shell(machine, "rtmux-trace -o /tmp/trace false", expected=1)
        shell(machine, "rtmux-trace -o /tmp/trace /no/such/program 2>/dev/null", expected=127)
        shell(machine, "rtmux-trace -o /nowhere/file 2>/dev/null", expected=1)
        for wrong in ("", "upside-down", "-o /tmp/trace -s 1 true", "-x"):
            shell(machine, f"rtmux-trace {wrong} 2>/dev/null", expected=2)
        check(not re.search(r"missed [1-9]", machine.log.text), "RT missed a period")


if __name__ == "__main__":
    main(globals())
