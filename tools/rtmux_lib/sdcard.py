# SPDX-License-Identifier: GPL-2.0-only
"""sdcard: a card image that the board boots from, made by an ordinary user, without a mount.

    0        MBR
    1 MiB    FAT16, active: MLO, u-boot.img (Debian's), boot.scr, rtmux.uimg
    65 MiB   ext4: the guest's root file system
"""
import os
import shutil
import struct
import subprocess
from pathlib import Path

from rtmux_board import board

from . import build, packages, ui
from .paths import BUILD, ROOT

MIB = 1 << 20
SECTOR = 512
BOOT_START, BOOT_SIZE = 1, 64  # MiB
LOADED_AT = 0x82000000         # where U-Boot's bootm moves the image to; it moves itself on
DOWNLOADED_AT = 0x90000000     # boot.cmd
FAT_EPOCH = 315532800          # 1980-01-01
FAT16, LINUX = 0x0E, 0x83      # partition types
PROFILES = {"strict": "beaglebone-black", "open": "beaglebone-black-open"}  # and their CMake presets
BOARD = "beaglebone-black"
ROOT_SIZE = 63  # MiB; with the rest a power of two, as QEMU wants a card
ROOT_ARGUMENTS = "root=/dev/mmcblk0p2 rootwait rw"


def card_bootargs():
    """The guest's kernel parameters when its root is on the card. With rtmux.demo the guest reports the RT thread's
    measurement when it shuts down."""
    return f"{build.default_bootargs(BOARD)} {ROOT_ARGUMENTS} init=/init rtmux.demo"


def partition_table(*partitions):
    """A master boot record; partitions are (start, size, type, active), in MiB."""
    entries = b""
    for start, size, kind, active in partitions:
        chs = b"\xfe\xff\xff"  # beyond what it can say: read the sector numbers
        entries += struct.pack("<B3sB3sII", 0x80 if active else 0, chs, kind, chs, start * MIB // SECTOR,
                               size * MIB // SECTOR)
    return b"\0" * 440 + struct.pack("<IH", 0x584D5452, 0) + entries.ljust(64, b"\0") + b"\x55\xaa"


def wrap(title, kind, source, output, log, load=0):
    """U-Boot's legacy image of a file: a header with a checksum."""
    ui.run(title, ["mkimage", "-A", "arm", "-O", "u-boot", "-T", kind, "-C", "none", "-a", f"{load:#x}", "-e", f"{load:#x}",
                   "-n", "RTMux", "-d", source, output], log, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})


def boot_partition(output, image, work):
    """The FAT file system with all that the board boots from."""
    log = BUILD / "log/sdcard-boot.log"
    image_size = image.stat().st_size
    room = board(BOARD)["BOARD_RAM_BASE"] + board(BOARD)["BOARD_RAM_SIZE"] - DOWNLOADED_AT
    if image_size + 64 > min(room, DOWNLOADED_AT - LOADED_AT) // 2:
        raise ui.Failure(f"{image} has {image_size >> 20} MiB: too large to be loaded by U-Boot")
    loader = packages.u_boot()
    wrap("Wrapping the image", "standalone", image, work / "rtmux.uimg", log, LOADED_AT)
    wrap("Wrapping the boot script", "script", ROOT / "boards" / BOARD / "boot.cmd", work / "boot.scr", log)
    files = [loader / "MLO", loader / "u-boot.img", work / "boot.scr", work / "rtmux.uimg"]
    size = sum(file.stat().st_size for file in files)
    if size > (BOOT_SIZE - 2) * MIB:
        raise ui.Failure(f"{size >> 20} MiB of boot files do not fit the partition of {BOOT_SIZE} MiB")
    output.write_bytes(b"")
    os.truncate(output, BOOT_SIZE * MIB)
    for file in (work / "boot.scr", work / "rtmux.uimg"):  # the same files give the same card
        os.utime(file, (FAT_EPOCH, FAT_EPOCH))
    ui.run("Making the boot partition", ["mkfs.fat", "-F", "16", "-n", "RTMUX", "-i", "58544d52", "--invariant", "-h",
                                         BOOT_START * MIB // SECTOR, output], log, env=with_sbin())
    # The ROM wants MLO first
    ui.run("Filling the boot partition", ["mcopy", "-m", "-i", output, *files, "::"], log)


def with_sbin():
    return {**os.environ, "PATH": os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin", "SOURCE_DATE_EPOCH": "0",
            "E2FSPROGS_FAKE_TIME": "1"}


def root_partition(output, kernel, work):
    """The ext4 file system; fakeroot makes its files root's."""
    ui.require_space(work, 3 * ROOT_SIZE)
    tree = work / "root"
    archive = build.initramfs("guest", kernel)
    unpack = f"gzip -dc '{archive}' | (cd '{tree}' && cpio -idm --quiet)"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    output.unlink(missing_ok=True)
    make = (f"mke2fs -q -t ext4 -F -L rtmux-root -U 52544d55-5800-4000-8000-000000000002 "
            f"-E hash_seed=52544d55-5800-4000-8000-000000000002 -d '{tree}' '{output}' {ROOT_SIZE}M")
    ui.run("Making the root file system", ["fakeroot", "sh", "-e", "-c", f"{unpack}; {make}"],
           BUILD / "log/sdcard-root.log", env=with_sbin())
    shutil.rmtree(tree)


def place(card, part, start):
    """Copy a partition into the card, leaving holes where it has them."""
    with part.open("rb") as source, card.open("r+b") as target:
        at = 0
        while True:
            try:
                at = os.lseek(source.fileno(), at, os.SEEK_DATA)
            except OSError:  # only a hole is left
                return
            end = os.lseek(source.fileno(), at, os.SEEK_HOLE)
            source.seek(at)
            target.seek(start * MIB + at)
            shutil.copyfileobj(_limited(source, end - at), target, MIB)
            at = end


class _limited:
    def __init__(self, file, left):
        self.file, self.left = file, left

    def read(self, size):
        data = self.file.read(min(size, self.left))
        self.left -= len(data)
        return data


def sdcard(output, profile="strict"):
    """Build what is missing, and write the card image and its block map."""
    output = Path(output)
    if output.exists() and not output.is_file():
        raise ui.Failure(f"{output} is no file", f"To write a card: tools/rtmux flash {output}")
    packages.require()
    preset = PROFILES[profile]
    build.preset(preset)
    kernel = build.linux("guest")
    work = BUILD / "sdcard"
    work.mkdir(parents=True, exist_ok=True)
    image = build.image(preset, kernel=kernel, initrd=False, bootargs=card_bootargs(), output=work / "rtmux.img")
    boot_partition(work / "boot.fat", image, work)
    root_partition(work / "root.ext4", kernel, work)
    total = BOOT_START + BOOT_SIZE + ROOT_SIZE
    ui.require_space(output.resolve().parent, total)
    part = output.with_name(output.name + ".part")
    part.write_bytes(partition_table((BOOT_START, BOOT_SIZE, FAT16, True),
                                     (BOOT_START + BOOT_SIZE, ROOT_SIZE, LINUX, False)))
    os.truncate(part, total * MIB)
    place(part, work / "boot.fat", BOOT_START)
    place(part, work / "root.ext4", BOOT_START + BOOT_SIZE)
    part.rename(output)
    bmap = output.with_name(output.name + ".bmap")
    ui.run("Writing its block map", ["bmaptool", "create", "-o", bmap, output], BUILD / "log/sdcard-bmap.log")
    ui.say(f"Card: {output} ({total} MiB), profile {profile}. Write it to a card with: tools/rtmux flash DEVICE {output}")
    return output
