#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# For tests/bench/guest.py: time since reset, then the benchmark program on a system that has come to rest.
bootclock || exit 1
sleep 15
bench all 4
bench time hackbench 3 hackbench -g 2 -l 20
bench time dd 3 dd if=/dev/zero of=/tmp/bench-dd bs=4096 count=512
