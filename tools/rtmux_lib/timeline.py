# SPDX-License-Identifier: GPL-2.0-only
"""trace: what the executive recorded (rtmux/abi/trace.h), as text or for a viewer of Chrome traces (Perfetto)."""
import json
import re
import struct
from collections import namedtuple

from rtmux_board import INCLUDE, board, defines, layout

from . import build, loads, ui
from .loads import command
from .machine import Machine
from .paths import BUILD, DEFAULT_BOARD
from .qmp import Qmp
from .symbols import Symbols

PRESET = "realview-pb-a8-trace"
HEADER = struct.Struct("<8I")
RECORD = struct.Struct("<4I")
ABI = defines(INCLUDE / "abi/trace.h")
NOT_EVENTS = ("MAGIC", "VERSION", "RECORDS")
EVENTS = {value: name.removeprefix("RTMUX_TRACE_").lower() for name, value in ABI.items()
          if name.startswith("RTMUX_TRACE_") and not name.endswith(NOT_EVENTS)}
REASONS = ("svc", "undefined", "prefetch abort", "data abort", "irq")  # EXIT_* of guest/vcpu_offsets.h
RT_FAULTS = ("data abort", "prefetch abort", "undefined instruction")  # RTMUX_FAULT_* of rtmux/abi/rtos.h

Event = namedtuple("Event", "time_ns name a b")  # time: of the first event on


def hypercall_names():
    text = (INCLUDE / "abi/guest.h").read_text()
    return {int(value): name.lower() for name, value in re.findall(r"^#define RTMUX_(\w+)\s+(\d+)u?\b", text, re.MULTILINE)
            if not name.startswith(("S_", "V_", "E_", "ABI", "NR_", "DACR"))}


def parse(data):
    """Events of a ring, the oldest first."""
    if len(data) < HEADER.size:
        raise ui.Failure("the trace is cut short")
    magic, version, clock_hz, _, count, *_ = HEADER.unpack_from(data)
    if magic != ABI["RTMUX_TRACE_MAGIC"] or version != ABI["RTMUX_TRACE_VERSION"] or clock_hz == 0:
        raise ui.Failure("this is no trace, or of another version")
    places = (len(data) - HEADER.size) // RECORD.size
    first = max(0, count - places)
    events, time, previous = [], 0, None
    for index in range(first, count):
        ticks, event, a, b = RECORD.unpack_from(data, HEADER.size + index % places * RECORD.size)
        event &= 0xff  # the rest is the record's number
        # 32 bits of a clock that wraps; an interrupt may have taken a later place at an earlier time
        step = (ticks - previous + 2**31) % 2**32 - 2**31 if previous is not None else 0
        time += step
        previous = ticks
        events.append(Event(time * 1e9 / clock_hz, EVENTS.get(event, f"event {event}"), a, b))
    return events


def describe(event, calls):
    """The two words of an event, as words."""
    match event.name:
        case "rt_irq" | "rt_irq_end" | "guest_irq" | "exec_irq":
            return f"line {event.a}"
        case "rt_fault":
            return f"{RT_FAULTS[event.a] if event.a < len(RT_FAULTS) else event.a}, status {event.b:03x}"
        case "lost":
            return f"{event.a} events"
        case "exit":
            return f"{REASONS[event.a] if event.a < len(REASONS) else event.a} at {event.b:08x}"
        case "enter" | "deliver":
            return f"at {event.a:08x}"
        case "hypercall":
            return f"{calls.get(event.a, event.a)} {event.b:#x}"
        case "fault":
            return f"at {event.a:08x}, status {event.b:03x}"
        case "doorbell":
            return f"channel {event.a}" if event.a != 0xffffffff else ""
        case "guest_state":
            return str(event.a)
    return ""


