# SPDX-License-Identifier: BSD-3-Clause
# What U-Boot runs from the card: loads the image and starts it. bootm checks the
# image's checksum and writes the caches back; the image finds its place itself.
setenv autostart yes
echo "RTMux: loading rtmux.uimg from ${devtype} ${devnum}:${distro_bootpart}"
if load ${devtype} ${devnum}:${distro_bootpart} 0x90000000 rtmux.uimg; then
	bootm 0x90000000
	echo "RTMux: rtmux.uimg is damaged: write the card again"
else
	echo "RTMux: rtmux.uimg cannot be read: write the card again"
fi
