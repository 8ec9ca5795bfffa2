# SPDX-License-Identifier: GPL-2.0-only
"""The QEMU that has the BeagleBone Black: Debian's source, the machine of tools/qemu-am335x, built in the cache."""
import contextlib
import fcntl
import os
import shutil
import subprocess
import time

from . import debian_source, ui
from .paths import CACHE, TOOLS, digest

MACHINE = TOOLS / "qemu-am335x"
PROGRAM = "qemu-system-arm"
UNUSED_DAYS = 30
GET_IT = "tools/rtmux setup --board beaglebone-black"
MEGABYTES = 900
CONFIGURE = ("--target-list=arm-softmmu", "--without-default-features", "--enable-system", "--enable-tcg",
             "--enable-plugins", "--enable-slirp", "--enable-fdt=system", "--disable-docs", "--disable-install-blobs",
             "--without-default-devices", "--with-devices-arm=am335x")
# QEMU 7.2 does not link without what is for other boards
DEVICES = "CONFIG_AM335X=y\nCONFIG_ARM_V7M=y\nCONFIG_SEMIHOSTING=y\nCONFIG_ARM_COMPATIBLE_SEMIHOSTING=y\n"
FOLDER = "hw/arm/am335x"
PLACES = {  # file of QEMU: (text in it, what goes before that text; None: at the end)
    "hw/arm/meson.build": ("hw_arch += {'arm': arm_ss}", "subdir('am335x')\n"),
    "hw/arm/Kconfig": (None, "source am335x/Kconfig\n"),
}
TOOLS_NEEDED = {"dpkg-source": "dpkg-dev", "meson": "meson", "ninja": "ninja-build", "pkg-config": "pkg-config", "gcc": "g++"}


@contextlib.contextmanager
def locked():
    """One process at a time; the others wait for its result."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / ".lock-qemu", "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            ui.say("Waiting for another build of QEMU")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def output(*command):
    try:
        return subprocess.run(command, text=True, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise ui.Failure(f"{command[0]} does not run", f"Run: {GET_IT}") from None


def release():
    """The upstream version of the distribution's QEMU; security updates of it need no new build."""
    version = output("dpkg-query", "-W", "-f", "${source:Upstream-Version}", "qemu-system-arm")
    if not version:
        raise ui.Failure("the Debian package qemu-system-arm is not installed", "Run: tools/rtmux setup")
    return version


def finished_folder():
    compiler = output("gcc", "--version").splitlines()[0]
    return CACHE / f"qemu-{digest(release(), compiler, *CONFIGURE, DEVICES, repr(PLACES), MACHINE)}"


def prepared_source(work):
    """QEMU's source with our folder named in it."""
    source = work / "source"
    if not (source / "configure").is_file():
        debian_source.unpack("qemu", source, CACHE / "apt-source", CACHE / "log/qemu-source.log")
    for name, (before, text) in PLACES.items():
        file = source / name
        old = file.read_text()
        if text in old:
            continue
        if before and before not in old:
            raise ui.Failure(f"{name} of this QEMU ({release()}) is not what tools/build-qemu knows")
        file.write_text(old.replace(before, text + before) if before else f"{old}\n{text}")
    (source / "configs/devices/arm-softmmu/am335x.mak").write_text(DEVICES)
    return source


def copy_machine(target):
    """Only files that differ, so that only they are compiled."""
    target.mkdir(exist_ok=True)
    names = {file.name for file in MACHINE.iterdir() if file.is_file()}
    for old in target.iterdir():
        if old.name not in names:
            old.unlink()
    for name in names:
        new = (MACHINE / name).read_bytes()
        if not (target / name).exists() or (target / name).read_bytes() != new:
            (target / name).write_bytes(new)


def compile_qemu(work):
    source = prepared_source(work)
    copy_machine(source / FOLDER)
    objects = work / "build"
    environment = {name: value for name, value in os.environ.items() if name not in ("CFLAGS", "LDFLAGS", "MAKEFLAGS")}
    if not (objects / "build.ninja").exists():
        shutil.rmtree(objects, ignore_errors=True)
        objects.mkdir()
        ui.run("Configuring QEMU", [source / "configure", *CONFIGURE], CACHE / "log/qemu-configure.log", cwd=objects,
               env=environment, hint=f"Run: {GET_IT}")
    ui.run("Building QEMU with the BeagleBone Black (the first time 4 to 12 minutes)",
           ["nice", "ninja", f"-j{os.cpu_count()}", PROGRAM], CACHE / "log/qemu.log", cwd=objects, env=environment)
    return objects / PROGRAM


def prune():
    """Remove programs, and trees, that nobody asked for in a long time."""
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    for used in CACHE.glob("qemu-*/used"):
        if used.stat().st_mtime < oldest:
            shutil.rmtree(used.parent, ignore_errors=True)


def built():
    """The program, if it is built."""
    program = finished_folder() / PROGRAM
    if not program.is_file():
        raise ui.Failure("the QEMU that has the BeagleBone Black is not built", f"Run: {GET_IT}")
    return program


def build():
    """The program, built if need be."""
    folder = finished_folder()
    if (folder / PROGRAM).is_file():
        (folder / "used").touch()
        return folder / PROGRAM
    missing = [package for program, package in TOOLS_NEEDED.items() if not shutil.which(program)]
    if missing:
        raise ui.Failure("missing Debian packages: " + " ".join(missing), f"Run: {GET_IT}")
    with locked():
        if (folder / PROGRAM).is_file():
            return folder / PROGRAM
        ui.require_space(CACHE, MEGABYTES)
        work = CACHE / f"qemu-tree-{digest(release(), *CONFIGURE, DEVICES, repr(PLACES))}"
        work.mkdir(exist_ok=True)
        program = compile_qemu(work)
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        subprocess.run(["strip", "-g", "-o", part / PROGRAM, program], check=True)
        (part / "used").touch()
        (work / "used").touch()
        part.rename(folder)
        prune()
    return folder / PROGRAM
