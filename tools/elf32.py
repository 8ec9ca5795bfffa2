# SPDX-License-Identifier: GPL-2.0-only
"""As much of 32-bit little-endian ARM ELF files as the tools need."""
import struct
from collections import namedtuple

HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
SEGMENT = struct.Struct("<8I")
SECTION = struct.Struct("<10I")
SYMBOL = struct.Struct("<IIIBBH")
ET_EXEC, EM_ARM, PT_LOAD, SHT_SYMTAB = 2, 40, 1, 2

Segment = namedtuple("Segment", "type offset vaddr paddr filesz memsz flags align")
Section = namedtuple("Section", "name type flags addr offset size link info align entsize")


class ElfError(Exception):
    """What is wrong with a file, in one line."""


class Elf:
    def __init__(self, data):
        self.data = data
        if data[:4] != b"\x7fELF":
            raise ElfError("is not an ELF file")
        if len(data) < HEADER.size:
            raise ElfError("is cut short: no whole ELF header")
        (ident, self.type, self.machine, _, self.entry, phoff, shoff, _, _, phentsize, phnum, shentsize, shnum,
         _) = HEADER.unpack_from(data)
        if ident[4:6] != b"\x01\x01" or self.machine != EM_ARM:
            raise ElfError("is not for 32-bit little-endian ARM")
        if self.type != ET_EXEC:
            raise ElfError("is not a linked executable (ELF type EXEC)")
        try:
            self.segments = [Segment(*SEGMENT.unpack_from(data, phoff + i * phentsize)) for i in range(phnum)]
            self.sections = [Section(*SECTION.unpack_from(data, shoff + i * shentsize)) for i in range(shnum)]
        except struct.error as error:
            raise ElfError("is cut short: no whole program or section headers") from error
        self.headers_end = phoff + phnum * phentsize
        if any(segment.offset + segment.filesz > len(data) for segment in self.loaded()):
            raise ElfError("is cut short: a segment reaches past its end")

    def loaded(self):
        return [segment for segment in self.segments if segment.type == PT_LOAD and segment.memsz]

    def symbols(self, wanted):
        """{name: value} of those of the wanted symbols that the file has."""
        names = {name.encode(): name for name in wanted}
        found = {}
        for table in self.sections:
            if table.type != SHT_SYMTAB or table.link >= len(self.sections):
                continue
            strings = self.sections[table.link]
            text = self.data[strings.offset:strings.offset + strings.size]
            for name, value, *_ in SYMBOL.iter_unpack(self.data[table.offset:table.offset + table.size // 16 * 16]):
                symbol = text[name:text.find(b"\0", name)]
                if symbol in names:
                    found[names[symbol]] = value
        return found

    def without_sections(self):
        """The file cut behind its last loaded byte: what a loader reads, without symbols and debugging."""
        end = max([self.headers_end] + [segment.offset + segment.filesz for segment in self.loaded()])
        cut = bytearray(self.data[:end])
        struct.pack_into("<I", cut, 32, 0)      # e_shoff
        struct.pack_into("<HH", cut, 48, 0, 0)  # e_shnum, e_shstrndx
        return bytes(cut)
