#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The reader of the executive's trace: order, clock, text, spans, and rings that are none."""
import json
import re
import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from rtmux_lib import timeline, ui  # noqa: E402

CODE = {name: value for value, name in timeline.EVENTS.items()}


def ring(records, places=8, count=None, magic=0x43525452, version=2, hz=24_000_000):
    """A ring as the executive leaves it after records [(ticks, event, a, b)], or count of them."""
    count = len(records) if count is None else count
    slots = [(0, 0, 0, 0)] * places
    for index, record in enumerate(records):
        slots[index % places] = record
    return struct.pack("<8I", magic, version, hz, 1, count, 0, 0, 0) + b"".join(struct.pack("<4I", *slot) for slot in slots)


class Timeline(unittest.TestCase):
    def test_every_event_of_the_header_has_a_name(self):
        self.assertEqual(sorted(timeline.EVENTS), list(range(1, len(timeline.EVENTS) + 1)))
        self.assertEqual(timeline.EVENTS[CODE["rt_irq"]], "rt_irq")

    def test_oldest_first_also_after_the_ring_went_round(self):
        events = timeline.parse(ring([(24 * index, CODE["rt_irq"], index, 0) for index in range(11)]))
        self.assertEqual([event.a for event in events], list(range(3, 11)))
        self.assertAlmostEqual(events[-1].time_ns, 7000)

    def test_the_clock_wraps(self):
        events = timeline.parse(ring([(2**32 - 24, CODE["rt_irq"], 0, 0), (24, CODE["rt_irq_end"], 0, 0)]))
        self.assertAlmostEqual(events[1].time_ns, 2000)

    def test_what_is_no_trace(self):
        for bad in (b"", b"\0" * 31, ring([], magic=1), ring([], version=1), ring([], hz=0)):
            with self.assertRaises(ui.Failure):
                timeline.parse(bad)

    def test_text(self):
        calls = {name: number for number, name in timeline.hypercall_names().items()}
        text = timeline.text(timeline.parse(ring([(0, CODE["exit"], 0, 0xc0008000),
                                                  (12, CODE["hypercall"], calls["idle"], 0)])))
        self.assertIn("svc at c0008000", text)
        self.assertIn("+500 ns  hypercall    idle 0x0", text)

    def test_spans_of_the_viewer(self):
        records = [(0, CODE["to_rt"], 0, 0), (24, CODE["rt_irq"], 37, 0), (48, CODE["rt_irq_end"], 37, 0),
                   (72, CODE["to_guest"], 0, 0), (96, CODE["exit"], 3, 0x8000), (120, CODE["enter"], 0x8000, 0)]
        spans = {event["name"]: event for event in json.loads(timeline.chrome(timeline.parse(ring(records))))["traceEvents"]
                 if event["ph"] == "X"}
        self.assertEqual({name: (span["ts"], span["dur"]) for name, span in spans.items()},
                         {"real time": (0, 3), "RT interrupt": (1, 1), "guest": (3, 2), "exit": (4, 1)})
        self.assertEqual(spans["exit"]["args"]["what"], "data abort at 00008000")

    def test_numbers_of_records_are_no_part_of_the_event(self):
        self.assertEqual(timeline.parse(ring([(0, CODE["rt_irq"] | 0xabcdef << 8, 1, 2)]))[0].name, "rt_irq")

    def test_what_linux_wrote(self):
        records = [(0, CODE["rt_irq"], 37, 0), (240, CODE["lost"], 12, 0), (240, CODE["rt_irq"], 37, 0)]
        with tempfile.TemporaryDirectory() as folder:
            source, output = Path(folder) / "trace", Path(folder) / "trace.txt"
            source.write_bytes(ring(records, places=3))
            timeline.convert(source, output)
            self.assertEqual(re.findall(r"(lost.*)$", output.read_text(), re.MULTILINE), ["lost         12 events"])
            for bad in (ring([], places=0), b""):
                source.write_bytes(bad)
                with self.assertRaises(ui.Failure):
                    timeline.convert(source, output)
            with self.assertRaises(ui.Failure):
                timeline.convert(Path(folder) / "missing", output)

    def test_unknown_events_are_shown(self):
        self.assertEqual(timeline.parse(ring([(0, 99, 1, 2)]))[0].name, "event 99")


if __name__ == "__main__":
    unittest.main()
