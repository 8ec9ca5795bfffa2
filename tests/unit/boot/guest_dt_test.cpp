// SPDX-License-Identifier: GPL-2.0-only
#include "guest_dt_fixture.hpp"
#include "rtmux/abi/guest.h"

#include <gtest/gtest.h>

using namespace rtmux;

namespace {

Tree edited(const std::string &file, const GuestDtConfig &config = plain_config) {
    Tree tree(load_file(file));
    const GuestDtResult result = tree.edit(config);
    EXPECT_EQ(result.error, GuestDtError::none) << describe(result.error);
    EXPECT_EQ(result.length, fdt_totalsize(tree.fdt()));
    EXPECT_LE(result.length, device_tree_capacity);
    return tree;
}

using Cells = std::vector<uint32_t>;

} // namespace

TEST(GuestDt, InterruptController) {
    const Tree tree = edited("board.dtb");
    const std::string intc = "/interrupt-controller@1e000000";
    EXPECT_EQ(tree.text(intc, "compatible"), "rtmux,intc");
    EXPECT_EQ(tree.cells(intc, "#interrupt-cells"), Cells{1});
    EXPECT_FALSE(tree.has(intc, "reg"));
    EXPECT_TRUE(tree.has(intc, "interrupt-controller"));
    EXPECT_TRUE(tree.enabled(intc));
}

TEST(GuestDt, Interrupts) {
    const Tree tree = edited("board.dtb");
    EXPECT_EQ(tree.cells("/before@10000000", "interrupts"), (Cells{39, 40, 127}));
    EXPECT_EQ(tree.cells("/bus/gpio@1000", "interrupts"), Cells{33});
    EXPECT_EQ(tree.cells("/bus/gpio@1000/on-gpio", "interrupts"),
              (Cells{5, 1})); // the GPIO's, not the controller's
    EXPECT_EQ(tree.cells("/bus/serial@2000", "interrupts"), Cells{44});
    const Cells mixed = tree.cells("/bus/extended@8000", "interrupts-extended");
    ASSERT_EQ(mixed.size(), 7u);
    EXPECT_EQ(mixed, (Cells{mixed[0], 52, mixed[2], 3, 1, mixed[0], 53}));
    EXPECT_TRUE(tree.enabled("/bus/extended@8000") && tree.enabled("/before@10000000"));
    for (const char *node : {"/pmu", "/bus/ppi@5000", "/bus/high@6000", "/bus/cut@7000", "/bus/dangling@9000",
                             "/bus/pci@a000", "/bus/vbus-line@b000"})
        EXPECT_FALSE(tree.enabled(node)) << node;
}

TEST(GuestDt, DevicesOfOthersAreOff) {
    const Tree tree = edited("board.dtb");
    for (const char *node : {"/bus/serial@2000", "/bus/gpio@1000", "/bus/i2c@c000", "/bus/i2c@c000/rtc@68",
                             "/bus/inner@d000", "/bus/inner@d000/deep@100000000",
                             "/bus/inner@d000/unmapped@200000000", "/bus", "/reserved-memory/kept@61000000"})
        EXPECT_TRUE(tree.enabled(node)) << node;
    for (const char *node :
         {"/bus/rt-timer@3000", "/bus/half@4000", "/bus/off@3000", "/bus/far@200000", "/huge@0"})
        EXPECT_FALSE(tree.enabled(node)) << node;

    static uint32_t forbidden;
    GuestDtConfig config = plain_config;
    config.guest_may = [](uint32_t pa) { return pa != forbidden; };
    forbidden = 0x1000d000;
    EXPECT_FALSE(edited("board.dtb", config).enabled("/bus/inner@d000/deep@100000000"));
    forbidden = 0x20000000;
    EXPECT_FALSE(edited("board.dtb", config).enabled("/bus/far@200000"));
    forbidden = 0x30000000;
    EXPECT_TRUE(edited("board.dtb", config).enabled("/bus/far@200000"));
    EXPECT_FALSE(edited("board.dtb", config).enabled("/huge@0")); // no device is that large
}

