#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""tests/guest/torture, every part of it, with several seeds for the random ones. Natively and as guest."""
import re

from harness import check, check_log, main, shell


def test_torture(boot):
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1")
        output = shell(machine, "torture all", timeout=1500)
        passed = re.findall(r"^ok (\S+)$", output, re.MULTILINE)
        check("FAIL" not in output and len(passed) >= 19, f"torture said:\n{output}")
        for seed in (2, 3, 4):
            shell(machine, f"TORTURE_SEED={seed} torture vm-random", timeout=600)
        check_log(machine)
        boot.check_rt(machine, "torture")


if __name__ == "__main__":
    main(globals())
