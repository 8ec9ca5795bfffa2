#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""V-Bus from Linux: rpmsg with its own programs, mapped channels, modules unloaded under traffic, a guest that scribbles."""
import re

from harness import check, check_log, main, shell

MODULE = "/lib/modules/rtmux_vbus.ko"
RESTARTS = 1000


def attribute(machine, channel, name):
    return int(shell(machine, f"cat /sys/class/vbus/{channel}/{name}"))


def echoes(machine, text):
    check(shell(machine, f"vbus echo {text}").strip() == text, "another answer")


def quiet(machine, channel="rpmsg"):
    """Nothing lost, no reset, no violation."""
    for name in ("rx_dropped", "resets", "violations"):
        check(attribute(machine, channel, name) == 0, f"{channel}: {name} is not 0")


def test_vbus_rpmsg(boot):
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1")
        check(re.search(r"^rtmux-demo +rpmsg ", shell(machine, "vbus list"), re.MULTILINE), "the demo's service is not listed")
        before = attribute(machine, "rpmsg", "tx_records"), attribute(machine, "rpmsg", "rx_records")
        for size in (0, 1, 7, 8, 64, 1000, 4096, 16372):
            shell(machine, f"vbus echo -n 50 -s {size}")
        check("too long" in shell(machine, "vbus echo -n 1 -s 16373 2>&1", expected=1), "a quarter of the ring is exceeded")
        after = attribute(machine, "rpmsg", "tx_records"), attribute(machine, "rpmsg", "rx_records")
        check([now - then for now, then in zip(after, before)] == [400, 400], f"{before}, then {after}: not 400 records")
        # Programs that know nothing of rpmsg
        shell(machine, "exec 3<>/dev/rpmsg0; echo to myself >&3; dd bs=4096 count=1 <&3 2>/dev/null >/tmp/got; exec 3>&-")
        check(shell(machine, "cat /tmp/got").strip() == "to myself", "/dev/rpmsg0 gave back something else")
        shell(machine, "dd if=/bin/busybox of=/tmp/sent bs=1024 count=64 2>/dev/null; exec 3<>/dev/rpmsg0; "
              "dd if=/tmp/sent bs=1024 >&3 2>/dev/null; dd bs=4096 count=64 <&3 2>/dev/null >/tmp/got; exec 3>&-; "
              "cmp /tmp/sent /tmp/got")
        shell(machine, "vbus bench -q -n 500 && vbus bench -q -n 200 -s 4096 stream && ! vbus recv -t 0 rpmsg-raw")
        quiet(machine)
        latencies = shell(machine, "cat /sys/kernel/debug/vbus/rpmsg/latency")
        counts = [int(count) for _, count in re.findall(r"^(\d+) (\d+)$", latencies, re.MULTILINE)]
        no_clock = "the RT clock cannot be read from Linux on this board" in latencies
        check(no_clock == (boot.board == "beaglebone-black"), f"whether Linux has the RT clock:\n{latencies}")
        names = len(re.findall(r" rpmsg .* \S+$", shell(machine, "vbus list"), re.MULTILINE)) - 1
        check(no_clock or 0 <= attribute(machine, "rpmsg", "rx_records") - sum(counts) <= names,
              f"the histogram does not have all records but announcements:\n{latencies}")
        shell(machine, "vbuscheck rpmsg && vbuscheck traffic 50", timeout=120)
        # Endpoints that come and go leave no memory behind, without any doorbell for it.
        objects = "sleep 0.2; cat /sys/kernel/debug/vbus/rpmsg/objects"
        before = int(shell(machine, objects))
        shell(machine, "for i in 1 2 3 4 5 6 7 8 9 10; do vbus echo -n 1; done")
        after = int(shell(machine, objects))
        check(before == after, f"{before} objects of rpmsg, then {after}")
        check_log(machine)
        boot.check_rt(machine, "V-Bus records")


