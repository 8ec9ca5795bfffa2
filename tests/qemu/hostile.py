#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A guest kernel that attacks: each attack of tests/guest/modules/hostile*.c, what comes of it, and RT goes on.

The expected outcomes are those of tests/guest/modules/README.md.
"""
import re

from harness import check, main, shell
from rtmux_lib.machine import Timeout

HELD = {"held"}
OOPS = {"oops"}
REFUSED = {"held", "oops"}

SURVIVED = [
    *((f"ram {page}", REFUSED) for page in (0, 1, 0x1bf, 0x200, 0x3ff)),
    ("image", REFUSED), ("gic 0", REFUSED), ("gic 1", REFUSED), ("rt-timer", REFUSED), ("console", REFUSED),
    *((f"section {domain}", REFUSED) for domain in (*range(16), 16, 31)),
    *((f"page {domain}", REFUSED) for domain in (0, 1, 2, 3, 15, 16, 31)),
    ("section-rt-timer 0", REFUSED), ("supersection", REFUSED), ("large-page 0", REFUSED),
    ("foreign-table 0", REFUSED), ("foreign-table 1", REFUSED),
    ("window-entry", REFUSED), ("window", HELD),
    *((f"cp15 {register}", REFUSED) for register in (0, 3, 5, 7, 8, 9)),
    ("numbers", HELD), ("arguments 1", HELD), ("arguments 2", HELD), ("arguments 3", HELD),
    ("shared 1", HELD), ("shared 2", HELD), ("unreadable-vectors", HELD), ("unreadable-vectors 3", HELD),
    ("jump", OOPS), ("undefined", OOPS),
    # SVC with bits that a return must not take over, then the modes that it must refuse
    *((f"iret {cpsr:#x}", HELD) for cpsr in (0x93, 0xd3, 0x193, 0x1d3, 0xb3, 0x293, 0x1000093, 0x600fc93)),
    *((f"iret {0x80 | mode:#x}", OOPS) for mode in (0x11, 0x12, 0x16, 0x17, 0x1a, 0x1b, 0x1f, 0x00, 0x03)),
    ("iret-odd 0", HELD), ("iret-odd 1", HELD), ("iret-odd 2", HELD),
    ("iret-window 0", OOPS), ("iret-window 0x200000", OOPS),
    ("irqs-off", HELD), ("fault-storm", HELD), ("hypercall-storm", HELD), ("doorbell-storm", HELD),
    ("tlb-storm", HELD), ("cache-storm", HELD), ("switch-storm", HELD),
]
STOPPED = [
    # What a kernel without the patch does first
    "cp15 1", "cp15 2", "cp15 4", "cp15 6", "set-way 0", "set-way 1",
    "fatal-pgd 0x10000000", "fatal-pgd 0x70000000", "fatal-random-pgd 5", "fatal-ttbr0 0x70000000", "fatal-mmu-off",
    "fatal-hello", "fatal-vectors", "fatal-reset 0", "fatal-reset 0x70000000", "fatal-stack",
]
STOP = r"guest: stopped: (.*)\n"


def load(machine):
    machine.shell()
    shell(machine, "dmesg -n 1; ulimit -c 0; address=$(grep ' rtmux_iret_done$' /proc/kallsyms | cut -d' ' -f1); "
          "insmod /lib/test-modules/hostile.ko iret=0x${address:-0}")


def outcome(machine, attack):
    """held, oops, or what else it said."""
    shell(machine, "dmesg -c >/dev/null")
    status, output = machine.run(f"sh -c 'echo {attack} >/proc/hostile'", 300)
    dump = shell(machine, "dmesg -c")
    if "BREACH" in dump:
        return f"BREACH\n{dump}"
    if status == 0 and "ends with 0" in dump:
        return "held"
    if status > 128 and re.search(r"Internal error|Unhandled fault|Unable to handle", dump):
        return "oops"
    return f"status {status}: {output}\n{dump}"


def test_hostile(boot):
    with boot.machine() as machine:
        load(machine)
        known = shell(machine, "cat /proc/hostile").split()
        wrong = []
        for attack, allowed in SURVIVED:
            if boot.native and attack.split()[0] not in known:
                continue
            found = outcome(machine, attack)
            print(f"{attack}: {found.splitlines()[0]}", flush=True)
            if found not in allowed:
                wrong.append(f"{attack}: expected {' or '.join(sorted(allowed))}, got {found}")
        check(not wrong, "\n".join(wrong))
        check(shell(machine, "echo $((6 * 7))").strip() == "42", "the shell does not calculate any more")
        shell(machine, "torture vm-random 500")
        boot.check_rt(machine, "all attacks")


def test_fatal(boot):
    """What makes the guest unfit to go on: stopped, reported with its reason, and RT keeps its period."""
    for attack in STOPPED:
        with boot.machine() as machine:
            load(machine)
            machine.linux.send(f"sh -c 'echo {attack} >/proc/hostile'\n")
            try:
                reason = machine.log.expect(STOP, 60)[1]
            except Timeout:
                raise AssertionError(f"{attack}: the guest is not reported as stopped") from None
            print(f"{attack}: {reason}", flush=True)
            boot.check_rt(machine, attack)


def test_user_return(boot):
    """A return to user mode with a kernel address and a kernel stack: the process or the guest ends, not RT."""
    for address in ("0", "0xfe800000", "0xffff1000", "0xdead0001"):
        with boot.machine() as machine:
            load(machine)
            machine.linux.send(f"sh -c 'echo iret-user {address} >/proc/hostile'\necho still\" \"there\n")
            try:
                machine.linux.expect("still there", 20)
            except Timeout:
                machine.log.expect(STOP, 1)
            boot.check_rt(machine, f"iret-user {address}")


if __name__ == "__main__":
    main(globals())
