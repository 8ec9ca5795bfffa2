#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The RTOS's shell on the executive's console: commands, keys, and that no guest keeps anybody from it."""
import re

from harness import check, main, shell
from rtos import machine as rtos_machine

UP, LEFT, HOME = "\x1b[A", "\x1b[D", "\x1b[H"
PS_ROW = re.compile(r"^(\S+) +(\d+)[ *] (\w+) +(\d+) +(\d+) +\d+\.\d% +\d+\.\d{3} +\d+$", re.MULTILINE)


def numbers(text, *names):
    """The number behind each name in a command's output."""
    return [int(re.search(rf"\b{name} (\d+)", text)[1]) for name in names]


def check_keys(m):
    """Keys of a terminal, on the target: what is entered is what was meant."""
    for keys, said in (("echp" + LEFT + "o\x1b[3~ one\r", "one"),
                       (UP + HOME + "\x0becho two\x01\x05 three\r", "two three"),
                       ("echo four\x15echo\tfive  \x17six\r", "six"),
                       ("nonsense\x03", None), ("he\t\r", "help ")):
        m.log.send(keys)
        if said:
            m.log.expect(rf"^{said}", 20)
        m.log.expect(r"^rt> $", 20)


def check_ps(text):
    rows = {row[0]: row for row in PS_ROW.findall(text)}
    check({"idle", "log", "control", "shell"} <= rows.keys(), f"ps lists {sorted(rows)}")
    check(rows["control"][1] == "0" and rows["shell"][2] == "ready", f"ps says: {text}")
    check(all(0 < int(used) <= int(size) for *_, size, used in rows.values()), f"ps says of stacks: {text}")


def test_rt_shell(boot):
    """Every command beside Linux; what the executive counts is what happened; RT keeps its time through all of it."""
    with boot.machine() as m:
        m.shell()
        before = m.rt("stat")
        check_keys(m)
        check_ps(m.rt("ps"))
        for name in ("help", "list", "list_sem", "list thread", "free", "irq", "guest"):
            check("failed" not in m.rt(name), f"{name} failed")
        shell(m, "sh -c 'for i in 1 2 3 4 5 6 7 8; do ls / >/dev/null; done'")
        after = m.rt("stat")
        names = ("world switches", "interrupts: RT", "guest: system calls", "hypercalls", "shadow: fills", "switches")
        for name, first, last in zip(names, numbers(before, *names), numbers(after, *names)):
            check(0 < first < last, f"{name}: {first}, then {last}")
        check(numbers(after, "guest boots", "lost records", "log lines lost") == [1, 0, 0], after)
        check(m.rt("guest").startswith("guest running for "), "the guest does not run")
        rt_irqs, = numbers(after, "interrupts: RT")
        lines = dict(re.findall(r"^ +(\d+)  RT +(\d+)$", m.rt("irq"), re.MULTILINE))
        check(int(lines["37"]) >= rt_irqs, f"irq counts {lines} of {rt_irqs}")
        m.log.send("y" * 3000 + "\x03")
        m.log.expect(r"^rt> $", 20)
        boot.check_rt(m, "a session in its shell, and a flood of input")
        result = m.rt("latency -n 500 -i 500 -h", 120)
        samples, least, average, worst, missed = numbers(result, "samples", "min", "avg", "max", "missed")
        check(samples == 500 and missed == 0 and 0 < least <= average <= worst < 20000, result)
        check(sum(map(int, re.findall(r"^ +\d+ ns +(\d+)$", result, re.MULTILINE))) == 500, f"histogram: {result}")
        m.log.send("latency\r")
        m.log.expect(r"samples [1-9]", 60)
        m.log.send("\x03")
        m.log.expect(r"^rt> $", 20)


def test_rt_shell_alone(boot):
    """Commands of the application, from FSymTab; bad input of all kinds."""
    with rtos_machine(boot, "rtos-selftest.elf") as m:
        m.log.expect(r"\[rt\] selftest: ", 120)
        check(re.search(r"^lines +print so many lines$", m.rt("help"), re.MULTILINE), "help does not list exported commands")
        check(m.rt("lines 2").count("\n") == 2, "lines does not run")
        for command, said in (("lines", r"^lines: failed \(22\)"), ("nothing", r"^nothing: no such command"),
                              ("list nothing", r"no objects of kind nothing"), ("echo 'a", "a quote has no end"),
                              ("latency -p 99", r"^latency \[-i US: "), ("latency -n", r"^latency \[-i"),
                              ("latency -i 1", r"^latency \[-i"), ("echo " + "x " * 20, "more than 16 words"),
                              ("echo " + "y" * 200, "^y{80}")):
            m.log.send(command + "\r")
            m.log.expect(said, 20)
            m.log.expect(r"^rt> $", 20)
        check("guest " in m.rt("guest"), "guest says nothing without a guest")


def test_rt_shell_output(boot):
    """More output than the console holds waits, and none is lost; nor is input that nobody reads yet."""
    with rtos_machine(boot, "rtos-selftest.elf") as m:
        m.log.expect(r"\[rt\] selftest: ", 120)
        output = m.rt("lines 500", 120)
        check(output == "".join(f"line {n} of what the console must not lose\n" for n in range(1, 501)),
              f"{output.count(chr(10))} lines of 500 came, or not as they were")
        m.log.send("busy 50\r" + "z" * 3000 + "\x03echo after\r")
        m.log.expect(r"^after$", 60)
        m.log.expect(r"^rt> $", 20)
        check(numbers(m.rt("stat"), "lost records") == [0], "records were lost")


def test_rt_shell_guest_off(boot):
    """It outlives the guest, and says what became of it."""
    with boot.machine() as m:
        m.shell()
        m.rt("guest")
        m.linux.send("poweroff\n")
        m.log.expect(r"^\[exec\] guest: powered off", 60)
        m.rt_shell = False
        check(m.rt("guest").startswith("guest powered off for "), "the guest is not off")
        check("control" in m.rt("ps"), "ps does not run")
        boot.check_rt(m, "its shell without a guest")


def test_rt_shell_hostile(boot):
    """A guest with its interrupts masked, or storming, does not keep anybody from the shell."""
    with boot.machine() as m:
        m.shell()
        shell(m, "dmesg -n 1; address=$(grep ' rtmux_iret_done$' /proc/kallsyms | cut -d' ' -f1); "
                 "insmod /lib/test-modules/hostile.ko iret=0x${address:-0}")
        m.rt("echo")
        m.linux.send("echo irqs-off 1000 >/proc/hostile; echo hypercall-storm >/proc/hostile; echo the end\n")
        masked = [m.rt("guest") for _ in range(12)][6:] # the first ones may come before the attack
        check(all("kernel mode" in said and "virtual interrupts masked" in said for said in masked), f"{masked}")
        check_ps(m.rt("ps"))
        m.linux.expect(r"^the end$", 300)
        boot.check_rt(m, "its shell beside a hostile guest")


if __name__ == "__main__":
    main(globals())
