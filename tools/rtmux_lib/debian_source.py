# SPDX-License-Identifier: GPL-2.0-only
"""Source packages, from the archives that the machine's apt knows: their entries, turned to sources."""
import re
import shutil
import subprocess

from . import packages, ui


def source_entries(name, text):
    """The text of an apt source file with its binary entries made source entries (sources.list(5), both formats)."""
    if name.endswith(".sources"):
        return re.sub(r"(?m)^Types:.*$", "Types: deb-src", text)
    lines = (re.sub(r"^\s*deb\b", "deb-src", line) for line in text.splitlines() if re.match(r"\s*deb\s", line))
    return "".join(f"{line}\n" for line in lines)


def unpack(package, folder, state, log):
    """Fetch the newest version of a source package and unpack it, patches applied, as folder. Needs no root."""
    options = packages.private_apt(state)
    for file in (state / "sources.list.d").iterdir():
        file.write_text(source_entries(file.name, file.read_text()))
    fetched = state / "fetched"
    shutil.rmtree(fetched, ignore_errors=True)
    fetched.mkdir(parents=True)
    apt = ["apt-get", "-q", *options]
    packages.apt_get(f"Fetching the source of {package}", apt + ["update"],
                     apt + ["source", "--download-only", "--only-source", package], log, cwd=fetched,
                     hint="The machine's Debian source must offer source packages.")
    descriptions = sorted(fetched.glob("*.dsc"))
    if len(descriptions) != 1:
        raise ui.Failure(f"apt fetched {len(descriptions)} source packages of {package}; see {log}")
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    ui.run(f"Unpacking the source of {package}", ["dpkg-source", "--no-check", "-x", descriptions[0], part],
           log.with_suffix(".unpack"))
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)
    shutil.rmtree(fetched)
