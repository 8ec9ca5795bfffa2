#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own selftests (tests/guest/build-selftests): what they say as guest is what they say natively.

Not all of them pass natively, with a small configuration and no timing of a real machine under QEMU; a guest may do
neither worse nor otherwise.
"""
import re
import time

from harness import ROOT, check, main, shell
from rtmux_lib import ui
from rtmux_lib.paths import BUILD

ARGUMENTS = {"timers.inconsistency-check": "-c 1 -t 1"}  # one clock, for a second
# Lines that may differ, with the reason. Empty is the aim.
DIFFERENT = {
}


def programs():
    out = BUILD / "selftests"
    if not (out / "skipped.txt").exists():
        ui.run("Building the kernel's selftests", [ROOT / "tests/guest/build-selftests", out],
               BUILD / "log/selftests.log")
    return {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.is_file() and path.suffix != ".txt"}


def results(boot, files):
    """{test: (exit status, numbers of the TAP lines that failed)}"""
    card = boot.sd_card(files, megabytes=64)
    found = {}
    with boot.machine(sd=card) as machine:
        machine.shell()
        shell(machine, "dmesg -n 1; mount -t ext4 -o ro /dev/mmcblk0 /mnt && cd /tmp")
        for name in files:
            began = time.monotonic()
            status, output = machine.run(f"timeout 20 /mnt/{name} {ARGUMENTS.get(name, '')} 2>&1 </dev/null", 600)
            found[name] = (status, re.findall(r"^not ok (\d+)", output, re.MULTILINE))
            print(f"{name}: {found[name]}, {time.monotonic() - began:.1f} s", flush=True)
        dump = shell(machine, "dmesg")
        check("BUG:" not in dump and "Oops" not in dump, f"the kernel complains:\n{dump[-4000:]}")
    return found


def test_selftests(boot):
    files = programs()
    expected = results(boot.reference(), files)
    passed = [name for name, (status, failed) in expected.items() if status == 0]
    check(len(passed) >= 25, f"natively only {len(passed)} pass: {expected}")
    found = results(boot, files)
    wrong = [f"{name}: native {expected[name]}, as guest {found[name]}" for name in files
             if expected[name] != found[name] and name not in DIFFERENT]
    check(not wrong, "\n".join(wrong))


if __name__ == "__main__":
    main(globals())