def text(events):
    calls = hypercall_names()
    lines, before = [], 0
    for event in events:
        lines.append(f"{event.time_ns / 1000:14.3f} us {event.time_ns - before:+10.0f} ns  {event.name:12} "
                     f"{describe(event, calls)}".rstrip())
        before = event.time_ns
    return "\n".join(lines) + "\n"


# What begins and what ends a span of a track: event -> (track, its name in the viewer)
BEGIN = {"to_rt": ("world", "real time"), "to_guest": ("world", "guest"), "rt_irq": ("interrupts", "RT interrupt"),
         "exit": ("executive", "exit")}
END = {"rt_irq_end": "interrupts", "enter": "executive"}
TRACKS = {"world": 1, "interrupts": 2, "executive": 3, "events": 4}


def chrome(events):
    """The JSON that chrome://tracing and Perfetto read: spans for worlds, interrupts and exits, instants for the rest."""
    calls = hypercall_names()
    out = [{"ph": "M", "pid": 1, "tid": track, "name": "thread_name", "args": {"name": name}}
           for name, track in TRACKS.items()]
    open_spans = {}

    def end(track, time):
        if track in open_spans:
            start, name, details = open_spans.pop(track)
            out.append({"ph": "X", "pid": 1, "tid": TRACKS[track], "name": name, "ts": start / 1000,
                        "dur": (time - start) / 1000, "args": {"what": details}})

    for event in events:
        if event.name in BEGIN:
            track, name = BEGIN[event.name]
            end(track, event.time_ns)
            open_spans[track] = event.time_ns, name, describe(event, calls)
        elif event.name in END:
            end(END[event.name], event.time_ns)
        else:
            out.append({"ph": "i", "s": "t", "pid": 1, "tid": TRACKS["events"], "name": event.name,
                        "ts": event.time_ns / 1000, "args": {"what": describe(event, calls)}})
    for track in list(open_spans):
        end(track, events[-1].time_ns)
    return json.dumps({"displayTimeUnit": "ns", "traceEvents": out}, indent=0) + "\n"


class Tracer:
    """Attach it to a machine with extra=tracer.options(); read() at any time."""

    def __init__(self, folder):
        self.qmp = Qmp(folder)
        symbols = Symbols(BUILD / PRESET / "hypervisor/executive.elf")
        self.physical = symbols.data["trace_ring"] - layout()["RTMUX_RAM_VA"] + board(DEFAULT_BOARD)["BOARD_RAM_BASE"]

    def options(self):
        return self.qmp.options()

    def read(self):
        return parse(self.qmp.memory(self.physical, HEADER.size + ABI["RTMUX_TRACE_RECORDS"] * RECORD.size))


def write(events, output):
    """As text if the file's name says so, else for a viewer."""
    if not events:
        raise ui.Failure("the trace has no events")
    output.write_text(text(events) if output.suffix == ".txt" else chrome(events))
    lost = sum(event.a for event in events if event.name == "lost")
    ui.say(f"{len(events)} events over {events[-1].time_ns / 1e6:.3f} ms{f', {lost} lost' if lost else ''}: {output}")
    if output.suffix != ".txt":
        ui.say("Open it in Perfetto, or in Chrome at chrome://tracing.")


def convert(file, output):
    """What rtmux-trace wrote on Linux."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ui.Failure(f"{file}: {error.strerror}") from None
    write(parse(data), output)


def trace(load, output):
    """Boot a tracing executive, let a load run a moment, and write the last events."""
    folder = BUILD / "trace"
    options = loads.options(load, folder)
    build.packages.require()
    build.packages.kernel_source()
    build.preset(PRESET)
    image = build.image(PRESET)
    tracer = Tracer(folder)
    with Machine(folder, image, extra=tracer.options(), **options) as machine:
        with ui.Progress("Booting"):
            machine.shell()
        with ui.Progress(f"Tracing under the load {load}"), loads.running(machine, load):
            command(machine, "sleep 0.3", 600)
            events = tracer.read()
    write(events, output)
