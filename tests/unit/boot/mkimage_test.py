#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""tools/mkimage.py: what it makes is what `info` finds good, and every misuse has its message."""
import gzip
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MKIMAGE = Path(__file__).resolve().parents[3] / "tools" / "mkimage.py"
PARTS = Path(sys.argv.pop())


def mkimage(*arguments):
    return subprocess.run([sys.executable, MKIMAGE, *map(str, arguments)], capture_output=True, text=True)


class MkimageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)

    def file(self, name, data):
        path = self.out / name
        path.write_bytes(data)
        return path

    def make(self, **changes):
        options = {"board": "realview-pb-a8", "executive": PARTS / "executive.bin", "rtos": PARTS / "rtos.elf",
                   "kernel": PARTS / "Image", "vmlinux": PARTS / "vmlinux", "dtb": PARTS / "board.dtb",
                   "initrd": PARTS / "initrd.cpio.gz", "bootargs": "quiet", "output": self.out / "image"} | changes
        return mkimage(*(f"--{key.replace('_', '-')}={value}" for key, value in options.items() if value is not None))

    def refused(self, message, status=1, **changes):
        result = self.make(**changes)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertRegex(result.stderr, message)
        self.assertNotIn("Traceback", result.stderr)
        if status == 1:
            self.assertEqual(result.stderr.count("\n"), 1)
        self.assertFalse((self.out / "image").exists())
        self.assertFalse((self.out / "image.part").exists())

    def test_round_trip(self):
        self.assertEqual(self.make().returncode, 0)
        first = (self.out / "image").read_bytes()
        self.assertEqual(len(first) % 4096, 0)
        self.assertEqual(self.make().returncode, 0)
        self.assertEqual((self.out / "image").read_bytes(), first, "the same inputs, the same bytes")
        result = mkimage("info", self.out / "image")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for text in ("realview-pb-a8", "executive", "RTOS", "kernel", "device tree", "initrd", "command line: quiet"):
            self.assertIn(text, result.stdout)
        self.assertNotIn(b".symtab", first)
        self.assertLess(first.count(b"_text"), 1, "symbols are left out")

    def test_without_guest(self):
        self.assertEqual(self.make(kernel=None, vmlinux=None, dtb=None, initrd=None, bootargs=None).returncode, 0)
        result = mkimage("info", self.out / "image")
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("kernel", result.stdout)

    def test_info_finds_damage(self):
        self.make()
        good = (self.out / "image").read_bytes()
        for at, message in ((0x1F, "header: checksum"), (4096, "executive: checksum"), (len(good), "header: says")):
            bad = bytearray(good + b"\0" if at == len(good) else good)
            bad[at] ^= 1
            result = mkimage("info", self.file("bad", bad))
            self.assertEqual(result.returncode, 1)
            self.assertIn(message, result.stderr)
        for data, message in ((good[:100], "not even a header"), (b"\x7fELF" + bytes(5000), "is an ELF file"),
                              (b"", "empty"), (good[:8] + b"\2" + good[9:], "format version 2")):
            result = mkimage("info", self.file("bad", data))
            self.assertEqual(result.returncode, 1)
            self.assertIn(message, result.stderr)
        self.assertIn("No such file", mkimage("info", self.out / "none").stderr)

    def test_usage(self):
        self.assertEqual(mkimage("info").returncode, 2)
        self.assertEqual(mkimage().returncode, 2)
        self.refused("needs --dtb", 2, dtb=None)
        self.refused("--vmlinux or --kernel-memory", 2, vmlinux=None)
        self.refused("need --kernel", 2, kernel=None)

    def test_files(self):
        none = self.out / "none"
        for option in ("executive", "rtos", "kernel", "vmlinux", "dtb", "initrd"):
            self.refused("cannot read .*none: No such file", **{option: none})
            self.refused("is empty", **{option: self.file("empty", b"")})
        self.refused("no board 'x'; there are: .*realview-pb-a8", board="x")
        self.refused("no board '../boards/realview-pb-a8'", board="../boards/realview-pb-a8")
        self.refused("cannot write .*No such file", output=self.out / "none" / "image")

    def test_mistaken_files(self):
        elf, image = PARTS / "rtos.elf", PARTS / "Image"
        self.refused("executive: .* is an ELF file; give the raw binary", executive=elf)
        self.refused("RTOS: .* is not an ELF file", rtos=image)
        self.refused("kernel: .* is an ELF file; give arch/arm/boot/Image", kernel=elf)
        self.refused("kernel: .* is gzip-compressed", kernel=self.file("z", gzip.compress(bytes(999))))
        zimage = bytearray(0x1000)
        struct.pack_into("<I", zimage, 0x24, 0x016F2818)
        self.refused("kernel: .* is a zImage", kernel=self.file("zImage", zimage))
        self.refused("kernel: .* is a device tree", kernel=PARTS / "board.dtb")
        self.refused("kernel: .* has only 9 bytes", kernel=self.file("short", bytes(9)))
        self.refused("device tree: .* is not a device tree", dtb=image)
        self.refused("device tree source", dtb=self.file("dts", b"/dts-v1/;\n"))
        self.refused("device tree: .* is cut short", dtb=self.file("cut", (PARTS / "board.dtb").read_bytes()[:99]))
        self.refused("initrd: .* is an ELF file", initrd=elf)
        self.refused("initrd: .* is of unknown kind", initrd=self.file("text", b"hello"))

    def test_kernel_and_vmlinux(self):
        self.refused("was not made of", kernel=self.file("Image", (PARTS / "Image").read_bytes()[:-1] + b"x"))
        self.refused("has no symbols _text and _end", vmlinux=PARTS / "rtos.elf")
        self.refused("Image is not an ELF file", vmlinux=PARTS / "Image")
        self.refused("needs 256 bytes of memory by --kernel-memory", vmlinux=None, kernel_memory="0x100")
        self.assertEqual(self.make(vmlinux=None, kernel_memory="0x100000").returncode, 0)

    def test_what_is_done_when_the_guest_ends(self):
        def words(**options):
            self.assertEqual(self.make(**options).returncode, 0)
            header = (self.out / "image").read_bytes()
            (self.out / "image").unlink()
            return struct.unpack_from("<2I", header, 0x38)

        self.assertEqual(words(), (0, 0))
        self.assertEqual(words(on="panic=restart"), (0x200, 0))
        self.assertEqual(words(on="all=reset", watchdog="5000"), (0x33333, 5000))
        for wrong in ("panic", "panic=", "panic=reboot", "image=restart", "stopped=down"):
            self.refused("say CAUSE=ACTION", on=wrong)
        self.refused("0 to 3600000 ms", watchdog="3600001")

    def test_sizes(self):
        self.refused("executive: .* its window has", executive=self.file("big", bytes(0x1C0001)))
        self.refused("device tree: .* at most 262144", dtb=self.file("big", (PARTS / "board.dtb").read_bytes()
                                                                     .ljust(0x40001, b"\0")))
        self.refused("command line: 1024 bytes; 1 to 1023", bootargs="x" * 1024)
        self.refused("too little for an image", vmlinux=None, kernel_memory="0x10000000")
        big = self.out / "big"
        with big.open("wb") as file:
            file.write(b"070701")
            file.truncate(130 << 20)
        self.refused("too little for an image", initrd=big)

    def test_rtos(self):
        good = (PARTS / "rtos.elf").read_bytes()

        def changed(offset, form, value):
            data = bytearray(good)
            struct.pack_into(form, data, offset, value)
            return self.file("rtos", data)

        self.refused("not for 32-bit little-endian ARM", rtos=changed(18, "<H", 62))
        self.refused("not a linked executable", rtos=changed(16, "<H", 1))
        self.refused("has a segment at 0x70000000", rtos=changed(52 + 8, "<I", 0x70000000))
        self.refused("a segment reaches past its end", rtos=changed(52 + 16, "<I", 0x100000))
        self.refused("no whole ELF header", rtos=self.file("rtos", good[:30]))
        self.refused("no whole program or section headers", rtos=changed(28, "<I", 0x7FFFFFFF))


if __name__ == "__main__":
    unittest.main()
