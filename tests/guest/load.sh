#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Keep Linux busy: messages between processes, copying, walking the file system, forking. Until "load.sh stop".
stop=/tmp/load-stops
count() { echo "$2" >"/tmp/load-$1"; }
if [ "$1" = stop ]; then
    touch $stop
    wait_for=100
    while ls /tmp/load-*.pid >/dev/null 2>&1 && [ $wait_for -gt 0 ]; do sleep 0.1; wait_for=$((wait_for - 1)); done
    for name in hackbench dd find fork; do echo "load $name $(cat /tmp/load-$name 2>/dev/null || echo 0)"; done
    rm -f $stop /tmp/load-*
    exit 0
fi
worker() {
    touch "/tmp/load-$1.pid"
    round=0
    while [ ! -e $stop ]; do
        eval "$2" >/dev/null 2>&1 && round=$((round + 1))
        count "$1" $round
    done
    rm -f "/tmp/load-$1.pid"
}
rm -f $stop
worker hackbench "hackbench -g 2 -l 20" &
worker dd "dd if=/dev/zero of=/tmp/load-data bs=4096 count=256" &
worker find "find / -xdev -type f" &
worker fork "/bin/true; (exit 0)" &
