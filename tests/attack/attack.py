#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the attacks of attacks.py in the guest; after each, the audit, RT's latency since before it, and a V-Bus ping.

What the guest survives runs in one machine after another attack; what ends it, each in a machine of its own, that goes
on from the state of one that has booted.
"""
import json
import re
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "qemu"))

from attacks import ANY_MODE, EMULATED, EXCEPTION, FAMILIES, FATE, HELD, KERNEL, PROCESS, STOPPED  # noqa: E402
from audit import Audit, Broken  # noqa: E402
from harness import BUILD, Skip, check, latency, main, shell  # noqa: E402
from rtmux_lib.qmp import Qmp  # noqa: E402

# In the order of RTMUX_V_*
VECTORS = ("vector_swi", "rtmux_iret_done", "__und_usr", "__und_svc", "__pabt_usr", "__pabt_svc", "__dabt_usr",
           "__dabt_svc", "__irq_usr", "__irq_svc")
OOPS = re.compile(r"Internal error|Unhandled fault|Unable to handle")
STOP = re.compile(r"guest: stopped: (.*)\n")
KERNEL_DOMAIN = 1
PERIODS = 100          # of RT, at least, go into each measurement: 50 ms
SILENCE = 1000         # periods, after which a guest that has not answered will not
PATIENCE = 20000       # periods, in which a guest that must be stopped is


def load(machine, native=False):
    machine.shell()
    pattern = "|".join(VECTORS)
    found = {name: address for address, _, name in
             (line.split()[:3] for line in shell(machine, f"grep -wE '({pattern})$' /proc/kallsyms || true").splitlines())}
    vectors = "" if native else "iret=0x{} vectors={}".format(found["rtmux_iret_done"],
                                                              ",".join(f"0x{found[name]}" for name in VECTORS))
    shell(machine, f"dmesg -n 1; ulimit -c 0; insmod /lib/test-modules/hostile.ko {vectors}")


def command(attack, number):
    if attack.by == PROCESS:
        return f"userattack {attack.name} {number}"
    return f"sh -c 'echo {attack.name} {number} >/proc/hostile'"


def outcome(attack, status, output, dump):
    if "BREACH" in dump + output:
        return f"BREACH\n{output}{dump}"
    if status == 0 and (f"ok {attack.name}" in output if attack.by == PROCESS else "ends with 0" in dump):
        return HELD
    if status > 128 and OOPS.search(dump):
        return "oops"
    if "ends with -13" in dump: # EACCES
        return EXCEPTION
    return f"status {status}: {output}\n{dump}"


# What single attacks found, that only the board's table or the closed list can judge

def check_physical(dump, number, audit):
    step = int(number) * 4096
    opened = [range(int(first, 16), int(last, 16) + 1, step)
              for first, last in re.findall(r"physical: open (0x\w+) to (0x\w+)", dump)]
    for pages in opened:
        for pa in pages:
            check(audit.allowed(pa, writes=False, executes=False), f"physical address {pa:#x} can be read")
    for wanted in (audit.ram, audit.vbus):
        check(any(wanted.start in pages and wanted.stop - step in pages for pages in opened),
              f"not all of {wanted} can be read: {opened}")


def instruction_name(word):
    """Of an MCR or MRC; anything else that is executed has no name in a list."""
    if word & 0xff000010 != 0xee000010:
        return f"{word:08x}"
    op1, crn, crm, op2 = word >> 21 & 7, word >> 16 & 15, word & 15, word >> 5 & 7
    return f"{'mrc' if word >> 20 & 1 else 'mcr'} {f'{op1},' if op1 else ''}c{crn},c{crm},{op2}"


def check_coprocessor(dump, number):
    number = int(number)
    coprocessor, user, thumb, unconditional = number & 15, number & 16, number & 32, number & 64
    found = {instruction_name(int(word, 16)) for word in re.findall(r"executed \w+ (\w{8})", dump)}
    allowed = set() if unconditional else set(ANY_MODE.get(coprocessor, ()))
    if coprocessor == 15 and not (user or thumb or unconditional):
        allowed |= EMULATED.keys()
    check(found <= allowed, f"executed, and not in the list: {sorted(found - allowed)}")
    check(unconditional or not EMULATED.keys() & (allowed - found), f"not executed: {sorted(allowed - found)}")


def check_details(attack, number, dump, audit):
    if attack.name == "physical":
        check_physical(dump, number, audit)
    elif attack.name == "coprocessor" and attack.by == KERNEL:
        check_coprocessor(dump, number)


class Results:
    """Collects what was wrong, and what was measured."""

    def __init__(self, name):
        self.name, self.wrong, self.measured = name, [], []

    def add(self, attack, number, found, worst, seconds):
        self.measured.append({"attack": attack.name, "by": attack.by, "number": number, "outcome": found.splitlines()[0],
                              "worst_ns": worst})
        late = "" if worst is None else f"RT at worst {worst} ns, "
        print(f"{attack.by} {attack.name} {number}: {found.splitlines()[0]}, {late}{seconds:.1f} s", flush=True)

    def fail(self, attack, number, reason):
        self.wrong.append(f"{attack.by} {attack.name} {number}: {reason}")
        print(self.wrong[-1], flush=True)

    def end(self):
        folder = BUILD / "attack"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.json").write_text(json.dumps(self.measured, indent=1) + "\n")
        check(not self.wrong, f"{len(self.wrong)} attacks:\n" + "\n".join(self.wrong))
        check(self.measured, "no attack was made")


def chosen(full, wanted):
    """(attack, number) of what fits."""
    return [(attack, number) for family in FAMILIES.values() for attack in family if wanted(attack)
            for number in (attack.full if full else attack.quick)]


def wait_periods(audit, count):
    """Until RT has run so many periods since the attack began. The wall's time only says that QEMU is alive."""
    deadline = time.monotonic() + 300
    while audit.worst()[0] < count:
        check(time.monotonic() < deadline, "RT's periods stand still")
        time.sleep(0.02)


