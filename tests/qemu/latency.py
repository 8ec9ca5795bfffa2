#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""RT latency under every load, against the recorded figures (tests/bench/record.py)."""
from harness import check, main
from rtmux_lib import bench, build


def test_latency_record(boot):
    image = build.image(kernel=build.built_linux("guest"), initrd=build.initramfs_path("guest"),
                        output=boot.folder / "rtmux.img")
    results = bench.load("record").results(boot.folder, image)
    print(bench.table(results))
    missed = [f"{r.name}: {r.value}, at most {r.bar}" for r in results if not r.ok]
    check(not missed, "\n".join(missed) + "\nIf that is meant: tools/rtmux bench record --update")
    check(all(r.bar is not None for r in results), "tests/bench/record.json does not have all of it: update it")


if __name__ == "__main__":
    main(globals())
