#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The series as it stands: size, order, messages, style, and the ABI header it carries."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import kernel


class Series(unittest.TestCase):
    def test_size(self):
        files = kernel.counts()
        for name, (inserted, deleted) in files.items():
            print(f"{inserted:5} +{deleted:4} -  {name}")
        inserted = sum(count[0] for count in files.values())
        print(f"{inserted} inserted lines in {len(files)} files")
        self.assertGreater(inserted, 0)
        self.assertLessEqual(inserted, kernel.MAX_LINES)
        self.assertLessEqual(len(files), kernel.MAX_FILES)

    def test_size_agrees_with_git(self):
        stat = subprocess.run(["git", "apply", "--numstat", *kernel.series()], cwd="/", text=True,
                              capture_output=True, check=True)
        lines = [line.split("\t") for line in stat.stdout.splitlines()]
        self.assertEqual({name: (int(plus), int(minus)) for plus, minus, name in lines}, kernel.counts())

    def test_series_lists_every_patch_once(self):
        listed = (kernel.PATCHES / "series").read_text().split()
        self.assertEqual(listed, sorted(path.name for path in kernel.PATCHES.glob("*.patch")))

    def test_each_file_in_one_patch(self):
        """patch-linux tells the state of a tree file by file, and relies on it."""
        names = [name for patch in kernel.series()
                 for name in re.findall(r"^diff --git a/(\S+) b/", patch.read_text(), re.M)]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_abi_header_is_ours(self):
        with tempfile.TemporaryDirectory() as name:
            subprocess.run(["git", "init", "-q", name], check=True)
            subprocess.run(["git", "apply", "--include=arch/arm/include/asm/rtmux-abi.h", *kernel.series()], cwd=name,
                           check=True)
            applied = (Path(name) / "arch/arm/include/asm/rtmux-abi.h").read_bytes()
        self.assertEqual(applied, (kernel.ROOT / "hypervisor/include/rtmux/abi/guest.h").read_bytes())

    def test_checkpatch(self):
        # Not ours to fix: MAINTAINERS, a header that names itself because it is kept in two places, assembly taken for
        # declarations, and no sign-off, which is for those who submit it.
        ignored = "FILE_PATH_CHANGES,EMBEDDED_FILENAME,LINE_SPACING,MISSING_SIGN_OFF"
        result = subprocess.run([kernel.pristine() / "scripts/checkpatch.pl", "--no-tree", "--terse", "--show-types",
                                 "--ignore", ignored, *kernel.series()], text=True, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_checkpatch_can_fail(self):
        patch = kernel.series()[-1].read_text().replace("+config ARM_RTMUX", "+config ARM_RTMUX   ", 1)
        with tempfile.NamedTemporaryFile("w", suffix=".patch") as file:
            file.write(patch)
            file.flush()
            result = subprocess.run([kernel.pristine() / "scripts/checkpatch.pl", "--no-tree", "--terse", file.name],
                                    text=True, capture_output=True)
        self.assertNotEqual(result.returncode, 0)

    def test_documentation_has_the_numbers(self):
        text = (kernel.ROOT / "docs/linux-patch.md").read_text()
        rows = re.findall(r"^\|[^|]*\| `(\S+)`[^|]*\| (\d+) \| (\d*) ?\|", text, re.M)
        self.assertEqual({name: (int(plus), int(minus or 0)) for name, plus, minus in rows}, kernel.counts())
        total = [sum(count[column] for count in kernel.counts().values()) for column in (0, 1)]
        self.assertIn(f"**{len(kernel.counts())} files** | **{total[0]}** | **{total[1]}**", text)

    def test_messages(self):
        for patch in kernel.series():
            header, _, _ = patch.read_text().partition("\n---\n")
            self.assertRegex(header, r"(?m)^From: \S.* <\S+>$", patch.name)
            self.assertRegex(header, r"(?m)^Subject: \[PATCH\] (ARM: rtmux|irqchip): ?\S", patch.name)
            self.assertGreater(len(header.partition("\n\n")[2].split()), 20, f"{patch.name} does not explain itself")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