def judge(attack, number, found, audit, results, began):
    """RT, the audit, and whether the outcome is one of those expected."""
    try:
        wait_periods(audit, PERIODS)
        _, worst = audit.check()
        results.add(attack, number, found, worst, time.monotonic() - began)
        check(worst <= latency.WORST_BAR, f"RT was {worst} ns late")
        kind = found.split(":")[0]
        check(kind in attack.expected or FATE in attack.expected and "BREACH" not in found,
              f"expected {' or '.join(attack.expected)}, got {found}")
    except (Broken, AssertionError) as reason:
        results.fail(attack, number, reason)
        return False
    return True


def check_known(machine):
    """All attacks of the module are in the list."""
    known = set(shell(machine, "cat /proc/hostile").split())
    listed = {attack.name for family in FAMILIES.values() for attack in family if attack.by == KERNEL}
    check(known == listed, f"in the module or in the list alone: {sorted(known ^ listed)}")


def survived(boot, name, attacks):
    """One after the other in the same machine."""
    results = Results(name)
    qmp = Qmp(boot.folder / "qmp")
    with boot.machine(extra=qmp.options()) as machine:
        load(machine, boot.native)
        audit = None if boot.native else Audit(machine, qmp, boot.preset)
        if audit:
            check_known(machine)
        for attack, number in attacks:
            began = time.monotonic()
            shell(machine, "dmesg -c >/dev/null")
            if audit:
                audit.begin()
            status, output = machine.run(command(attack, number), 600)
            dump = shell(machine, "dmesg -c")
            found = outcome(attack, status, output, dump)
            if boot.native:
                results.add(attack, number, found, None, time.monotonic() - began)
                if found not in ((HELD,) if EXCEPTION in attack.expected else attack.expected):
                    results.fail(attack, number, found)
                continue
            judge(attack, number, found, audit, results, began)
            try:
                check_details(attack, number, dump, audit)
                if attack.name.startswith("vbus"):
                    shell(machine, "rmmod rtmux_vbus && insmod /lib/modules/rtmux_vbus.ko; sleep 0.1; "
                                   "vbus echo ping || vbus echo ping || vbus echo ping")
                check("ping" in shell(machine, "vbus echo ping"), "V-Bus does not answer")
            except AssertionError as reason:
                results.fail(attack, number, reason)
        check(shell(machine, "echo $((6 * 7))").strip() == "42", "the shell does not calculate any more")
        shell(machine, "torture vm-random 100")
        boot.check_rt(machine, "all attacks")
    results.end()


class Snapshot:
    """The state of a machine, that others go on from. The processor stands while it is taken."""

    def __init__(self, boot):
        self.boot, self.state = boot, boot.folder / "state"
        qmp = Qmp(boot.folder / "qmp")
        with boot.machine(extra=qmp.options()) as machine:
            load(machine)
            self.log, self.serial = machine.log.text, machine.serial
            qmp.command("stop")
            qmp.command("migrate-set-parameters", **{"max-bandwidth": 1 << 32})
            qmp.command("migrate", uri=f"exec:cat >{self.state}")
            while (status := qmp.command("query-migrate").get("status")) != "completed":
                check(status in ("setup", "active"), f"QEMU does not save its state: {status}")
                time.sleep(0.02)

    def machine(self, qmp):
        machine = self.boot.machine(extra=[*qmp.options(), "-incoming", f"exec:cat {self.state}"])
        machine.serial = self.serial
        machine.log.text = self.log # from before, for the audit
        machine.log.position = len(self.log)
        while qmp.command("query-status")["status"] == "inmigrate":
            time.sleep(0.02)
        qmp.command("cont")
        return machine


