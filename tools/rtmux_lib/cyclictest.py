# SPDX-License-Identifier: GPL-2.0-only
"""Debian's cyclictest in a Linux, native or the guest: run it, and know its waiting thread from outside.

The plugin recognises three places by the bytes there: where cyclictest's measuring thread calls clock_nanosleep, where a
system call returns to in libc, and where clock_nanosleep returns to. A wake-up ends at the second, when the third follows.
"""
import re
import subprocess

from . import packages, ui

PRIORITY = 98
LAST_US = 5000  # of the histogram
SIGNATURE_BYTES = 12
LIBC_SVC = bytes.fromhex("80b5674600df80bd")  # __libc_do_syscall: push {r7, lr}; mov r7, ip; svc 0; pop {r7, pc}
LIBC_SVC_RETURN = 6


def command(interval_us, samples):
    """cyclictest as its authors advise it for latency: memory locked, SCHED_FIFO, absolute deadlines, nothing printed
    meanwhile. Of its histogram's thousands of lines those that are not empty."""
    return f"cyclictest -q -m -p {PRIORITY} -i {interval_us} -l {samples} -h {LAST_US} | grep -v ' 000000$'"


class Histogram:
    """What cyclictest saw itself: whole microseconds."""

    def __init__(self, text):
        bins = {int(us): int(count) for us, count in re.findall(r"^(\d{6}) (\d+)$", text, re.MULTILINE) if int(count)}
        worst = re.search(r"^# Max Latencies: 0*(\d+)$", text, re.MULTILINE)
        if not bins or not worst:
            raise ui.Failure(f"cyclictest said something unexpected:\n{text[-2000:]}")
        self.count = sum(bins.values())
        self.average = sum(us * count for us, count in bins.items()) / self.count
        self.worst = int(worst[1])


def _signature(data, offset):
    """Place in a file's text, as the plugin wants it: segments begin at whole pages of memory and file."""
    page = offset % 4096
    code = data[offset:offset + min(SIGNATURE_BYTES, 4096 - page)]
    return f"{page:#x}:{code.hex()}"


def signatures():
    """Plugin options that name the places."""
    root = packages.guest_root()
    libc = (root / "lib/arm-linux-gnueabihf/libc.so.6").read_bytes()
    if libc.count(LIBC_SVC) != 1:
        raise ui.Failure("libc's system call function is not where it was: update tools/rtmux_lib/cyclictest.py")
    program = root / "usr/bin/cyclictest"
    text = subprocess.run(["arm-linux-gnueabihf-objdump", "-d", "-M", "force-thumb", program], check=True,
                          capture_output=True, text=True).stdout
    plt = re.search(r"^([0-9a-f]+) <clock_nanosleep@plt>:$", text, re.MULTILINE)
    calls = re.findall(rf"^ *([0-9a-f]+):.*\tblx\t{plt[1].lstrip('0')} ", text, re.MULTILINE) if plt else []
    if not calls:
        raise ui.Failure("cyclictest does not call clock_nanosleep: update tools/rtmux_lib/cyclictest.py")
    data = program.read_bytes()
    return {"woken": _signature(libc, libc.index(LIBC_SVC) + LIBC_SVC_RETURN),
            "sleeps": "+".join(_signature(data, int(call, 16)) for call in calls),
            "waiter": "+".join(_signature(data, int(call, 16) + 4) for call in calls)}


def function(vmlinux, name):
    """Address of one of a kernel's functions."""
    names = subprocess.run(["arm-linux-gnueabihf-nm", vmlinux], check=True, capture_output=True, text=True).stdout
    found = re.search(rf"^([0-9a-f]+) [tT] {name}$", names, re.MULTILINE)
    if not found:
        raise ui.Failure(f"{vmlinux} has no function {name}")
    return int(found[1], 16)
