# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of linux-patches/ share: the series, and the trees and builds of tools/build-linux."""
import importlib.machinery
import importlib.util
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

from rtmux_lib.linux_patches import PATCHES, counts, series  # noqa: E402,F401

MAX_LINES, MAX_FILES = 571, 21  # docs/linux-patch.md


def tool(name):
    """A program of tools/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


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
