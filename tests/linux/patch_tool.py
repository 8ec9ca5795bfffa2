#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""tools/patch-linux on trees of every kind."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import kernel

ADDED = "arch/arm/include/asm/rtmux.h"
CHANGED = "arch/arm/kernel/setup.c"


class PatchTool(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="rtmux-test.")
        self.addCleanup(directory.cleanup)
        self.tree = kernel.small_tree(Path(directory.name) / "linux")

    def run_tool(self, *arguments, tree=None):
        result = subprocess.run([kernel.ROOT / "tools/patch-linux", tree or self.tree, *arguments], text=True,
                                capture_output=True)
        return result.returncode, result.stdout + result.stderr

    def contents(self):
        return {path.relative_to(self.tree): path.read_bytes()
                for path in sorted(self.tree.rglob("*")) if path.is_file()}

    def assert_refuses(self, status, *words):
        before = self.contents()
        for arguments in (), ("--check",):
            got, output = self.run_tool(*arguments)
            self.assertEqual(got, status, output)
            for word in words:
                self.assertIn(word, output)
            self.assertEqual(self.contents(), before, "a refusal changed the tree")

    def test_fresh(self):
        before = self.contents()
        status, output = self.run_tool("--check")
        self.assertEqual((status, self.contents()), (0, before), output)
        self.assertIn("unpatched", output)
        status, output = self.run_tool()
        self.assertEqual(status, 0, output)
        after = self.contents()
        changed = {str(name) for name in after if after[name] != before.get(name)}
        self.assertEqual(changed, set(kernel.counts()), "changed files are not those of the series")

    def test_same_result_as_git(self):
        self.run_tool()
        with tempfile.TemporaryDirectory() as name:
            other = kernel.small_tree(Path(name) / "linux")
            subprocess.run(["git", "init", "-q", other], check=True)
            subprocess.run(["git", "apply", *kernel.series()], cwd=other, check=True)
            for name in kernel.counts():
                self.assertEqual((self.tree / name).read_bytes(), (other / name).read_bytes(), name)

    def test_twice(self):
        self.run_tool()
        after = self.contents()
        for arguments in (), ("--check",):
            status, output = self.run_tool(*arguments)
            self.assertEqual((status, self.contents()), (0, after), output)
            self.assertIn("already patched", output)

    def test_one_file_not_patched(self):
        original = (self.tree / CHANGED).read_bytes()
        self.run_tool()
        (self.tree / CHANGED).write_bytes(original)
        self.assert_refuses(1, "patched in part", f"unpatched    {CHANGED}", f"patched      {ADDED}")

    def test_new_file_missing(self):
        self.run_tool()
        (self.tree / ADDED).unlink()
        self.assert_refuses(1, "patched in part", f"unpatched    {ADDED}")

    def test_only_first_patches(self):
        for patch in kernel.series()[:2]:
            subprocess.run(["patch", "-s", "-p1", "-i", patch], cwd=self.tree, check=True)
        self.assert_refuses(1, "patched in part", f"unpatched    {CHANGED}", f"patched      {ADDED}")

    def test_other_content(self):
        path = self.tree / CHANGED
        path.write_text(path.read_text().replace("cpu_proc_init();", "cpu_proc_init_differently();"))
        self.assert_refuses(1, "does not apply", f"conflicting  {CHANGED}")

    def test_moved_context_applies(self):
        """A stable update that adds lines elsewhere in a file is no obstacle."""
        path = self.tree / CHANGED
        path.write_text("/* another\n * comment */\n" + path.read_text())
        status, output = self.run_tool()
        self.assertEqual(status, 0, output)
        self.assertIn("CONFIG_ARM_RTMUX", path.read_text())

    def test_unknown_version(self):
        makefile = self.tree / "Makefile"
        makefile.write_text(makefile.read_text().replace("PATCHLEVEL = 12", "PATCHLEVEL = 11"))
        self.assert_refuses(2, "6.11.", "6.12")

    def test_not_a_kernel(self):
        with tempfile.TemporaryDirectory() as name:
            for tree in name, name + "/absent":
                status, output = self.run_tool(tree=tree)
                self.assertEqual(status, 2, output)
                self.assertIn("not a Linux source tree", output)

    def test_hard_links_keep_their_content(self):
        """build-linux patches a tree of hard links to the pristine one."""
        twin = self.tree.parent / "twin.c"
        os.link(self.tree / CHANGED, twin)
        before = twin.read_bytes()
        self.run_tool()
        self.assertEqual(twin.read_bytes(), before)
        self.assertNotEqual((self.tree / CHANGED).read_bytes(), before)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
