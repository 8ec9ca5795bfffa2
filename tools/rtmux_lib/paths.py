# SPDX-License-Identifier: GPL-2.0-only
"""Where things are: the tree, its build folder, the cache of slow products."""
import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rtmux"
DEFAULT_BOARD = "realview-pb-a8"


def boards():
    """Names of the boards this tree knows."""
    return sorted(path.parent.name for path in (ROOT / "boards").glob("*/board.h"))


def digest(*inputs):
    """Key of a cached product: text as it is, files and folders by content. A missing file is an error."""
    key = hashlib.sha256()
    for item in inputs:
        if isinstance(item, str):
            key.update(item.encode() + b"\0")
            continue
        files = sorted(item.rglob("*")) if item.is_dir() else [item]
        for file in (file for file in files if file.is_dir() is False and "__pycache__" not in file.parts):
            key.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return key.hexdigest()[:16]
