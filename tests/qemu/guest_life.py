#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The guest dies in every way, and comes again: RT does not notice, and nothing is lost but the guest."""
import re

from harness import check, check_log, main, shell
from rtmux_lib import build, ui
from rtmux_lib.machine import Machine
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, TOOLS

SUMMARY = r"^\[rt\] {}: (\d+) lives, (\d+) {}, (\d+) failures; RT periods (\d+) missed (\d+), worst (\d+) ns$"
WORST = 2000 # virtual ns; a masked stretch too long, or a period that waits for a restart, is far beyond


def payload_image(boot, *options):
    """The smallest guest, that of tests/payload, under the RTOS that has it die."""
    folder = BUILD / DEFAULT_BOARD
    image = boot.folder / "payload.img"
    ui.run("Making payload.img",
           [TOOLS / "mkimage.py", "--board", DEFAULT_BOARD, "--executive", folder / "hypervisor/executive.bin",
            "--rtos", folder / "rtos/rtos-guestlife.elf", "--kernel", folder / "tests/payload/payload.bin",
            "--kernel-memory", "0x100000", "--dtb", build.built_linux("guest").dtb, *options, "-o", image],
           image.with_suffix(".log"))
    return image


def run_payload(boot, command, unit, timeout):
    """Run a command of the RTOS's shell on the payload; how often it lived, and how much of what it did. RT must not notice."""
    with Machine(boot.folder / "1", payload_image(boot)) as machine:
        machine.rt(command, timeout)
        machine.log.position = 0
        found = machine.log.expect(SUMMARY.format(command.split()[0], unit), 60)
        print("\n".join(re.findall(r"^\[rt\] ended by .*$", machine.log.text, re.MULTILINE)) + f"\n{found[0]}", flush=True)
        lives, done, failures, periods, missed, worst = map(int, found.groups())
        complaints = re.findall(r"^\[rt\] life \d+: .*$", machine.log.text, re.MULTILINE)
        check(failures == 0, f"{found[0]}\n" + "\n".join(complaints))
        check(periods > lives and missed == 0 and worst <= WORST, f"RT noticed: {found[0]}")
        return lives, done, dict(re.findall(r"^\[rt\] ended by (\w+): (\d+)", machine.log.text, re.MULTILINE))


def restarts(boot, count, timeout):
    check(run_payload(boot, f"life {count}", "restarts", timeout)[0] == count, "not all of them")


def chaos(boot, seed, lives, cases, timeout):
    """A life that goes wrong is done again, alone, by "chaos SEED 1 CASES"."""
    lived, done, ends = run_payload(boot, f"chaos {seed} {lives} {cases}", "cases", timeout)
    check(lived == lives and done > lives * cases // 4, f"only {done} cases in {lived} lives")
    check(all(int(ends[cause]) > 0 for cause in ("reboot", "violation", "watchdog")), f"not every end was met: {ends}")


def test_guest_restarts(boot):
    restarts(boot, 330, 300)


def test_guest_restarts_long(boot):
    restarts(boot, 1000, 1200)


def test_guest_chaos(boot):
    chaos(boot, 1, 100, 100, 240)


def test_guest_chaos_long(boot):
    chaos(boot, 1000, 20000, 200, 7200)


def comes_again(machine, cause, log=None):
    """Linux is there again, and reads how the one before it ended: by this cause, with this at the end of its log."""
    machine.shell()
    shell(machine, "dmesg -n 1")
    report = shell(machine, "cat /sys/kernel/rtmux/last_report")
    check(report.startswith(f"guest ended by {cause}"), f"the report does not say {cause}:\n{report}")
    if log:
        check(re.search(rf"^\[ *\d+\.\d+\] .*{log}", report, re.MULTILINE), f"the report's log does not have {log}:\n{report}")
    check(shell(machine, "vbus echo still-there").strip() == "still-there", "V-Bus does not come again")
    print(f"{cause}: {report.splitlines()[0]}", flush=True)
    return report


def do(machine, command):
    machine.linux.send(f"{command}\n")


def test_guest_linux(boot):
    """Linux's own ways to end, with a restart after each, and what it can do about itself."""
    with boot.machine(image_options=("--on", "all=restart")) as machine:
        machine.shell()
        shell(machine, "dmesg -n 1; test ! -s /sys/kernel/rtmux/last_report")
        shell(machine, "kexecload") # refused, and it goes on
        do(machine, "echo c >/proc/sysrq-trigger")
        report = comes_again(machine, "panic: its kernel panicked", "Kernel panic - not syncing: sysrq triggered crash")
        for pattern in (r"^life 1, which lasted \d+\.\d{6} s$", r"^kernel mode, pc \w{8} ", r"^last hypercalls, the newest first: 82 "):
            check(re.search(pattern, report, re.MULTILINE), f"the report does not have {pattern}:\n{report}")
        check(machine.rt("guest report") == report, "the RTOS has another report")

        shell(machine, "insmod /lib/test-modules/die.ko")
        do(machine, "echo oops-irq >/proc/die")
        comes_again(machine, "panic", "Kernel panic - not syncing: Fatal exception in interrupt")
        do(machine, "reboot")
        comes_again(machine, "reboot", "reboot: Restarting system")

        check(machine.run("echo 3601 >/sys/kernel/rtmux/watchdog")[0] != 0, "a watchdog of more than an hour")
        shell(machine, "insmod /lib/test-modules/die.ko; echo 1 >/sys/kernel/rtmux/watchdog; sleep 3; cat /sys/kernel/rtmux/watchdog")
        do(machine, "echo hang >/proc/die")
        comes_again(machine, "watchdog: it did not serve its watchdog in time")
        shell(machine, "insmod /lib/test-modules/hostile.ko iret=0")
        do(machine, "sh -c 'echo fatal-pgd 0x70000000 >/proc/hostile'")
        comes_again(machine, "violation: page directory outside its memory")
        do(machine, "poweroff")
        comes_again(machine, "poweroff", "reboot: Power down")

        machine.rt("guest stop")
        machine.log.expect(r"^\[rt\] guest stopped$", 60)
        check("guest stopped for" in machine.rt("guest"), "it is not stopped")
        machine.rt("guest start")
        comes_again(machine, "stop: the RTOS wants it to")
        check_log(machine)
        ends = dict(re.findall(r"^(\w+) +(\d+)  ", machine.rt("guest policy"), re.MULTILINE))
        check(ends == {"poweroff": "1", "reboot": "1", "panic": "2", "violation": "1", "watchdog": "1", "stop": "1", "image": "0"},
              f"ends: {ends}")
        boot.check_rt(machine, "all that")


def test_guest_policies(boot):
    """What the image says, and what the RTOS says: down, and a reset of the board."""
    with Machine(boot.folder / "1", payload_image(boot, "--on", "watchdog=down", "--watchdog", "50")) as machine:
        machine.log.expect(r"^\[exec\] guest: stopped: it did not serve its watchdog in time", 60)
        check("guest stopped for" in machine.rt("guest"), "it is not down")
        said = ""
        for _ in range(100): # it is made in the guest's time, and the shell is quick
            said = said if said.startswith("guest ended") else machine.rt("guest report")
        check(said.startswith("guest ended by watchdog: "), f"another report: {said}")
        machine.rt("guest policy watchdog reset")
        machine.log.send("guest start\r")
        machine.log.expect(r"^\[exec\] RTMux ", 60)


if __name__ == "__main__":
    main(globals())
