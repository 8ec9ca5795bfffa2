# SPDX-License-Identifier: GPL-2.0-only
"""rtlat: boot its RT application beside Linux, measure under a load; and draw what it wrote, also on a board."""
import json

from . import build, loads, plot, ui
from .loads import command
from .machine import Machine
from .paths import BUILD

RTOS = "rtlat.elf"


def read(text, name):
    """What rtlat wrote as JSON, checked as far as it is used here."""
    try:
        result = json.loads(text)
        if result["rtlat"] != 1:
            raise ui.Failure(f"{name} is of version {result['rtlat']} of rtlat's file, not 1")
        for part in ("isr", "thread"):
            times(result, part)
            float(result[part]["max_ns"])
        return result
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise ui.Failure(f"{name} was not written by rtlat --json: {error!r}") from None


def times(result, part):
    """{ns: samples}. Those beyond the bins, of which only the largest is known, stand where that is."""
    tick = 1e9 / result["clock_hz"]
    found = {ticks * tick: count for ticks, count in result[part]["histogram_ticks"]}
    if result[part]["overflow"]:
        found[result[part]["max_ns"]] = result[part]["overflow"]
    return found


def draw(results, svg):
    """results are (name, what rtlat wrote)."""
    systems = [(f"{name + ': ' if len(results) > 1 else ''}{label}, worst {result[part]['max_ns']:.0f} ns",
                times(result, part))
               for name, result in results for part, label in (("isr", "ISR"), ("thread", "thread"))]
    systems = [(name, found) for name, found in systems if found]
    if not systems:
        raise ui.Failure("no sample to draw")
    count = " + ".join(str(result["samples"]) for _, result in results)
    plot.histogram(svg, f"{count} samples, every {results[0][1]['interval_us']} us", systems, least=30,
                   what="expiry of the timer to the ISR, and to the thread, ns")
    ui.say(f"Histogram: {svg}")


def plot_files(files, svg):
    def text(file):
        try:
            return file.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise ui.Failure(f"{file}: {error}") from None

    draw([(file.stem, read(text(file), file)) for file in files], svg or files[0].with_suffix(".svg"))


def rtlat(load, interval, samples, priority, json_file, svg):
    folder = BUILD / "rtlat"
    options = loads.options(load, folder)
    build.packages.require()
    build.packages.kernel_source()
    build.preset(build.DEFAULT_BOARD)
    image = build.image(rtos=RTOS, output=folder / "rtmux.img")
    with Machine(folder, image, **options) as machine:
        with ui.Progress("Booting"):
            machine.shell()
        with ui.Progress(f"Measuring under the load {load}"), loads.running(machine, load):
            said = command(machine, f"rtlat -q -i {interval} -n {samples} -p {priority} -j /tmp/rtlat.json", 3600)
            text = command(machine, "cat /tmp/rtlat.json")
    ui.say(said.strip())
    result = read(text, "its result")
    if json_file:
        json_file.write_text(text)
    if svg:
        draw([(load, result)], svg)
