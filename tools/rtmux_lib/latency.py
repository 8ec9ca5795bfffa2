# SPDX-License-Identifier: GPL-2.0-only
"""The RT thread's own latency record, as "vbus stats" prints it: parse, subtract, summarise, draw.

Its samples are ticks of the RT clock, counted in a histogram of one tick a bin, so that two readings can be
subtracted: what remains is exactly what was measured between them.
"""
import re
from dataclasses import dataclass

from . import ui

# The budget, in virtual ns, from timer expiry to the thread's first instruction
AVERAGE_BAR, WORST_BAR = 500, 1500


@dataclass
class Latency:
    """From timer expiry to the thread's (or the handler's) first instruction."""
    clock_hz: int
    count: int
    sum: int
    overflow: int  # samples beyond the last bin
    bins: list

    def __sub__(self, before):
        return Latency(self.clock_hz, self.count - before.count, self.sum - before.sum,
                       self.overflow - before.overflow, [now - then for now, then in zip(self.bins, before.bins)])

    def ns(self, ticks):
        return ticks * 1e9 / self.clock_hz

    @property
    def average(self):
        return self.ns(self.sum / self.count) if self.count else float("nan")

    @property
    def worst(self):
        """The largest sample; infinite if one lies beyond all bins."""
        if self.overflow:
            return float("inf")
        return self.ns(max((tick for tick, count in enumerate(self.bins) if count), default=0))

    @property
    def best(self):
        return self.ns(min((tick for tick, count in enumerate(self.bins) if count), default=0))


@dataclass
class Measurement:
    """One reading of the RT thread's record."""
    period_ns: float
    periods: int
    missed: int
    isr: Latency
    thread: Latency

    def __sub__(self, before):
        return Measurement(self.period_ns, self.periods - before.periods, self.missed - before.missed,
                           self.isr - before.isr, self.thread - before.thread)


def parse(text):
    """Read what "vbus stats --raw" printed: lines "name value", histograms as "thread.bin TICK COUNT"."""
    values = dict(re.findall(r"^([a-z_.]+) (\d+)$", text, re.MULTILINE))
    try:
        def latency(name):
            bins = [0] * int(values["bins"])
            for tick, count in re.findall(rf"^{name}\.bin (\d+) (\d+)$", text, re.MULTILINE):
                bins[int(tick)] = int(count)
            return Latency(int(values["clock_hz"]), int(values[f"{name}.count"]), int(values[f"{name}.sum"]),
                           int(values[f"{name}.overflow"]), bins)

        return Measurement(int(values["period"]) * 1e9 / int(values["clock_hz"]), int(values["periods"]),
                           int(values["missed"]), latency("isr"), latency("thread"))
    except (KeyError, IndexError) as error:
        raise ui.Failure(f"`vbus stats` printed no {error}; it said:\n{text}") from None


def draw(latency, width=50):
    """A histogram, a line for each bin that is not empty."""
    rows = [(latency.ns(tick), count) for tick, count in enumerate(latency.bins) if count]
    top = max((count for _, count in rows), default=1)
    lines = [f"{ns:7.0f} ns {count:8d} {'#' * max(1, round(width * count / top))}" for ns, count in rows]
    if latency.overflow:
        lines.append(f"   beyond  {latency.overflow:8d}")
    return "\n".join(lines)


def summary(measured):
    """What the demo ends with."""
    thread = measured.thread
    return (f"RT thread, period {measured.period_ns / 1000:.0f} us, {measured.periods} periods, "
            f"{measured.missed} missed.\n"
            f"Latency, timer expiry to the thread's first instruction, {thread.count} samples: "
            f"best {thread.best:.0f}, average {thread.average:.0f}, worst {thread.worst:.0f} ns\n"
            "(virtual ns of QEMU: one instruction is one ns; the clock's resolution is "
            f"{thread.ns(1):.1f} ns)\n\n{draw(thread)}")
