#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The kernel runs in USR mode, and the executive's window is closed to it: asked from inside, by modules."""
from harness import Skip, check, main, shell

SVC, USR, I = 0x13, 0x10, 0x80


def parameters(machine, module):
    """A test module's findings, {name: value}."""
    shell(machine, f"insmod /lib/test-modules/{module}.ko")
    text = shell(machine, f"cd /sys/module/{module}/parameters; grep . *; cd /")
    shell(machine, f"rmmod {module}")
    return {name: int(value) for name, value in (line.split(":") for line in text.split())}


def test_usr_mode(boot):
    with boot.machine() as machine:
        machine.shell()
        found = parameters(machine, "usrmode")
    mode, mask = (SVC, I) if boot.native else (USR, 0)
    expected = {"mode": mode, "mode_after_cps": mode, "masked": mask, "really_masked": mask, "virtually_masked": 1}
    check(found == expected, f"the module found {found}, expected {expected}")


def test_window(boot):
    if boot.native:
        raise Skip("there is no window")
    with boot.machine() as machine:
        machine.shell()
        found = parameters(machine, "window")
    closed = 4095  # all but the page shared with the executive
    expected = {"pages": 4096, "read_faults": closed, "write_faults": closed, "nofault_faults": closed,
                "open_count": 1, "open_page": 0xff000000}
    check(found == expected, f"the module found {found}, expected {expected}")


if __name__ == "__main__":
    main(globals())
