#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every file says its licence, it is the one of its folder, and nothing under BSD-3-Clause includes what is not."""
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GPL, BSD = "GPL-2.0-only", "BSD-3-Clause"
LICENCES = (  # README.md's table; the longest prefix of a path decides
    ("", GPL),
    ("boards/", BSD),
    ("rtos/", BSD),
    ("vbus/", BSD),
    ("vbus/linux/", GPL),
    # What an RTOS application is built with
    ("hypervisor/include/rtmux/abi/life.h", BSD),
    ("hypervisor/include/rtmux/abi/rtos.h", BSD),
    ("hypervisor/include/rtmux/abi/trace.h", BSD),
    ("hypervisor/include/rtmux/bounded_queue.hpp", BSD),
    ("hypervisor/include/rtmux/layout.h", BSD),
)
# The licence texts; patches, which are of the kernel's licence (see below); and a list of names without comments.
EXEMPT = re.compile(r"LICENSES/|linux-patches/[^/]+/(series$|.*\.patch$)")
TAG = re.compile(r"SPDX-License-Identifier\W+([\w.-]+)")
HEADERS = ("hypervisor/include", "vbus/include", "vbus/ring", "vbus/rtos", "boards", "rtos/include", "rtos/port", "rtos")


def files():
    """Paths of what is in git, or about to be."""
    # A clone may belong to another user than the one who tests it.
    listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                            check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def expected(name):
    return max(rule for rule in LICENCES if name.startswith(rule[0]))[1]


def tag(text):
    """The licence that a text's first lines name, or None."""
    found = TAG.search("\n".join(text.splitlines()[:8]))
    return found and found[1]


class Spdx(unittest.TestCase):
    def test_every_file(self):
        wrong = []
        for name in files():
            if not EXEMPT.match(name):
                found = tag((ROOT / name).read_text(errors="replace"))
                if found != expected(name):
                    wrong.append(f"{name}: {found or 'no licence'}, expected {expected(name)}")
        self.assertGreater(len(files()), 200)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_files_that_patches_add(self):
        added = [(patch.name, section) for patch in ROOT.glob("linux-patches/*/*.patch")
                 for section in re.split(r"(?m)^(?=diff --git )", patch.read_text())[1:]
                 if "\nnew file mode" in section]
        self.assertTrue(added)
        for patch, section in added:
            first = re.search(r"(?m)^\+(?!\+\+ )(.*)", section)[1]
            self.assertEqual(tag(first), GPL, f"{patch}: {section.splitlines()[0]}")

    def test_bsd_includes_no_gpl(self):
        wrong, seen = [], 0
        for name in files():
            if expected(name) != BSD or EXEMPT.match(name):
                continue
            for header in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', (ROOT / name).read_text(), re.MULTILINE):
                for folder in HEADERS:
                    if (ROOT / folder / header).is_file():
                        seen += 1
                        if expected(f"{folder}/{header}") != BSD:
                            wrong.append(f"{name} includes {header}")
        self.assertGreater(seen, 50)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_can_fail(self):
        self.assertIsNone(tag("int main;\n"))
        self.assertEqual(tag("// SPDX-License-Identifier: MIT\n"), "MIT")
        self.assertEqual([expected(name) for name in ("tools/x", "rtos/x", "vbus/x.h", "vbus/linux/x.c", "README.md")],
                         [GPL, BSD, BSD, GPL, GPL])


if __name__ == "__main__":
    unittest.main()
