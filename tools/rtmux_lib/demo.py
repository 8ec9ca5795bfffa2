# SPDX-License-Identifier: GPL-2.0-only
"""demo: boot the image and show both worlds at work."""
import re
import sys

from . import build, latency, packages, sdcard, ui
from .machine import Ended, Machine, Timeout
from .paths import BUILD, DEFAULT_BOARD, ROOT
from .screen import HIDE, SHOW, Keyboard, Screen

# With this parameter the guest reports the RT thread's measurement when it shuts down (tools/mkinitramfs.py).
BOOTARGS = f"{build.BOOTARGS} rtmux.demo"
GUEST_OFF = r"^\[exec\] guest: (powered off|stopped)"
LOAD_SECONDS = 3  # of virtual time
WELCOME = """
[exec] and [rt] lines: RTMux's executive and real-time system.  [linux]: the guest, whose shell has your keyboard.
Try:  vbus stats    vbus echo hello    vbus list    rtlog    load.sh    load.sh stop    cat /proc/interrupts
The real-time system's shell:  microcom /dev/ttyRPMSG0, leave it with Ctrl-X
Ctrl-A r gives the keyboard to the real-time system's shell, and back. There: help, ps, latency, guest.
Leave with Ctrl-A x, or type poweroff.
"""


def final_measurement(machine):
    """Shut Linux down, which makes it report, and wait for its end."""
    text = machine.linux.expect(rf"^{HIDE}\n((?:.*\n)*?){SHOW}$", 60)[1]
    machine.log.expect(GUEST_OFF, 60)
    return latency.parse(text)


def interactive(machine):
    ui.say(WELCOME)
    screen = Screen(live=True)
    screen.attach(machine)
    def ended():
        return machine.linux.ended or re.search(GUEST_OFF, machine.log.text, re.MULTILINE) is not None
    with Keyboard() as keyboard:
        left = keyboard.forward(machine.linux.send, machine.log.send, screen.focus, ended)
        screen.focus(False)
        if left:
            machine.linux.send("\x03\npoweroff\n")
        try:
            measured = final_measurement(machine)
        except (Timeout, Ended):
            measured = None
    ui.say("\n" + (latency.summary(measured) if measured else "Linux did not shut down: no measurement."))
    return 0


class Steps:
    """What the unattended demo claims; each is checked before it is said."""

    def __init__(self, machine):
        self.machine = machine

    def shell(self, command, timeout=120):
        status, output = self.machine.run(command, timeout)
        if status != 0:
            raise AssertionError(f"`{command}` ended with status {status}: {output}")
        return output

    def measure(self):
        return latency.parse(self.shell(f"echo '{HIDE}' && vbus stats --raw && echo '{SHOW}'"))

    def run(self):
        machine = self.machine
        machine.log.expect(r"^\[exec\] ", 60)
        machine.log.expect(r"^\[rt\] ", 60)
        machine.shell()
        kernel = self.shell("uname -sr").strip()
        booted = self.measure()
        check(booted.periods > 0 and booted.thread.count > 0, "the RT thread did not run during Linux's boot")
        check(booted.missed == 0, f"the RT thread missed {booted.missed} periods while Linux booted")
        ui.say(f"-- {kernel} is up; {booted.periods} RT periods during its boot, none missed")

        echo = self.shell("vbus echo 'hello, RT side'")
        check("hello, RT side" in echo, f"V-Bus gave back something else: {echo}")
        ui.say("-- a message went to the RT side and came back")

        self.shell("load.sh && sleep " + str(LOAD_SECONDS), 600)
        work = dict(re.findall(r"^load (\w+) (\d+)$", self.shell("load.sh stop", 300), re.MULTILINE))
        idle = [name for name in ("hackbench", "dd", "find", "fork") if int(work.get(name, 0)) == 0]
        check(not idle, f"part of the load did not run: {' '.join(idle)}")
        loaded = self.measure() - booted
        check(loaded.periods * loaded.period_ns >= LOAD_SECONDS * 1e9, "fewer RT periods than the load's time holds")
        check(loaded.missed == 0, f"the RT thread missed {loaded.missed} periods under load")
        ui.say("-- load done: " + ", ".join(f"{name} {count} times" for name, count in work.items()) +
               f"; {loaded.periods} RT periods meanwhile, none missed")

        ui.say("-- the real-time system's own shell:")
        check("control" in machine.rt("ps"), "the RT shell does not list the control thread")
        switches = re.search(r"^world switches (\d+)", machine.rt("stat"), re.MULTILINE)
        check(switches and int(switches[1]) >= loaded.periods, "fewer world switches than RT periods")

        machine.linux.send("poweroff\n")
        return final_measurement(machine)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def batch(machine):
    Screen(live=False).attach(machine)
    try:
        measured = Steps(machine).run()
    except (AssertionError, Timeout, Ended) as error:
        raise ui.Failure(f"the demo failed: {error}\nconsole logs: {machine.folder.relative_to(ROOT)}/*.log") from None
    ui.say("-- Linux is off\n\n" + latency.summary(measured))
    return 0


def demo(unattended, name=DEFAULT_BOARD):
    """Set up and build what is not there yet, then show it. Returns the exit status."""
    packages.setup()
    if not unattended and not sys.stdin.isatty():
        raise ui.Failure("the demo wants a terminal", "Without one: tools/rtmux demo --batch")
    build.build(name)
    if name == DEFAULT_BOARD:
        image = build.image(kernel=build.built_linux("guest"), initrd=build.initramfs_path("guest"), bootargs=BOOTARGS,
                            output=BUILD / name / "demo.img")
        machine = Machine(BUILD / "demo", image, network=True)
    else: # from its card, as the board does: boot ROM, U-Boot, image
        machine = Machine(BUILD / "demo", sd=sdcard.sdcard(BUILD / name / "card.img"), name=name)
    with machine:
        return batch(machine) if unattended else interactive(machine)
