#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Find what must not run in USR mode in a guest kernel and its modules.

There is no trap for these instructions, so a kernel that still has one goes wrong in silence:
  ignored or answered wrongly   cps, msr cpsr_c, mrs cpsr; wfi, which really waits (Arm ARM, B1.3.3, B1.8.13, B9.1)
  unpredictable                 mrs and msr spsr, movs and subs pc, ldm and stm ^, rfe, srs (B9.1, B9.3)
usr_mode_allowed.txt lists the functions where they may stand, with reasons; usr_mode_allowed_debug.txt those that only
the debug variant has.

usr_mode_scan.py --variant VARIANT [FILE.ko...]   that kernel, its modules and RTMux's, and further ones
usr_mode_scan.py --self-test                      does it find each of them?
"""
import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel

CROSS = "arm-linux-gnueabihf-"
ALLOWED = {"guest": ("usr_mode_allowed.txt",), "guest-debug": ("usr_mode_allowed.txt", "usr_mode_allowed_debug.txt")}
ARITHMETIC = "(?:mov|mvn|add|adc|sub|sbc|rsb|rsc|and|orr|eor|bic|asr|lsl|lsr|ror|rrx)"
CONDITION = "(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?"


def classify(operation, operands):
    """The instruction's name in the allow-list, or None if USR mode executes or traps it as ever."""
    first, _, rest = operands.lower().partition(",")
    if re.match(r"cps", operation):
        return "cps"
    if re.fullmatch(rf"wfi{CONDITION}(\.[nw])?", operation):
        return "wfi"
    if re.match(r"(rfe|srs)", operation):
        return operation[:3]
    if operation.startswith("msr"):
        register, _, fields = first.partition("_")
        if register == "spsr":
            return "msr spsr"
        # the flags and the GE bits are USR mode's own
        return "msr cpsr_c" if register == "cpsr" and set(fields) - set("fs") else None
    if operation.startswith("mrs"):
        return "mrs spsr" if "spsr" in rest else "mrs cpsr"
    if first == "pc" and re.fullmatch(rf"{ARITHMETIC}s{CONDITION}(\.w)?", operation):
        return "movs pc"
    if operands.rstrip().endswith("^"):
        return f"{operation[:3]} ^"
    return None


def scan(path):
    """(function, section) -> Counter of instructions; and the set of all functions."""
    found, functions = collections.defaultdict(collections.Counter), set()
    section = function = "?"
    listing = subprocess.Popen([CROSS + "objdump", "-d", path], text=True, errors="replace", stdout=subprocess.PIPE)
    for line in listing.stdout:
        if match := re.match(r"\s*[0-9a-f]+:\t[0-9a-f ]+\t(\S+)\t?([^@;\n]*)", line):
            if name := classify(*match.groups()):
                found[function, section][name] += 1
        elif match := re.match(r"[0-9a-f]{8} <(.+)>:", line):
            function = match.group(1)
            functions.add((function, section))
        elif match := re.match(r"Disassembly of section (\S+):", line):
            section = match.group(1)
    if listing.wait():
        sys.exit(f"usr_mode_scan: {CROSS}objdump fails on {path}")
    return found, functions


def allowed(variant):
    result = {}
    for name in ALLOWED[variant]:
        for line in Path(__file__).with_name(name).read_text().splitlines():
            if line and not line.startswith("#"):
                function, section, instructions, reason = (field.strip() for field in line.split("|"))
                if not reason:
                    sys.exit(f"{name}: {function} has no reason")
                result.setdefault((function, section), set()).update(re.split(r",\s*", instructions))
    return result


def problems(found, functions, allow):
    """allow is None for a module: nothing is allowed there."""
    result = []
    for place, counter in sorted(found.items()):
        for name, count in sorted(counter.items()):
            if name not in (allow or {}).get(place, ()):
                result.append(f"{count} x {name} in {place[0]} [{place[1]}]")
    for place, names in (allow or {}).items():
        if place not in functions:
            result.append(f"allowed, but there is no such function: {place[0]} [{place[1]}]")
            continue
        result += [f"allowed, but {place[0]} [{place[1]}] has no {name}" for name in sorted(names - set(found[place]))]
    return result


