# SPDX-License-Identifier: GPL-2.0-only
"""Size of the Linux patch, of the executive and of the RTOS.

Patch: lines inserted and files touched by linux-patches/6.12, new files included. The bars are those of the 2014
RTMux patch. Executive: what it holds in read-only sections, its budget is 64 KiB.
"""
import re
import subprocess

from rtmux_lib import build
from rtmux_lib.bench import Result
from rtmux_lib.linux_patches import counts
from rtmux_lib.paths import BUILD, DEFAULT_BOARD

def section_sizes(elf):
    """Bytes of (code and constants, initialised data, zeroed data), by the flags of the ELF's sections."""
    dump = subprocess.run(["arm-none-eabi-readelf", "-SW", elf], check=True, capture_output=True, text=True).stdout
    fixed = data = zeroed = 0
    for kind, size, flags in re.findall(r"\] \S+ +(\S+) +[0-9a-f]{8} [0-9a-f]{6} ([0-9a-f]{6}) \d+ +([A-Z]*) ", dump):
        if "A" not in flags:
            continue
        if kind == "NOBITS":
            zeroed += int(size, 16)
        elif "W" in flags:
            data += int(size, 16)
        else:
            fixed += int(size, 16)
    return fixed, data, zeroed


def run():
    patch = counts()
    results = [Result("patch.lines", "lines", sum(inserted for inserted, _ in patch.values()), 571),
               Result("patch.files", "files", len(patch), 21)]
    build.preset(DEFAULT_BOARD)
    for name, elf, bar in (("executive", "hypervisor/executive.elf", 64 * 1024), ("rtos", "rtos/rtos.elf", None)):
        fixed, data, zeroed = section_sizes(BUILD / DEFAULT_BOARD / elf)
        results += [Result(f"{name}.code_and_constants", "bytes", fixed, bar),
                    Result(f"{name}.data", "bytes", data), Result(f"{name}.zeroed", "bytes", zeroed)]
    return {"options": [DEFAULT_BOARD]}, results
