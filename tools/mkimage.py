#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Put an RTMux image together, or look into one.

  mkimage.py --board B --executive BIN --rtos ELF [--kernel IMAGE --vmlinux ELF --dtb DTB
             [--initrd CPIO] [--bootargs TEXT] [--on CAUSE=ACTION]... [--watchdog MS]] -o FILE
  mkimage.py info FILE     print what is in it, and check it

The format is specified in docs/image.md. Exit status: 0, 1 if something is wrong, 2 for wrong usage."""
import argparse
import os
import re
import struct
import sys
import zlib
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
from elf32 import Elf, ElfError  # noqa: E402
from rtmux_board import INCLUDE, BoardError, board, defines, layout  # noqa: E402

ABI = defines(INCLUDE / "abi" / "image.h")
LIFE = defines(INCLUDE / "abi" / "life.h")


def enumerators(prefix):
    """Of an enum of life.h, the names in lower case, by value."""
    text = (INCLUDE / "abi" / "life.h").read_text(encoding="utf-8")
    found = {int(value): name.lower() for name, value in re.findall(rf"\t{prefix}(\w+) = (\d+),", text)}
    return [found[value] for value in range(len(found))]


# What may end the guest, and what may be done then: nibbles and values of the header's policy word
CAUSES = enumerators("RTMUX_CAUSE_")[:LIFE["RTMUX_POLICIES"]]
ACTIONS = enumerators("RTMUX_AFTER_")
MAGIC, VERSION = ABI["RTMUX_IMAGE_MAGIC"], ABI["RTMUX_IMAGE_VERSION"]
PAGE = HEADER_SIZE = ABI["RTMUX_IMAGE_HEADER_SIZE"]
BRANCH = 0xEA000000 | (HEADER_SIZE - 8) // 4  # ARM "b" to HEADER_SIZE; the PC is 8 ahead
HEADER = struct.Struct("<6I32s2I")
ENTRY = struct.Struct("<7I4x")
CRC_OFFSET = 0x14
NAMES = {1: "executive", 2: "RTOS", 3: "kernel", 4: "device tree", 5: "initrd", 6: "command line"}
EXECUTIVE, RTOS, KERNEL, DEVICE_TREE, INITRD, BOOTARGS = NAMES

# va, log: of a kernel, the addresses of its first byte and of its variable prb
Part = namedtuple("Part", "type data memory_size va log", defaults=(0, 0))


class Failure(Exception):
    """An error of the user's, in one line."""


# What a file is by its first bytes: (offset, bytes, name)
KINDS = (
    (0, b"\x7fELF", "an ELF file"),
    (0x24, b"\x18\x28\x6f\x01", "a zImage (compressed kernel)"),
    (0, b"\x27\x05\x19\x56", "a U-Boot uImage"),
    (0, b"\xd0\x0d\xfe\xed", "a device tree"),
    (0, b"070701", "a cpio archive"),
    (0, b"\x1f\x8b", "gzip-compressed"),
    (0, b"\xfd7zXZ\0", "xz-compressed"),
    (0, b"\x28\xb5\x2f\xfd", "zstd-compressed"),
    (0, b"\x02\x21\x4c\x18", "lz4-compressed"),
    (0, b"BZh", "bzip2-compressed"),
    (0, b"\x89LZO", "lzo-compressed"),
    (0, b"\x5d\0\0", "lzma-compressed"),
    (0, b"/dts-v1/", "device tree source, not yet compiled by dtc"),
    (4, struct.pack("<I", MAGIC), "an RTMux image"),
)
KERNEL_OF = "give arch/arm/boot/Image"
INITRD_KINDS = ("a cpio archive",) + tuple(name for *_, name in KINDS if name.endswith("-compressed"))


def kind(data):
    return next((name for at, magic, name in KINDS if data[at:at + len(magic)] == magic), None)


def read(path, what):
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Failure(f"{what}: cannot read {path}: {error.strerror}") from error
    if not data:
        raise Failure(f"{what}: {path} is empty")
    return data


