# SPDX-License-Identifier: GPL-2.0-only
"""The model's acceptance: Debian's MLO and U-Boot and an unmodified Linux boot on it from a card to a shell, clocks
enforced, nothing written where there is nothing; and twice so, byte for byte."""
import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib import board_qemu, build, packages, ui  # noqa: E402
from rtmux_lib.paths import BUILD  # noqa: E402

SKIPPED = 77
SECONDS = 200
MIB = 1 << 20
CARD, START = 64 * MIB, MIB  # a card's size is a power of two
PROMPT = b"/ # "
MILESTONES = (b"U-Boot SPL ", b"\r\nU-Boot ", b"Starting kernel ...", b"Linux version 6.12.", b"built-in shell (ash)",
              PROMPT)
BOOT = """default linux
label linux
  kernel /zImage
  fdt /board.dtb
  initrd /initrd.gz
  append console=ttyS0,115200 earlycon
"""


def card(path, files):
    """An image with one partition, FAT16, that holds the files."""
    entry = struct.pack("<B3sB3sII", 0x80, b"\xfe\xff\xff", 0x0E, b"\xfe\xff\xff", START // 512, (CARD - START) // 512)
    path.write_bytes(b"\0" * 0x1BE + entry + b"\0" * 48 + b"\x55\xaa")
    os.truncate(path, CARD)
    part = f"{path}@@{START}"
    subprocess.run(["mformat", "-i", part, "-T", str((CARD - START) // 512), "-h", "255", "-s", "63", "::"], check=True)
    subprocess.run(["mmd", "-i", part, "::/extlinux"], check=True)
    for name, file in files.items():
        subprocess.run(["mcopy", "-i", part, file, f"::/{name}"], check=True)


class Run:
    """One boot; console and complaints in files, so that several can go on at once."""

    def __init__(self, folder, image):
        folder.mkdir()
        self.console, self.complaints = folder / "console", folder / "complaints"
        copy = folder / "card.img"
        subprocess.run(["cp", "--sparse=always", image, copy], check=True)
        command = [board_qemu.built(), "-M", "beaglebone-black", "-icount", "shift=3,sleep=off", "-display", "none",
                   "-monitor", "none", "-audiodev", "none,id=a0", "-drive", f"file={copy},if=sd,format=raw",
                   "-serial", f"file:{self.console}", "-d", "guest_errors", "-D", self.complaints]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def text(self):
        return self.console.read_bytes() if self.console.exists() else b""

    def wait(self, deadline):
        """The console up to the shell's prompt."""
        while PROMPT not in self.text() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
        self.process.kill()
        self.process.wait()
        text = self.text()
        return text[:text.index(PROMPT) + len(PROMPT)] if PROMPT in text else text


def check(folder):
    kernel = build.built_linux("native")
    tree = kernel.folder / "am335x-boneblack.dtb"
    loader = packages.guest_root() / "usr/lib/u-boot/am335x_boneblack"
    if not tree.exists():
        print("skipped: the native kernel has no BeagleBone Black yet")
        return SKIPPED
    (folder / "extlinux.conf").write_text(BOOT)
    image = folder / "card.img"
    card(image, {"MLO": loader / "MLO", "u-boot.img": loader / "u-boot.img", "zImage": kernel.folder / "zImage",
                 "board.dtb": tree, "initrd.gz": build.initramfs_path("native"),
                 "extlinux/extlinux.conf": folder / "extlinux.conf"})
    runs = [Run(folder / str(n), image) for n in (1, 2)]
    deadline = time.monotonic() + SECONDS
    first, second = (run.wait(deadline) for run in runs)
    at = 0
    for text in MILESTONES:
        at = first.find(text, at)
        if at < 0:
            print(f"not on the console, or not in its place: {text}\n{first[-2000:].decode(errors='replace')}")
            return 1
    if first != second:
        differs = next((n for n, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))
        print(f"the consoles differ at byte {differs}:\n{first[differs - 200:][:300]}\n{second[differs - 200:][:300]}")
        return 1
    errors = [line for line in runs[0].complaints.read_text().splitlines() if line.startswith("am335x: ")]
    if errors:
        print("the machine complained:\n" + "\n".join(errors[:20]))
        return 1
    print(f"booted to the shell, twice the same {len(first)} bytes")
    return 0


def main():
    folder = BUILD / "qemu/model-boot"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        board_qemu.built()
    except ui.Failure as failure:
        print(f"skipped: {failure}. {failure.hint}")
        return SKIPPED
    status = check(folder)
    if status == 0:
        shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
