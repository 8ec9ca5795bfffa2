#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Load Linux until "load.sh stop", which prints how many rounds each part made. A load has parts that run side by side:
#
#   linux    messages between processes, copying to memory and (where there is one) to the SD card, walking the file
#            system, forking, a flood of packets to the host's side of QEMU's network
#   memory   10 MiB written again and again
#   cpu      VFP and NEON registers, among processes
#   kernel   modules, mappings, 300 processes at once
#   hostile  storms from kernel mode (storm.c): interrupts off, faults, hypercalls, TLB and cache maintenance, a device
#            that never stops interrupting, waiting for interrupts
stop=/tmp/load-stops
if [ "$1" = stop ]; then
    touch $stop
    wait_for=300
    while ls /tmp/load-*.pid >/dev/null 2>&1 && [ $wait_for -gt 0 ]; do sleep 0.1; wait_for=$((wait_for - 1)); done
    for part in $(cat /tmp/load-parts); do echo "load $part $(cat "/tmp/load-$part")"; done
    umount /tmp/card 2>/dev/null
    rm -rf $stop /tmp/load-*
    exit 0
fi
part() {
    touch "/tmp/load-$1.pid"
    echo "$1" >>/tmp/load-parts
    echo 0 >"/tmp/load-$1"
    {
        round=0
        while [ ! -e $stop ]; do
            eval "$2" >/dev/null 2>&1 && round=$((round + 1))
            echo $round >"/tmp/load-$1"
        done
        rm -f "/tmp/load-$1.pid"
    } &
}

rm -f $stop /tmp/load-*
case ${1:-linux} in
linux)
    part hackbench "hackbench -g 2 -l 20"
    part dd "dd if=/dev/zero of=/tmp/load-data bs=4096 count=256"
    part find "find / -xdev -type f"
    part fork "/bin/true; (exit 0)"
    if [ -b /dev/mmcblk0 ]; then
        mkdir -p /tmp/card && mount /dev/mmcblk0 /tmp/card &&
            part card "dd if=/dev/zero of=/tmp/card/load-data bs=4096 count=64 conv=fsync"
    fi
    if [ -d /sys/class/net/eth0 ]; then
        ip link set eth0 up
        ip addr add 10.0.2.15/24 dev eth0 2>/dev/null
        part packets "flood 10.0.2.2 1000"
    fi
    ;;
memory)
    part memory "memwrite 10 4"
    ;;
cpu)
    part vfp "torture vfp-switches 20"
    part signals "torture vfp-signals 20"
    ;;
kernel)
    part modules "insmod /lib/test-modules/window.ko; rmmod window"
    part mappings "torture vm-random 50"
    part copies "torture vm-cow-chain 2"
    part processes "torture many-processes 1"
    ;;
hostile)
    [ -e /proc/storm ] || insmod /lib/test-modules/storm.ko || exit 1
    # A native kernel has no hypercalls: only what there is
    for storm in $(cut -d' ' -f1 /proc/storm); do part "$storm" "echo $storm >/proc/storm"; done
    ;;
*)
    echo "load.sh: no load named $1" >&2
    exit 1
    ;;
esac
