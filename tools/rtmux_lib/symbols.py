# SPDX-License-Identifier: GPL-2.0-only
"""Functions of executive and RTOS by name and by address, and their variables by name."""
import re
import subprocess
from bisect import bisect_right

from . import ui


class Symbols:
    def __init__(self, *elfs):
        dumps = [subprocess.run(["arm-none-eabi-nm", "-CS", elf], check=True, capture_output=True, text=True).stdout
                 for elf in elfs]
        found = sorted((int(address, 16), name, int(size or "0", 16)) for dump in dumps
                       for address, size, name in re.findall(r"^([0-9a-f]{8}) (?:([0-9a-f]{8}) )?[tTwW] ([^$].*)$", dump,
                                                             re.MULTILINE))
        self.data = {name: int(address, 16) for dump in dumps
                     for address, name in re.findall(r"^([0-9a-f]{8}) (?:[0-9a-f]{8} )?[bBdD] (.+)$", dump, re.MULTILINE)}
        self.addresses, self.names, self.sizes = zip(*found)

    def name(self, address):
        """The function that an address is in."""
        return self.names[bisect_right(self.addresses, address) - 1]

    def place(self, address):
        """The same with the offset in it."""
        index = bisect_right(self.addresses, address) - 1
        offset = address - self.addresses[index]
        return self.names[index] + (f"+{offset:#x}" if offset else "")

    def range(self, name):
        """(first address, address behind it) of a function."""
        if name not in self.names:
            raise ui.Failure(f"no function named {name} in the image", "Was it renamed? Then the benchmark must be told.")
        index = self.names.index(name)
        return self.addresses[index], self.addresses[index] + self.sizes[index]
