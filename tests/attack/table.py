#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of attacks in docs/security.md: made of attacks.py, so that the two say the same.

table.py --check: is the document's the list's? table.py --write: put it there.
"""
import argparse
import sys
from pathlib import Path

from attacks import EXCEPTION, FAMILIES, PROCESS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/security.md"
BEGIN = "<!-- Made by tests/attack/table.py --write from tests/attack/attacks.py -->\n"
END = "<!-- End of the table -->\n"


def table():
    lines = []
    for family, attacks in FAMILIES.items():
        lines += [f"\n**{family}**\n", "| attack | by | does | must end | runs: CI, all |", "|---|---|---|---|---|"]
        for attack in attacks:
            by = "process" if attack.by == PROCESS else "kernel"
            runs = f"{len(attack.quick)}, {len(attack.quick) + len(attack.full)}"
            too = attack.natively and EXCEPTION not in attack.expected
            ends = " or ".join(attack.expected) + (" (natively too)" if too else "")
            lines.append(f"| `{attack.name}` | {by} | {attack.does} | {ends} | {runs} |")
    return "\n".join(lines) + "\n\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = DOCUMENT.read_text()
    before, rest = text.split(BEGIN)
    made = before + BEGIN + table() + END + rest.split(END)[1]
    if options.write:
        DOCUMENT.write_text(made)
    elif made != text:
        sys.exit("docs/security.md does not have the attacks of tests/attack/attacks.py: run tests/attack/table.py --write")


if __name__ == "__main__":
    main()
