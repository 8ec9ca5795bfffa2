# SPDX-License-Identifier: GPL-2.0-only
"""Every instruction of the window that a machine without a guest executes, as QEMU writes it down."""
import os
import re
from contextlib import contextmanager

from rtmux_board import layout

from .machine import Machine

EXECUTED = re.compile(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")


def options():
    """QEMU's, without the name of the file."""
    window = layout()
    end = window["RTMUX_RTOS_VA"] + window["RTMUX_RTOS_SIZE"] - 1
    return ["-singlestep", "-d", "exec,nochain", "-dfilter", f"{window['RTMUX_EXEC_VA']:#x}..{end:#x}"]


def _addresses(lines):
    for line in lines:
        found = EXECUTED.match(line)
        if found:
            yield int(found[1], 16)


@contextmanager
def traced(folder, image):
    """(machine, addresses of its instructions, one after the other). QEMU is gone at the end of the block."""
    pipe = folder / "trace"  # some 200 bytes for each instruction: read as it is written, never kept
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with Machine(folder, image, extra=[*options(), "-D", pipe]) as machine, pipe.open() as lines:
        yield machine, _addresses(lines)
        machine.process.kill()
