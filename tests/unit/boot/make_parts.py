#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Parts for an image, small but sound, for the tests of mkimage.py and of the executive's loader."""
import gzip
import random
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
from elf32 import ET_EXEC, EM_ARM, HEADER, PT_LOAD, SECTION, SEGMENT, SHT_SYMTAB, SYMBOL  # noqa: E402
from rtmux_board import layout  # noqa: E402

R, W, X = 4, 2, 1
KERNEL = 0xC0008000
KERNEL_BSS = 0x5000


def elf(entry, segments, symbols=()):
    """An ELF executable of segments (vaddr, bytes, memsz, flags), with a symbol table if there are symbols."""
    body, headers = b"", []
    start = 0x1000
    for vaddr, data, memsz, flags in segments:
        headers.append(SEGMENT.pack(PT_LOAD, start + len(body), vaddr, vaddr, len(data), memsz, flags, 0x1000))
        body += data.ljust(-(-len(data) // 0x1000) * 0x1000, b"\0")
    strings, table = b"\0", bytes(SYMBOL.size)
    for name, value in symbols:
        table += SYMBOL.pack(len(strings), value, 0, 0x10, 0, 0xFFF1)
        strings += name.encode() + b"\0"
    at = start + len(body)
    sections = [bytes(SECTION.size), SECTION.pack(0, SHT_SYMTAB, 0, 0, at, len(table), 2, 1, 4, SYMBOL.size),
                SECTION.pack(0, 3, 0, 0, at + len(table), len(strings), 0, 0, 1, 0)]
    header = HEADER.pack(b"\x7fELF\1\1\1", ET_EXEC, EM_ARM, 1, entry, HEADER.size, at + len(table) + len(strings),
                         0x5000400, HEADER.size, SEGMENT.size, len(headers), SECTION.size, len(sections), 0)
    return (header + b"".join(headers)).ljust(start, b"\0") + body + table + strings + b"".join(sections)


def main(out):
    random.seed(1)  # the same parts each time
    (out / "executive.bin").write_bytes(random.randbytes(9000))
    base = layout()["RTMUX_RTOS_VA"]
    (out / "rtos.elf").write_bytes(elf(base + 0x10, [
        (base, random.randbytes(0x1800), 0x1800, R | X),
        (base + 0x2000, random.randbytes(0x234), 0x234, R),
        (base + 0x3000, random.randbytes(0x100), 0x2100, R | W)], [("symbol", base)]))
    kernel = struct.pack("<I", 0xE1A00000) * 16 + random.randbytes(0x12345)
    (out / "Image").write_bytes(kernel)
    (out / "vmlinux").write_bytes(elf(KERNEL, [(KERNEL, kernel, len(kernel) + KERNEL_BSS, R | W | X)],
                                      [("_text", KERNEL), ("_end", KERNEL + len(kernel) + KERNEL_BSS), ("prb", KERNEL + 0x1234)]))
    (out / "initrd.cpio.gz").write_bytes(gzip.compress(b"070701" + random.randbytes(20000), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
