# SPDX-License-Identifier: GPL-2.0-only
"""Both consoles in one terminal: a prefix on every line, and the keyboard for one of them."""
import os
import re
import select
import sys
import termios
import threading
import time

from .machine import ESCAPES

LINUX = "[linux] "
# Between these lines of the guest stands what is for the program, not for the reader.
HIDE, SHOW = "rtmux: measurement", "rtmux: measurement ends"
ASK_CURSOR = "\x1b[6n"  # busybox's; the cursor is where our prefix put it, and the answer would be typed text
REPEAT_SECONDS = 3      # a periodic report is shown no more often: idle virtual time passes many times faster
ERASE = "\x1b[K"         # from the cursor to the line's end
CTRL_A = b"\x01"
ANSWER = re.compile(r"@@\d+:\d+@@$")  # how Machine.run() learns a command's exit status


class Screen:
    """Writes the pieces that the consoles deliver. In live mode the line of the one that has the keyboard, Linux or the
    RT shell, appears while it is being written, and makes room when a line of the other comes in between."""

    def __init__(self, live, out=sys.stdout):
        self.live = live
        self.out = out
        self.lock = threading.Lock()
        self.log_line = ""
        self.rt = False # the RT shell has the keyboard
        self.held = ""  # of what it wrote
        self.linux_line = ""
        self.shown = 0  # characters of linux_line that are on the screen
        self.hidden = False
        self.last_shown = {}

    def attach(self, machine):
        machine.linux.listener = lambda _, data: self.linux(data.decode("utf-8", "replace"))
        machine.log.listener = lambda _, data: self.log(data.decode("utf-8", "replace"))

    def log(self, text):
        """Lines of executive and RTOS; they bring their prefix with them."""
        with self.lock:
            if self.rt:
                self._rt_shell(text)
                return
            *lines, self.log_line = (self.log_line + text).split("\n")
            for line in lines:
                line = plain(line)
                if not line or self._repeats(line):
                    continue
                if self.shown:
                    self.out.write("\r\x1b[K")
                self.out.write(line + "\n")
                if self.shown:
                    self.out.write(LINUX + self.linux_line[:self.shown])
            self.out.flush()

    def _rt_shell(self, text):
        """The terminal does what the shell's escape sequences say. Its line must be known, to be put back; and a line
        of the log, which erases it, waits to be whole, for it may be a repetition."""
        *lines, rest = (self.held + text).split("\n")
        for line in lines:
            if not plain(line).startswith("[") or not self._repeats(plain(line)):
                self.out.write(line + "\n")
            self.log_line = ""
        begun = rest.rstrip("\r") # which may be half of CR LF
        shown, cr, last = begun.rpartition("\r")
        if not cr or not (ERASE.startswith(last) or last.startswith(ERASE + "[")):
            shown = begun
        self.held = rest[len(shown):]
        self.out.write(shown)
        self.out.flush()
        self.log_line += shown

    def focus(self, rt):
        """The keyboard changes sides."""
        with self.lock:
            if self.rt == rt:
                return
            if rt:
                self.out.write("\n" if self.shown else "")
                self.linux_line, self.shown = self.linux_line[:self.shown], 0
            else:
                self.out.write("\r" + ERASE)
                self.log_line = self.held = ""
            self.rt = rt
            self.out.flush()

    def _repeats(self, line):
        """Live: whether a line that differs only in its figures was shown a moment ago."""
        kind, now = re.sub(r"\b[0-9a-f]*\d[0-9a-f]*\b", "#", line), time.monotonic()
        if self.live and now - self.last_shown.get(kind, -REPEAT_SECONDS) < REPEAT_SECONDS:
            return True
        self.last_shown[kind] = now
        return False

    def linux(self, text):
        with self.lock:
            text = self.linux_line[self.shown:] + text.replace("\r", "")
            *lines, rest = text.replace(ASK_CURSOR, "").split("\n")
            for line in lines:
                self._end_line(line)
            self._partial(rest)
            self.out.flush()

    def _end_line(self, rest):
        if self.rt:
            self.out.write(f"\r\x1b[K{LINUX}{rest}\n{plain(self.log_line)}")
            return
        line = self.linux_line[:self.shown] + rest
        if line == HIDE:
            self.hidden = True
        if not self.hidden and not ANSWER.search(line):
            self.out.write(("" if self.shown else LINUX) + rest + "\n")
        if line == SHOW:
            self.hidden = False
        self.linux_line, self.shown = "", 0

    def _partial(self, rest):
        self.linux_line = self.linux_line[:self.shown] + rest
        if not self.live or self.rt or self.hidden or HIDE.startswith(self.linux_line):
            return
        # The beginning of an ASK_CURSOR waits for its end.
        held = next((n for n in range(len(ASK_CURSOR) - 1, 0, -1) if rest.endswith(ASK_CURSOR[:n])), 0)
        end = len(self.linux_line) - held
        if end > self.shown:
            self.out.write(("" if self.shown else LINUX) + self.linux_line[self.shown:end])
            self.shown = end


def plain(line):
    """What a line looks like in the end: a shell writes its own anew after CR."""
    return ESCAPES.sub("", line.rstrip("\r").rpartition("\r")[2])


class Keyboard:
    """The terminal's keys, each as it is pressed, Ctrl-C included; the terminal is put back at the end."""

    def __enter__(self):
        self.saved = termios.tcgetattr(0)
        raw = termios.tcgetattr(0)
        raw[0] &= ~(termios.ICRNL | termios.IXON)
        raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        termios.tcsetattr(0, termios.TCSADRAIN, raw)
        return self

    def __exit__(self, *_):
        termios.tcsetattr(0, termios.TCSADRAIN, self.saved)

    def forward(self, linux, rt, focus, ended):
        """Send keys to the guest until ended() or Ctrl-A x; to the RT shell from Ctrl-A r to the next one, of which
        focus(True) and focus(False) are told. Ctrl-A twice sends one. True if the user left."""
        command = False
        send = linux
        while not ended():
            if not select.select([0], [], [], 0.2)[0]:
                continue
            keys = os.read(0, 1024)
            if not keys:
                return True
            for key in (bytes([byte]) for byte in keys):
                if command and key in b"xX":
                    return True
                if command and key in b"rR":
                    send = rt if send is linux else linux
                    focus(send is rt)
                    if send is rt:
                        rt(b"\r") # for a prompt
                    command = False
                    continue
                if key == CTRL_A and not command:
                    command = True
                    continue
                command = False
                send(key)
        return False