def test_vbus_services(boot):
    """The RTOS's shell as a terminal, and its log."""
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1; stty -F /dev/ttyRPMSG0 raw -echo; exec 4<>/dev/ttyRPMSG0; printf '\\r' >&4; sleep 0.1; "
              "printf 'ps\\r' >&4; timeout 1 cat <&4 >/tmp/said; exec 4>&-")
        said = shell(machine, "cat /tmp/said")
        check(re.search(r"^control +0 ", said, re.MULTILINE), f"the shell did not list the control thread:\n{said}")
        # Linux may look, not touch.
        shell(machine, "stty -F /dev/ttyRPMSG0 raw -echo; exec 4<>/dev/ttyRPMSG0; "
              "printf 'latency -p 0 -i 20 -n 1000\\rvbus_restart\\rhelp\\r' >&4; timeout 1 cat <&4 >/tmp/said; exec 4>&-")
        said = shell(machine, "cat /tmp/said")
        for command in ("latency", "vbus_restart"):
            check(f"{command}: not from this terminal" in said and not re.search(rf"^{command}  ", said, re.MULTILINE),
                  f"Linux may use {command}:\n{said}")
        check("RTOS demo: control thread" in shell(machine, "rtlog"), "the log does not have its first line")
        said = shell(machine, "timeout 5 rtlog -f; true")
        check(said.count("periods") >= 2, f"the log does not go on:\n{said}")
        # A terminal whose module goes is hung up; what comes back is another one.
        shell(machine, f"cat </dev/ttyRPMSG0 & sleep 0.1; rmmod rtmux_vbus && insmod {MODULE}; wait $!; [ $? != 127 ]")
        shell(machine, "stty -F /dev/ttyRPMSG0 raw -echo; exec 4<>/dev/ttyRPMSG0; printf 'ps\\r' >&4; "
              "timeout 1 cat <&4 >/tmp/said; exec 4>&-")
        check("control" in shell(machine, "cat /tmp/said"), "no shell after the module was loaded again")
        check_log(machine)


def test_vbus_map(boot):
    with boot.machine() as machine:
        machine.shell()
        check(attribute(machine, "stream", "up") == 0, "up with nobody there")
        for check_of in ("map", "full", "map"):
            shell(machine, f"vbuscheck {check_of}", timeout=120)
        quiet(machine)
        shell(machine, "vbus recv stream & sleep 0.2; ! rmmod rtmux_vbus; busy=$?; kill $!; wait $! 2>/dev/null; [ $busy = 0 ]")
        # The driver can be taken from its device: the mapping is revoked, and the device comes back.
        driver = "/sys/bus/platform/drivers/rtmux-vbus"
        said = shell(machine, f"cd {driver}; device=$(ls -d *vbus*); vbus recv stream 2>&1 & sleep 0.2; echo $device >unbind; "
                     "wait $!; status=$?; echo $device >bind; cd /; [ $status = 1 ]")
        check("No such device" in said, f"a mapped channel that goes: {said}")
        shell(machine, "vbuscheck map")
        echoes(machine, "still-there")
        check_log(machine)
        boot.check_rt(machine, "mapped channels")


def test_vbus_geometry(boot):
    """The smallest rings, and rings of most of the memory: each record comes back, in order, and nothing resets."""
    with boot.machine(rtos="rtos-vbus-geometry.elf") as machine:
        machine.shell()
        for channel, size in ("tiny", 64), ("huge", 0x10000):
            check(attribute(machine, channel, "tx_ring_size") == size, f"{channel} has another size")
            shell(machine, f"vbuscheck geometry {channel}", timeout=200)
        check_log(machine)


def reload(machine, count):
    for number in range(count):
        shell(machine, f"rmmod rtmux_vbus && insmod {MODULE}")
        echoes(machine, f"life-{number}")


def waits(machine, how):
    """A process that waits in a call learns that the channel has gone from under it."""
    shell(machine, f"vbuscheck epipe {how} >/tmp/{how} & sleep 0.2; grep -q waiting /tmp/{how} && rmmod rtmux_vbus; wait")
    said = shell(machine, f"cat /tmp/{how}; insmod {MODULE}")
    check("EPIPE" in said, f"{how} over an unload: {said}")
    echoes(machine, "again")


