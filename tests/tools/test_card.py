#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""sdcard and flash: what a card holds, and what a card is not."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib import flash, sdcard, ui  # noqa: E402

MIB = 1 << 20


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


class Card(Temporary):
    def test_partition_table(self):
        """As sfdisk reads it."""
        card = self.file("card", sdcard.partition_table((1, 64, 0x0E, True), (65, 64, 0x83, False)))
        self.assertEqual(card.stat().st_size, 512)
        os.truncate(card, 129 * MIB)
        table = subprocess.run(["/usr/sbin/sfdisk", "-d", card], capture_output=True, text=True, check=True).stdout
        rows = [line.split(" : ")[1].replace(" ", "") for line in table.splitlines() if " : start" in line]
        self.assertEqual(rows, ["start=2048,size=131072,type=e,bootable", "start=133120,size=131072,type=83"])

    def test_place_keeps_holes(self):
        part = self.file("part", b"a" * 4096)
        os.truncate(part, 8 * MIB)
        with part.open("r+b") as file:
            file.seek(4 * MIB)
            file.write(b"b" * 4096)
        card = self.file("card", b"")
        os.truncate(card, 16 * MIB)
        sdcard.place(card, part, 2)
        data = card.read_bytes()
        self.assertEqual(data[2 * MIB:10 * MIB], part.read_bytes())
        self.assertEqual(data.count(0), len(data) - 8192)
        self.assertLess(card.stat().st_blocks * 512, MIB)

    def test_what_cannot_be_a_card(self):
        with self.assertRaisesRegex(ui.Failure, "is no file"):
            sdcard.sdcard("/dev/null")
        image = self.file("image", b"")
        os.truncate(image, 200 * MIB)
        with self.assertRaisesRegex(ui.Failure, "too large"):
            sdcard.boot_partition(self.path / "fat", image, self.path)


class Flash(Temporary):
    """With a /sys of our own: disk 8:16 with the partition 8:17."""

    def disk(self, **files):
        values = {"size": str(1000 * 2048), "removable": "1", "ro": "0", "sdb1/partition": "1", "sdb1/dev": "8:17",
                  "device/model": "Card Reader", **files}
        for name, text in values.items():
            self.file(f"sys/{name}", text + "\n")
        disk = flash.Disk.__new__(flash.Disk)
        disk.path, disk.number, disk.folder = Path("/dev/sdb"), "8:16", self.path / "sys"
        disk.size, disk.model = int(values["size"]) * 512, "Card Reader"
        return disk

    def refused(self, pattern, needed=MIB, mounts="", swaps="Filename\n", **files):
        with self.assertRaisesRegex(ui.Failure, pattern):
            self.disk(**files).check(needed, mounts, swaps)

    def test_a_card_is_accepted(self):
        self.disk().check(MIB, "36 35 8:1 / / rw - ext4 /dev/sda1 rw\n", "Filename\n")
        self.disk(removable="0", **{"device/type": "SD"}).check(MIB, "", "Filename\n")

    def test_what_is_refused(self):
        self.refused("not removable", removable="0")
        self.refused("not removable", removable="0", **{"device/type": "MMC"})  # the computer's own eMMC
        self.refused("write-protected", ro="1")
        self.refused("no card", size="0")
        self.refused("needs 2000", needed=2000 * MIB)
        self.refused("more than a card has", size=str(4 << 31))
        self.refused("mounted at /media/x", mounts="36 35 8:17 / /media/x rw - vfat /dev/sdb1 rw\n")
        self.refused("mounted at /", mounts="36 35 8:16 / / rw - ext4 /dev/sdb rw\n")
        self.refused("in use: dm-0", **{"sdb1/holders/dm-0": ""})

    def test_what_is_no_disk(self):
        with self.assertRaisesRegex(ui.Failure, "not a block device"):
            flash.Disk("/dev/null")
        with self.assertRaisesRegex(ui.Failure, "No such file"):
            flash.Disk(self.path / "nothing")
        with self.assertRaisesRegex(ui.Failure, "no card image"):
            flash.flash("/dev/null", self.path / "nothing")

    def test_nothing_without_yes(self):
        image, target = self.file("image", b"x" * MIB), self.file("target", b"y" * MIB)
        original, flash.Disk = flash.Disk, lambda _: type("D", (), {"path": target, "size": MIB, "model": "", "check": print})
        try:
            for answer in ("", "y", "no", "YES"):
                with self.assertRaisesRegex(ui.Failure, "nothing was written"):
                    flash.flash(target, image, lambda _: answer)
        finally:
            flash.Disk = original
        self.assertEqual(target.read_bytes(), b"y" * MIB)

    def image_with_map(self):
        image = self.file("image", b"")
        os.truncate(image, 4 * MIB)
        with image.open("r+b") as file:
            file.write(b"a" * 5000)
            file.seek(3 * MIB)
            file.write(b"b" * MIB)
        subprocess.run(["bmaptool", "-q", "create", "-o", f"{image}.bmap", image], check=True)
        return image

    def test_write_what_the_map_says(self):
        image, target = self.image_with_map(), self.file("target", b"\xff" * 4 * MIB)
        flash.write(image, target)
        written, wanted = target.read_bytes(), image.read_bytes()
        self.assertEqual(written[:8192], wanted[:8192])
        self.assertEqual(written[3 * MIB:], wanted[3 * MIB:])
        self.assertEqual(written[MIB:2 * MIB], b"\xff" * MIB)  # a hole: left as it was
        (self.path / "image.bmap").unlink()
        flash.write(image, target)
        self.assertEqual(target.read_bytes(), wanted)

    def test_a_map_of_another_image(self):
        image = self.image_with_map()
        os.truncate(image, 5 * MIB)
        with self.assertRaisesRegex(ui.Failure, "does not belong"):
            flash.ranges(image)
        self.file("image.bmap", "<bmap>")
        with self.assertRaisesRegex(ui.Failure, "does not belong"):
            flash.ranges(image)

    def test_a_card_that_forgets(self):
        image, target = self.file("image", b"x" * 2 * MIB), self.file("target", b"\0" * 2 * MIB)
        original, os.pread = os.pread, lambda handle, size, at: b"\0" * size if at else original(handle, size, at)
        try:
            with self.assertRaisesRegex(ui.Failure, "near MiB 1: the card is bad"):
                flash.write(image, target)
        finally:
            os.pread = original


if __name__ == "__main__":
    unittest.main()
