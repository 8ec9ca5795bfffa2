// SPDX-License-Identifier: GPL-2.0-only
// Loads the RTOS, an ELF32 executable, into its region of the window.
// Tool Interface Standard ELF 1.2; ELF for the Arm Architecture (IHI 0044).
#pragma once

#include "physical.hpp"

#include <elf.h>

namespace rtmux {

enum class ElfError : uint8_t {
    none,
    unreadable,
    truncated,
    not_elf,
    not_arm32,
    not_executable,
    bad_program_headers,
    no_segments,
    unaligned_segment,
    outside_region,
    file_larger_than_memory,
    outside_file,
    writable_and_executable,
    overlap,
    bad_entry,
    count_
};

// One line.
[[nodiscard]] const char *describe(ElfError error);

// Where the program may lie, and where that can be written now.
struct ElfRegion {
    uint32_t va;
    uint32_t size;
    uint8_t *memory;
};

struct ElfSegment {
    uint32_t va; // page-aligned
    uint32_t memory_size;
    bool writable;
    bool executable;
};

constexpr uint32_t elf_segments_max = 8;

struct ElfProgram {
    ElfError error = ElfError::none;
    uint32_t entry = 0;
    uint32_t end = 0; // first free page behind the segments
    uint32_t count = 0;
    ElfSegment segment[elf_segments_max] = {}; // no two in one page
};

// Checks everything that the headers say about a file of `length` bytes, and fills in the program.
[[nodiscard]] ElfProgram check_elf(const Elf32_Ehdr &header, const Elf32_Phdr *segments, uint32_t length,
                                   uint32_t va, uint32_t size);
[[nodiscard]] ElfError check_elf_header(const Elf32_Ehdr &header, uint32_t length);

// Loads the file at pa. Nothing is written before all checks have passed; every
// page of a segment is written, zeros where the file has nothing. With
// caches on, the caller cleans and invalidates before the first instruction runs.
template <class Physical>
[[nodiscard]] ElfProgram load_elf(Physical &physical, uint32_t pa, uint32_t length, const ElfRegion &region) {
    constexpr uint32_t page_mask = 0xfff;
    ElfProgram program;
    Elf32_Ehdr header;
    Elf32_Phdr segments[elf_segments_max];
    if (length < sizeof header) {
        program.error = ElfError::truncated;
        return program;
    }
    if (!read_physical(physical, pa, &header, sizeof header)) {
        program.error = ElfError::unreadable;
        return program;
    }
    program.error = check_elf_header(header, length);
    if (program.error != ElfError::none)
        return program;
    if (!read_physical(physical, pa + header.e_phoff, segments, header.e_phnum * sizeof segments[0])) {
        program.error = ElfError::unreadable;
        return program;
    }
    program = check_elf(header, segments, length, region.va, region.size);
    if (program.error != ElfError::none)
        return program;

    for (uint32_t i = 0; i < header.e_phnum; i++) {
        const Elf32_Phdr &segment = segments[i];
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
            continue;
        uint8_t *to = region.memory + (segment.p_vaddr - region.va);
        const uint32_t pages = (segment.p_memsz + page_mask) & ~page_mask;
        if (!read_physical(physical, pa + segment.p_offset, to, segment.p_filesz)) {
            program.error = ElfError::unreadable;
            return program;
        }
        memset(to + segment.p_filesz, 0, pages - segment.p_filesz);
    }
    return program;
}

} // namespace rtmux
