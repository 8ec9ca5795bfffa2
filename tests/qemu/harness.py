# SPDX-License-Identifier: GPL-2.0-only
"""What a QEMU test is written with: boot something, talk to it, fail with a reason.

A test file has functions named test_*, each taking a Boot; `main(globals())` at its end runs the ones named on the
command line. `--native` boots the native kernel instead of the image: the same test must pass there too.
"""
import argparse
import re
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib import build, latency, ui  # noqa: E402
from rtmux_lib.machine import Ended, Machine, Timeout  # noqa: E402
from rtmux_lib.machine import qemu  # noqa: E402
from rtmux_lib.paths import BUILD, DEFAULT_BOARD, boards  # noqa: E402

SKIPPED = 77  # exit status that ctest reports as "skipped"
CHAOS_BANNER = r"^\[exec\] RTMux \S+-chaos on "
# What the RT demo says of itself every 2 s: its control thread's periods of 500 us, its filter's FP registers
RT_REPORT = re.compile(r"^\[rt\] periods (\d+) missed (\d+); thread ns min \d+ avg (\d+) max (\d+);", re.MULTILINE)
RT_FILTER = re.compile(r"^\[rt\] filter rounds (\d+) checksum ([0-9a-f]{8}) mismatches (\d+)$", re.MULTILINE)
RT_PERIODS = 4000  # from one report to the next
COMPLAINTS = ("BUG:", "WARNING:", "Oops", "Call trace", "Bad page", "Bad rss-counter", "self-detected stall",
              "irqs were")


class Skip(Exception):
    """This test does not apply here."""


class Boot:
    """How a test gets machines: the image, or with native the same initramfs on the native kernel."""

    def __init__(self, name, native, variant="guest", chaos=False, board=DEFAULT_BOARD):
        self.native = native
        self.board = board
        self.variant = variant.replace("guest", "native") if native else variant
        self.preset = f"{board}-chaos" if chaos else board
        self.folder = BUILD / "qemu" / f"{name}-{board}-{self.variant}{'-chaos' if chaos else ''}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.count = 0
        self.references = []

    def reference(self):
        """The same without RTMux, to compare with."""
        other = Boot(f"{self.folder.name}-reference", native=True, variant=self.variant.replace("native", "guest"), board=self.board)
        self.references.append(other)
        return other

    def machine(self, bootargs="", rtos="rtos.elf", image_options=(), **options):
        """Start a machine with further kernel parameters, one of the RTOS's programs, and options of mkimage.py; the
        others as of rtmux_lib.machine.Machine."""
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        kernel = build.built_linux(self.variant)
        initrd = build.initramfs_path(self.variant)
        bootargs = f"{build.default_bootargs(self.board)} {bootargs}".strip()
        options["name"] = self.board
        if self.native:
            return Machine(folder, kernel.uimage, initrd=initrd, dtb=kernel.dtb, append=bootargs, **options)
        image = build.image(preset=self.preset, kernel=kernel, initrd=initrd, bootargs=bootargs, output=folder / "rtmux.img",
                            rtos=rtos, options=image_options)
        return Machine(folder, image, **options)

    def sd_card(self, files, megabytes=32):
        """An SD card image with an ext4 file system that holds files: {name: text, or bytes of a program}."""
        source = self.folder / "sd"
        for name, text in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(text.encode() if isinstance(text, str) else text)
            (source / name).chmod(0o644 if isinstance(text, str) else 0o755)
        card = self.folder / "sd.img"
        build.file_system(card, megabytes, source)
        return card

    def card_holds(self, card, name):
        """Text of a file on a card image, read without mounting it."""
        return subprocess.run(["debugfs", "-R", f"cat /{name}", card], check=True, capture_output=True, text=True,
                              env={"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"}).stdout

    @staticmethod
    def tool(*command):
        """Run a program of the host's; it must succeed."""
        subprocess.run([str(word) for word in command], check=True, capture_output=True)

    def check_rt(self, machine, during):
        """RT kept its time through this, and still does: waits for its next two reports, and looks at all of them."""
        if self.native:
            return
        machine.log.position = len(machine.log.text)
        for pattern in (RT_REPORT, RT_REPORT, RT_FILTER):
            machine.log.expect(pattern.pattern, 300)
        check_rt_reports(machine.log.text, during)
        chaos = re.search(CHAOS_BANNER, machine.log.text, re.MULTILINE) is not None
        check(chaos == self.preset.endswith("-chaos"), "this executive is not of the preset that was asked for")

    def report(self):
        for boot in (self, *self.references):
            for log in sorted(boot.folder.glob("*/*.log")):
                if log.stat().st_size:
                    print(f"--- {log.relative_to(ROOT)}\n{ui.tail(log, 40)}")

    def remove(self):
        for boot in (self, *self.references):
            shutil.rmtree(boot.folder, ignore_errors=True)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def shell(machine, command, expected=0, timeout=60):
    """Run a command in the guest; its status must be the expected one. Returns its output."""
    status, output = machine.run(command, timeout)
    check(status == expected, f"`{command}`: exit status {status}, expected {expected}; it said:\n{output}")
    return output


