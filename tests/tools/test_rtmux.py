#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""tools/rtmux's own parts: initramfs, latency arithmetic, benchmark frame, screen, console, command line."""
import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/bench")]

import mkinitramfs  # noqa: E402
from rtmux_lib import bench, latency, linux_patches, packages, paths, ui  # noqa: E402
from rtmux_lib.machine import Console, Ended, Timeout  # noqa: E402
from rtmux_lib.screen import HIDE, SHOW, Screen  # noqa: E402


def raw_stats(bins, overflow=0):
    """What "vbus stats --raw" prints for a histogram {tick: count}."""
    total = sum(bins.values()) + overflow
    lines = ["clock_hz 24000000", "period 12000", f"periods {total}", "missed 0", "bins 64"]
    for name in ("isr", "thread"):
        lines += [f"{name}.count {total}", f"{name}.sum {sum(tick * count for tick, count in bins.items())}",
                  f"{name}.overflow {overflow}", *(f"{name}.bin {tick} {count}" for tick, count in bins.items())]
    return "\n".join(lines) + "\n"


class Initramfs(unittest.TestCase):
    def archive(self):
        archive = mkinitramfs.Archive()
        archive.file("z/deep/file", b"text\n", True)
        archive.file("a", b"12345")
        archive.add("dev/console", 0o020600, device=(5, 1))
        return archive

    def test_cpio_reads_it(self):
        listing = subprocess.run(["cpio", "-itv", "--quiet"], input=self.archive().bytes(), capture_output=True,
                                 check=True).stdout.decode().splitlines()
        self.assertEqual([line.split()[-1] for line in listing], ["a", "dev", "dev/console", "z", "z/deep", "z/deep/file"])
        self.assertTrue(listing[2].startswith("crw-------") and "5,   1" in listing[2], listing[2])
        self.assertTrue(listing[5].startswith("-rwxr-xr-x"), listing[5])
        self.assertTrue(all(" root " in line and "1970" in line for line in listing))

    def test_content_survives(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cpio", "-i", "--quiet", "-d", "a", "z/deep/file"], input=self.archive().bytes(), check=True,
                           cwd=folder)
            self.assertEqual(Path(folder, "a").read_bytes(), b"12345")
            self.assertEqual(Path(folder, "z/deep/file").read_bytes(), b"text\n")

    def test_order_of_adding_does_not_matter(self):
        other = mkinitramfs.Archive()
        other.add("dev/console", 0o020600, device=(5, 1))
        other.file("a", b"12345")
        other.file("z/deep/file", b"text\n", True)
        self.assertEqual(self.archive().bytes(), other.bytes())
        self.assertEqual(gzip.compress(other.bytes(), 9, mtime=0)[4:8], b"\0\0\0\0")


class LatencyArithmetic(unittest.TestCase):
    def test_figures(self):
        thread = latency.parse(raw_stats({6: 3, 12: 1})).thread
        self.assertEqual(thread.count, 4)
        self.assertAlmostEqual(thread.best, 250)
        self.assertAlmostEqual(thread.average, 7.5 * 1000 / 24)
        self.assertAlmostEqual(thread.worst, 500)

    def test_difference_forgets_what_was_before(self):
        measured = latency.parse(raw_stats({6: 10, 12: 5})) - latency.parse(raw_stats({6: 3, 12: 5}))
        self.assertEqual((measured.periods, measured.thread.count), (7, 7))
        self.assertAlmostEqual(measured.thread.worst, 250)
        self.assertAlmostEqual(measured.thread.average, 250)

    def test_overflow_is_never_within_a_bar(self):
        self.assertGreater(latency.parse(raw_stats({6: 10}, overflow=1)).thread.worst, 1e9)

    def test_incomplete_output_is_refused(self):
        with self.assertRaises(ui.Failure):
            latency.parse("vbus: no such channel\n")
        with self.assertRaises(ui.Failure):
            latency.parse(raw_stats({6: 1}).replace("missed 0\n", ""))

    def test_histogram_shows_every_bin(self):
        lines = latency.draw(latency.parse(raw_stats({6: 1000, 12: 1})).thread).splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn("#", lines[1])


