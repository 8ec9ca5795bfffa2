// SPDX-License-Identifier: GPL-2.0-only
#include "elf.hpp"

namespace rtmux {

namespace {

constexpr uint32_t page_mask = 0xfff;

constexpr const char *messages[] = {
    "good",
    "memory cannot be read",
    "shorter than an ELF header",
    "not an ELF file",
    "not for 32-bit little-endian ARM",
    "not an executable (ET_EXEC)",
    "program headers missing, too many, or outside the file",
    "nothing to load",
    "segment does not start on a page boundary",
    "segment outside the memory of the RTOS",
    "segment larger in the file than in memory",
    "segment reaches outside the file",
    "segment both writable and executable",
    "two segments share a page",
    "entry point in no executable segment",
};
static_assert(sizeof messages / sizeof messages[0] == static_cast<unsigned>(ElfError::count_));

ElfError segment_error(const Elf32_Phdr &segment, uint32_t length, uint32_t va, uint32_t size) {
    if ((segment.p_vaddr & page_mask) != 0)
        return ElfError::unaligned_segment;
    if (segment.p_filesz > segment.p_memsz)
        return ElfError::file_larger_than_memory;
    if (segment.p_vaddr < va || segment.p_vaddr - va > size ||
        segment.p_memsz > size - (segment.p_vaddr - va))
        return ElfError::outside_region;
    if (segment.p_offset > length || segment.p_filesz > length - segment.p_offset)
        return ElfError::outside_file;
    if ((segment.p_flags & PF_W) != 0 && (segment.p_flags & PF_X) != 0)
        return ElfError::writable_and_executable;
    return ElfError::none;
}

uint32_t page_end(const ElfSegment &segment) {
    return (segment.va + segment.memory_size + page_mask) & ~page_mask;
}

bool overlap(const ElfSegment &a, const ElfSegment &b) {
    return a.va < page_end(b) && b.va < page_end(a);
}

bool contains(const ElfSegment &segment, uint32_t va) {
    return va >= segment.va && va - segment.va < segment.memory_size;
}

} // namespace

const char *describe(ElfError error) {
    return error < ElfError::count_ ? messages[static_cast<unsigned>(error)] : "unknown error";
}

ElfError check_elf_header(const Elf32_Ehdr &header, uint32_t length) {
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return ElfError::not_elf;
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_ident[EI_VERSION] != EV_CURRENT || header.e_machine != EM_ARM)
        return ElfError::not_arm32;
    if (header.e_type != ET_EXEC || header.e_version != EV_CURRENT)
        return ElfError::not_executable;
    if (header.e_phentsize != sizeof(Elf32_Phdr) || header.e_phnum == 0 || header.e_phnum > elf_segments_max)
        return ElfError::bad_program_headers;
    const uint32_t table = header.e_phnum * sizeof(Elf32_Phdr);
    if (header.e_phoff > length || table > length - header.e_phoff)
        return ElfError::bad_program_headers;
    return ElfError::none;
}

ElfProgram check_elf(const Elf32_Ehdr &header, const Elf32_Phdr *segments, uint32_t length, uint32_t va,
                     uint32_t size) {
    ElfProgram program;
    program.error = check_elf_header(header, length);
    for (uint32_t i = 0; i < header.e_phnum && program.error == ElfError::none; i++) {
        if (segments[i].p_type != PT_LOAD || segments[i].p_memsz == 0)
            continue;
        program.error = segment_error(segments[i], length, va, size);
        if (program.error != ElfError::none)
            break;
        const ElfSegment added = {segments[i].p_vaddr, segments[i].p_memsz, (segments[i].p_flags & PF_W) != 0,
                                  (segments[i].p_flags & PF_X) != 0};
        for (uint32_t k = 0; k < program.count; k++)
            if (overlap(program.segment[k], added))
                program.error = ElfError::overlap;
        program.segment[program.count++] = added;
        if (page_end(added) > program.end)
            program.end = page_end(added);
    }
    if (program.error != ElfError::none)
        return program;
    if (program.count == 0) {
        program.error = ElfError::no_segments;
        return program;
    }
    program.entry = header.e_entry;
    program.error = ElfError::bad_entry;
    for (uint32_t k = 0; k < program.count; k++)
        if (program.segment[k].executable &&
            contains(program.segment[k], program.entry & ~1u)) // bit 0: Thumb
            program.error = ElfError::none;
    return program;
}

} // namespace rtmux
