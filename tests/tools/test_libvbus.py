#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""libvbus installs as a library should: header, both libraries, pkg-config; and every function has its page."""
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "vbus/lib"
CROSS = "arm-linux-gnueabihf-"
PROGRAM = """
#include <vbus.h>
int main(void) { struct vbus *bus = vbus_open("stream"); vbus_close(bus); return bus == 0; }
"""


def functions():
    text = re.sub(r"/\*.*?\*/", "", (LIBRARY / "vbus.h").read_text(), flags=re.DOTALL)
    return set(re.findall(r"\b(vbus_\w+)\(", text))


class Libvbus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        cls.installed = cls.root / "install"
        subprocess.run(["make", "-s", "-C", LIBRARY, f"O={cls.root}/build", f"DESTDIR={cls.installed}", "PREFIX=/usr",
                        f"CROSS={CROSS}", "install"], check=True)
        (cls.root / "program.c").write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def file(self, name):
        found = list(self.installed.rglob(name))
        self.assertEqual(len(found), 1, f"{name} is not installed once: {found}")
        return found[0]

    def flags(self):
        """What pkg-config would say, whose variables are those of the file."""
        text = self.file("libvbus.pc").read_text()
        values = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
        line = " ".join(re.findall(r"^(?:Libs|Cflags): (.*)$", text, re.MULTILINE))
        while "${" in line:
            line = re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], line)
        return [flag.replace("/usr", f"{self.installed}/usr", 1) for flag in line.split()]

    def compile(self, *options):
        output = self.root / "program"
        subprocess.run([CROSS + "gcc", "-Wall", "-Werror", self.root / "program.c", *options, *self.flags(), "-o", output],
                       check=True)
        return subprocess.run([CROSS + "readelf", "-d", output], check=True, capture_output=True, text=True).stdout

    def test_shared(self):
        self.assertIn("[libvbus.so.1]", self.compile())

    def test_static(self):
        self.assertNotIn("NEEDED", self.compile("-static"))

    def test_exports(self):
        symbols = subprocess.run([CROSS + "nm", "-D", "--defined-only", self.file("libvbus.so.1.0.0")], check=True,
                                 capture_output=True, text=True).stdout
        self.assertEqual(set(re.findall(r" T (\w+)", symbols)), functions())

    def test_pages(self):
        described = set()
        for page in self.installed.rglob("*.3"):
            described |= set(re.findall(r"vbus_\w+", re.search(r"^\.SH NAME\n(.*)$", page.read_text(), re.MULTILINE)[1]))
        self.assertEqual(described, functions())


if __name__ == "__main__":
    unittest.main()
