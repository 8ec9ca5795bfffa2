# SPDX-License-Identifier: GPL-2.0-only
"""fuzz: the libFuzzer programs of tests/fuzz, one for each source file there.

What they start from is in tests/fuzz/corpus: an input a line, in hexadecimal, so that a change of it can be read.
"""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import build, packages, ui
from .paths import BUILD, ROOT

PRESET = "fuzz"
SOURCES = ROOT / "tests/fuzz"
CORPUS = SOURCES / "corpus"
WORK = BUILD / "fuzzing"  # what long runs have found
KEPT, KEPT_BYTES = 150, 400  # inputs of a corpus in the tree, and the longest of them
UNITS = {"s": 1, "m": 60, "h": 3600}


def targets():
    return sorted(path.stem for path in SOURCES.glob("*.cpp"))


def seconds(text):
    """The number of seconds in 90, 90s, 15m or 8h."""
    match = re.fullmatch(r"(\d+)([smh]?)", text)
    if not match or int(match[1]) == 0:
        raise ui.Failure(f"{text}: not a time", "Say seconds, minutes or hours: 90, 15m, 8h")
    return int(match[1]) * UNITS[match[2] or "s"]


def program(target):
    if target not in targets():
        raise ui.Failure(f"no fuzz target named {target}", "Known: " + " ".join(targets()))
    return BUILD / PRESET / "tests/fuzz" / f"fuzz_{target}"


def read_corpus(target):
    path = CORPUS / f"{target}.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [bytes.fromhex(line) for line in lines if line and not line.startswith("#")]


def unpack(target, folder):
    """The inputs to start from, a file each: those of the tree, and those that the build makes."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(read_corpus(target)):
        (folder / f"tree-{number:03}").write_bytes(data)
    made = BUILD / PRESET / "tests/fuzz/corpus" / target
    for path in made.glob("*") if made.is_dir() else ():
        shutil.copy(path, folder / path.name)


def run(target, time, folder, *options):
    """Run a target for a time (s), beginning with folder and adding to it. Raises Failure with what it found."""
    found = BUILD / "fuzzing/found"
    found.mkdir(parents=True, exist_ok=True)
    log = BUILD / "log" / f"fuzz-{target}.log"
    largest = max((path.stat().st_size for path in folder.iterdir()), default=0)
    command = [program(target), f"-max_total_time={time}", f"-artifact_prefix={found}/{target}-", "-print_final_stats=1",
               f"-max_len={max(1024, largest)}", "-len_control=0", *options, folder]
    status = ui.run(f"Fuzzing {target}", command, log, check=False)
    text = log.read_text(errors="replace")
    if status != 0:
        inputs = re.findall(r"Test unit written to (\S+)", text)
        hint = f"Again: tools/rtmux fuzz {target} --replay {inputs[-1]}" if inputs else None
        raise ui.Failure(f"{target}: exit status {status}; full log: {log}\n{ui.tail(log, 40)}", hint)
    runs = re.search(r"number_of_executed_units:\s*(\d+)", text)
    coverage = re.findall(r"cov: (\d+)", text)
    if not runs or int(runs[1]) < 10 or not coverage:
        raise ui.Failure(f"{target}: it ran, but tried next to nothing; full log: {log}")
    ui.say(f"{target}: {runs[1]} inputs, {coverage[-1]} places reached, nothing found")


def save(target):
    """Make the corpus in the tree anew: the fewest inputs of the working one that reach all that it reaches."""
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        small = Path(folder)
        subprocess.run([program(target), "-merge=1", small, WORK / target], check=True, stderr=subprocess.DEVNULL)
        inputs = sorted((path.read_bytes() for path in small.iterdir()), key=lambda data: (len(data), data))
    kept = [data for data in inputs if 0 < len(data) <= KEPT_BYTES]
    kept = [kept[i * len(kept) // KEPT] for i in range(KEPT)] if len(kept) > KEPT else kept
    CORPUS.mkdir(exist_ok=True)
    path = CORPUS / f"{target}.txt"
    path.write_text("# SPDX-License-Identifier: GPL-2.0-only\n" + "".join(data.hex() + "\n" for data in kept))
    ui.say(f"{path.relative_to(ROOT)}: {len(kept)} inputs")


def fuzz(target, time, replay=None, keep=False):
    if target == "list":
        ui.say("\n".join(targets()))
        return 0
    executable = program(target)
    limit = seconds(time)
    packages.require()
    build.preset(PRESET)
    if replay:
        return subprocess.run([executable, replay]).returncode
    unpack(target, WORK / target)
    run(target, limit, WORK / target)
    if keep:
        save(target)
    return 0
