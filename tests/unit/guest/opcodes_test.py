#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the words in opcodes.def with what the assembler makes of their text."""
import pathlib
import re
import subprocess
import sys
import tempfile

definitions = pathlib.Path(sys.argv[1]).read_text()
entries = re.findall(r'^(?:OPCODE|STORE)\("([^"]+)", (0x[0-9a-f]{8}),', definitions, re.M)
if len(entries) != len(re.findall(r"^(?:OPCODE|STORE)\(", definitions, re.M)) or not entries:
    sys.exit("opcodes.def: an entry that this script does not understand")

header = ".syntax unified\n.arch armv7-a\n.arch_extension sec\n.fpu neon\n.arm\n"
with tempfile.TemporaryDirectory() as folder:
    elf, binary = f"{folder}/opcodes.o", f"{folder}/opcodes.bin"
    source = header + "".join(f"{text}\n" for text, _ in entries)
    subprocess.run(["arm-none-eabi-as", "-mno-warn-deprecated", "-o", elf], input=source, text=True, check=True)
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", elf, binary], check=True)
    image = pathlib.Path(binary).read_bytes()

words = [int.from_bytes(image[i : i + 4], "little") for i in range(0, len(image), 4)]
wrong = [
    f"{text}: {word} in opcodes.def, {assembled:#010x} from the assembler"
    for (text, word), assembled in zip(entries, words)
    if int(word, 16) != assembled
]
if len(words) != len(entries):
    wrong.append(f"{len(entries)} entries, {len(words)} words")
print("\n".join(wrong) or f"{len(entries)} opcodes agree")
sys.exit(bool(wrong))
