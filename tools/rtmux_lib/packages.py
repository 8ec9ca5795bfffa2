# SPDX-License-Identifier: GPL-2.0-only
"""setup: Debian packages for the host, and armhf ones unpacked for the guest."""
import os
import shutil
import subprocess
import time

from . import ui
from .paths import CACHE, TOOLS, digest

LIST = TOOLS / "packages.txt"
KERNEL_SOURCE = CACHE / "linux-source-6.12"
ATTEMPTS = 4  # a mirror in the middle of its synchronisation is whole again after a minute


def listed(section):
    """Package names under [section] of packages.txt."""
    names, current = [], None
    for line in LIST.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            current = line.strip("[]")
        elif line and current == section:
            names.append(line)
    return names


def missing():
    """Host packages that are not installed."""
    try:
        query = subprocess.run(["dpkg-query", "-W", "-f", "${binary:Package} ${db:Status-Status}\n"],
                               capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise ui.Failure("dpkg-query does not run: RTMux builds on Debian 12 or a system derived from it") from None
    installed = {line.split()[0].split(":")[0] for line in query.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in listed("host") if name not in installed]


def require():
    """Stop with a clear message if setup has not been run."""
    absent = missing()
    if absent:
        raise ui.Failure("not installed: " + " ".join(absent), "Run: tools/rtmux setup")


def apt_update(title, command, log):
    """Refresh package lists. One source that fails matters only if a package then cannot be had."""
    if ui.run(title, command, log, check=False) == 0:
        return
    text = log.read_text(errors="replace")
    errors = [line for line in text.splitlines() if line.startswith(("Err:", "E:"))]
    ui.warn(f"some package lists could not be refreshed, going on without: {errors[0] if errors else log}")


def apt_get(title, update, action, log, **options):
    """Update and act, and both again after a pause: a mirror in the middle of its synchronisation gives wrong
    hashes for a minute."""
    for attempt in range(1, ATTEMPTS + 1):
        apt_update("Refreshing package lists", update, log.with_suffix(".update"))
        try:
            ui.run(title, action, log, **options)
            return
        except ui.Failure as failure:
            if attempt == ATTEMPTS or failure.hint == ui.NO_NETWORK:
                raise
            ui.warn(f"{title}: attempt {attempt} of {ATTEMPTS} failed, trying again in {10 * attempt} s")
            time.sleep(10 * attempt)


def install_host():
    absent = missing()
    if not absent:
        ui.say("Host packages: all installed.")
        return
    ui.say("To install: " + " ".join(absent))
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if root and (not shutil.which("sudo") or subprocess.run([*root, "true"], capture_output=True).returncode != 0):
        raise ui.Failure("installing packages needs root, and there is no sudo that works without a password",
                         "Run this as root once: apt-get install --no-install-recommends " + " ".join(absent))
    apt = root + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"]
    apt_get("Installing packages", apt + ["update"], apt + ["-y", "--no-install-recommends", "install"] + absent,
            CACHE / "log/install.log", hint="Does this machine's apt have Debian 12's own sources, security included?")
    if missing():
        raise ui.Failure("still not installed: " + " ".join(missing()))


def debian_sources():
    """The machine's apt source files that have Debian's own archive in them."""
    release = dict(line.split("=", 1) for line in open("/etc/os-release").read().splitlines() if "=" in line)
    codename = release.get("VERSION_CODENAME", "").strip('"')
    targets = subprocess.run(["apt-get", "indextargets", "--format",
                              "$(SOURCESENTRY)|$(ORIGIN)|$(RELEASE)|$(COMPONENT)", "Created-By: Packages"],
                             capture_output=True, text=True).stdout
    files = set()
    for line in targets.splitlines():
        entry, origin, suite, component = line.split("|")
        ours = origin == "Debian" or (component == "main" and suite.split("-")[0].split("/")[0] == codename)
        if ours:
            files.add(entry.rsplit(":", 1)[0])
    if not files:
        raise ui.Failure("apt on this machine has no Debian source", "See sources.list(5).")
    return sorted(files)


def private_apt(state):
    """Options that give apt a state of its own for armhf, and the machine's sources and keys."""
    parts = state / "sources.list.d"
    shutil.rmtree(parts, ignore_errors=True)
    for folder in (parts, state / "lists/partial", state / "archives/partial"):
        folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(debian_sources()):
        shutil.copy(file, parts / f"{number}{os.path.splitext(file)[1]}")
    (state / "status").touch()
    options = {
        "APT::Architecture": "armhf", "APT::Architectures": "armhf", "APT::Sandbox::User": "root",
        "Dir::State": state, "Dir::State::status": state / "status", "Dir::State::lists": state / "lists",
        "Dir::Cache": state, "Dir::Cache::archives": state / "archives", "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": parts, "Acquire::Languages": "none", "APT::Update::Post-Invoke-Success::": "true",
    }
    return [word for key, value in options.items() for word in ("-o", f"{key}={value}")]


def u_boot():
    """Folder with MLO and u-boot.img for the BeagleBone Black."""
    folder = guest_root() / "usr/lib/u-boot/am335x_evm"
    for name in ("MLO", "u-boot.img"):
        if not (folder / name).is_file():
            raise ui.Failure(f"Debian's package u-boot-omap has no {folder / name}")
    return folder


def guest_root():
    """Folder with the armhf programs of the guest, fetched at the first call. Needs no root."""
    root = CACHE / ("guest-root-" + digest("\n".join(listed("guest"))))
    if (root / ".complete").exists():
        return root
    ui.require_space(CACHE, 500)
    state = CACHE / "apt-armhf"
    apt = ["apt-get", "-q", *private_apt(state)]
    debs = CACHE / "guest-debs"
    shutil.rmtree(debs, ignore_errors=True)
    debs.mkdir(parents=True)
    apt_get("Fetching the guest's programs", apt + ["update"], apt + ["download"] + listed("guest"),
            CACHE / "log/guest.log", cwd=debs, hint="The machine's Debian source must offer the architecture armhf.")
    part = root.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    for deb in sorted(debs.glob("*.deb")):
        subprocess.run(["dpkg", "-x", deb, part], check=True, stderr=subprocess.DEVNULL)
    (part / ".complete").write_text("\n".join(deb.name for deb in sorted(debs.glob("*.deb"))) + "\n")
    shutil.rmtree(root, ignore_errors=True)
    part.rename(root)
    shutil.rmtree(debs)
    return root


def kernel_source():
    """Unpack the kernel's source: for the kernels, and for its libfdt, which the executive is built with."""
    if not KERNEL_SOURCE.exists():
        ui.require_space(CACHE, 4000)
    ui.run("Kernel source", [TOOLS / "build-linux", "--source"], CACHE / "log/source.log")


def setup():
    install_host()
    guest_root()
    kernel_source()
