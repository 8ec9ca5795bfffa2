#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# soak.sh SECONDS: a little of everything, again and again with pauses, for so many seconds of the guest's clock. Prints
# the rounds that it made, and the free memory (KiB) after the first and after the last of them.
uptime_seconds() { cut -d. -f1 /proc/uptime; }
free_memory() {
    echo 3 >/proc/sys/vm/drop_caches
    awk '/^MemFree/ { print $2 }' /proc/meminfo
}
end=$(($(uptime_seconds) + $1))
rounds=0
first=
while [ "$(uptime_seconds)" -lt "$end" ]; do
    echo $rounds | sha256sum >/dev/null || exit 1
    (hackbench -g 1 -l 5) >/dev/null || exit 1
    dd if=/dev/zero of=/tmp/soak bs=4096 count=64 2>/dev/null || exit 1
    find /bin /proc/self >/dev/null
    vbus stats >/dev/null || exit 1
    rm /tmp/soak
    rounds=$((rounds + 1))
    first=${first:-$(free_memory)}
    sleep 10
done
echo "rounds $rounds free $first $(free_memory)"
