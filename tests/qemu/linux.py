#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Linux does what Linux does: shell, disk, network, modules, reboot, power off. Natively and as guest."""
import re

from harness import Skip, check, check_log, main, shell


def test_boot(boot):
    with boot.machine() as machine:
        machine.shell()
        check(shell(machine, "echo $((6 * 7))").strip() == "42", "the shell does not calculate")
        check("Linux" in shell(machine, "uname -s"), "uname does not say Linux")
        shell(machine, "ls / | grep -q init")
        shell(machine, "false", expected=1)
        check_log(machine)
        boot.check_rt(machine, "boot")


def test_load(boot):
    """Messages between processes, copying, walking the file system, forking: all of it at once."""
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "load.sh && sleep 2", timeout=600)
        work = re.findall(r"^load (\w+) (\d+)$", shell(machine, "load.sh stop", timeout=300), re.MULTILINE)
        check(len(work) == 4 and all(int(rounds) > 0 for _, rounds in work), f"not all of the load ran: {work}")
        check_log(machine)
        boot.check_rt(machine, "load")


def test_sd_card(boot):
    card = boot.sd_card({"hello": "from the host\n", "many/deep/file": "x" * 100000})
    with boot.machine(sd=card) as machine:
        machine.shell()
        shell(machine, "mount -t ext4 /dev/mmcblk0 /mnt")
        check(shell(machine, "cat /mnt/hello") == "from the host\n", "the host's file reads wrong")
        check(shell(machine, "wc -c </mnt/many/deep/file").strip() == "100000", "the long file has another length")
        # Two megabytes, through the card and back with the page cache dropped in between.
        shell(machine, "dd if=/dev/urandom of=/tmp/random bs=4096 count=512 2>/dev/null")
        shell(machine, "cp /tmp/random /mnt/random && echo 'from the guest' >/mnt/answer && sync")
        shell(machine, "umount /mnt && mount -t ext4 /dev/mmcblk0 /mnt")
        shell(machine, "cmp /tmp/random /mnt/random")
        shell(machine, "umount /mnt")
    check(boot.card_holds(card, "answer") == "from the guest\n", "the guest's file is not on the card")


def test_ping(boot):
    with boot.machine(network=True) as machine:
        machine.shell()
        shell(machine, "ip link set eth0 up && ip addr add 10.0.2.15/24 dev eth0")
        output = shell(machine, "ping -c 20 -i 0.1 -s 1000 10.0.2.2")
        check("20 packets received" in output, f"ping lost packets:\n{output}")


def load_modules(machine, names):
    """Load all, each after what it needs; returns the names that the kernel then has."""
    left = set(names)
    while left:
        results = {name: machine.run(f"insmod /lib/modules/{name}.ko") for name in sorted(left)}
        done = {name for name, (status, output) in results.items()
                # No device for it is an honest answer; a wrong format, symbol or relocation is not.
                if status == 0 or "No such device" in output or "File exists" in output}
        check(done, f"no module of {sorted(left)} loads: {results}")
        left -= done
    return {line.split()[0] for line in shell(machine, "cat /proc/modules").splitlines()}


def test_modules(boot):
    with boot.machine() as machine:
        machine.shell()
        names = [name.removesuffix(".ko") for name in shell(machine, "ls /lib/modules").split()]
        if boot.native and not names:
            raise Skip("the native kernel has no modules")
        check(names, "the initramfs has no modules: nothing is tested")
        first = load_modules(machine, names)
        # Out again, each after what needs it
        for _ in names:
            loaded = [line.split()[:3] for line in shell(machine, "cat /proc/modules").splitlines()]
            for name in [name for name, _, users in loaded if users == "0"]:
                shell(machine, f"rmmod {name}")
        check(not shell(machine, "cat /proc/modules").strip(), "not every module can be unloaded")
        check(load_modules(machine, names) == first, "not every module could be loaded again")
        check_log(machine)


def test_poweroff(boot):
    with boot.machine() as machine:
        machine.shell()
        machine.linux.send("poweroff\n")
        if boot.native:
            # This board cannot cut its own power: natively, Linux halts.
            machine.linux.expect("reboot: (Power down|.*System halted)", 60)
        else:
            machine.log.expect(r"^\[exec\] guest: powered off", 60)
            boot.check_rt(machine, "power off")


def test_reboot(boot):
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "echo left-over >/tmp/file")
        machine.linux.send("reboot\n")
        machine.linux.expect("reboot: Restarting system", 60)
        machine.shell()
        shell(machine, "test ! -e /tmp/file")
        check(float(shell(machine, "cut -d' ' -f1 /proc/uptime")) < 30, "the uptime goes on: nothing was rebooted")
        boot.check_rt(machine, "reboot")


if __name__ == "__main__":
    main(globals())
