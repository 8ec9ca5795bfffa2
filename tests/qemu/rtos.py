#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The RTOS on the executive, with no guest in the image."""
import re
import subprocess

from harness import check, main
from rtmux_lib.machine import Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, TOOLS

def machine(boot, rtos):
    """A machine with this RTOS and no guest; tools/rtmux builds the parts."""
    folder = BUILD / DEFAULT_BOARD
    image = boot.folder / "rtmux.img"
    subprocess.run([TOOLS / "mkimage.py", "--board", DEFAULT_BOARD, "--executive",
                    folder / "hypervisor/executive.bin", "--rtos", folder / "rtos" / rtos, "-o", image],
                   check=True, capture_output=True)
    return Machine(boot.folder / "1", image)


def test_rtos_selftest(boot):
    """Faults end one thread with a report, floating point registers are each thread's own."""
    with machine(boot, "rtos-selftest.elf") as m:
        passed, failed = m.log.expect(r"\[rt\] selftest: (\d+) passed, (\d+) failed$", 120).groups()
        check(failed == "0" and int(passed) == 10, f"{passed} passed, {failed} failed")
        check(re.search(r"\[rt\] thread overflow ended by a fault: stack overflow at pc ", m.log.text),
              "the overflow was not reported")


def test_rtos_alone(boot):
    """Without a guest the demo keeps its period within the budget of virtual time, and says that there is none."""
    with machine(boot, "rtos.elf") as m:
        m.log.expect(r"\[rt\] guest (failed|stopped)$", 60)
        for _ in range(2):
            boot.check_rt(m, "no guest")


if __name__ == "__main__":
    main(globals())
