#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Images with something wrong in them: the executive says what, once, and the RTOS runs if anything of it can."""
import random
import re
import struct
import subprocess
import time

from harness import build, check, main
from rtmux_lib.machine import Ended, Machine, Timeout
from rtmux_lib.paths import BUILD

import elf32
import mkimage
from mkimage import BOOTARGS, DEVICE_TREE, ENTRY, EXECUTIVE, HEADER, INITRD, KERNEL, RTOS, Part

# Offsets of the header's words, and the numbers of a part's (rtmux/abi/image.h)
BRANCH, MAGIC, VERSION, LENGTH, PART_COUNT, CRC, BOARD, POLICY = 0, 4, 8, 12, 16, 20, 24, 56
TYPE, OFFSET, BYTES, MEMORY, PART_CRC, PART_RESERVED = range(6)
# No complaint: progress, and the state and counters of a guest that ended
PROGRESS = (r"RTMux \S+ on|RTOS: \d+ KiB|guest: (kernel at|instruction|kernel mode|r\d|system calls|exits)|"
            r"shadow:|interrupts:|longest masked")
NO_RTOS = "no RTOS to run; the board waits for a reset"
NOT_USABLE = "guest: stopped: its part of the image cannot be used"
NOT_PATCHED = "guest: stopped: its kernel is not built for RTMux (tools/rtmux patch-linux; CONFIG_ARM_RTMUX)"
NO_TREE = "guest: stopped: no device tree for it"
MOV_R0_ABI_VERSION = 0xe3a00001
INTC = "/interrupt-controller@1e000000"  # in the board's device tree


class Image:
    """A good image's parts, and ways to spoil them."""

    def __init__(self, boot):
        kernel = build.built_linux("guest")
        folder = BUILD / boot.preset
        self.kernel = kernel
        self.board = mkimage.board(build.DEFAULT_BOARD)["BOARD_NAME"]
        parts = (mkimage.executive_part(folder / "hypervisor/executive.bin"),
                 mkimage.rtos_part(folder / "rtos/rtos.elf"),
                 mkimage.kernel_part(kernel.image, kernel.vmlinux, None), mkimage.device_tree_part(kernel.dtb),
                 mkimage.initrd_part(build.initramfs_path("guest")), mkimage.bootargs_part(build.BOOTARGS))
        self.parts = {part.type: part for part in parts}
        self.bytes = self.packed()

    def packed(self, parts=None):
        return bytearray(mkimage.image_bytes(self.board, (parts or self.parts).values()))

    def with_part(self, kind, data, memory=None):
        """With another content of a part, its checksum and everything else right."""
        return self.packed(self.parts | {kind: Part(kind, data, memory or len(data))})

    def without(self, kind):
        return self.packed({other: part for other, part in self.parts.items() if other != kind})

    def entry(self, kind):
        """Offset of a part's entry in the header page."""
        return HEADER.size + ENTRY.size * list(self.parts).index(kind)

    def field(self, kind, number):
        return struct.unpack_from("<I", self.bytes, self.entry(kind) + 4 * number)[0]

    def signed(self, offset, value):
        """With another word or text in the header page, and its checksum right."""
        data = bytearray(self.bytes)
        value = value if isinstance(value, bytes) else struct.pack("<I", value)
        data[offset:offset + len(value)] = value
        data[CRC:CRC + 4] = bytes(4)
        struct.pack_into("<I", data, CRC, mkimage.zlib.crc32(data[:mkimage.HEADER_SIZE]))
        return data

    def entry_with(self, kind, number, value):
        return self.signed(self.entry(kind) + 4 * number, value)

    def flipped(self, offset):
        data = bytearray(self.bytes)
        data[offset] ^= 0x10
        return data

    def flipped_part(self, kind, at=-1):
        """With one bit changed, of the last byte of a part if not said otherwise."""
        return self.flipped(self.field(kind, OFFSET) + (self.field(kind, BYTES) + at if at < 0 else at))

    def flipped_executive(self):
        """One bit of a message that no test here provokes."""
        return self.flipped_part(EXECUTIVE, self.parts[EXECUTIVE].data.index(b"nodes nested too deeply"))

    def kernel_of_abi(self, version):
        """The guest's kernel with another version in its first call."""
        part = self.parts[KERNEL]
        symbols = elf32.Elf(self.kernel.vmlinux.read_bytes()).symbols(("_text", "__rtmux_setup"))
        start = symbols["__rtmux_setup"] - symbols["_text"]
        at = part.data.index(struct.pack("<I", MOV_R0_ABI_VERSION), start, start + 64)
        return part.data[:at] + struct.pack("<I", MOV_R0_ABI_VERSION - 1 + version) + part.data[at + 4:]

    def device_tree_after(self, boot, *arguments):
        """The device tree after an fdtput with these arguments: options, then node and so on."""
        tree = boot.folder / "tree.dtb"
        tree.write_bytes(self.parts[DEVICE_TREE].data)
        at = next(i for i, word in enumerate(arguments) if word.startswith("/"))
        subprocess.run(["fdtput", *arguments[:at], tree, *arguments[at:]], check=True)
        return tree.read_bytes()


