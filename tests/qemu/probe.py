#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a process sees natively and as guest must be the same, line by line: tests/guest/probe."""
import re

from harness import check, main, shell

# Lines that may differ, with the reason. Empty is the aim.
DIFFERENT = {
}


def lines(boot):
    """{name: the rest of its line} of one run."""
    # The executive names the console in the guest's device tree, so that "earlycon" finds it; natively nothing does,
    # and its mapping would be missing at the top of memory.
    with boot.machine("earlycon=pl011,0x10009000") as machine:
        machine.shell()
        # The same at 0xbf000000 on both sides: a page of module text
        shell(machine, "lsmod | while read -r name rest; do rmmod $name; done; insmod /lib/test-modules/usrmode.ko")
        shell(machine, "dmesg -n 1")  # nothing of the kernel between the lines
        text = shell(machine, "probe", timeout=300)
    found = dict(re.findall(r"^(\S+) (.*)$", text, re.MULTILINE))
    check(found.pop("probe:", None) == "end", f"the probe did not come to its end:\n{text[-500:]}")
    check(len(found) > 500, f"only {len(found)} probes")
    return found


def test_probe(boot):
    native = boot.reference()
    expected, found = lines(native), lines(boot)
    check(expected.keys() == found.keys(), f"other probes: {sorted(expected.keys() ^ found.keys())}")
    wrong = [f"{name}\n    native {expected[name]}\n    here   {found[name]}" for name in expected
             if expected[name] != found[name] and name not in DIFFERENT]
    check(not wrong, f"{len(wrong)} of {len(expected)} probes differ:\n" + "\n".join(wrong))
    same = [name for name in DIFFERENT if expected.get(name) == found.get(name)]
    check(boot.native or not same, f"no difference any more: {', '.join(same)}; remove them from the list")


if __name__ == "__main__":
    main(globals())
