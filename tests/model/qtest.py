# SPDX-License-Identifier: GPL-2.0-only
"""A BeagleBone Black without a processor: tests read and write its registers, and say when time passes.

Protocol: QEMU's docs/devel/qtest.rst, lines over a socket."""
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib import board_qemu, ui  # noqa: E402
from rtmux_lib.qmp import Qmp  # noqa: E402

SKIPPED = 77  # exit status that ctest reports as "skipped"
# PRCM registers of modules' clocks, and where the modules are
CLKCTRL = {
    "gpio0": 0x408, "uart0": 0x4b4, "i2c0": 0x4b8, "timer1": 0x4c4, "wdt1": 0x4d4, "timer2": 0x080, "timer4": 0x088,
    "gpio1": 0x0ac, "mmc0": 0x03c, "edma": 0x0bc, "tptc0": 0x024, "i2c2": 0x044, "uart4": 0x078, "adc": 0x4bc,
}
BASE = {
    "prcm": 0x44e00000, "gpio0": 0x44e07000, "uart0": 0x44e09000, "i2c0": 0x44e0b000, "control": 0x44e10000,
    "timer1": 0x44e31000, "wdt1": 0x44e35000, "timer2": 0x48040000, "timer4": 0x48044000, "gpio1": 0x4804c000,
    "mmc0": 0x48060000, "intc": 0x48200000, "edma": 0x49000000, "i2c2": 0x4819c000, "uart4": 0x481a8000,
    "adc": 0x44e0d000,
}
MODULEMODE_ENABLE = 2
SECOND = 1000000000


class Machine:
    """A machine at reset. clocks: names of modules to switch on; keep: sockets that options name."""

    def __init__(self, *clocks, extra=(), keep=()):
        self.folder = Path(tempfile.mkdtemp(prefix="rtmux-qtest-"))
        self.qmp = Qmp(self.folder)
        ours, theirs = socket.socketpair()
        command = [board_qemu.built(), "-M", "beaglebone-black", "-accel", "qtest", "-display", "none", "-monitor", "none",
                   "-chardev", f"socket,id=q,fd={theirs.fileno()}", "-object", "qtest,id=t,chardev=q,log=/dev/null",
                   "-d", "guest_errors", "-D", self.folder / "log", *self.qmp.options(), *extra]
        if not any(str(word) == "-serial" for word in extra):
            command += ["-serial", "null"]
        self.process = subprocess.Popen([str(word) for word in command], pass_fds=[end.fileno() for end in (theirs, *keep)],
                                        stdin=subprocess.DEVNULL)
        theirs.close()
        ours.settimeout(20)
        self.socket = ours
        self.answers = ours.makefile("r")
        for name in clocks:
            self.write("prcm", CLKCTRL[name], MODULEMODE_ENABLE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.answers.close()
        self.socket.close()
        self.qmp.close()
        shutil.rmtree(self.folder)

    def command(self, *words):
        self.socket.sendall((" ".join(map(str, words)) + "\n").encode())
        answer = self.answers.readline().split()
        if not answer or answer[0] != "OK":
            raise AssertionError(f"{words}: {answer}")
        return answer[1:]

    def read(self, device, offset=0, size="l"):
        return int(self.command(f"read{size}", hex(address(device) + offset))[0], 0)

    def write(self, device, offset, value, size="l"):
        self.command(f"write{size}", hex(address(device) + offset), hex(value))

    def fill(self, at, data):
        """Write bytes to memory."""
        self.command("write", hex(at), len(data), "0x" + data.hex())

    def dump(self, at, size):
        return bytes.fromhex(self.command("read", hex(at), size)[0][2:])

    def step(self, nanoseconds):
        """Let time pass; returns the time."""
        return int(self.command("clock_step", nanoseconds)[0])

    def line(self, device, n, level):
        """Drive an input of a device."""
        self.command("set_irq_in", f"/machine/{device}", "unnamed-gpio-in", n, int(level))

    def qom_set(self, device, name, value):
        """Set a property of a device, as a user does."""
        self.qmp.command("qom-set", path=f"/machine/{device}", property=name, value=value)

    def pending(self, line):
        """Is an interrupt line of the controller up?"""
        return bool(self.read("intc", 0x80 + line // 32 * 0x20) >> line % 32 & 1)

    def complaints(self):
        """What the machine logged about its use."""
        return (self.folder / "log").read_text()


def address(device):
    return BASE[device] if isinstance(device, str) else device


def main():
    """Run the tests of the calling script."""
    try:
        board_qemu.built()
    except ui.Failure as failure:
        print(f"skipped: {failure}. {failure.hint}")
        sys.exit(SKIPPED)
    unittest.main(module="__main__")