class Bench(unittest.TestCase):
    def run_with(self, results):
        class Module:
            """A benchmark."""
            run = staticmethod(lambda: ({"samples": 3}, results))
        original, bench.load = bench.load, lambda _: Module
        try:
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
                status = bench.bench("example", Path(folder) / "out.json")
                return status, json.loads(Path(folder, "out.json").read_text()), out.getvalue()
        finally:
            bench.load = original

    def test_bars(self):
        self.assertTrue(bench.Result("x", "ns", 5, 5).ok)
        self.assertFalse(bench.Result("x", "ns", 5.1, 5).ok)
        self.assertFalse(bench.Result("x", "ns", float("nan"), 5).ok)
        self.assertFalse(bench.Result("x", "periods", 1, 0, sense="equal").ok)
        self.assertFalse(bench.Result("x", "samples", 19999, 20000, sense="min").ok)
        self.assertTrue(bench.Result("x", "bytes", 1).ok)

    def test_json_and_status(self):
        status, document, table = self.run_with([bench.Result("a", "ns", 1, 2), bench.Result("b", "ns", 3, 2)])
        self.assertEqual(status, 1)
        self.assertEqual(set(document), {"bench", "environment", "results"})
        self.assertEqual(set(document["environment"]), {"versions", "options", "load", "samples"})
        self.assertEqual(document["environment"]["samples"], 3)
        self.assertEqual(document["results"][1], {"name": "b", "unit": "ns", "value": 3, "bar": 2, "ok": False})
        self.assertIn("MISSED", table)
        self.assertEqual(self.run_with([bench.Result("a", "ns", 1, 2)])[0], 0)

    def test_every_benchmark_is_listed_with_what_it_measures(self):
        for name in bench.names():
            module = bench.load(name)
            self.assertTrue(module.__doc__.splitlines()[0].endswith("."))
            self.assertTrue(callable(module.run))

    def test_patch_size(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "series").write_text("1.patch\n2.patch\n")
            Path(folder, "1.patch").write_text("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"
                                               "diff --git a/y b/y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+d\n")
            Path(folder, "2.patch").write_text("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -2,0 +3 @@\n+e\n")
            with mock.patch.object(linux_patches, "PATCHES", Path(folder)):
                self.assertEqual(linux_patches.counts(), {"x": (3, 1), "y": (1, 0)})


class Screens(unittest.TestCase):
    def show(self, live, *pieces):
        out = io.StringIO()
        screen = Screen(live, out)
        for kind, text in pieces:
            getattr(screen, kind)(text)
        return out.getvalue()

    def test_lines_get_their_prefix_however_they_arrive(self):
        self.assertEqual(self.show(False, ("linux", "ab"), ("log", "[rt] x\n"), ("linux", "c\r\nd")),
                         "[rt] x\n[linux] abc\n")

    def test_live_line_makes_room(self):
        self.assertEqual(self.show(True, ("linux", "/ # l"), ("log", "[rt] x\n"), ("linux", "s\n")),
                         "[linux] / # l\r\x1b[K[rt] x\n[linux] / # ls\n")

    def test_measurement_is_hidden(self):
        text = f"a\n{HIDE}\nthread.bin 1 2\n{SHOW}\nb\n"
        for live in (False, True):
            self.assertEqual(self.show(live, ("linux", text)), "[linux] a\n[linux] b\n")
            self.assertEqual(self.show(live, *(("linux", letter) for letter in text)).count("thread"), 0)

    def test_terminal_is_not_asked_for_its_cursor(self):
        text = "/ # \x1b[6nls\n"
        for pieces in ([("linux", text)], [("linux", letter) for letter in text]):
            self.assertEqual(self.show(True, *pieces), "[linux] / # ls\n")

    def test_reports_are_not_repeated_at_once(self):
        lines = ("log", "[rt] n 1 of 0a\n[rt] n 2 of 0b\n[rt] other 3\n")
        self.assertEqual(self.show(True, lines), "[rt] n 1 of 0a\n[rt] other 3\n")
        self.assertEqual(self.show(False, lines), lines[1])

    def test_rt_shell_has_the_keyboard(self):
        out = io.StringIO()
        screen = Screen(True, out)
        screen.linux("/ # l")
        screen.focus(True)
        screen.log("\rrt> \x1b[K")
        screen.log("p")
        screen.linux("s\nx\n/ # ")
        screen.log("s\n")
        screen.focus(False)
        screen.linux("ls\n")
        self.assertEqual(out.getvalue(), "[linux] / # l\n\rrt> \x1b[Kp\r\x1b[K[linux] / # ls\nrt> p\r\x1b[K[linux] x\nrt> ps\n"
                         "\r\x1b[K[linux] / # ls\n")

    def test_reports_are_not_repeated_beside_the_rt_shell(self):
        report, prompt = "\r\x1b[K[rt] n 1\r\n", "\rrt> p\x1b[K"
        for size in (1, 3, 100):
            out = io.StringIO()
            screen = Screen(True, out)
            screen.focus(True)
            text = prompt + (report + prompt) * 3 + "s\r\nx\r\n"
            for at in range(0, len(text), size):
                screen.log(text[at:at + size])
            self.assertEqual(out.getvalue().count("[rt] n 1\r\n"), 1)
            self.assertTrue(out.getvalue().endswith(prompt + "s\r\nx\r\n"), repr(out.getvalue()))

    def test_rt_shell_without_the_keyboard(self):
        self.assertEqual(self.show(False, ("log", "\rrt> \x1b[K"), ("log", "\r\x1b[K[rt] x\r\n\rrt> \x1b[Kps\r\n")),
                         "[rt] x\nrt> ps\n")

    def test_bookkeeping_is_hidden(self):
        self.assertEqual(self.show(False, ("linux", "a\n@@12:0@@\nb\n")), "[linux] a\n[linux] b\n")


