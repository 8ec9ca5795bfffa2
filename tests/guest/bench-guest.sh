#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# For tests/bench/guest.py: time since reset, then the benchmark program, repeated on a quiet system.
# 0x1000005c is the RealView's 24 MHz counter, which starts at reset.
ticks=$(devmem 0x1000005c 32) || exit 1
echo "boot $((ticks * 125 / 3))"
sleep 15
for repetition in 1 2 3 4; do
    bench || exit 1
done
