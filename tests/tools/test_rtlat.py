#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The picture of what rtlat wrote, and files that it did not write."""
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from rtmux_lib import rtlat, ui  # noqa: E402


def result(isr=((2, 90), (3, 10)), thread=((7, 99), (8, 1)), overflow=0, maximum=333.3):
    return {"rtlat": 1, "clock_hz": 24_000_000, "interval_us": 100, "samples": 100,
            "isr": {"histogram_ticks": isr, "overflow": 0, "max_ns": 125.0},
            "thread": {"histogram_ticks": thread, "overflow": overflow, "max_ns": maximum}}


class Rtlat(unittest.TestCase):
    def test_ticks_become_ns(self):
        self.assertEqual(rtlat.times(result(), "isr"), {2e9 / 24e6: 90, 3e9 / 24e6: 10})

    def test_what_is_beyond_the_bins_stands_at_the_largest(self):
        self.assertEqual(rtlat.times(result(overflow=4, maximum=50_000.0), "thread")[50_000.0], 4)

    def test_what_rtlat_did_not_write(self):
        bad = [dict(result(), rtlat=2), dict(result(), clock_hz=0), dict(result(), isr=5), {}, [], 7]
        for text in ["", "no JSON", *map(json.dumps, bad)]:
            with self.assertRaises(ui.Failure, msg=text):
                rtlat.read(text, "it")

    def test_missing_file(self):
        with self.assertRaises(ui.Failure):
            rtlat.plot_files([Path("/nowhere/to/be/found.json")], None)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / "one.json", Path(folder) / "two.json"]
            files[0].write_text(json.dumps(result()))
            files[1].write_text(json.dumps(result(thread=((7, 100),), overflow=1, maximum=25_000.0)))
            rtlat.plot_files(files, None)
            svg = (Path(folder) / "one.svg").read_text()
            for part in ("<svg", "one: thread, worst 333 ns", "two: thread, worst 25000 ns", "100 + 100 samples"):
                self.assertIn(part, svg)
            files[0].write_text(json.dumps(result(isr=(), thread=())))
            with self.assertRaises(ui.Failure):
                rtlat.plot_files(files[:1], None)


if __name__ == "__main__":
    unittest.main()
