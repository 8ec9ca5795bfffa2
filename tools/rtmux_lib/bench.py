# SPDX-License-Identifier: GPL-2.0-only
"""bench: run a benchmark of tests/bench/, show it as a table, write it as JSON.

A benchmark is a module with a docstring whose first line says what it measures, and
run() -> (environment: dict, [Result, ...]), and perhaps a text to show instead of all results. Those of the command's options that it knows are parameters of its run().
"""
import importlib.util
import inspect
import json
import operator
import platform
import subprocess
from dataclasses import asdict, dataclass, field

from . import ui
from .paths import ROOT

FOLDER = ROOT / "tests/bench"


@dataclass
class Result:
    """One figure. bar is the budget, None where there is none; ok follows from it: at most the bar, unless sense
    says "min" (at least) or "equal"."""
    name: str
    unit: str
    value: float
    bar: float | None = None
    ok: bool = field(init=False)
    sense: str = "max"

    def __post_init__(self):
        compare = {"max": operator.le, "min": operator.ge, "equal": operator.eq}[self.sense]
        self.ok = self.bar is None or compare(self.value, self.bar)


def version(command):
    """First line of what a program says about its version."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "not there"


def versions():
    return {
        "rtmux": version(["git", "-C", str(ROOT), "describe", "--always", "--dirty"]),
        "qemu": version(["qemu-system-arm", "--version"]),
        "executive_compiler": version(["arm-none-eabi-gcc", "--version"]),
        "linux_compiler": version(["arm-linux-gnueabihf-gcc", "--version"]),
        "host": platform.platform(),
    }


def load(name):
    path = FOLDER / f"{name}.py"
    if not path.exists():
        raise ui.Failure(f"no benchmark named {name}", "All of them: tools/rtmux bench list")
    spec = importlib.util.spec_from_file_location(f"bench_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names():
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def number(value):
    if value is None:
        return ""
    return f"{value:d}" if isinstance(value, int) else f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def table(results):
    rows = [("", "unit", "value", "bar", "")]
    rows += [(r.name, r.unit, number(r.value), number(r.bar), "" if r.bar is None else "ok" if r.ok else "MISSED")
             for r in results]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}  {row[4]}"
                     .rstrip() for row in rows)


def bench(name, json_file=None, **options):
    """Run one benchmark with the options that are not None; 1 if it misses a bar."""
    if name == "list":
        for known in names():
            ui.say(f"{known:10} {load(known).__doc__.splitlines()[0]}")
        return 0
    run = load(name).run
    options = {option: value for option, value in options.items() if value is not None}
    unknown = options.keys() - inspect.signature(run).parameters
    if unknown:
        raise ui.Failure(f"the benchmark {name} has no option --{unknown.pop()}")
    environment, results, *text = run(**options)
    environment = {"versions": versions(), "options": [], "load": "none", "samples": 1} | environment
    ui.say(text[0] if text else table(results))
    if json_file:
        rows = [{key: value for key, value in asdict(result).items() if key != "sense"} for result in results]
        json_file.write_text(json.dumps({"bench": name, "environment": environment, "results": rows}, indent=2) + "\n")
    return 0 if all(result.ok for result in results) else 1