def test_vbus_reload(boot):
    debug = boot.variant.endswith("debug")
    with boot.machine() as machine:
        machine.shell(300)
        shell(machine, "dmesg -n 1; dmesg -c >/dev/null")
        reload(machine, 5)
        for how in ("read", "poll", "write"):
            waits(machine, how)
        shell(machine, f"vbuscheck restarts {RESTARTS // 20 if debug else RESTARTS} {MODULE}", timeout=1200)
        reload(machine, 1)
        quiet(machine)
        check_log(machine)
        if debug:
            locks = shell(machine, "cat /proc/lockdep_stats")
            check(re.search(r"debug_locks: +1$", locks, re.MULTILINE), f"lockdep is off:\n{locks}")
        boot.check_rt(machine, "restarts of Linux's side")


def test_vbus_rt_restarts(boot):
    """The RT side of V-Bus starts anew, again and again, under traffic: each message once, in order, or told as lost."""
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1; vbuscheck traffic 3600000 >/tmp/traffic 2>&1 & traffic=$!; sleep 0.2")
        machine.rt(f"vbus_restart {RESTARTS}", 600)
        machine.log.position = 0 # it may have been said before the prompt
        machine.log.expect(rf"vbus: {RESTARTS} restarts, 0 repairs", 60)
        said = shell(machine, "kill $traffic; wait $traffic; echo $?; cat /tmp/traffic", timeout=60)
        found = re.search(r"^(\d+) lives: (\d+) sent, (\d+) answered, (\d+) lost", said, re.MULTILINE)
        check(said.startswith("0\n") and found, f"traffic says: {said}")
        lives, sent, answered, lost = map(int, found.groups())
        print(found[0], flush=True)
        check(lives > RESTARTS // 4 and sent == answered + lost and answered > 0, f"traffic says: {said}")
        # rpmsg_char's poll looks at its endpoint without a lock (6.12, rpmsg_eptdev_poll): it may go under it
        # between the look and the call, of which rpmsg_poll() warns, and nothing comes.
        dump = re.sub(r"WARNING: .* rpmsg_poll\+", "", shell(machine, "dmesg"))
        check(not re.search(r"WARNING:|BUG:|Oops|self-detected stall", dump), f"the kernel complains:\n{dump[-4000:]}")
        boot.check_rt(machine, "restarts of the RT side of V-Bus")


def test_vbus_reboot(boot):
    with boot.machine() as machine:
        machine.shell()
        echoes(machine, "before")
        machine.linux.send("reboot\n")
        machine.linux.expect("reboot: Restarting system", 60)
        machine.shell()
        echoes(machine, "after")
        quiet(machine)


def test_vbus_scribble(boot):
    """Rubbish all over the memory at full speed: RT keeps its time, and talks again to whoever follows the protocol."""
    with boot.machine() as machine:
        machine.shell()
        shell(machine, "dmesg -n 1; insmod /lib/test-modules/hostile.ko iret=0")
        for attack in ("vbus-control 300", "vbus-scribble 1000"):
            shell(machine, f"echo {attack} >/proc/hostile", timeout=300)
            check_log(machine)
            # Linux's own end is as lost as the RT side's: it starts anew. The RT side finds rubbish in its own
            # line by and by, and resets: that much may happen, and then no more.
            shell(machine, f"rmmod rtmux_vbus && insmod {MODULE}")
            for command in ("vbus echo sane-again", "vbus bench -q -n 1 stream"):
                shell(machine, f"{command} || {command} || {command}")
            before = attribute(machine, "rpmsg", "resets")
            echoes(machine, "and-goes-on")
            shell(machine, "vbus bench -q -n 200 rpmsg-raw && vbus bench -q -n 200 stream")
            check(attribute(machine, "rpmsg", "resets") == before, "the channel does not heal")
            check(attribute(machine, "rpmsg", "violations") == 0, "the RT side does not follow the protocol")
        boot.check_rt(machine, "rubbish in V-Bus")


if __name__ == "__main__":
    main(globals())
