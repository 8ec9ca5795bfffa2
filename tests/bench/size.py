# SPDX-License-Identifier: GPL-2.0-only
"""Size of the Linux patch, of the executive and of the RTOS.

Patch: lines inserted and files touched by linux-patches/6.12, new files included. The bars are those of the 2014
RTMux patch. Executive: what it holds in read-only sections, its budget is 64 KiB.
"""
import re
import subprocess

from rtmux_lib import build
from rtmux_lib.bench import Result
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, ROOT

PATCHES = ROOT / "linux-patches/6.12"


def patch_size(series):
    """(inserted lines, files) of a patch queue: the sum over its patches."""
    inserted, files = 0, set()
    for name in series.read_text().split("\n"):
        if not name or name.startswith("#"):
            continue
        for line in (series.parent / name).read_text().splitlines():
            target = re.match(r"\+\+\+ (?:b/)?(\S+)", line)
            if target:
                files.add(target[1])
            elif line.startswith("+"):
                inserted += 1
    return inserted, len(files)


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
    lines, files = patch_size(PATCHES / "series")
    results = [Result("patch.lines", "lines", lines, 571), Result("patch.files", "files", files, 21)]
    build.preset(DEFAULT_BOARD)
    for name, elf, bar in (("executive", "hypervisor/executive.elf", 64 * 1024), ("rtos", "rtos/rtos.elf", None)):
        fixed, data, zeroed = section_sizes(BUILD / DEFAULT_BOARD / elf)
        results += [Result(f"{name}.code_and_constants", "bytes", fixed, bar),
                    Result(f"{name}.data", "bytes", data), Result(f"{name}.zeroed", "bytes", zeroed)]
    return {"options": [DEFAULT_BOARD]}, results