TEST(GuestDt, Memory) {
    const Tree tree = edited("board.dtb");
    EXPECT_EQ(tree.cells("/memory@60000000", "reg"), (Cells{0x70400000, 0xb000000}));
    EXPECT_FALSE(tree.has("/memory@60000000", "linux,usable-memory"));
    EXPECT_FALSE(tree.exists("/memory@80000000"));
    EXPECT_TRUE(tree.enabled("/memory@60000000"));
}

TEST(GuestDt, Processor) {
    const Tree tree = edited("board.dtb");
    EXPECT_FALSE(tree.has("/cpus", "enable-method"));
    EXPECT_FALSE(tree.has("/cpus/cpu@0", "enable-method"));
    EXPECT_FALSE(tree.has("/cpus/cpu@0", "cpu-idle-states"));
    EXPECT_TRUE(tree.enabled("/cpus/cpu@0"));
}

TEST(GuestDt, Chosen) {
    GuestDtConfig config = plain_config;
    Tree tree = edited("board.dtb", config);
    EXPECT_EQ(tree.text("/chosen", "bootargs"), "quiet");
    EXPECT_EQ(tree.text("/chosen", "stdout-path"), "serial0");
    EXPECT_EQ(tree.cells("/chosen", "linux,initrd-start"), Cells{0x7b000000});
    EXPECT_EQ(tree.cells("/chosen", "linux,initrd-end"), Cells{0x7b012345});

    // A second edit of the same tree: nothing to translate but what it adds, and nothing twice.
    config.initrd_start = config.initrd_end = 0;
    config.bootargs_length = 0;
    ASSERT_EQ(tree.make_room(), 0);
    const int intc = fdt_path_offset(tree.fdt(), "/interrupt-controller@1e000000");
    ASSERT_EQ(fdt_setprop_string(tree.fdt(), intc, "compatible", "ti,am33xx-intc"), 0);
    ASSERT_EQ(tree.edit(config).error, GuestDtError::none);
    EXPECT_EQ(tree.text("/chosen", "bootargs"), "quiet");
    EXPECT_FALSE(tree.has("/chosen", "linux,initrd-start") || tree.has("/chosen", "linux,initrd-end"));
    EXPECT_EQ(tree.cells("/bus/serial@2000", "interrupts"), Cells{44}); // one cell on the AM335x: as it was
    EXPECT_TRUE(tree.exists("/rtmux/vbus"));

    config.bootargs = "cut\0off";
    config.bootargs_length = 7;
    EXPECT_EQ(edited("board.dtb", config).text("/chosen", "bootargs"), "cut");
}

TEST(GuestDt, VBus) {
    const Tree tree = edited("board.dtb");
    EXPECT_EQ(tree.text("/rtmux", "compatible"), "simple-bus");
    EXPECT_TRUE(tree.has("/rtmux", "ranges"));
    EXPECT_EQ(tree.text("/rtmux/vbus", "compatible"), "rtmux,vbus");
    EXPECT_EQ(tree.cells("/rtmux/vbus", "reg"), (Cells{0x701c0000, 0x40000, 0x1000005c, 4}));
    EXPECT_EQ(tree.cells("/rtmux/vbus", "interrupts"), Cells{122});
    EXPECT_EQ(tree.cells("/rtmux/vbus", "interrupt-parent"),
              Cells{tree.phandle("/interrupt-controller@1e000000")});

    GuestDtConfig config = plain_config;
    config.clock_pa = 0;
    EXPECT_EQ(edited("board.dtb", config).cells("/rtmux/vbus", "reg"), (Cells{0x701c0000, 0x40000}));
}

TEST(GuestDt, ControllerWithoutPhandleGetsOne) {
    Tree tree(load_file("board.dtb"));
    const int intc = fdt_path_offset(tree.fdt(), "/interrupt-controller@1e000000");
    ASSERT_EQ(fdt_delprop(tree.fdt(), intc, "phandle"), 0);
    ASSERT_EQ(tree.edit(plain_config).error, GuestDtError::none);
    EXPECT_NE(tree.phandle("/interrupt-controller@1e000000"), 0u);
    EXPECT_EQ(tree.cells("/rtmux/vbus", "interrupt-parent"),
              Cells{tree.phandle("/interrupt-controller@1e000000")});
}

