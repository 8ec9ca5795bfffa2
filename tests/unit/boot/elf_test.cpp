// SPDX-License-Identifier: GPL-2.0-only
#include "elf.hpp"
#include "fake_physical.hpp"
#include "rtmux/layout.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace rtmux;

namespace {

constexpr uint32_t pa = 0x7e0fff00;
constexpr uint32_t region_size = 0x10000;
constexpr uint8_t untouched = 0xa5;

struct Loaded {
    ElfProgram program;
    Bytes memory = Bytes(region_size, untouched);
};

Loaded load(const Bytes &file, uint32_t slot = 1 << 20) {
    Loaded loaded;
    FakePhysical physical{pa, file, slot};
    loaded.program = load_elf(physical, pa, static_cast<uint32_t>(file.size()),
                              {RTMUX_RTOS_VA, region_size, loaded.memory.data()});
    if (loaded.program.error != ElfError::none && loaded.program.error != ElfError::unreadable) {
        EXPECT_EQ(loaded.memory, Bytes(region_size, untouched)) << "written before it was checked";
    }
    return loaded;
}

ElfError header_verdict(const std::function<void(Elf32_Ehdr &)> &change) {
    Bytes file = load_file("rtos.elf");
    change(*reinterpret_cast<Elf32_Ehdr *>(file.data()));
    return load(file).program.error;
}

ElfError segment_verdict(int index, const std::function<void(Elf32_Phdr &)> &change) {
    Bytes file = load_file("rtos.elf");
    change(reinterpret_cast<Elf32_Phdr *>(file.data() + sizeof(Elf32_Ehdr))[index]);
    return load(file).program.error;
}

} // namespace

TEST(Elf, LoadsWhatIsSound) {
    const Bytes file = load_file("rtos.elf");
    for (const uint32_t slot : {1u << 20, 4096u, 7u}) {
        const Loaded loaded = load(file, slot);
        const ElfProgram &program = loaded.program;
        ASSERT_EQ(program.error, ElfError::none) << describe(program.error);
        EXPECT_EQ(program.entry, RTMUX_RTOS_VA + 0x10);
        EXPECT_EQ(program.end, RTMUX_RTOS_VA + 0x6000);
        ASSERT_EQ(program.count, 3u);
        EXPECT_TRUE(program.segment[0].executable && !program.segment[0].writable);
        EXPECT_TRUE(!program.segment[1].executable && !program.segment[1].writable);
        EXPECT_TRUE(!program.segment[2].executable && program.segment[2].writable);
        EXPECT_EQ(program.segment[2].va, RTMUX_RTOS_VA + 0x3000);
        EXPECT_EQ(program.segment[2].memory_size, 0x2100u);
        Bytes expected(region_size, untouched);
        std::fill_n(expected.begin(), 0x6000, 0);
        std::copy_n(file.begin() + 0x1000, 0x1800, expected.begin());
        std::copy_n(file.begin() + 0x3000, 0x234, expected.begin() + 0x2000);
        std::copy_n(file.begin() + 0x4000, 0x100, expected.begin() + 0x3000);
        EXPECT_EQ(loaded.memory, expected);
    }
}

TEST(Elf, Header) {
    using Header = Elf32_Ehdr;
    for (int i = 0; i < 4; i++)
        EXPECT_EQ(header_verdict([i](Header &h) { h.e_ident[i] ^= 1; }), ElfError::not_elf);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_ident[EI_CLASS] = ELFCLASS64; }), ElfError::not_arm32);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }), ElfError::not_arm32);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_ident[EI_VERSION] = 0; }), ElfError::not_arm32);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_machine = EM_X86_64; }), ElfError::not_arm32);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_type = ET_DYN; }), ElfError::not_executable);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_type = ET_REL; }), ElfError::not_executable);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_version = 2; }), ElfError::not_executable);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phentsize++; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phnum = 0; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phnum = 9; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phnum = 0xffff; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phoff = UINT32_MAX - 31; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_phoff = 0x6000; }), ElfError::bad_program_headers);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_entry = 0; }), ElfError::bad_entry);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_entry = RTMUX_RTOS_VA + 0x3000; }), ElfError::bad_entry);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_entry = RTMUX_RTOS_VA + 0x1800; }), ElfError::bad_entry);
    EXPECT_EQ(header_verdict([](Header &h) { h.e_entry |= 1; }), ElfError::none);
}