def fate(machine, audit, serial, patience):
    """What became of the guest, in so many periods at most."""
    while True:
        periods, _ = audit.worst()
        new = machine.log.text[machine.log.position:]
        stopped = STOP.search(new)
        if stopped:
            return f"{STOPPED}: {stopped[1]}"
        for words, name in (("guest: restart", "restart"), ("guest: powered off", "off")):
            if words in new:
                return name
        answer = re.search(rf"@@{serial}:(\d+)@@\n", machine.linux.text)
        if answer:
            return HELD if answer[1] == "0" else f"ended with status {answer[1]}"
        if "Kernel panic" in machine.linux.text:
            return "panic"
        if periods > patience:
            return "silence"
        time.sleep(0.02)


def fatal(boot, name, attacks):
    if boot.native:
        raise Skip("for a guest")
    results = Results(name)
    snapshot = Snapshot(boot)
    for number_of_run, (attack, number) in enumerate(attacks):
        began = time.monotonic()
        qmp = Qmp(boot.folder / f"qmp-{number_of_run}")
        with snapshot.machine(qmp) as machine:
            audit = Audit(machine, qmp, boot.preset)
            audit.begin()
            machine.serial += 1
            machine.linux.send(f"{command(attack, number)}\necho \"\"@'@'{machine.serial}:$?@@\n")
            found = fate(machine, audit, machine.serial, SILENCE if FATE in attack.expected else PATIENCE)
            judge(attack, number, found, audit, results, began)
    results.end()


class Changed:
    """A Qmp that reads other words than those in memory at some addresses."""

    def __init__(self, qmp, words):
        self.qmp, self.words = qmp, words

    def memory(self, address, size):
        data = bytearray(self.qmp.memory(address, size))
        for at, word in self.words.items():
            if address <= at < address + size:
                struct.pack_into("<I", data, at - address, word)
        return bytes(data)


def test_attack_audit(boot):
    """The audit finds each thing that an attack might do."""
    if boot.native:
        raise Skip("there is nothing to audit")
    qmp = Qmp(boot.folder / "qmp")
    with boot.machine(extra=qmp.options()) as machine:
        machine.shell()
        audit = Audit(machine, qmp, boot.preset)
        audit.begin()
        wait_periods(audit, PERIODS)
        audit.check()
        l1, pool = audit.pa(audit.data["rtmux::hardware_l1"]), audit.pa(audit.data["rtmux::shadow_pool"])
        record = audit.pa(audit.data["demo::record"])
        executive, timer = audit.facts["BOARD_RAM_BASE"], audit.facts["BOARD_RT_TIMER_BASE"]
        empty, window = l1 + 4 * 0xf50, l1 + 4 * 0xfe8
        wrong = {
            "executive's code": {executive + 0x100: 0xe1a00000},
            "RTOS's code": {executive + 0x200100: 0xe1a00000},
            "section of the executive": {empty: executive | 0xc00 | KERNEL_DOMAIN << 5 | 2},
            "section of guest RAM for PL1": {empty: audit.ram.start | 0x400 | KERNEL_DOMAIN << 5 | 2},
            "section of guest RAM in the executive's domain": {empty: audit.ram.start | 0xc12},
            "supersection": {empty: 0x71040c02 | KERNEL_DOMAIN << 5},
            "table outside the pool": {empty: audit.ram.start | KERNEL_DOMAIN << 5 | 1},
            "page of the RT timer": {pool: timer | 0x33},
            "page of the executive": {pool: executive | 0x33},
            "system registers, writable": {pool: audit.facts["BOARD_SYSREG_BASE"] | 0x33},
            "device, executable": {pool: 0x10002032},
            "window, in the guest's domain": {window: struct.unpack("<I", qmp.memory(window, 4))[0] | KERNEL_DOMAIN << 5},
            "window, a section for all": {window: executive | 0xc12},
            "window, writable and executable": {window: executive | 0x402},
            "a missed period": {record + 24: 1},
            "a record of another form": {record + 4: 616},
            "an FP register": {audit.pa(audit.data["demo::mismatches"]): 1},
        }
        for what, words in wrong.items():
            audit.qmp = Changed(qmp, words)
            try:
                audit.check()
            except Broken as reason:
                print(f"{what}: {reason}")
                continue
            raise AssertionError(f"not found: {what}")


def ends(attack):
    return STOPPED in attack.expected or FATE in attack.expected


def by(kind, full, boot):
    return chosen(full, lambda attack: attack.by == kind and not ends(attack) and (attack.natively or not boot.native))


def test_attack_kernel(boot):
    survived(boot, "kernel", by(KERNEL, False, boot))


def test_attack_process(boot):
    survived(boot, "process", by(PROCESS, False, boot))


def test_attack_fatal(boot):
    fatal(boot, "fatal", chosen(False, ends))


def test_attack_kernel_full(boot):
    survived(boot, "kernel-full", by(KERNEL, True, boot))


def test_attack_process_full(boot):
    survived(boot, "process-full", by(PROCESS, True, boot))


def test_attack_fatal_full(boot):
    fatal(boot, "fatal-full", chosen(True, ends))


if __name__ == "__main__":
    main(globals())
