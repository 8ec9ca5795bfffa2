#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""tests/guest/torture, every part of it, with several seeds for the random ones. Natively and as guest."""
import re

from harness import check, main, shell


def test_torture(boot):
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1")
        output = shell(machine, "torture all", timeout=1500)
        passed = re.findall(r"^ok (\S+)$", output, re.MULTILINE)
        check("FAIL" not in output and len(passed) >= 19, f"torture said:\n{output}")
        for seed in (2, 3, 4):
            shell(machine, f"TORTURE_SEED={seed} torture vm-random", timeout=600)
        dump = shell(machine, "dmesg")
        for complaint in ("BUG:", "WARNING:", "Oops", "Bad page", "Bad rss-counter"):
            check(complaint not in dump, f"the kernel's log has {complaint}:\n{dump[-4000:]}")


if __name__ == "__main__":
    main(globals())
