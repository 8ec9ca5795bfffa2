#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""With ARM_RTMUX off the patched tree makes the unpatched tree's object code.

Two builds of the same configuration, of the directories that the series touches and of objects elsewhere that
expand its headers; compared are code, data, relocations and global symbols of each object, and the lists of objects.
Only source line numbers may differ.
"""
import shutil
import subprocess
import sys
import unittest

import elf
import kernel

# For each file of the series, objects that show a change of it.
SHOWN_BY = {
    "arch/arm/Kconfig": (),  # compared through .config
    "arch/arm/include/asm/rtmux-abi.h": ("arch/arm/kernel/traps.o",),
    "arch/arm/include/asm/rtmux.h": ("arch/arm/kernel/traps.o",),
    "arch/arm/include/asm/irqflags.h": ("kernel/sched/core.o", "kernel/softirq.o", "arch/arm/kernel/process.o"),
    "arch/arm/include/asm/assembler.h": ("arch/arm/kernel/entry-armv.o", "arch/arm/lib/memcpy.o"),
    "arch/arm/include/asm/cacheflush.h": ("arch/arm/mm/flush.o", "arch/arm/mm/fault.o", "kernel/module/main.o"),
    "arch/arm/include/asm/pgtable.h": ("mm/vmalloc.o", "arch/arm/mm/mmu.o", "arch/arm/mm/init.o"),
    "arch/arm/include/asm/tlbflush.h": ("mm/memory.o", "arch/arm/mm/mmu.o", "arch/arm/mm/pgd.o"),
    "arch/arm/kernel/entry-armv.S": ("arch/arm/kernel/entry-armv.o",),
    "arch/arm/kernel/entry-common.S": ("arch/arm/kernel/entry-common.o",),
    "arch/arm/kernel/entry-header.S": ("arch/arm/kernel/entry-armv.o", "arch/arm/kernel/entry-common.o"),
    "arch/arm/kernel/reboot.c": ("arch/arm/kernel/reboot.o",),
    "arch/arm/kernel/setup.c": ("arch/arm/kernel/setup.o",),
    "arch/arm/kernel/traps.c": ("arch/arm/kernel/traps.o",),
    "arch/arm/mm/Makefile": ("arch/arm/mm/built-in.a",),
    "arch/arm/mm/context.c": ("arch/arm/mm/context.o",),
    "arch/arm/mm/proc-rtmux.S": ("arch/arm/mm/built-in.a",),
    "arch/arm/mm/proc-v7-2level.S": ("arch/arm/mm/proc-v7.o",),
    "arch/arm/vfp/vfpmodule.c": ("arch/arm/vfp/vfpmodule.o",),
    "drivers/irqchip/Makefile": ("drivers/irqchip/built-in.a",),
    "drivers/irqchip/irq-rtmux.c": ("drivers/irqchip/built-in.a",),
}
DIRECTORIES = ("arch/arm/kernel/", "arch/arm/mm/", "arch/arm/vfp/", "arch/arm/lib/", "drivers/irqchip/")


class OptionOff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tool = kernel.tool("build-linux")
        version = tool.source_version()
        with tool.locked(tool.CACHE / "linux/.lock-source"):
            pristine = tool.pristine_source(version)
            patched = tool.patched_source(pristine, tool.patched_tree(version, tool.changes()))
        text = tool.configuration("native")
        objects = {name for names in SHOWN_BY.values() for name in names
                   if not name.startswith(DIRECTORIES) and name.endswith(".o")}
        cls.builds = []
        for name, source in ("unpatched", pristine), ("patched", patched):
            directory = tool.CACHE / "linux" / f"option-off-{name}-{tool.digest(version, tool.changes(), text)}"
            with tool.locked(directory.with_name(f".lock-{directory.name}")):
                directory.mkdir(parents=True, exist_ok=True)
                tool.configure(source, directory, text)
                tool.compile_kernel(f"option off, {name}", source, directory, [*DIRECTORIES, *sorted(objects)])
            cls.builds.append(directory)

    def compare(self, name):
        unpatched, patched = (elf.content(directory / name) for directory in self.builds)
        self.assertEqual(unpatched.keys(), patched.keys(), f"{name}: other sections")
        for section in unpatched:
            self.assertTrue(unpatched[section] == patched[section], f"{name}: {section} differs")

    def test_table_is_complete(self):
        self.assertEqual(set(SHOWN_BY), set(kernel.counts()))

    def test_configuration(self):
        unpatched, patched = ((directory / ".config").read_text().splitlines() for directory in self.builds)
        self.assertIn("# CONFIG_ARM_RTMUX is not set", patched)
        patched.remove("# CONFIG_ARM_RTMUX is not set")
        self.assertEqual(unpatched, patched)

    def test_objects(self):
        names = {name for names in SHOWN_BY.values() for name in names if name.endswith(".o")}
        for directory in DIRECTORIES:
            names |= {str(path.relative_to(self.builds[0])) for path in (self.builds[0] / directory).glob("*.o")}
        self.assertGreater(len(names), 60)
        for name in sorted(names):
            with self.subTest(name):
                self.compare(name)
        print(f"{len(names)} objects compared")

    def test_lists_of_objects(self):
        members = 0
        for name in DIRECTORIES:
            for archive in sorted((self.builds[0] / name).glob("*.a")):
                path = archive.relative_to(self.builds[0])
                lists = [subprocess.run(["ar", "t", path], cwd=directory, text=True, capture_output=True,
                                        check=True).stdout.split() for directory in self.builds]
                self.assertEqual(lists[0], lists[1], path)
                members += len(lists[0])
        self.assertGreater(members, 60)

    def test_comparison_sees_a_changed_bit(self):
        directory = self.builds[1].with_name(self.builds[1].name + "-changed")
        self.addCleanup(shutil.rmtree, directory)
        name = "arch/arm/kernel/setup.o"
        (directory / name).parent.mkdir(parents=True)
        data = bytearray((self.builds[1] / name).read_bytes())
        at = data.index(elf.content(self.builds[1] / name)[".text"][0][1][:64])
        data[at + 4] ^= 1
        (directory / name).write_bytes(data)
        saved = self.builds
        self.builds = [saved[0], directory]
        with self.assertRaises(AssertionError):
            self.compare(name)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