def check_rt_reports(text, during):
    """No period missed, none late, none unreported, no FP register lost: in everything RT said so far."""
    reports = [tuple(map(int, found)) for found in RT_REPORT.findall(text)]
    for periods, missed, average, worst in reports:
        check(missed == 0, f"RT missed {missed} of {periods} periods during {during}")
        check(average <= latency.AVERAGE_BAR and worst <= latency.WORST_BAR,
              f"RT latency during {during}: average {average} ns, worst {worst} ns, in {periods} periods")
    counts = [0] + [report[0] for report in reports]
    for before, after in zip(counts, counts[1:]):
        check(abs(after - before - RT_PERIODS) <= 1, f"{after - before} RT periods in 2 s, during {during}: {counts}")
    filtered = RT_FILTER.findall(text)
    check(len({checksum for _, checksum, _ in filtered}) == 1 and all(wrong == "0" for *_, wrong in filtered),
          f"RT's FP registers are not kept during {during}: {filtered}")
    return reports[-1]


def check_log(machine):
    """The kernel has nothing to complain of."""
    dump = shell(machine, "dmesg")
    for complaint in COMPLAINTS:
        check(complaint not in dump, f"the kernel's log has {complaint}:\n{dump[-4000:]}")


def run_test(name, function, options):
    if not shutil.which(qemu(options.board)):
        print(f"{name}: skipped: no QEMU for this board; get it with: tools/rtmux setup --board {options.board}")
        return SKIPPED
    boot = Boot(name, options.native, "guest-debug" if options.debug else "guest", options.chaos, options.board)
    try:
        function(boot)
    except Skip as reason:
        boot.remove()
        print(f"{name}: skipped: {reason}")
        return SKIPPED
    except (AssertionError, Timeout, Ended, ui.Failure, subprocess.CalledProcessError) as error:
        line = traceback.extract_tb(error.__traceback__)[-1 if isinstance(error, ui.Failure) else 1]
        boot.report()
        print(f"{name}: FAILED at {Path(line.filename).name}:{line.lineno}: {error}")
        return 1
    boot.remove()
    print(f"{name}: passed")
    return 0


def main(tests):
    tests = {name.removeprefix("test_"): function for name, function in tests.items() if name.startswith("test_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("--board", choices=boards(), default=DEFAULT_BOARD)
    parser.add_argument("--native", action="store_true", help="boot the native kernel, without RTMux")
    parser.add_argument("--debug", action="store_true", help="boot a kernel with lockdep and other checks")
    parser.add_argument("--chaos", action="store_true", help="with the executive that drops shadow entries at random")
    parser.add_argument("name", nargs="*", help="of " + ", ".join(tests))
    args = parser.parse_args()
    unknown = [name for name in args.name if name not in tests]
    if unknown:
        parser.error(f"no such test: {', '.join(unknown)}")
    results = [run_test(name, tests[name], args) for name in args.name or tests]
    sys.exit(1 if 1 in results else SKIPPED if SKIPPED in results else 0)
