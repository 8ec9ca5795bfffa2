# SPDX-License-Identifier: GPL-2.0-only
"""test: everything through ctest."""
import os
import subprocess

from . import board_qemu, build, fuzz, packages, sdcard, timeline, ui
from .paths import BUILD, DEFAULT_BOARD, ROOT, boards


def test(pattern=None, label=None, everything=False):
    """Set up, build what the chosen tests need, and run ctest; returns its exit status. Tests labelled "long" only with
    everything."""
    packages.setup()
    build.preset("host")
    command = ["ctest", "--preset", "host", "-j", str(min(2, os.cpu_count() or 1))]
    command += ["-R", pattern] if pattern else []
    command += ["-L", label] if label else []
    command += [] if everything else ["-LE", "long"]
    chosen = subprocess.run(command + ["-N"], cwd=ROOT, capture_output=True, text=True).stdout
    if "Total Tests: 0" in chosen:
        raise ui.Failure("no test matches", "All of them: ctest --preset host -N; long ones need --all")
    if " fuzz." in chosen:
        build.preset(fuzz.PRESET)
    if " model." in chosen or " qemu.model_" in chosen or " qemu.beaglebone." in chosen:
        board_qemu.build()
    if " qemu." in chosen:
        for board in (board for board in boards() if board != DEFAULT_BOARD):
            build.preset(board)
        build.build(DEFAULT_BOARD)
        if " qemu.beaglebone." in chosen:
            sdcard.sdcard(BUILD / sdcard.BOARD / "card.img")
        if " qemu.chaos." in chosen:
            build.preset(build.CHAOS)
        if " qemu.rtos_debug" in chosen:
            build.preset(build.DEBUG)
        if " qemu.trace" in chosen:
            build.preset(timeline.PRESET)
        for variant in ("native",) + (("guest-debug", "native-debug") if " qemu.debug." in chosen else ()):
            build.initramfs(variant, build.linux(variant))
    ui.say(f"Logs of QEMU tests that fail stay in {(BUILD / 'qemu').relative_to(ROOT)}/")
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode
