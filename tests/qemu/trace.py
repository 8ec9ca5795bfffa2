#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The executive's trace, read from a machine that runs."""
from collections import Counter

from harness import check, main
from rtmux_lib import build, timeline
from rtmux_lib.loads import command
from rtmux_lib.machine import Machine

PERIOD_NS = 500_000


def test_trace(boot):
    folder = boot.folder / "1"
    image = build.image(timeline.PRESET, kernel=build.built_linux("guest"), initrd=build.initramfs_path("guest"),
                        output=boot.folder / "rtmux.img")
    tracer = timeline.Tracer(folder)
    with Machine(folder, image, extra=tracer.options()) as machine:
        machine.shell()
        command(machine, "sleep 0.2")
        events = tracer.read()
    seen = Counter(event.name for event in events)
    print(dict(seen))
    for name in ("to_rt", "to_guest", "rt_irq", "rt_irq_end", "guest_irq", "deliver", "exit", "enter", "hypercall", "fault"):
        check(seen[name], f"no {name} in {dict(seen)}")
    check(all(before.time_ns <= after.time_ns + 1000 for before, after in zip(events, events[1:])), "the clock runs backwards")

    # The two worlds take turns, and each RT interrupt ends before the next event of its kind
    worlds = [event.name for event in events if event.name in ("to_rt", "to_guest")]
    check(all(one != other for one, other in zip(worlds, worlds[1:])), "a world is entered twice")
    interrupts = [event for event in events if event.name.startswith("rt_irq")]
    check(all(one.name != other.name for one, other in zip(interrupts, interrupts[1:])), "RT interrupts nest")
    exits = [event.name for event in events if event.name in ("exit", "enter")]
    check(all(one != other for one, other in zip(exits, exits[1:])), "an exit without its entry")

    # The demo's control loop: a world switch every 500 us
    starts = [event.time_ns for event in events if event.name == "to_rt"]
    check(len(starts) > 20, f"only {len(starts)} switches to RT")
    periodic = [start for start in starts if any(abs(other - start - PERIOD_NS) < 2000 for other in starts)]
    check(len(periodic) > len(starts) // 2, f"no period of 500 us: {[round(start) for start in starts[:20]]}")


if __name__ == "__main__":
    main(globals())
