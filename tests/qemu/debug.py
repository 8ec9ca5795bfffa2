#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The kernel that checks itself (linux-patches/*/debug.config): as guest it finds nothing that native does not find.

Boot and load under lockdep and irq-flag tracing, the tracers' self-tests at boot, tracers and kprobes at run time,
and LKDTM's crashes with the same ends.
"""
import re

from harness import check, main, shell

COMPLAINT = re.compile(r"WARNING|BUG|INFO:|FAILED|Oops|\bbad\b|corrupt|[Uu]nhandled|stall|irqs were|deadlock|"
                       r"inconsistent|unsafe|sleeping function|scheduling while|suspicious|[Ll]ockdep.*off|turning off")
TRACING = "/sys/kernel/tracing"
READS = 1000
CRASH = "/sys/kernel/debug/provoke-crash/DIRECT"
# ftrace's start-up tests leave function_graph out: one of them fails, natively too. This parameter skips them.
NO_SELF_TESTS = "ftrace=nop"
CRASHES = (
    "BUG", "WARNING", "WARNING_MESSAGE", "EXCEPTION", "UNALIGNED_LOAD_STORE_WRITE", "CORRUPT_LIST_ADD", "CORRUPT_LIST_DEL",
    "STACK_GUARD_PAGE_LEADING", "STACK_GUARD_PAGE_TRAILING", "WRITE_RO", "WRITE_RO_AFTER_INIT", "WRITE_KERN",
    "EXEC_DATA", "EXEC_STACK", "EXEC_KMALLOC", "EXEC_VMALLOC", "EXEC_RODATA", "EXEC_NULL", "ACCESS_NULL",
    "EXEC_USERSPACE", "ACCESS_USERSPACE",
    "VMALLOC_LINEAR_OVERFLOW", "SLAB_INIT_ON_ALLOC", "BUDDY_INIT_ON_ALLOC", "SLAB_FREE_DOUBLE", "SLAB_FREE_CROSS",
    "SLAB_FREE_PAGE",
    *(f"REFCOUNT_{what}" for what in (
        "INC_OVERFLOW", "ADD_OVERFLOW", "INC_NOT_ZERO_OVERFLOW", "ADD_NOT_ZERO_OVERFLOW", "DEC_ZERO", "DEC_NEGATIVE",
        "DEC_AND_TEST_NEGATIVE", "SUB_AND_TEST_NEGATIVE", "SUB_AND_TEST_ZERO", "INC_ZERO", "ADD_ZERO", "INC_SATURATED",
        "DEC_SATURATED", "ADD_SATURATED", "INC_NOT_ZERO_SATURATED", "ADD_NOT_ZERO_SATURATED", "DEC_AND_TEST_SATURATED",
        "SUB_AND_TEST_SATURATED")),
    *(f"USERCOPY_{what}" for what in (
        "SLAB_SIZE_TO", "SLAB_SIZE_FROM", "SLAB_WHITELIST_TO", "SLAB_WHITELIST_FROM", "STACK_FRAME_TO", "STACK_FRAME_FROM",
        "STACK_BEYOND", "VMALLOC", "FOLIO", "KERNEL")),
    *(f"FORTIFY_{what}" for what in ("STR_OBJECT", "STR_MEMBER", "MEM_OBJECT", "MEM_MEMBER", "STRSCPY")),
    "EXHAUST_STACK",
)
# What a guest kernel cannot have is PAN (docs/security.md): natively these fault for it, here they do not
NO_PAN = ("EXEC_USERSPACE", "ACCESS_USERSPACE")
# Nothing is mapped at these: a fault here as natively, where PAN comes before and gives it its name
PAN_FIRST = ("EXCEPTION", "EXEC_NULL", "ACCESS_NULL")
# What a line tells of a crash. Numbers are left out of it: the two kernels' addresses differ.
TELLING = re.compile(r"lkdtm: |Unable to handle|kernel BUG at|Internal error|WARNING: |Insufficient stack|"
                     r"stack overflow|list_(add|del) corruption|Unhandled|Kernel panic|usercopy: |refcount_t: |"
                     r"buffer overflow|Wrong slab cache")


def plain(line):
    """Without the time, and what differs from kernel to kernel."""
    line = re.sub(r"^\[ *[\d.]+\] |-(native|guest)-debug", "", line)
    if line.startswith("Internal error"):
        return re.sub(r" \[#\d+\]", "", line)  # its number is the fault status
    line = re.sub(r"\+0x[0-9a-f]+/0x[0-9a-f]+", "", line)
    return re.sub(r"\b(0x)?[0-9a-f]*\d[0-9a-f]*\b", "N", line).strip()


def complaints(machine):
    return {plain(line) for line in shell(machine, "dmesg").splitlines() if COMPLAINT.search(line)}


def mounts(machine):
    shell(machine, "dmesg -n 1; mount -t tracefs tracefs " + TRACING)


def loaded(boot):
    """Complaints of boot and load, and how the start-up tests of the tracers ended."""
    with boot.machine() as machine:
        machine.shell(300)
        shell(machine, "load.sh && hackbench -g 2 -l 20 >/dev/null", timeout=900)
        work = re.findall(r"^load (\w+) (\d+)$", shell(machine, "load.sh stop", timeout=600), re.MULTILINE)
        check(sum(int(rounds) > 0 for _, rounds in work) >= 3, f"not all of the load ran: {work}")
        shell(machine, "torture many-processes && torture signals-nested && torture ptrace-breakpoints", timeout=600)
        locks = shell(machine, "cat /proc/lockdep_stats")
        check(re.search(r"debug_locks: +1$", locks, re.MULTILINE), f"lockdep is off:\n{locks}")
        tests = set(re.findall(r"Testing ([^:\n]+): (?:\n.*?)*?(PASSED|OK|FAILED)", shell(machine, "dmesg")))
        check(len(tests) >= 10, f"the tracers' start-up tests did not run: {tests}")
        boot.check_rt(machine, "load with a debug kernel")
        return complaints(machine), tests


def test_complaints(boot):
    found, tests = loaded(boot)
    expected, expected_tests = loaded(boot.reference())
    check(tests == expected_tests, f"start-up tests end otherwise than natively: {sorted(tests ^ expected_tests)}")
    print(f"natively {len(expected)} complaints, here {len(found)}")
    check(found <= expected, "complaints that native does not make:\n" + "\n".join(sorted(found - expected)))


def test_tracers(boot):
    """function, function_graph and a kprobe, switched on while the system works."""
    with boot.machine(NO_SELF_TESTS) as machine:
        machine.shell(300)
        mounts(machine)
        shell(machine, f"cd {TRACING}; ls /bin >/dev/null")
        for tracer, line in (("function", r"_raw_spin_unlock <-"), ("function_graph", r"us +[|] +[a-z_]+[(][)];$"),
                             ("irqsoff", r"=> ended at: "), ("preemptirqsoff", r"=> ended at: ")):
            shell(machine, f"echo {tracer} >current_tracer; echo >trace; echo 1 >tracing_on")
            shell(machine, "ls -lR /lib /sys/class >/dev/null; (sleep 0.02)", timeout=600)
            shell(machine, "echo 0 >tracing_on; head -n 4000 trace >/tmp/trace; echo nop >current_tracer", timeout=600)
            found = int(shell(machine, f"grep -cE '{line}' /tmp/trace || true", timeout=300))
            check(found > 0, f"{tracer} traced nothing:\n{shell(machine, 'head -n 30 /tmp/trace')}")
        # Probes on a function that is called a known number of times: entry, return, and the instructions in between
        shell(machine, "echo 'r:back vfs_read count=$retval:s32' >kprobe_events; "
                       f"for at in {' '.join(str(at) for at in range(0, 128, 4))}; do "
                       "echo p:at$at vfs_read+$at >>kprobe_events 2>/dev/null; done; true")
        shell(machine, "echo 'count==1' >events/kprobes/back/filter; echo >trace; echo 1 >tracing_on; "
                       "echo 1 >events/kprobes/enable")
        shell(machine, f"dd if=/dev/zero of=/dev/null bs=1 count={READS} 2>/dev/null; hackbench -g 1 -l 2 >/dev/null",
              timeout=300)
        shell(machine, "echo 0 >events/kprobes/enable; echo 0 >tracing_on")
        hits = {name: int(count) for name, count in re.findall(r"^ *(\w+) +(\d+) +\d+$",
                                                               shell(machine, "cat kprobe_profile"), re.MULTILINE)}
        often = [name for name, count in hits.items() if count >= READS]
        check(len(hits) > 20 and len(often) > 10, f"not probed often enough: {hits}")
        returned = int(shell(machine, "grep -c 'back: (.* <- vfs_read) count=1$' trace || true"))
        check(returned >= READS, f"{returned} of {READS} returns were recorded")
        shell(machine, "echo >kprobe_events; cat /proc/version >/dev/null; cd /")
        found = complaints(machine)
        check(not found, "\n".join(found))
        boot.check_rt(machine, "tracing")


def ends(boot):
    """{crash: (status of the process that made it, what the kernel said of it)}"""
    found = {}
    with boot.machine(NO_SELF_TESTS) as machine:
        machine.shell(300)
        mounts(machine)
        for crash in CRASHES:
            shell(machine, "dmesg -c >/dev/null")
            status, _ = machine.run(f"sh -c 'echo {crash} >{CRASH}'", 120)
            dump = shell(machine, "dmesg -c")
            lines = [plain(line) for line in dump.splitlines() if TELLING.search(line)]
            found[crash] = status, lines
            print(f"{crash}: {found[crash]}", flush=True)
        shell(machine, "hackbench -g 1 -l 10", timeout=300)
        boot.check_rt(machine, "LKDTM")
    return found


def test_lkdtm(boot):
    found, expected = ends(boot), ends(boot.reference())
    check(all(expected[crash][1] for crash in CRASHES), f"natively the kernel is silent: {expected}")
    for crash in NO_PAN + PAN_FIRST:
        check("page domain fault" in " ".join(expected[crash][1]), f"natively {crash} is no matter of PAN: {expected[crash]}")
    wrong = [f"{crash}:\n    native {expected[crash]}\n    here   {found[crash]}" for crash in CRASHES
             if (found[crash][0] != expected[crash][0] if crash in PAN_FIRST else
                 (found[crash] != expected[crash]) != (crash in NO_PAN))]
    check(not wrong, "\n".join(wrong))


if __name__ == "__main__":
    main(globals())