def own_modules(kernel_directory, out):
    """RTMux's modules, built for that kernel."""
    result = subprocess.run(["make", "-s", "-f", "Makefile.kbuild", f"KDIR={kernel_directory}", f"OUT={out}"],
                            cwd=kernel.ROOT, text=True, capture_output=True)
    modules = sorted(Path(out).rglob("*.ko"))
    if result.returncode or not modules:
        sys.exit(f"usr_mode_scan: Makefile.kbuild does not build a module:\n{result.stdout}{result.stderr}")
    return modules


def check_kernel(variant, further):
    tool = kernel.tool("build-linux")
    try:
        directory = tool.build(variant)
    except tool.Failed as failure:
        sys.exit(f"usr_mode_scan: {failure}")
    modules = sorted(directory.rglob("*.ko"))
    if not modules:
        sys.exit(f"usr_mode_scan: no modules in {directory}: nothing would be tested there")
    with tempfile.TemporaryDirectory() as out:
        return check_files(variant, [directory / "vmlinux", *modules, *own_modules(directory, out), *further])


def check_files(variant, paths):
    failed = False
    for path in paths:
        found, functions = scan(path)
        if not functions:
            sys.exit(f"usr_mode_scan: no functions in {path}")
        complaints = problems(found, functions, allowed(variant) if path.name == "vmlinux" else None)
        print(f"{path}: {len(functions)} functions, {sum(sum(c.values()) for c in found.values())} sensitive "
              f"instructions, {len(complaints)} complaints")
        for complaint in complaints:
            print(f"  {complaint}")
        failed = failed or bool(complaints)
    return failed


BAD = {
    "cps": "cpsid i", "wfi": "wfi", "rfe": "rfeia sp!", "srs": "srsdb sp!, #19", "msr cpsr_c": "msr cpsr_c, r0",
    "mrs cpsr": "mrs r0, cpsr", "mrs spsr": "mrs r0, spsr", "msr spsr": "msr spsr_cxsf, r0", "movs pc": "movs pc, lr",
    "ldm ^": "ldmia sp, {r0 - pc}^", "stm ^": "stmdb r8, {sp, lr}^",
}
MORE_BAD = ("cpsie i", "cps #22", "msr cpsr_fsxc, r1", "subs pc, lr, #4", "movseq pc, lr", "ldmdb r2, {r1 - lr}^",
            "wfieq")
GOOD = ("msr cpsr_f, r0", "mov pc, lr", "ldm sp, {r0, pc}", "subs r0, r0, #4", "wfe", "svc #0",
        "mcr p15, 0, r0, c7, c10, 1", "eor r0, r1, r2")


def self_test():
    """Assemble a function of each kind, and scan them."""
    def function(name, body):
        return f".globl {name}\n.type {name}, %function\n{name}: {body}\n.size {name}, . - {name}\n"

    cases = list(BAD.values()) + list(MORE_BAD) + list(GOOD)
    source = ".syntax unified\n.arch armv7-a\n.arm\n.text\n" + "".join(
        function(f"case{number}", body) for number, body in enumerate(cases))
    with tempfile.TemporaryDirectory() as name:
        target = Path(name) / "cases.o"
        subprocess.run([CROSS + "as", "-o", target, "-"], input=source, text=True, check=True)
        found, functions = scan(target)
    names = [next(iter(found[f"case{number}", ".text"]), None) for number in range(len(cases))]
    assert len(functions) == len(cases), functions
    assert names[:len(BAD)] == list(BAD), names
    assert None not in names[:len(BAD) + len(MORE_BAD)], names
    assert set(names[-len(GOOD):]) == {None}, names
    place = ("case0", ".text")
    assert len(problems({place: {"cps": 1}}, {place}, {})) == 1
    assert len(problems({place: {"cps": 1}}, {place}, None)) == 1
    assert len(problems({place: {"cps": 1}}, {place}, {place: {"cps"}})) == 0
    assert len(problems({place: {"cps": 1}}, {place}, {place: {"cps", "wfi"}})) == 1
    assert len(problems({}, {place}, {("gone", ".text"): {"cps"}})) == 1
    print(f"{len(cases)} instructions told apart")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--variant", choices=ALLOWED)
    group.add_argument("--self-test", action="store_true")
    parser.add_argument("modules", nargs="*", type=Path)
    options = parser.parse_args()
    sys.exit(self_test() if options.self_test else check_kernel(options.variant, options.modules))


if __name__ == "__main__":
    main()