class Consoles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.console = Console("linux", Path(self.folder.name) / "log")
        self.console.thread.start()

    def tearDown(self):
        self.console.theirs.close()
        self.console.thread.join()
        self.console.close()
        self.folder.cleanup()

    def test_expect_consumes(self):
        self.console.theirs.sendall(b"one\r\n\x1b[6ntwo 2\r\ntwo 3\r\n")
        self.assertEqual(self.console.expect(r"^two (\d)", 5)[1], "2")
        self.assertEqual(self.console.expect(r"^two (\d)", 5)[1], "3")
        with self.assertRaises(Timeout):
            self.console.expect("two", 0.05)

    def test_split_escape_sequence(self):
        self.console.theirs.sendall(b"a\x1b[3")
        self.console.theirs.sendall(b"1mb\n")
        self.console.expect("^ab$", 5)

    def test_edited_line(self):
        console = Console("log", Path(self.folder.name) / "edited", edited=True)
        console.thread.start()
        for piece in (b"one\r\n\rrt> \x1b[K", b"p\r\x1b[", b"K[rt] x\r", b"\n\rrt> p\x1b[K", b"s\r\n"):
            console.theirs.sendall(piece)
        console.expect("^rt> ps\n", 5)
        console.theirs.close()
        console.thread.join()
        console.close()
        self.assertEqual(console.text, "one\n[rt] x\nrt> ps\n")

    def test_end_is_told_from_silence(self):
        self.console.theirs.close()
        with self.assertRaises(Ended):
            self.console.expect("anything", 5)


class Command(unittest.TestCase):
    def rtmux(self, *arguments, **environment):
        return subprocess.run([ROOT / "tools/rtmux", *arguments], capture_output=True, text=True,
                              env=os.environ | environment, stdin=subprocess.DEVNULL)

    def test_help_names_every_command(self):
        text = self.rtmux("--help").stdout
        for name in ("setup", "build", "demo", "test", "bench", "patch-linux", "image"):
            self.assertRegex(text, rf"(?m)^ +{name}\b")

    def test_unknown_board_and_benchmark(self):
        result = self.rtmux("build", "--board", "toaster")
        self.assertEqual(result.returncode, 1)
        self.assertIn("realview-pb-a8", result.stderr)
        self.assertIn("bench list", self.rtmux("bench", "nothing").stderr)
        self.assertEqual(self.rtmux("nothing").returncode, 2)

    def test_no_package_manager(self):
        with tempfile.TemporaryDirectory() as empty:
            result = subprocess.run(["/usr/bin/python3", ROOT / "tools/rtmux", "build"], capture_output=True, text=True,
                                    env={"PATH": empty, "HOME": empty})
        self.assertEqual(result.returncode, 1)
        self.assertIn("Debian", result.stderr)

    def test_causes(self):
        self.assertIn("disk is full", ui.cause_in("x\ncp: write: No space left on device\n"))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(ui.Failure), contextlib.redirect_stdout(io.StringIO()):
                ui.run("Failing", ["false"], Path(folder) / "log")
            with self.assertRaises(ui.Failure):
                ui.require_space(Path(folder), 10**9)

    def test_package_list(self):
        for section in ("host", "guest"):
            names = packages.listed(section)
            self.assertEqual(len(names), len(set(names)))
            self.assertTrue(names)

    def test_digest_follows_content(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "file")
            file.write_text("a")
            before = paths.digest("v1", Path(folder))
            self.assertEqual(before, paths.digest("v1", Path(folder)))
            file.write_text("b")
            self.assertNotEqual(before, paths.digest("v1", Path(folder)))


if __name__ == "__main__":
    unittest.main()
