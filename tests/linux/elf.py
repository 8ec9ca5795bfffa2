# SPDX-License-Identifier: GPL-2.0-only
"""As much of a relocatable 32-bit little-endian ELF file as a comparison of object code needs."""
import re
import struct

SHT_SYMTAB, SHT_STRTAB, SHT_REL, SHT_GROUP = 2, 3, 9, 17


def text(table, offset):
    return table[offset:table.index(b"\0", offset)].decode()


def normal(name):
    """An initcall's symbol contains a counter and its source line."""
    return re.sub(r"^(__initcall__kmod_\w+?)__\d+_\d+_", r"\1_", name)


def content(path):
    """Section name -> (flags, bytes, relocations with their symbols by name), and the global symbols."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\1\1":
        raise ValueError(f"{path} is not a 32-bit little-endian ELF file")
    offset, = struct.unpack_from("<I", data, 32)
    size, count, names_index = struct.unpack_from("<HHH", data, 46)
    headers = [struct.unpack_from("<10I", data, offset + size * index) for index in range(count)]
    body = [data[h[4]:h[4] + h[5]] if h[1] != 8 else b"\0" * h[5] for h in headers]  # 8: NOBITS
    names = [text(body[names_index], h[0]) for h in headers]

    symbols = []
    for index, header in enumerate(headers):
        if header[1] == SHT_SYMTAB:
            for entry in struct.iter_unpack("<IIIBBH", body[index]):
                name, value, length, info, _, section = entry
                symbols.append((normal(text(body[header[6]], name)), value, length, info,
                                names[section] if section < count else section))

    sections = {}
    for index, header in enumerate(headers):
        if header[1] in (0, SHT_SYMTAB, SHT_STRTAB, SHT_REL, SHT_GROUP):
            continue
        code = body[index]
        if names[index] == "__bug_table":  # struct bug_entry: address, file, line, flags
            code = b"".join(code[at:at + 8] + b"\0\0" + code[at + 10:at + 12] for at in range(0, len(code), 12))
        sections.setdefault(normal(names[index]), []).append((header[2], code))
    for index, header in enumerate(headers):
        if header[1] == SHT_REL:
            relocations = []
            for at, info in struct.iter_unpack("<II", body[index]):
                name, value, _, _, section = symbols[info >> 8]
                relocations.append((at, info & 0xff, name or section, value))
            sections.setdefault(normal(names[index]), []).append(relocations)
    sections["global symbols"] = sorted(symbol for symbol in symbols if symbol[3] >> 4)
    return sections