TEST(GuestDt, RealViewPbA8) {
    if (load_file("arm-realview-pba8.dtb").empty())
        GTEST_SKIP() << "no kernel source";
    GuestDtConfig config = plain_config;
    config.guest_may = [](uint32_t pa) {
        return pa == 0x10000000 || pa == 0x10001000 || pa == 0x10005000 || pa == 0x10009000 ||
               pa == 0x10011000 || (pa >= 0x4e000000 && pa < 0x4e010000);
    };
    const Tree tree = edited("arm-realview-pba8.dtb", config);
    EXPECT_EQ(tree.text("/interrupt-controller@1e000000", "compatible"), "rtmux,intc");
    EXPECT_EQ(tree.cells("/memory", "reg"), (Cells{0x70400000, 0xb000000}));
    EXPECT_EQ(tree.text("/chosen", "stdout-path"), "serial0");
    EXPECT_FALSE(tree.has("/cpus", "enable-method"));
    const std::vector<std::pair<const char *, Cells>> on = {{"/soc/serial@10009000", {44}},
                                                            {"/soc/timer@10011000", {36}},
                                                            {"/fpga/mmcsd@10005000", {49, 50}},
                                                            {"/ethernet@4e000000", {60}}};
    for (const auto &[node, lines] : on) {
        EXPECT_TRUE(tree.enabled(node)) << node;
        EXPECT_EQ(tree.cells(node, "interrupts"), lines) << node;
    }
    for (const char *node :
         {"/pmu", "/flash0@40000000", "/flash1@44000000", "/usb@4f000000", "/soc/serial@1000a000",
          "/soc/timer@10012000", "/soc/gpio@10013000", "/fpga/kmi@10006000", "/issp/clcd@10020000"})
        EXPECT_FALSE(tree.enabled(node)) << node;
    for (const char *node :
         {"/soc", "/fpga", "/soc/syscon@10000000", "/soc/syscon@10000000/led@8,0", "/clock-24000000"})
        EXPECT_TRUE(tree.enabled(node)) << node;
}

TEST(GuestDt, BeagleBoneBlack) {
    if (load_file("am335x-boneblack.dtb").empty())
        GTEST_SKIP() << "no kernel source";
    GuestDtConfig config = plain_config;
    // Neither DMTIMER3, nor EDMA, nor what buses say of themselves
    config.guest_may = [](uint32_t pa) {
        return pa != 0x48042000 && (pa < 0x49000000 || pa >= 0x49b00000) && pa != 0x48000000;
    };
    const Tree tree = edited("am335x-boneblack.dtb", config);
    const std::string intc = "/ocp/interrupt-controller@48200000";
    EXPECT_EQ(tree.text(intc, "compatible"), "rtmux,intc");
    EXPECT_EQ(tree.cells("/memory@80000000", "reg"), (Cells{0x70400000, 0xb000000}));
    const std::string uart = "/ocp/interconnect@44c00000/segment@200000/target-module@9000";
    EXPECT_TRUE(tree.enabled(uart));
    EXPECT_EQ(tree.cells(uart + "/serial@0", "interrupts"), Cells{72});
    EXPECT_FALSE(tree.enabled("/ocp/interconnect@48000000/segment@0/target-module@42000"));
    const std::string mmc = "/ocp/interconnect@48000000/segment@0/target-module@60000";
    EXPECT_TRUE(tree.enabled("/ocp/interconnect@48000000") && tree.enabled(mmc) &&
                tree.enabled(mmc + "/mmc@0"));
    EXPECT_FALSE(tree.has(mmc + "/mmc@0", "dmas") || tree.has(mmc + "/mmc@0", "dma-names"));
    EXPECT_EQ(tree.cells("/rtmux/vbus", "interrupt-parent"), Cells{tree.phandle(intc)});

    config.guest_may = [](uint32_t) { return true; };
    EXPECT_TRUE(edited("am335x-boneblack.dtb", config).has(mmc + "/mmc@0", "dmas"));
}
