# SPDX-License-Identifier: GPL-2.0-only
"""build: from sources to an image that QEMU boots. Every step is skipped when its inputs are what they were."""
import os
import struct
import subprocess
import zlib
from pathlib import Path

from rtmux_board import INCLUDE, board, defines

from . import packages, ui
from .paths import BUILD, CACHE, DEFAULT_BOARD, ROOT, TOOLS, boards, digest

# Kernel modules loaded at boot, in this order, where the kernel has them.
BOOT_MODULES = ("rpmsg_core", "rpmsg_ns", "rpmsg_char", "rpmsg_ctrl", "rpmsg_tty", "rtmux_vbus", "rtmux")
CHAOS = "realview-pb-a8-chaos"  # CMake preset of the executive that drops shadow entries at random
DEBUG = "realview-pb-a8-debug"  # of the RTOS that checks every call, with 256 priorities


def default_bootargs(name):
    """The guest's kernel parameters on a board."""
    return f"{board(name)['BOARD_GUEST_BOOTARGS']} quiet"


BOOTARGS = default_bootargs(DEFAULT_BOARD)


def uimage(kernel, load_address):
    """Wrap a raw Image so that QEMU's -kernel starts it at its address: no decompressor runs before it, as none does
    in a guest. Format: U-Boot's legacy image header."""
    data = kernel.read_bytes()

    def header(crc):
        # magic, header CRC, time, length, load address, entry, data CRC, Linux, ARM, kernel, not compressed, name
        return struct.pack(">7I4B32s", 0x27051956, crc, 0, len(data), load_address, load_address, zlib.crc32(data),
                           5, 2, 2, 0, b"Linux")

    return header(zlib.crc32(header(0))) + data


class Kernel:
    """What tools/build-linux leaves in its folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.image = self.folder / "Image"
        self.dtb = self.native_device_tree(DEFAULT_BOARD)
        self.vmlinux = self.folder / "vmlinux"
        self.uimage = BUILD / f"{self.folder.name}.uImage"  # native only
        self.modules = sorted(self.folder.glob("**/*.ko"))

    def native_device_tree(self, name):
        """A board's own, as the kernel's source has it."""
        return self.folder / f"{Path(board(name)['BOARD_DEVICE_TREE']).name}.dtb"

    def device_tree(self, name):
        """The one the guest's is made of: a board may have one that is better for it, a guest.dts."""
        source = ROOT / "boards" / name / "guest.dts"
        if not source.exists():
            return self.native_device_tree(name)
        output = BUILD / name / "guest.dtb"
        output.parent.mkdir(parents=True, exist_ok=True)
        log = BUILD / "log" / f"guest-dtb-{name}.log"
        tree = packages.KERNEL_SOURCE
        folder = tree / "arch/arm/boot/dts" / Path(board(name)["BOARD_DEVICE_TREE"]).parent
        plain = output.with_suffix(".dts")
        ui.run(f"Making {output.name}", ["cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp", "-I", folder,
                                         "-I", tree / "scripts/dtc/include-prefixes", source, "-o", plain], log)
        ui.run(f"Making {output.name}", ["dtc", "-q", "-i", folder, "-I", "dts", "-O", "dtb", "-o", output, plain], log)
        return output


def preset(name, target=None):
    """Configure and build one CMake preset; a tree already built costs a second."""
    log = BUILD / "log" / f"{name}.log"
    if not (BUILD / name / "build.ninja").exists():
        # CMake's own idea of the cache follows $HOME, which may be unset where paths.py still knows it.
        libfdt = packages.KERNEL_SOURCE / "scripts/dtc/libfdt"
        ui.run(f"Configuring {name}", ["cmake", "--preset", name, f"-DRTMUX_LIBFDT_DIR={libfdt}"], log, cwd=ROOT)
    command = ["cmake", "--build", "--preset", name] + (["--target", target] if target else [])
    ui.run(f"Building {name}", command, log, cwd=ROOT)


def linux(variant):
    """Build, or find in the cache, one variant of the kernel, as named by tools/build-linux."""
    ui.require_space(CACHE, 2000)
    log = BUILD / "log" / f"linux-{variant}.log"
    ui.run(f"Building Linux ({variant})", [TOOLS / "build-linux", "--variant", variant, "--print-dir"], log)
    link = BUILD / f"linux-{variant}"
    link.unlink(missing_ok=True)
    link.symlink_to(log.read_text().splitlines()[-1])
    kernel = Kernel(link)
    if not variant.startswith("guest"):
        offset = defines(INCLUDE / "abi/image.h")["RTMUX_IMAGE_KERNEL_OFFSET"]
        kernel.uimage.write_bytes(uimage(kernel.image, board(DEFAULT_BOARD)["BOARD_RAM_BASE"] + offset))
    return kernel


def built_linux(variant):
    """The kernel that linux() left; builds nothing, so that tests may run side by side."""
    kernel = Kernel(BUILD / f"linux-{variant}")
    if not kernel.image.exists():
        raise ui.Failure(f"the {variant} kernel is not built", f"Run: tools/build-linux --variant {variant}, or tools/rtmux test")
    return kernel


def guest_programs():
    """The programs of tests/guest and vbus/tools, static armhf executables."""
    out = BUILD / "guest"
    ui.run("Building the guest's programs", ["make", "-C", ROOT / "tests/guest", f"O={out}", f"-j{os.cpu_count()}"],
           BUILD / "log/guest.log")
    return sorted(path for path in out.iterdir() if path.is_file() and os.access(path, os.X_OK))


