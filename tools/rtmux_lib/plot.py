# SPDX-License-Identifier: GPL-2.0-only
"""Histograms of several systems in one picture, both axes logarithmic, by gnuplot."""
import math
import subprocess
from collections import Counter

from . import ui

PER_DECADE = 20  # bins
COLOURS = ("#1b7837", "#d95f02", "#7570b3", "#999999")


def _steps(times):
    """Lines "ns samples" of a histogram {ns: times} in bins of equal width on the logarithmic axis."""
    bins = Counter()
    for ns, count in times.items():
        bins[math.floor(math.log10(max(ns, 1)) * PER_DECADE)] += count
    first, last = min(bins), max(bins)
    # A bin that is empty between two others, and the one behind the last, is drawn as none: a tenth of a sample.
    rows = [(index, bins.get(index, 0.1)) for index in range(first, last + 2)]
    return "\n".join(f"{10 ** (index / PER_DECADE):.0f} {count}" for index, count in rows)


def histogram(path, title, systems, least=100, what="expiry of the timer to the first instruction of the thread, virtual ns"):
    """Write an SVG: systems are (name, {ns: times}); least is where the axis of time begins."""
    script = [f"set terminal svg noenhanced size 860,400 font 'sans-serif,12' background 'white'\nset output '{path}'",
              f"set title '{title}'", "set logscale xy", f"set xrange [{least}:*]", "set yrange [0.5:*]",
              f"set xlabel '{what}'",
              "set ylabel 'samples'", "set rmargin 5", "set key top right", "set grid xtics ytics lc rgb '#dddddd'", "set format '%.0f'"]
    script += [f"$s{index} << EOD\n{_steps(times)}\nEOD" for index, (_, times) in enumerate(systems)]
    script.append("plot " + ", ".join(
        f"$s{index} using 1:2 with steps lw 2 lc rgb '{COLOURS[index % len(COLOURS)]}' title '{name}'"
        for index, (name, _) in enumerate(systems)))
    try:
        drawn = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, capture_output=True)
    except FileNotFoundError:
        raise ui.Failure("gnuplot is not installed", "Run: tools/rtmux setup") from None
    if drawn.returncode:
        raise ui.Failure(f"gnuplot: {drawn.stderr.strip()}")
    first, rest = path.read_text().split("\n", 1)
    path.write_text(f"{first}\n<!-- SPDX-License-Identifier: GPL-2.0-only -->\n{rest}")
