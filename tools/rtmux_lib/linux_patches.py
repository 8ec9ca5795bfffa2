# SPDX-License-Identifier: GPL-2.0-only
"""The series of patches that makes Linux a guest, and what it changes."""
import re

from .paths import ROOT

PATCHES = ROOT / "linux-patches/6.12"


def series():
    return [PATCHES / name for name in (PATCHES / "series").read_text().split()]


def counts():
    """File -> (inserted, deleted), over the whole series."""
    result = {}
    for patch in series():
        name, old, new = None, 0, 0
        for line in patch.read_text().splitlines():
            if match := re.match(r"diff --git a/(\S+) b/", line):
                name = match.group(1)
            elif match := re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line):
                old, new = (int(count or 1) for count in match.groups())
            elif old or new:
                inserted, deleted = result.get(name, (0, 0))
                result[name] = inserted + line.startswith("+"), deleted + line.startswith("-")
                old -= not line.startswith("+")
                new -= not line.startswith("-")
    return result
