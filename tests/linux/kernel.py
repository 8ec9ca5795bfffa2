# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of linux-patches/ share: the series, and the trees and builds of tools/build-linux."""
import importlib.machinery
import importlib.util
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATCHES = ROOT / "linux-patches/6.12"
MAX_LINES, MAX_FILES = 571, 21  # docs/linux-patch.md


def tool(name):
    """A program of tools/ as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


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


def pristine():
    build_linux = tool("build-linux")
    with build_linux.locked(build_linux.CACHE / "linux/.lock-source"):
        return build_linux.pristine_source(build_linux.source_version())


def small_tree(directory):
    """The few files of a kernel tree that patch-linux looks at."""
    source = pristine()
    for name in ["Makefile", *counts()]:
        if (source / name).exists():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, directory / name)
    return directory