TEST(Elf, Segments) {
    using Segment = Elf32_Phdr;
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_vaddr += 4; }), ElfError::unaligned_segment);
    EXPECT_EQ(segment_verdict(2, [](Segment &s) { s.p_filesz = s.p_memsz + 1; }),
              ElfError::file_larger_than_memory);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_vaddr = RTMUX_RTOS_VA - 0x1000; }),
              ElfError::outside_region);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_vaddr = 0; }), ElfError::outside_region);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_vaddr = 0xfffff000; }), ElfError::outside_region);
    EXPECT_EQ(segment_verdict(2, [](Segment &s) { s.p_memsz = region_size - 0x2fff; }),
              ElfError::outside_region);
    EXPECT_EQ(segment_verdict(2, [](Segment &s) { s.p_memsz = UINT32_MAX; }), ElfError::outside_region);
    EXPECT_EQ(segment_verdict(2, [](Segment &s) { s.p_memsz = region_size - 0x3000; }), ElfError::none);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_offset = 0x10000; }), ElfError::outside_file);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_offset = UINT32_MAX; }), ElfError::outside_file);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_flags |= PF_W; }), ElfError::writable_and_executable);
    EXPECT_EQ(segment_verdict(1, [](Segment &s) { s.p_vaddr = RTMUX_RTOS_VA + 0x1000; }), ElfError::overlap);
    EXPECT_EQ(segment_verdict(2, [](Segment &s) { s.p_vaddr = RTMUX_RTOS_VA; }), ElfError::overlap);
    EXPECT_EQ(segment_verdict(0, [](Segment &s) { s.p_type = PT_NULL; }), ElfError::bad_entry);
    Bytes file = load_file("rtos.elf");
    for (int i = 0; i < 3; i++)
        reinterpret_cast<Elf32_Phdr *>(file.data() + sizeof(Elf32_Ehdr))[i].p_type = PT_NOTE;
    EXPECT_EQ(load(file).program.error, ElfError::no_segments);
}

TEST(Elf, CutShort) {
    const Bytes file = load_file("rtos.elf");
    for (size_t size = 0; size < 0x4100; size += size < 0x100 ? 1 : 0x7f) {
        const ElfError error =
            load(Bytes(file.begin(), file.begin() + static_cast<long>(size))).program.error;
        EXPECT_EQ(error, size < sizeof(Elf32_Ehdr)                            ? ElfError::truncated
                         : size < sizeof(Elf32_Ehdr) + 3 * sizeof(Elf32_Phdr) ? ElfError::bad_program_headers
                                                                              : ElfError::outside_file);
    }
    // The image says more than there is memory.
    Loaded loaded;
    const Bytes half(file.begin(), file.begin() + 0x2000);
    FakePhysical physical{pa, half};
    loaded.program = load_elf(physical, pa, static_cast<uint32_t>(file.size()),
                              {RTMUX_RTOS_VA, region_size, loaded.memory.data()});
    EXPECT_EQ(loaded.program.error, ElfError::unreadable);
}

TEST(Elf, RandomHeadersNeverEscape) {
    const Bytes good = load_file("rtos.elf");
    std::mt19937 random(1);
    int accepted = 0;
    for (int round = 0; round < 2000; round++) {
        Bytes file = good;
        for (uint32_t n = random() % 4 + 1; n > 0; n--)
            file[random() % (sizeof(Elf32_Ehdr) + 3 * sizeof(Elf32_Phdr))] = static_cast<uint8_t>(random());
        const ElfProgram program = load(file, 4096).program;
        if (program.error != ElfError::none)
            continue;
        accepted++;
        EXPECT_LE(program.end, RTMUX_RTOS_VA + region_size);
        for (uint32_t i = 0; i < program.count; i++) {
            EXPECT_GE(program.segment[i].va, unsigned{RTMUX_RTOS_VA});
            EXPECT_LE(program.segment[i].va + program.segment[i].memory_size, program.end);
            EXPECT_FALSE(program.segment[i].writable && program.segment[i].executable);
        }
    }
    EXPECT_GT(accepted, 0);
}

TEST(Elf, EveryErrorHasItsText) {
    for (unsigned i = 0; i < static_cast<unsigned>(ElfError::count_); i++)
        EXPECT_STRNE(describe(static_cast<ElfError>(i)), "unknown error");
}
