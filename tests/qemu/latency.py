#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""RT latency under every load, against the recorded figures (tests/bench/record.py), and the plugin against cyclictest."""
from harness import check, main
from rtmux_lib import bench, build, peers


def test_latency_record(boot):
    image = build.image(kernel=build.built_linux("guest"), initrd=build.initramfs_path("guest"),
                        output=boot.folder / "rtmux.img")
    results = bench.load("record").results(boot.folder, image)
    print(bench.table(results))
    missed = [f"{r.name}: {r.value}, at most {r.bar}" for r in results if not r.ok]
    check(not missed, "\n".join(missed) + "\nIf that is meant: tools/rtmux bench record --update")
    check(all(r.bar is not None for r in results), "tests/bench/record.json does not have all of it: update it")


def test_latency_from_outside(boot):
    """What the plugin sees of a native kernel's wake-ups is what cyclictest sees: less its reading of the clock, and
    cyclictest's microseconds are whole ones."""
    one = peers.native("preempt", build.built_linux("native"), build.initramfs_path("native"), "idle", 300, boot.folder / "1")
    print(f"plugin: {one.latency.average:.0f} ns on average, {one.latency.worst} at worst; "
          f"cyclictest: {one.own.average} us, {one.own.worst}")
    check(one.own.count == 300 and one.latency.count >= 297, f"{one.latency.count} of {one.own.count} wake-ups seen")
    check(-1000 < one.own.average * 1000 - one.latency.average < 1500, "their averages do not agree")
    check(-1000 < one.own.worst * 1000 - one.latency.worst < 16_500, "their worst cases do not agree")
    check(one.modelled.average > one.latency.average, "the model is quicker than one instruction each nanosecond")


if __name__ == "__main__":
    main(globals())
