# SPDX-License-Identifier: GPL-2.0-only
"""Source entries made of the machine's binary ones."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib.debian_source import source_entries  # noqa: E402


class SourceEntries(unittest.TestCase):
    def test_deb822(self):
        text = "Types: deb\nURIs: http://mirror/debian\nSuites: stable\nComponents: main\n\nTypes: deb deb-src\nURIs: x\n"
        self.assertEqual(source_entries("debian.sources", text), text.replace("Types: deb deb-src", "Types: deb-src")
                         .replace("Types: deb\n", "Types: deb-src\n"))

    def test_one_line(self):
        text = ("# deb http://commented/out stable main\ndeb [signed-by=/k.gpg] http://mirror/debian stable main\n"
                "deb-src http://mirror/debian stable main\n  deb http://other/ ./\n\n")
        self.assertEqual(source_entries("sources.list", text),
                         "deb-src [signed-by=/k.gpg] http://mirror/debian stable main\ndeb-src http://other/ ./\n")


if __name__ == "__main__":
    unittest.main()