def round_up(size):
    return -(-size // PAGE) * PAGE


def executive_part(path):
    data = read(path, "executive")
    if kind(data):
        raise Failure(f"executive: {path} is {kind(data)}; give the raw binary (objcopy -O binary)")
    limit = layout()["RTMUX_EXEC_SIZE"]
    if len(data) > limit:
        raise Failure(f"executive: {path} has {len(data)} bytes; its window has {limit}")
    return Part(EXECUTIVE, data, len(data))


def rtos_part(path):
    data = read(path, "RTOS")
    try:
        elf = Elf(data)
    except ElfError as error:
        raise Failure(f"RTOS: {path} {error}") from error
    base, size = layout()["RTMUX_RTOS_VA"], layout()["RTMUX_RTOS_SIZE"]
    for segment in elf.loaded():
        if segment.vaddr < base or segment.vaddr + segment.memsz > base + size:
            raise Failure(f"RTOS: {path} has a segment at {segment.vaddr:#x} of {segment.memsz} bytes, outside "
                          f"{base:#x} to {base + size:#x}")
    if not elf.loaded():
        raise Failure(f"RTOS: {path} has nothing to load")
    data = elf.without_sections()
    end = max(segment.vaddr + segment.memsz for segment in elf.loaded())
    memory = max(len(data), end - base)
    if memory > size:
        raise Failure(f"RTOS: {path} has {len(data)} bytes to load; its memory has {size}")
    return Part(RTOS, data, memory)


def kernel_facts(path, data, vmlinux):
    """(bytes of the kernel with its BSS, its address, its variable prb's), from the vmlinux that the Image at path was
    made of."""
    try:
        elf = Elf(read(vmlinux, "kernel"))
    except ElfError as error:
        raise Failure(f"kernel: {vmlinux} {error}") from error
    symbols = elf.symbols(("_text", "_end", "prb"))
    if not {"_text", "_end"} <= symbols.keys() or symbols["_end"] <= symbols["_text"]:
        raise Failure(f"kernel: {vmlinux} has no symbols _text and _end: not an unstripped vmlinux")
    # Image is objcopy's: the segments by load address, the first at _text.
    start = symbols["_text"]
    segments = [segment for segment in elf.loaded() if segment.filesz]
    if not any(segment.paddr == start for segment in segments) or any(
            data[segment.paddr - start:][:segment.filesz] != elf.data[segment.offset:][:segment.filesz]
            for segment in segments):
        raise Failure(f"kernel: {path} was not made of {vmlinux}: their contents differ")
    return symbols["_end"] - start, start, symbols.get("prb", 0)


def kernel_part(path, vmlinux, memory):
    data = read(path, "kernel")
    if kind(data):
        raise Failure(f"kernel: {path} is {kind(data)}; {KERNEL_OF}")
    if len(data) < 0x100:
        raise Failure(f"kernel: {path} has only {len(data)} bytes; {KERNEL_OF}")
    size, va, log = kernel_facts(path, data, vmlinux) if vmlinux else (memory, 0, 0)
    if size < len(data):
        raise Failure(f"kernel: needs {size} bytes of memory by --{'vmlinux' if vmlinux else 'kernel-memory'}, "
                      f"but {path} alone has {len(data)}")
    return Part(KERNEL, data, size, va, log)


def policy_word(settings):
    """The header's policy word of settings like "panic=restart"; "all" is every cause."""
    policy = 0
    for setting in settings:
        cause, equals, action = setting.partition("=")
        if not equals or action not in ACTIONS or cause not in (*CAUSES, "all"):
            raise Failure(f"--on {setting}: say CAUSE=ACTION, of {', '.join(CAUSES)} or all, and {', '.join(ACTIONS)}")
        for index in range(len(CAUSES)) if cause == "all" else [CAUSES.index(cause)]:
            policy = policy & ~(0xf << 4 * index) | ACTIONS.index(action) << 4 * index
    return policy


def policy_text(policy):
    words = [f"{cause}={ACTIONS[policy >> 4 * index & 3]}" for index, cause in enumerate(CAUSES) if policy >> 4 * index & 3]
    return " ".join(words)


def device_tree_part(path):
    data = read(path, "device tree")
    if kind(data) != "a device tree" or len(data) < 40:
        raise Failure(f"device tree: {path} is {kind(data) or 'not a device tree'}; give a .dtb")
    total = struct.unpack_from(">I", data, 4)[0]
    if total > len(data):
        raise Failure(f"device tree: {path} is cut short: it says {total} bytes and has {len(data)}")
    limit = ABI["RTMUX_IMAGE_DEVICE_TREE_MAX"]
    if len(data) > limit:
        raise Failure(f"device tree: {path} has {len(data)} bytes; at most {limit} are possible")
    return Part(DEVICE_TREE, data, len(data))


def initrd_part(path):
    data = read(path, "initrd")
    if kind(data) not in INITRD_KINDS:
        raise Failure(f"initrd: {path} is {kind(data) or 'of unknown kind'}; give a cpio archive (newc), "
                      "compressed or not")
    return Part(INITRD, data, len(data))


def bootargs_part(text):
    data = text.encode()
    limit = ABI["RTMUX_IMAGE_BOOTARGS_MAX"]
    if not data or len(data) > limit or b"\0" in data:
        raise Failure(f"command line: {len(data)} bytes; 1 to {limit} are possible")
    return Part(BOOTARGS, data, len(data))


def image_bytes(name, parts, policy=0, watchdog=0):
    """The image file: header page and parts."""
    entries, body = [], b""
    for part in parts:
        entries.append(ENTRY.pack(part.type, HEADER_SIZE + len(body), len(part.data), part.memory_size,
                                  zlib.crc32(part.data), part.va, part.log))
        body += part.data.ljust(round_up(len(part.data)), b"\0")
    header = HEADER.pack(BRANCH, MAGIC, VERSION, HEADER_SIZE + len(body), len(parts), 0, name.encode(), policy, watchdog)
    header = bytearray((header + b"".join(entries)).ljust(HEADER_SIZE, b"\0"))
    struct.pack_into("<I", header, CRC_OFFSET, zlib.crc32(header))
    return bytes(header) + body


def check_memory(facts, parts, length):
    """The guest has what RTMux and the image, by whole MiB, leave of the board's RAM."""
    guest = facts["BOARD_RAM_SIZE"] - facts["BOARD_RTMUX_SIZE"] - (-(-length >> 20) << 20)
    size = {part.type: part.memory_size for part in parts}
    need = ABI["RTMUX_IMAGE_KERNEL_OFFSET"] + size.get(KERNEL, 0) + 2 * ABI["RTMUX_IMAGE_DEVICE_TREE_MAX"]
    need += round_up(size.get(INITRD, 0))
    if guest < 0 or (KERNEL in size and need > guest):
        raise Failure(f"{facts['BOARD_NAME']} has {facts['BOARD_RAM_SIZE'] >> 10} KiB of RAM: too little for an image "
                      f"of {length >> 10} KiB and a guest that takes {need >> 10} KiB")


def make(args):
    facts = board(args.board)
    parts = [executive_part(args.executive), rtos_part(args.rtos)]
    if args.kernel:
        parts += [kernel_part(args.kernel, args.vmlinux, args.kernel_memory), device_tree_part(args.dtb)]
        if args.initrd:
            parts.append(initrd_part(args.initrd))
        if args.bootargs:
            parts.append(bootargs_part(args.bootargs))
    if not 0 <= args.watchdog <= LIFE["RTMUX_WATCHDOG_MAX_MS"]:
        raise Failure(f"--watchdog {args.watchdog}: 0 to {LIFE['RTMUX_WATCHDOG_MAX_MS']} ms")
    data = image_bytes(facts["BOARD_NAME"], parts, policy_word(args.on), args.watchdog)
    check_memory(facts, parts, len(data))
    # Whole or not at all: a broken-off run leaves no half image under the name.
    output = Path(args.output)
    partial = output.with_name(output.name + ".part")
    try:
        partial.write_bytes(data)
        os.replace(partial, output)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise Failure(f"cannot write {output}: {error.strerror}") from error


def info(path):
    """Print an image's parts; returns what is wrong with it, one line each."""
    data = read(path, "image")
    if len(data) < HEADER_SIZE:
        raise Failure(f"{path} has {len(data)} bytes: not even a header")
    branch, magic, version, length, count, crc, name, policy, watchdog = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise Failure(f"{path} is {kind(data) or 'not an RTMux image'}")
    if version != VERSION:
        raise Failure(f"{path} has format version {version}; this tool knows {VERSION}")
    wrong = []
    page = data[:CRC_OFFSET] + bytes(4) + data[CRC_OFFSET + 4:HEADER_SIZE]
    if zlib.crc32(page) != crc:
        wrong.append("header: checksum does not match")
    if branch != BRANCH:
        wrong.append("header: first word is not the branch to the executive")
    if length != len(data):
        wrong.append(f"header: says {length} bytes, the file has {len(data)}")
    if count > ABI["RTMUX_IMAGE_MAX_PARTS"]:
        wrong.append(f"header: {count} parts")
        count = 0
    print(f"{path}: image for {name.rstrip(bytes(1)).decode(errors='replace')}, format {version}, {length} bytes")
    if policy or watchdog:
        print(f"  when the guest ends: {policy_text(policy) or 'the defaults'}; watchdog {watchdog} ms")
    print(f"  {'part':<14}{'offset':>10}{'length':>10}{'memory':>10}  crc32")
    end = HEADER_SIZE
    for index in range(count):
        part, offset, size, memory, crc, *_ = ENTRY.unpack_from(data, HEADER.size + index * ENTRY.size)
        label = NAMES.get(part, f"type {part}")
        print(f"  {label:<14}{offset:>#10x}{size:>10}{memory:>10}  {crc:08x}")
        if offset % PAGE or offset < end or offset + size > len(data) or memory < size:
            wrong.append(f"{label}: bad offset, length or memory size")
        elif zlib.crc32(data[offset:offset + size]) != crc:
            wrong.append(f"{label}: checksum does not match")
        elif part == BOOTARGS:
            print(f"  command line: {data[offset:offset + size].decode(errors='replace')}")
        end = max(end, offset + size)
    return wrong


def parser():
    top = argparse.ArgumentParser(prog="mkimage.py", description=__doc__,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--board", required=True, help="name of a folder of boards/")
    top.add_argument("--executive", required=True, metavar="BIN", help="the executive, raw binary")
    top.add_argument("--rtos", required=True, metavar="ELF", help="the RTOS; its symbols are left out")
    top.add_argument("--kernel", metavar="IMAGE", help="the guest: arch/arm/boot/Image of a patched Linux")
    memory = top.add_mutually_exclusive_group()
    memory.add_argument("--vmlinux", metavar="ELF", help="vmlinux of that Image: tells the memory it needs")
    memory.add_argument("--kernel-memory", type=lambda text: int(text, 0), metavar="BYTES", help="instead of --vmlinux")
    top.add_argument("--dtb", metavar="DTB", help="the board's device tree")
    top.add_argument("--initrd", metavar="CPIO", help="the guest's initial RAM disk")
    top.add_argument("--bootargs", metavar="TEXT", help="the guest's command line")
    top.add_argument("--on", metavar="CAUSE=ACTION", action="append", default=[],
                     help=f"when the guest ends by {', '.join(CAUSES)}, or all: {', '.join(ACTIONS)} (again and again)")
    top.add_argument("--watchdog", metavar="MS", type=int, default=0,
                     help="of the guest, which has to call in that time from its start on; 0, the default: none")
    top.add_argument("-o", "--output", required=True, metavar="FILE")
    return top


def main(arguments):
    try:
        if arguments[:1] == ["info"]:
            if len(arguments) != 2:
                print("usage: mkimage.py info FILE", file=sys.stderr)
                return 2
            wrong = info(arguments[1])
            for line in wrong:
                print(f"mkimage.py: {line}", file=sys.stderr)
            return 1 if wrong else 0
        top = parser()
        args = top.parse_args(arguments)
        if args.kernel and not (args.dtb and (args.vmlinux or args.kernel_memory)):
            top.error("--kernel needs --dtb, and --vmlinux or --kernel-memory")
        if not args.kernel and (args.dtb or args.initrd or args.bootargs or args.vmlinux or args.kernel_memory):
            top.error("--dtb, --initrd, --bootargs, --vmlinux and --kernel-memory need --kernel")
        make(args)
    except (Failure, BoardError) as failure:
        print(f"mkimage.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
