# SPDX-License-Identifier: GPL-2.0-only
"""Talking to the user: progress of long steps, and failures with a way out."""
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

HEARTBEAT = 30  # seconds between signs of life where there is no terminal


class Failure(Exception):
    """What went wrong, and what the user can do about it. rtmux prints it and exits 1."""

    def __init__(self, message, hint=None):
        super().__init__(message)
        self.hint = hint


NO_NETWORK = "No network: the package source cannot be reached."
# What a log says, and what that means for the user.
CAUSES = [
    ("No space left on device", "The disk is full: free some space and run the same command again."),
    ("Could not resolve", NO_NETWORK),
    ("Temporary failure resolving", NO_NETWORK),
    ("Could not connect", NO_NETWORK),
    ("Could not get lock", "Another package manager is running: wait for it and try again."),
]


def say(text=""):
    print(text, flush=True)


def warn(text):
    print(f"rtmux: warning: {text}", file=sys.stderr, flush=True)


def tail(path, lines=25):
    """Last lines of a log, as one text."""
    try:
        text = Path(path).read_text(errors="replace")
    except OSError:
        return ""
    return "\n".join("  | " + line for line in text.splitlines()[-lines:])


def cause_in(text):
    return next((hint for sign, hint in CAUSES if sign in text), None)


def require_space(folder, megabytes):
    """Refuse to begin what would fill the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free >> 20
    if free < megabytes:
        raise Failure(f"{folder}: {free} MB free, {megabytes} MB needed",
                      "Free some space, or set XDG_CACHE_HOME to a folder on another disk.")


class Progress:
    """One line that says what is being done, for how long, and what it said last."""

    def __init__(self, title):
        self.title = title
        self.start = time.monotonic()
        self.last = ""
        self.live = sys.stdout.isatty()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self):
        if not self.live:
            say(f"{self.title} ...")
        self.thread.start()
        return self

    def __exit__(self, kind, *_):
        self.stop.set()
        self.thread.join()
        if self.live:
            print("\r\x1b[K", end="")
        say(f"{self.title}: {'failed' if kind else 'done'} ({self.seconds():.0f} s)")

    def seconds(self):
        return time.monotonic() - self.start

    def _show(self):
        while not self.stop.wait(0.2 if self.live else HEARTBEAT):
            line = f"{self.title}: {self.seconds():.0f} s  {self.last}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{line[:width]}" if self.live else line[:110], end="" if self.live else "\n", flush=True)


def run(title, command, log, hint=None, check=True, **options):
    """Run a long command with progress; its output goes to log. Returns its exit status; when that is not 0 and
    check is set, raises Failure with the log's tail."""
    log = Path(log)
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [str(word) for word in command]
    with Progress(title) as progress, log.open("w") as out:
        out.write(f"$ {' '.join(command)}\n")
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", **options)
        except FileNotFoundError:
            raise Failure(f"{command[0]}: not found", "Run: tools/rtmux setup") from None
        try:
            with process.stdout:
                for line in process.stdout:
                    out.write(line)
                    out.flush()
                    progress.last = line.strip()
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0 and check:
            out.flush()
            text = log.read_text(errors="replace")
            raise Failure(f"{title}: exit status {process.returncode}; full log: {log}\n{tail(log)}",
                          cause_in(text) or hint)
    return process.returncode
