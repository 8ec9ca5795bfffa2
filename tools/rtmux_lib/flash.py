# SPDX-License-Identifier: GPL-2.0-only
"""flash: write a card image to a card, only where it belongs, and read it back."""
import os
import stat
import xml.etree.ElementTree
from pathlib import Path

from . import ui

SYSTEM = Path("/sys/dev/block")
MOUNTS = Path("/proc/self/mountinfo")
SWAPS = Path("/proc/swaps")
PIECE = 1 << 20
LARGEST = 256 << 30  # no card; a disk somebody would miss


class Disk:
    """A block device as the kernel describes it; a Failure if it is not one that may be overwritten."""

    def __init__(self, path, system=SYSTEM):
        self.path = Path(path)
        try:
            status = os.stat(path)
        except OSError as error:
            raise ui.Failure(f"{path}: {error.strerror}") from None
        if not stat.S_ISBLK(status.st_mode):
            raise ui.Failure(f"{path} is not a block device", "A card is something like /dev/sdX or /dev/mmcblkN: see lsblk.")
        self.number = f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
        self.folder = (system / self.number).resolve()
        if (self.folder / "partition").exists():
            raise ui.Failure(f"{path} is a partition", f"Name the whole disk: /dev/{self.folder.parent.name}")
        self.size = int(self.read("size") or 0) * 512
        device = self.folder / "device"
        self.model = " ".join((device / name).read_text().strip() for name in ("vendor", "model", "name")
                              if (device / name).is_file()) or "unknown"

    def read(self, name):
        try:
            return (self.folder / name).read_text().strip()
        except OSError:
            return ""

    def numbers(self):
        """Its own number and its partitions'."""
        return {self.number, *(path.read_text().strip() for path in self.folder.glob("*/dev")
                               if (path.parent / "partition").exists())}

    def removable(self):
        """A card reader says so; an SD slot of the computer's own is of the bus "mmc", and its card says "SD"."""
        kind = self.folder / "device/type"
        return self.read("removable") == "1" or (kind.is_file() and kind.read_text().strip() == "SD")

    def check(self, needed, mounts, swaps):
        if not self.removable():
            raise ui.Failure(f"{self.path} ({self.model}) is not removable: it is left alone",
                             "A card in a reader is something like /dev/sdX or /dev/mmcblkN: see lsblk.")
        if self.read("ro") == "1":
            raise ui.Failure(f"{self.path} is write-protected", "Look for the card's little switch.")
        if self.size == 0:
            raise ui.Failure(f"{self.path}: no card is in it")
        if self.size < needed:
            raise ui.Failure(f"{self.path} has {self.size >> 20} MiB; the image needs {needed >> 20}")
        if self.size > LARGEST:
            raise ui.Failure(f"{self.path} has {self.size >> 30} GiB: more than a card has, so it is left alone")
        mine = self.numbers()
        used = [line.split()[4] for line in mounts.splitlines() if line.split()[2] in mine]
        if used:
            raise ui.Failure(f"{self.path} is in use: mounted at {', '.join(used)}", f"Unmount it first: umount {' '.join(used)}")
        held = [path.name for folder in (self.folder, *self.folder.glob("*/")) for path in folder.glob("holders/*")]
        if held or any(os.path.exists(line.split()[0]) and self._holds(line.split()[0], mine)
                       for line in swaps.splitlines()[1:]):
            raise ui.Failure(f"{self.path} is in use: {', '.join(held) or 'swap'}")

    @staticmethod
    def _holds(path, numbers):
        status = os.stat(path)
        return stat.S_ISBLK(status.st_mode) and f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}" in numbers


def ranges(image):
    """(start, length) of what must be written, from the image's block map; without one, all of it."""
    size = image.stat().st_size
    bmap = image.with_name(image.name + ".bmap")
    if not bmap.exists():
        return [(0, size)]
    try:
        root = xml.etree.ElementTree.parse(bmap).getroot()
        block = int(root.findtext("BlockSize"))
        if int(root.findtext("ImageSize")) != size:
            raise ValueError
        found = []
        for entry in root.find("BlockMap").findall("Range"):
            first, _, last = entry.text.strip().partition("-")
            start, end = int(first) * block, (int(last or first) + 1) * block
            found.append((start, min(end, size) - start))
        return found
    except (xml.etree.ElementTree.ParseError, TypeError, ValueError, AttributeError):
        raise ui.Failure(f"{bmap} does not belong to {image}", "Make both anew: tools/rtmux sdcard") from None


def pieces(image):
    """(position, data) of everything that must be on the card."""
    with image.open("rb") as source:
        for start, length in ranges(image):
            for at in range(start, start + length, PIECE):
                source.seek(at)
                yield at, source.read(min(PIECE, start + length - at))


def write(image, target):
    """Write, flush, and compare with what is read back past the cache; target is a path."""
    total = sum(length for _, length in ranges(image))
    done = 0
    with ui.Progress(f"Writing {total >> 20} MiB") as progress:
        handle = os.open(target, os.O_RDWR | os.O_EXCL)
        try:
            for at, data in pieces(image):
                view = memoryview(data)
                while view:
                    count = os.pwrite(handle, view, at)
                    at, view = at + count, view[count:]
                    done += count
                progress.last = f"{done * 100 // total} %"
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            progress.last = "comparing"
            for at, data in pieces(image):
                if os.pread(handle, len(data), at) != data:
                    raise ui.Failure(f"{target} gives back something else near MiB {at >> 20}: the card is bad",
                                     "Try another card.")
                progress.last = f"comparing, at MiB {at >> 20}"
        finally:
            os.close(handle)


def flash(device, image, ask=input):
    """Write the card image to the disk, after asking."""
    image = Path(image)
    if not image.is_file():
        raise ui.Failure(f"no card image {image}", f"Make one: tools/rtmux sdcard -o {image}")
    disk = Disk(device)
    disk.check(image.stat().st_size, MOUNTS.read_text(), SWAPS.read_text())
    ui.say(f"{disk.path}: {disk.model}, {disk.size / 1e9:.1f} GB. Everything on it will be lost.")
    try:
        answer = ask(f"Write {image} to it? Type yes: ")
    except EOFError:
        answer = ""
    if answer.strip() != "yes":
        raise ui.Failure("nothing was written")
    try:
        write(image, disk.path)
    except PermissionError:
        raise ui.Failure(f"{disk.path}: permission denied", "Run it with sudo.") from None
    except OSError as error:
        raise ui.Failure(f"{disk.path}: {error.strerror}; the card holds half an image", "Try again, or another card.") from None
    ui.say(f"{disk.path} holds the image. Next: docs/beaglebone.md")
