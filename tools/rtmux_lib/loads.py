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


def check_work(load, said):
    """What "load.sh stop" said: a Failure unless every part made a round, and none is missing for want of a device."""
    rounds = re.findall(r"^load (\S+) ?(.*)$", said, re.MULTILINE)
    devices = {"card", "packets"} if load == "linux" else set()
    if not rounds or not all(re.fullmatch(r"[1-9]\d*", count) for _, count in rounds) or devices - dict(rounds).keys():
        raise ui.Failure(f"part of the load {load} did not run:\n{said}")


@contextlib.contextmanager
def running(machine, load):
    """In its with statement, the load runs; each of its parts must have done something by the end."""
    if load != "idle":
        command(machine, f"dmesg -n 1; load.sh {load} && sleep 0.1", 600)
    yield
    if load != "idle":
        check_work(load, command(machine, "load.sh stop", 1200))