def boot_image(boot, data, *extra):
    boot.count += 1
    folder = boot.folder / str(boot.count)
    folder.mkdir()
    image = folder / "bad.img"
    image.write_bytes(data)
    return Machine(folder, image, extra=extra)


def executive_says(machine):
    """What the executive said but for its progress."""
    lines = re.findall(r"^\[exec\] (.*)$", machine.log.text, re.MULTILINE)
    return [line for line in lines if not re.match(PROGRESS, line)]


def check_cases(boot, cases, then):
    """cases: (name, image, all that the executive must say). then() waits until it has, and looks at what follows."""
    wrong = []
    for name, data, lines in cases:
        with boot_image(boot, data) as machine:
            try:
                then(machine, name)
                said = executive_says(machine)
                check(said == lines, f"the executive said {said}, expected {lines}")
                print(f"{name}: {'; '.join(lines)}", flush=True)
            except (AssertionError, Timeout, Ended) as error:  # all cases are tried before the test fails
                wrong.append(f"{name}: {error}; the console:\n{machine.log.text[:2000]}")
    check(not wrong, "\n".join(wrong))


def nothing_runs(machine, _):
    """Neither the RTOS nor a second start."""
    machine.log.expect("^" + re.escape(f"[exec] {NO_RTOS}") + "$", 30)
    time.sleep(0.3)
    check(machine.process.poll() is None, "QEMU ended")
    check(machine.log.text.count("[exec] RTMux") == 1, "the board starts again and again")
    check("[rt]" not in machine.log.text, "the RTOS runs")


def test_bad_header(boot):
    image = Image(boot)

    def header(name, offset, value, message):
        return name, image.signed(offset, value), [f"image: header: {message}", NO_RTOS]

    check_cases(boot, [
        header("magic", MAGIC, 0, "not an image (wrong magic)"),
        header("version", VERSION, 2, "format version not known to this executive"),
        ("checksum", image.flipped(POLICY), ["image: header: checksum of the header does not match", NO_RTOS]),
        ("checksum of the page's rest", image.flipped(mkimage.HEADER_SIZE - 1),
         ["image: header: checksum of the header does not match", NO_RTOS]),
        # "beq": the flags at reset have QEMU take it as well
        header("branch", BRANCH, 0x0a000000 | mkimage.BRANCH & 0xffffff,
               "first word is not the branch to the executive"),
        header("policy", POLICY, 4, "policy or watchdog of the guest out of range"),
        header("length 0", LENGTH, 0, "length is 0 or not a multiple of 4096"),
        header("length of no whole pages", LENGTH, len(image.bytes) + 4, "length is 0 or not a multiple of 4096"),
        header("length beyond memory", LENGTH, 0xfffff000, "longer than the memory it was loaded into"),
        header("no parts", PART_COUNT, 0, "number of parts out of range"),
        header("nine parts", PART_COUNT, 9, "number of parts out of range"),
        header("board", BOARD, b"beaglebone-black", "made for another board"),
        ("type of a part", image.entry_with(INITRD, TYPE, 7), ["image: header: part of unknown type", NO_RTOS]),
    ], nothing_runs)


