#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the comparison with other systems is made of: cyclictest's output, percentiles, tables, the picture."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib import bench, cyclictest, loads, peers, plot  # noqa: E402
from rtmux_lib.lab import Counts  # noqa: E402
from rtmux_lib.ui import Failure  # noqa: E402

OUTPUT = """# Histogram
000002 000090
000003 000009
000021 000001
# Total: 000000100
# Min Latencies: 00002
# Avg Latencies: 00002
# Max Latencies: 00021
"""


class Cyclictest(unittest.TestCase):
    def test_histogram(self):
        seen = cyclictest.Histogram(OUTPUT)
        self.assertEqual((seen.count, seen.average, seen.worst), (100, 2.28, 21))

    def test_beyond_the_histogram_counts(self):
        self.assertEqual(cyclictest.Histogram(OUTPUT.replace("Max Latencies: 00021", "Max Latencies: 07000")).worst, 7000)

    def test_something_else(self):
        for text in ("", "Unable to change scheduling policy!", OUTPUT.split("# Total")[0]):
            with self.assertRaises(Failure):
                cyclictest.Histogram(text)


class Figures(unittest.TestCase):
    def test_percentile(self):
        counts = Counts({"300": 990, "400": 9, "5000": 1})
        self.assertEqual([counts.percentile(p) for p in (50, 99, 99.9, 100)], [300, 300, 400, 5000])
        self.assertEqual((counts.best, counts.worst, counts.count), (300, 5000, 1000))

    def test_worst_is_what_cyclictest_saw_if_that_is_less(self):
        def measured(worst):
            return peers.Measured("preempt", Counts({"2000": 9, str(worst): 1}), Counts({"1": 1}), cyclictest.Histogram(OUTPUT))
        self.assertEqual(measured(90_000).worst, 22_000)
        self.assertEqual(measured(10_000).worst, 10_000)

    def test_table(self):
        systems = [peers.Measured("rtmux", Counts({"500": 10}), Counts({"3000": 10})),
                   peers.Measured("preempt", Counts({"20000": 10}), Counts({"60000": 10}), cyclictest.Histogram(OUTPUT))]
        lines = peers.table(systems).splitlines()
        self.assertEqual(lines[1].split()[3:], ["0.50", "0.50", "0.50", "0.50", "1.0", "3.00", "3.00"])
        self.assertEqual(lines[2].split()[2:], ["20.00", "20.00", "20.00", "20.00", "40.0", "60.00", "60.00", "2.3", "21"])

    def test_unknown_peer(self):
        with self.assertRaises(Failure):
            peers.peer("xenomai", "idle", 1)


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.publish = bench.load("publish")
        self.publish.PAGES = (self.folder / "a.md", self.folder / "b.md")
        self.publish.PAGES[0].write_text("x\n<!-- peers -->\nold\n<!-- end of peers -->\ny\n")
        self.publish.PAGES[1].write_text("nothing\n")

    def test_table_goes_where_its_place_is(self):
        self.publish.insert("peers", self.publish.markdown([("a", "b"), (1, 2)]))
        self.publish.insert("peers", self.publish.markdown([("a", "b"), (1, 3)]))
        self.assertEqual(self.publish.PAGES[0].read_text(),
                         "x\n<!-- peers -->\n| a | b |\n| --- | --- |\n| 1 | 3 |\n<!-- end of peers -->\ny\n")
        self.assertEqual(self.publish.PAGES[1].read_text(), "nothing\n")
        with self.assertRaises(Failure):
            self.publish.insert("loads", "")

    def test_every_part_has_a_place_in_the_real_pages(self):
        text = "".join(page.read_text() for page in bench.load("publish").PAGES)
        for part in self.publish.PARTS:
            self.assertIn(f"<!-- {part} -->\n", text)
            self.assertIn(f"<!-- end of {part} -->", text)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_picture(self):
        file = self.folder / "x.svg"
        plot.histogram(file, "a load", [("one", {300: 1000, 410: 1}), ("another", {2300: 900, 60_000: 1})])
        text = file.read_text()
        self.assertIn("SPDX-License-Identifier", text)
        self.assertIn("another", text)
        self.assertLess(len(text), 30_000)


class Loads(unittest.TestCase):
    def test_names(self):
        self.assertEqual(loads.names(), ["idle", "linux", "memory", "cpu", "kernel", "hostile"])

    def test_unknown(self):
        with self.assertRaises(Failure):
            loads.options("none", Path("/nowhere"))

    def test_a_part_that_did_nothing_is_an_error(self):
        whole = "load hackbench 3\nload card 2\nload packets 1\n"
        loads.check_work("linux", whole)
        for said in ("", "load hackbench 3\nload card \nload packets 1\n", whole.replace("card 2", "card 0"),
                     whole.replace("card 2", "card cat: read error"), whole.replace("load card 2\n", "")):
            with self.assertRaises(Failure):
                loads.check_work("linux", said)
        loads.check_work("memory", "load memory 1\n")


if __name__ == "__main__":
    unittest.main()
