# SPDX-License-Identifier: GPL-2.0-only
"""What Linux does while RT is measured: the loads of tests/bench/loads/load.sh, and what machine they need."""
import contextlib
import re

from . import build, ui
from .paths import ROOT

SCRIPT = ROOT / "tests/bench/loads/load.sh"
CARD_MIB = 16


def names():
    return ["idle", *re.findall(r"^(\w+)\)$", SCRIPT.read_text(), re.MULTILINE)]


def command(machine, text, timeout=60):
    """Output of a command in the guest, which must succeed."""
    status, output = machine.run(text, timeout)
    if status != 0:
        raise ui.Failure(f"in the guest, `{text}` ended with status {status}: {output}")
    return output


def options(load, folder):
    """Options of Machine for a load."""
    if load not in names():
        raise ui.Failure(f"no load named {load}", "Known: " + " ".join(names()))
    if load != "linux":
        return {}
    card = folder / "card.img"
    folder.mkdir(parents=True, exist_ok=True)
    build.file_system(card, CARD_MIB)
    return {"sd": card, "network": True}


@contextlib.contextmanager
def running(machine, load):
    """In its with statement, the load runs; each of its parts must have done something by the end."""
    if load != "idle":
        command(machine, f"dmesg -n 1; load.sh {load} && sleep 0.1", 600)
    yield
    if load != "idle":
        work = command(machine, "load.sh stop", 1200)
        if not re.search(r"^load ", work, re.MULTILINE) or re.search(r" 0$", work, re.MULTILINE):
            raise ui.Failure(f"part of the load did not run:\n{work}")