def test_little_ram(boot):
    """A board with less RAM than the image is made for: said, instead of a start into nothing."""
    facts = mkimage.board(build.DEFAULT_BOARD)
    with boot_image(boot, Image(boot).bytes, "-m", str(facts["BOARD_RAM_SIZE"] // 4 * 3 >> 20)) as machine:
        nothing_runs(machine, None)
        check(executive_says(machine) == [f"the board has less than the {facts['BOARD_RAM_SIZE'] >> 20} MiB of RAM that this is made for",
                                          NO_RTOS], f"the executive said {executive_says(machine)}")


def test_bad_rtos(boot):
    image = Image(boot)

    def part(name, kind, number, value, message):
        return name, image.entry_with(kind, number, value), [f"image: {mkimage.NAMES[kind]}: {message}", NO_RTOS]

    check_cases(boot, [
        ("executive checksum", image.flipped_executive(),
         ["image: executive: checksum does not match", NO_RTOS]),
        part("executive too large", EXECUTIVE, MEMORY, 0x10000000, "does not fit the memory it is for"),
        part("executive elsewhere", EXECUTIVE, OFFSET, 0x2000, "not the first part, right after the header"),
        ("RTOS checksum", image.flipped_part(RTOS), ["image: RTOS: checksum does not match", NO_RTOS]),
        ("no RTOS", image.without(RTOS), ["image: RTOS: missing", NO_RTOS]),
        part("RTOS too large", RTOS, MEMORY, 0x200001, "does not fit the memory it is for"),
        part("RTOS over the executive", RTOS, OFFSET, 0x1000, "overlaps another part"),
        part("RTOS outside the image", RTOS, OFFSET, 0xfffff000, "reaches outside the image"),
        part("RTOS with a reserved word", RTOS, PART_RESERVED, 1, "reserved field is not 0"),
        ("RTOS no ELF", image.with_part(RTOS, b"no ELF" * 1000), ["image: RTOS: not an ELF file", NO_RTOS]),
        ("file cut in the RTOS", image.bytes[:image.field(RTOS, OFFSET) + 4096],
         ["image: RTOS: checksum does not match", NO_RTOS]),
    ], nothing_runs)


def test_bad_guest_part(boot):
    image = Image(boot)

    def part(name, kind, number, value, message):
        return name, image.entry_with(kind, number, value), [f"image: {mkimage.NAMES[kind]}: {message}", NOT_USABLE]

    def cut(name, length, *kinds):
        lines = [f"image: {mkimage.NAMES[kind]}: checksum does not match" for kind in kinds]
        return name, image.bytes[:length], lines + [NOT_USABLE]

    # A kernel that alone would fit, and one that would fit without the initrd
    facts = mkimage.board(build.DEFAULT_BOARD)
    guest = facts["BOARD_RAM_SIZE"] - facts["BOARD_RTMUX_SIZE"] - (-(-len(image.bytes) >> 20) << 20)
    whole = guest - mkimage.ABI["RTMUX_IMAGE_KERNEL_OFFSET"]
    without_initrd = whole - 2 * mkimage.ABI["RTMUX_IMAGE_DEVICE_TREE_MAX"]
    guests = (KERNEL, DEVICE_TREE, INITRD, BOOTARGS)
    check_cases(boot, [
        *((f"{mkimage.NAMES[kind]} checksum", image.flipped_part(kind),
           [f"image: {mkimage.NAMES[kind]}: checksum does not match", NOT_USABLE]) for kind in guests),
        ("no kernel", image.without(KERNEL), ["image: kernel: missing", NOT_USABLE]),
        ("no device tree", image.without(DEVICE_TREE), ["image: device tree: missing", NOT_USABLE]),
        part("kernel over the RTOS", KERNEL, OFFSET, image.field(RTOS, OFFSET), "overlaps another part"),
        part("initrd over the kernel", INITRD, OFFSET, image.field(KERNEL, OFFSET), "overlaps another part"),
        part("kernel larger than memory", KERNEL, MEMORY, 0x10000000, "does not fit the memory it is for"),
        part("kernel with no room for a device tree", KERNEL, MEMORY, whole, "does not fit the memory it is for"),
        ("kernel with no room for an initrd", image.entry_with(KERNEL, MEMORY, without_initrd),
         ["image: initrd: does not fit the memory it is for", NOT_USABLE]),
        part("kernel smaller in memory", KERNEL, MEMORY, 4096, "memory size smaller than length"),
        part("kernel empty", KERNEL, BYTES, 0, "empty"),
        part("kernel unaligned", KERNEL, OFFSET, image.field(KERNEL, OFFSET) + 4, "offset not a multiple of 4096"),
        part("device tree too large", DEVICE_TREE, MEMORY, 0x40001, "does not fit the memory it is for"),
        part("initrd outside the image", INITRD, BYTES, 0x7fffffff, "reaches outside the image"),
        part("initrd larger than memory", INITRD, MEMORY, 0x10000000, "does not fit the memory it is for"),
        ("command line too long", image.with_part(BOOTARGS, b"x" * 1024),
         ["image: command line: does not fit the memory it is for", NOT_USABLE]),
        ("two initrds", image.entry_with(BOOTARGS, TYPE, INITRD), ["image: initrd: given twice", NOT_USABLE]),
        cut("file cut in the kernel", image.field(KERNEL, OFFSET) + 0x100000, *guests),
        cut("file cut in the initrd", image.field(INITRD, OFFSET) + 0x1000, INITRD, BOOTARGS),
    ], boot.check_rt)


def test_bad_guest(boot):
    """Parts as they were meant, by their checksums, that no guest can come of."""
    image = Image(boot)
    tree = image.parts[DEVICE_TREE].data
    native = build.built_linux("native")
    memory = image.parts[KERNEL].memory_size
    rubbish = random.Random(1).randbytes(1 << 20)

    def device_tree(name, data, message):
        return name, image.with_part(DEVICE_TREE, data), [f"device tree: {message}", NO_TREE]

    check_cases(boot, [
        device_tree("rubbish for a device tree", rubbish[:20000], "not a sound device tree"),
        device_tree("device tree cut short", tree[:-1000], "not a sound device tree"),
        device_tree("no interrupt controller", image.device_tree_after(boot, "-d", INTC, "compatible"),
                    "no interrupt controller (arm,pl390 or ti,am33xx-intc)"),
        device_tree("no memory node", image.device_tree_after(boot, "-r", "/memory"), "no memory node"),
        device_tree("64-bit addresses", image.device_tree_after(boot, "-t", "u", "/", "#address-cells", "2"),
                    "root node without #address-cells = #size-cells = 1"),
        ("native kernel", image.with_part(KERNEL, native.image.read_bytes(), memory), [NOT_PATCHED]),
        ("native zImage", image.with_part(KERNEL, (native.folder / "zImage").read_bytes(), memory), [NOT_PATCHED]),
        ("ones for a kernel", image.with_part(KERNEL, b"\xff" * (1 << 20), memory), [NOT_PATCHED]),
        ("kernel of another ABI", image.with_part(KERNEL, image.kernel_of_abi(99), memory),
         ["guest: its kernel speaks version 99 of the guest ABI, this executive 1",
          "guest: stopped: use a patch and an executive of the same release"]),
    ], boot.check_rt)


def test_bad_initrd(boot):
    """Not looked into by the executive: Linux's affair, which says so on its own console."""
    image = Image(boot)
    rubbish = random.Random(1).randbytes(1 << 20)
    with boot_image(boot, image.with_part(INITRD, rubbish)) as machine:
        machine.linux.expect("Kernel panic - not syncing", 60)
        boot.check_rt(machine, "a panic of Linux")
        check(executive_says(machine) == [], f"the executive said {executive_says(machine)}")


if __name__ == "__main__":
    main(globals())
