#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Build the guest's initramfs.cpio.gz. Needs no root; the same inputs give the same bytes.

It holds busybox, the rt-tests programs with the libraries they need, further programs and kernel modules.
Format: Linux's Documentation/driver-api/early-userspace/buffer-format.rst.
"""
import argparse
import gzip
import random
import re
import stat
import subprocess
from pathlib import Path

TEST_PROGRAMS = ("cyclictest", "hackbench", "pi_stress", "signaltest")
LIBRARY_FOLDERS = ("lib/arm-linux-gnueabihf", "usr/lib/arm-linux-gnueabihf", "lib")
FILES = {
    "etc/passwd": "root::0:0:root:/root:/bin/sh\n",
    "etc/group": "root:x:0:\n",
    "etc/profile": "export PS1='\\w # '\n",
    # A script named on the kernel's command line, its status where the console's reader sees it.
    "bin/run-and-stop": '#!/bin/busybox sh\nsh "$1"\necho "rtmux: $1 ended with status $?"\npoweroff\n',
    "etc/shutdown": (
        "#!/bin/busybox sh\n"
        "if grep -q rtmux.demo /proc/cmdline; then\n"
        "    echo; echo 'rtmux: measurement'; vbus stats --raw; echo 'rtmux: measurement ends'\n"
        "fi\n"
        "sync\numount -a -r 2>/dev/null\n"),
}


class Archive:
    """A cpio archive in "newc" format, entries sorted by name, all owned by root and dated 0."""

    def __init__(self):
        self.entries = {}

    def add(self, name, mode, data=b"", device=(0, 0)):
        for parent in list(Path(name).parents)[-2::-1]:
            self.entries.setdefault(str(parent), (stat.S_IFDIR | 0o755, b"", (0, 0)))
        self.entries[name] = (mode, data, device)

    def file(self, name, data, executable=False):
        self.add(name, stat.S_IFREG | (0o755 if executable else 0o644), data)

    def bytes(self):
        out = bytearray()
        items = [*sorted(self.entries.items()), ("TRAILER!!!", (0, b"", (0, 0)))]
        for inode, (name, (mode, data, device)) in enumerate(items, 1):
            links = 2 if stat.S_ISDIR(mode) else 1
            fields = (inode, mode, 0, 0, links, 0, len(data), 0, 0, *device, len(name) + 1, 0)
            out += b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
            out += b"\0" * (-len(out) % 4)
            out += data
            out += b"\0" * (-len(out) % 4)
        return bytes(out) + b"\0" * (-len(out) % 512)


def needed_libraries(root, program):
    """Paths below root of the shared libraries that program needs, the loader included."""
    found, todo = {}, [program]
    while todo:
        dump = subprocess.run(["arm-linux-gnueabihf-readelf", "-ld", todo.pop()], check=True, capture_output=True,
                              text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
        names = re.findall(r"\(NEEDED\).*\[(.*)\]", dump)
        names += [Path(path).name for path in re.findall(r"interpreter: (\S+)\]", dump)]
        for name in names:
            if name in found:
                continue
            path = next((root / folder / name for folder in LIBRARY_FOLDERS if (root / folder / name).is_file()), None)
            if path is None:
                raise SystemExit(f"mkinitramfs.py: {program.name} needs {name}, which no package of [guest] in "
                                 "tools/packages.txt brings")
            found[name] = path
            todo.append(path)
    return found


def build(args):
    archive = Archive()
    for folder in ("proc", "sys", "tmp", "root", "mnt", "run", "usr/bin", "lib/modules"):
        archive.add(folder, stat.S_IFDIR | 0o755)
    archive.add("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    archive.add("dev/null", stat.S_IFCHR | 0o666, device=(1, 3))
    archive.file("init", (Path(__file__).parent / "initramfs-init").read_bytes(), True)
    for name, text in FILES.items():
        archive.file(name, text.encode(), name.startswith("bin/") or name == "etc/shutdown")
    archive.file("bin/busybox", (args.root / "bin/busybox").read_bytes(), True)
    archive.add("bin/sh", stat.S_IFLNK | 0o777, b"busybox")
    for name in TEST_PROGRAMS:
        program = args.root / "usr/bin" / name
        archive.file(f"usr/bin/{name}", program.read_bytes(), True)
        for library, path in needed_libraries(args.root, program).items():
            archive.file(f"lib/{library}", path.read_bytes(), True)
    for program in args.program:
        archive.file(f"usr/bin/{program.name}", program.read_bytes(), True)
    for module in args.module:
        archive.file(f"lib/modules/{module.name}", module.read_bytes())
    for module in args.test_module:
        archive.file(f"lib/test-modules/{module.name}", module.read_bytes())
    archive.file("etc/modules", "".join(f"{name}\n" for name in args.load).encode())
    for script in args.script:
        archive.file(f"usr/bin/{script.name}", script.read_bytes(), True)
    if args.pad:
        # What compression cannot remove: it moves everything the kernel allocates after it.
        archive.file("pad", random.Random(args.pad).randbytes(args.pad))
    args.output.write_bytes(gzip.compress(archive.bytes(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--root", type=Path, required=True, help="unpacked armhf packages")
    parser.add_argument("--program", type=Path, nargs="*", default=[], help="further programs, for /usr/bin")
    parser.add_argument("--module", type=Path, nargs="*", default=[], help="kernel modules, for /lib/modules")
    parser.add_argument("--test-module", type=Path, nargs="*", default=[],
                        help="modules of tests, for /lib/test-modules")
    parser.add_argument("--load", nargs="*", default=[], help="modules to load at boot, in this order")
    parser.add_argument("--script", type=Path, nargs="*", default=[], help="shell scripts, for /usr/bin")
    parser.add_argument("--pad", type=int, default=0, metavar="BYTES", help="add a file of random bytes")
    build(parser.parse_args())


if __name__ == "__main__":
    main()
