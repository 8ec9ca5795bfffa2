// SPDX-License-Identifier: GPL-2.0-only
// Trees that are wrong: each has its error, and none makes the executive crash.
#include "guest_dt_fixture.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace rtmux;

namespace {

GuestDtError verdict(const Bytes &file, uint32_t capacity = device_tree_capacity) {
    return Tree(file, capacity).edit(plain_config).error;
}

// The tree with something taken from it by libfdt.
GuestDtError verdict_after(const std::function<int(void *)> &change) {
    Tree tree(load_file("board.dtb"));
    EXPECT_GE(change(tree.fdt()), 0);
    return tree.edit(plain_config).error;
}

int at(void *fdt, const char *path) {
    return fdt_path_offset(fdt, path);
}

} // namespace

TEST(HostileDt, NotATree) {
    EXPECT_EQ(verdict({}), GuestDtError::malformed);
    EXPECT_EQ(verdict(Bytes(39)), GuestDtError::malformed);
    EXPECT_EQ(verdict(Bytes(4096)), GuestDtError::malformed);
    EXPECT_EQ(verdict(Bytes(4096, 0xff)), GuestDtError::malformed);
}

TEST(HostileDt, CutShort) {
    const Bytes file = load_file("board.dtb");
    for (size_t size = 0; size < file.size(); size += 13)
        EXPECT_EQ(verdict(Bytes(file.begin(), file.begin() + static_cast<long>(size))),
                  GuestDtError::malformed);
}

TEST(HostileDt, WithoutWhatTheExecutiveNeeds) {
    const char *const intc = "/interrupt-controller@1e000000";
    EXPECT_EQ(verdict_after([&](void *f) { return fdt_del_node(f, at(f, intc)); }),
              GuestDtError::no_interrupt_controller);
    EXPECT_EQ(verdict_after([&](void *f) { return fdt_delprop(f, at(f, intc), "interrupt-controller"); }),
              GuestDtError::no_interrupt_controller);
    EXPECT_EQ(verdict_after(
                  [&](void *f) { return fdt_setprop_inplace_u32(f, at(f, intc), "#interrupt-cells", 2); }),
              GuestDtError::no_interrupt_controller);
    EXPECT_EQ(verdict_after([](void *f) {
                  return std::min(fdt_del_node(f, at(f, "/memory@60000000")),
                                  fdt_del_node(f, at(f, "/memory@80000000")));
              }),
              GuestDtError::no_memory_node);
    EXPECT_EQ(verdict_after([](void *f) { return fdt_setprop_inplace_u32(f, 0, "#address-cells", 2); }),
              GuestDtError::root_cells);
    EXPECT_EQ(verdict_after([](void *f) { return fdt_delprop(f, 0, "#address-cells"); }),
              GuestDtError::root_cells);
}

TEST(HostileDt, DeepNesting) {
    for (const int depth : {10, 15, 16, 17, 100}) {
        Tree tree(load_file("board.dtb"));
        ASSERT_EQ(fdt_open_into(tree.fdt(), tree.fdt(), device_tree_capacity), 0);
        int node = 0;
        for (int i = 1; i < depth; i++)
            node = fdt_add_subnode(tree.fdt(), node, "deep");
        ASSERT_GE(node, 0);
        ASSERT_EQ(fdt_pack(tree.fdt()), 0);
        const auto *bytes = static_cast<const uint8_t *>(tree.fdt());
        EXPECT_EQ(verdict(Bytes(bytes, bytes + fdt_totalsize(tree.fdt()))),
                  depth <= 16 ? GuestDtError::none : GuestDtError::too_deep)
            << depth;
    }
}

TEST(HostileDt, NoRoomIsAnErrorWhereverItRunsOut) {
    const Bytes file = load_file("board.dtb");
    const auto size = static_cast<uint32_t>(file.size());
    bool enough = false;
    for (uint32_t capacity = size; capacity < size + 2048; capacity += 8) {
        const GuestDtError error = verdict(file, capacity);
        EXPECT_TRUE(error == GuestDtError::no_room || error == GuestDtError::none) << describe(error);
        EXPECT_FALSE(enough && error != GuestDtError::none);
        enough = error == GuestDtError::none;
    }
    EXPECT_EQ(verdict(file, size), GuestDtError::no_room);
    EXPECT_TRUE(enough);
}

// Bytes changed at random, in the structure most of all; ASan and UBSan watch.
TEST(HostileDt, RandomMutations) {
    std::mt19937 random(1);
    for (const char *name : {"board.dtb", "arm-realview-pba8.dtb"}) {
        const Bytes good = load_file(name);
        if (good.empty())
            continue;
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < 6000; round++) {
            Bytes file = good;
            for (uint32_t n = random() % 8 + 1; n > 0; n--) {
                const uint32_t kind = random() % 4;
                const size_t place = kind == 0 ? random() % 40 : random() % file.size();
                if (kind == 1) // a whole word that means something
                    for (int i = 0; i < 4; i++)
                        file[place / 4 * 4 + 3 < file.size() ? place / 4 * 4 + static_cast<size_t>(i) : 0] =
                            i == 3 ? static_cast<uint8_t>(random() % 10) : 0;
                else
                    file[place] = static_cast<uint8_t>(random());
            }
            const GuestDtResult result = Tree(file, 64 * 1024).edit(plain_config);
            (result.error == GuestDtError::none ? accepted : refused)++;
        }
        EXPECT_GT(accepted, 100) << name;
        EXPECT_GT(refused, 100) << name;
    }
}

TEST(HostileDt, EveryErrorHasItsText) {
    for (unsigned i = 0; i < static_cast<unsigned>(GuestDtError::count_); i++)
        EXPECT_STRNE(describe(static_cast<GuestDtError>(i)), "unknown error");
}
