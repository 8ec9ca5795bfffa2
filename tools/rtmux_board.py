# SPDX-License-Identifier: GPL-2.0-only
"""The facts of a board, for Python: the literal #defines of boards/BOARD/board.h."""
import re
from pathlib import Path

BOARDS = Path(__file__).resolve().parent.parent / "boards"
INCLUDE = BOARDS.parent / "hypervisor" / "include" / "rtmux"
DEFINE = re.compile(r"#\s*define\s+(\w+)\s+(.*?)\s*(?:/\*.*)?$")


class BoardError(Exception):
    """What is wrong with a board, in one line."""


def defines(header):
    """{name: int or str} of the #defines of a header whose value is a literal."""
    found = {}
    for line in Path(header).read_text(encoding="utf-8").splitlines():
        match = DEFINE.match(line)
        if not match:
            continue
        name, value = match.groups()
        if re.fullmatch(r'"[^"\\]*"', value):
            found[name] = value[1:-1]
        elif re.fullmatch(r"(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)[uU]?[lL]?", value):
            found[name] = int(value.rstrip("uUlL"), 0)
    return found


def board(name):
    """The #defines of a board, checked for what every board has."""
    header = BOARDS / name / "board.h"
    if "/" in name or not header.is_file():
        known = ", ".join(sorted(path.parent.name for path in BOARDS.glob("*/board.h")))
        raise BoardError(f"no board '{name}'; there are: {known}")
    facts = defines(header)
    for fact in ("BOARD_NAME", "BOARD_RAM_BASE", "BOARD_RAM_SIZE", "BOARD_RTMUX_SIZE"):
        if fact not in facts:
            raise BoardError(f"{header} has no literal #define of {fact}")
    if facts["BOARD_NAME"] != name:
        raise BoardError(f"{header} calls itself '{facts['BOARD_NAME']}'")
    return facts


def layout():
    """The #defines of the executive's window."""
    return defines(INCLUDE / "layout.h")
