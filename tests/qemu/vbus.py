#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""V-Bus from Linux: records of all sizes, counters, the module loaded anew, the guest booted anew."""
import re

from harness import check, main, shell


def counters(machine):
    return {name: int(value) for name, value in re.findall(r"^ +(\w+) +(\d+)$", shell(machine, "vbus list"), re.MULTILINE)}


def test_vbus_echo(boot):
    with boot.machine() as machine:
        machine.shell()
        for size in (0, 1, 7, 8, 64, 1000, 4096, 16384):
            shell(machine, f"vbus echo -n 50 -s {size}")
        check("too long" in shell(machine, "vbus echo -n 1 -s 16385 2>&1", expected=1), "a quarter of the ring is exceeded")
        now = counters(machine)
        check(now["up"] == 1 and now["tx_records"] == now["rx_records"] == 400, f"records are missing: {now}")
        check(now["resets"] == 0 and now["violations"] == 0, f"not a quiet channel: {now}")
        boot.check_rt(machine, "V-Bus records")


def test_vbus_reload(boot):
    with boot.machine() as machine:
        machine.shell()
        for number in range(20):
            shell(machine, "rmmod rtmux_vbus && insmod /lib/modules/rtmux_vbus.ko")
            check(shell(machine, f"vbus echo life-{number}").strip() == f"life-{number}", "another answer")


def test_vbus_reboot(boot):
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "vbus echo before")
        machine.linux.send("reboot\n")
        machine.linux.expect("reboot: Restarting system", 60)
        machine.shell()
        check(shell(machine, "vbus echo after").strip() == "after", "no answer after the guest's reboot")
        check(counters(machine)["violations"] == 0, "violations")


if __name__ == "__main__":
    main(globals())
