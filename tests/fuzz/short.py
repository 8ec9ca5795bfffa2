#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""short.py TARGET SECONDS: a fuzz target from the inputs of the tree alone, as built by tools/rtmux test."""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from rtmux_lib import fuzz, ui  # noqa: E402
from rtmux_lib.paths import BUILD  # noqa: E402

try:
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        fuzz.unpack(sys.argv[1], Path(folder))
        fuzz.run(sys.argv[1], int(sys.argv[2]), Path(folder), "-seed=1")
except ui.Failure as failure:
    sys.exit(f"{failure}\n{failure.hint or ''}")
