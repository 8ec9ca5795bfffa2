# SPDX-License-Identifier: GPL-2.0-only
"""One QEMU with its consoles: used by demo, tests and benchmarks."""
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from rtmux_board import board

from . import board_qemu, ui
from .paths import DEFAULT_BOARD

QEMU = "qemu-system-arm"
OLDEST_QEMU = (7, 2)
# One instruction is one nanosecond of virtual time; idle time is skipped.
DETERMINISTIC = ("-icount", "shift=0,sleep=off")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
RETURN = re.compile(r"\r(?!\n)")


def qemu_version():
    """QEMU's version as a pair; a Failure if there is none or it is too old."""
    if shutil.which(QEMU) is None:
        raise ui.Failure(f"{QEMU} is not installed", "Run: tools/rtmux setup")
    text = subprocess.run([QEMU, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"version (\d+)\.(\d+)", text)
    version = tuple(map(int, found.groups())) if found else (0, 0)
    if version < OLDEST_QEMU:
        raise ui.Failure(f"QEMU {version[0]}.{version[1]} is too old: RTMux needs "
                         f"{OLDEST_QEMU[0]}.{OLDEST_QEMU[1]} or later", "Debian 12 has 7.2.")
    return version


def qemu(name):
    """The QEMU that has a board."""
    if name == DEFAULT_BOARD:
        qemu_version()
        return QEMU
    return board_qemu.finished_folder() / board_qemu.PROGRAM


class Timeout(Exception):
    """A console did not say in time what was waited for."""


class Ended(Exception):
    """QEMU ended while something was waited for."""


class Console:
    """One serial port. A thread keeps reading it, so that the machine never waits for us, and writes the log."""

    def __init__(self, name, log, edited=False):
        self.name = name
        self.edited = edited # a shell writes its line anew after CR: what stood there is gone
        self.ours, self.theirs = socket.socketpair()
        self.log = Path(log).open("wb", buffering=0)
        self.text = ""       # all of it, escape sequences and carriage returns removed
        self.position = 0    # what expect() has consumed
        self.ended = False
        self.listener = None # called with each piece of raw text, from the reading thread
        self.changed = threading.Condition()
        self.raw = ""
        self.thread = threading.Thread(target=self._read, daemon=True)

    def _read(self):
        while True:
            try:
                data = self.ours.recv(65536)
            except OSError:
                data = b""
            with self.changed:
                if data:
                    self.log.write(data)
                    piece = self.raw + data.decode("utf-8", "replace")
                    # an escape sequence cut in two waits for its other half
                    cut = piece.rfind("\x1b", max(0, len(piece) - 8))
                    cut = len(piece) if cut < 0 or ESCAPES.match(piece, cut) else cut
                    cut -= piece[:cut].endswith("\r")
                    first, *others = RETURN.split(piece[:cut]) if self.edited else (piece[:cut],)
                    self.text += ESCAPES.sub("", first)
                    for part in others:
                        self.text = self.text[:self.text.rfind("\n") + 1] + ESCAPES.sub("", part)
                    self.position = min(self.position, len(self.text))
                    self.raw = piece[cut:]
                else:
                    self.ended = True
                self.changed.notify_all()
            if self.listener:
                self.listener(self, data)
            if not data:
                return

    def send(self, text):
        self.ours.sendall(text.encode() if isinstance(text, str) else text)

    def expect(self, pattern, timeout=60):
        """Wait for a regular expression after what was consumed before; returns the match and consumes up to it."""
        pattern = re.compile(pattern, re.MULTILINE)
        deadline = time.monotonic() + timeout
        with self.changed:
            while True:
                found = pattern.search(self.text, self.position)
                if found:
                    self.position = found.end()
                    return found
                if self.ended:
                    raise Ended(f"{self.name}: QEMU ended while waiting for: {pattern.pattern}")
                left = deadline - time.monotonic()
                if left <= 0 or not self.changed.wait(left):
                    if time.monotonic() >= deadline:
                        raise Timeout(f"{self.name}: not seen within {timeout} s: {pattern.pattern}")

    def close(self):
        self.ours.close()
        self.log.close()


class Machine:
    """A running QEMU. linux is the serial port of the guest's console, log that of executive and RTOS (a native kernel
    leaves it silent), and with rt_uart, uart that of the RTOS's applications: which ports these are says board.h.
    Without a kernel the board boots by itself, from its card. Use it in a with statement: at the end of that QEMU is
    gone."""

    def __init__(self, folder, kernel=None, initrd=None, dtb=None, append=None, sd=None, network=False, rt_uart=False,
                 extra=(), name=DEFAULT_BOARD):
        facts = board(name)
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.linux = Console("linux", self.folder / "linux.log")
        self.log = Console("log", self.folder / "rtmux.log", edited=True)
        self.uart = Console("uart", self.folder / "uart.log") if rt_uart else None
        self.consoles = [console for console in (self.linux, self.log, self.uart) if console]
        self.serial = 0
        self.rt_shell = False # it has shown its prompt
        command = [str(qemu(name)), "-M", facts["BOARD_QEMU_MACHINE"], "-m", str(facts["BOARD_RAM_SIZE"] >> 20), *DETERMINISTIC,
                   "-display", "none", "-monitor", "none", "-audiodev", "none,id=a0"]
        ports = {facts["BOARD_QEMU_LINUX"]: self.linux, facts["BOARD_QEMU_LOG"]: self.log,
                 facts["BOARD_QEMU_RT_UART"]: self.uart}
        for port in range(max(ports) + 1):
            console = ports.get(port)
            command += ["-chardev", f"socket,id=s{port},fd={console.theirs.fileno()}"] if console else []
            command += ["-serial", f"chardev:s{port}" if console else "null"]
        for option, value in (("-kernel", kernel), ("-initrd", initrd), ("-dtb", dtb), ("-append", append)):
            command += [option, str(value)] if value else []
        command += ["-drive", f"file={sd},if=sd,format=raw"] if sd else []
        command += ["-nic", "user,model=lan9118,restrict=on" if network and name == DEFAULT_BOARD else "none"]
        command += [str(word) for word in extra]
        self.command = command
        (self.folder / "qemu.command").write_text(" ".join(command) + "\n")
        self.errors = (self.folder / "qemu.log").open("w")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
                                        pass_fds=[console.theirs.fileno() for console in self.consoles])
        for console in self.consoles:
            console.theirs.close()
            console.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for console in self.consoles:
            console.thread.join(5)
            console.close()
        self.errors.close()

    def wait(self, timeout=60):
        """Wait for QEMU to end by itself, as it does when the board is powered off; returns its exit status."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Timeout(f"QEMU still runs after {timeout} s") from None

    def shell(self, timeout=120):
        """Wait for the guest's shell, and make it fit for run()."""
        self.linux.expect(r"^\S* # ", timeout)
        self.linux.send("stty -echo; PS1=; export PS1\n")
        self.run("true", timeout)

    def run(self, command, timeout=60):
        """Run a command in the guest's shell: (exit status, output)."""
        self.serial += 1
        # The quotes keep the terminal's echo of this line from looking like the answer.
        self.linux.send(f"{command}\necho \"\"@'@'{self.serial}:$?@@\n")
        start = self.linux.position
        found = self.linux.expect(rf"@@{self.serial}:(\d+)@@\n", timeout)
        return int(found[1]), self.linux.text[start:found.start()]

    def rt(self, command, timeout=60):
        """Run a command in the RTOS's shell; what it printed, without lines of the log that came meanwhile."""
        if not self.rt_shell:
            self.log.send("\r")
            self.log.expect(r"^rt> $", timeout)
            self.rt_shell = True
        self.log.send(command + "\r")
        start = self.log.expect(rf"{re.escape(command)}\n", timeout).end()
        end = self.log.expect(r"^rt> $", timeout).start()
        return "".join(line for line in self.log.text[start:end].splitlines(True) if not line.startswith(("[rt] ", "[exec] ")))