def vbus_module(kernel):
    """V-Bus's module for a guest kernel; the native one has no use for it."""
    if not kernel.folder.name.startswith("linux-guest"):
        return []
    out = BUILD / "kbuild" / kernel.folder.name
    ui.run(f"Building V-Bus's module for {kernel.folder.name}",
           ["make", "-f", ROOT / "Makefile.kbuild", f"KDIR={kernel.folder.resolve()}", f"OUT={out}"],
           BUILD / "log" / f"vbus-{kernel.folder.name}.log", cwd=ROOT)
    return sorted(out.glob("*.ko"))


def test_modules(kernel):
    """The modules of tests/guest/modules for a kernel."""
    out = BUILD / f"guest-modules-{kernel.folder.name}"
    ui.run(f"Building the tests' modules for {kernel.folder.name}",
           ["make", "-C", ROOT / "tests/guest/modules", f"KDIR={kernel.folder.resolve()}", f"OUT={out}"],
           BUILD / "log" / f"{out.name}.log")
    return sorted(out.glob("*.ko"))


def file_system(path, mebibytes, source=None):
    """An image file with an ext4 file system, empty or with the contents of the folder source."""
    contents = ["-d", source] if source else []
    path.unlink(missing_ok=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-F", *contents, path, f"{mebibytes}M"], check=True,
                   env={"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"})


def initramfs_path(name):
    return BUILD / "initramfs" / f"{name}.cpio.gz"


def initramfs(name, kernel, scripts=(), pad=0):
    """initramfs_path(name) with everything the guest has; pad moves the guest's memory layout."""
    output = initramfs_path(name)
    output.parent.mkdir(parents=True, exist_ok=True)
    present = {module.stem: module for module in kernel.modules + vbus_module(kernel)}
    command = [TOOLS / "mkinitramfs.py", "-o", output, "--root", packages.guest_root(), "--pad", pad,
               "--program", *guest_programs(), "--module", *present.values(), "--test-module", *test_modules(kernel),
               "--load", *(name for name in BOOT_MODULES if name in present),
               "--script", *sorted((ROOT / "tests/guest").glob("*.sh")), ROOT / "tests/bench/loads/load.sh", *scripts]
    ui.run(f"Making the initramfs {name}", command, BUILD / "log" / f"initramfs-{name}.log")
    return output


def board_of(preset):
    """The board that a preset is for: their names begin with it."""
    return next(name for name in boards() if preset == name or preset.startswith(name + "-"))


def image(preset=DEFAULT_BOARD, kernel=None, initrd=None, bootargs=None, output=None, rtos="rtos.elf",
          options=()):
    """Put an image together with tools/mkimage.py, executive and RTOS program as built by a preset, and further options
    of that; returns its path. initrd: None, the guest's; False, none."""
    name = board_of(preset)
    kernel = kernel or linux("guest")
    bootargs = bootargs or default_bootargs(name)
    initrd = initramfs("guest", kernel) if initrd is None else initrd
    folder = BUILD / preset
    output = Path(output or folder / "rtmux.img")
    ui.run(f"Making {output.name}",
           [TOOLS / "mkimage.py", "--board", name, "--executive", folder / "hypervisor/executive.bin",
            "--rtos", folder / "rtos" / rtos, "--kernel", kernel.image, "--vmlinux", kernel.vmlinux,
            "--dtb", kernel.device_tree(name), *(["--initrd", initrd] if initrd else []), "--bootargs", bootargs,
            *options, "-o", output],
           output.with_suffix(".log"))
    return output


def image_without_guest(output, rtos="rtos.elf", preset=DEFAULT_BOARD):
    """An image of the executive and one of its RTOS programs, as built by a preset; returns its path."""
    folder = BUILD / preset
    ui.run(f"Making {output.name}",
           [TOOLS / "mkimage.py", "--board", board_of(preset), "--executive", folder / "hypervisor/executive.bin",
            "--rtos", folder / "rtos" / rtos, "-o", output], output.with_suffix(".log"))
    return output


def image_defaults(arguments):
    """mkimage.py's arguments for an application's --rtos: board, executive and, unless --alone, Linux are what is built."""
    arguments = list(arguments)
    if "--board" not in arguments:
        arguments += ["--board", DEFAULT_BOARD]
    name = arguments[arguments.index("--board") + 1]
    executive = BUILD / name / "hypervisor/executive.bin"
    if not executive.exists():
        raise ui.Failure(f"nothing is built for {name}", f"Run: tools/rtmux build --board {name}")
    arguments += ["--executive", executive]
    if "--alone" in arguments:
        arguments.remove("--alone")
    elif "--kernel" not in arguments:
        kernel = built_linux("guest")
        arguments += ["--kernel", kernel.image, "--vmlinux", kernel.vmlinux, "--dtb",
                      kernel.device_tree(name), "--initrd", initramfs_path("guest"), "--bootargs", default_bootargs(name)]
    return arguments


def build(name):
    """Everything for a board; returns the image."""
    if name not in boards():
        raise ui.Failure(f"no board named {name}", "Known: " + " ".join(boards()))
    packages.require()
    packages.kernel_source()
    ui.require_space(BUILD, 300)
    preset(name)
    result = image(name)
    ui.say(f"Image: {result.relative_to(ROOT)} ({result.stat().st_size >> 10} KiB)")
    return result
