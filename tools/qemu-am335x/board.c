/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine "beaglebone-black": AM3358, 512 MiB of DDR, a card in each of MMC0 and MMC1 by -drive if=sd,index=0|1.
 *
 * Without -kernel it starts as the board does: the boot ROM loads MLO from the card in MMC0. With -kernel, QEMU loads
 * kernel, device tree and initrd, and the devices are as U-Boot leaves them. Where no device is, an access ends in an
 * external abort, and so it does where a device's clock is off.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "cpu.h"
#include "exec/address-spaces.h"
#include "hw/arm/boot.h"
#include "hw/boards.h"
#include "hw/i2c/i2c.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "hw/sd/sd.h"
#include "sysemu/blockdev.h"
#include "sysemu/qtest.h"
#include "sysemu/reset.h"
#include "sysemu/sysemu.h"
#include "am335x.h"
#include "modules.h"

#define SRAM_BASE 0x402f0000u
#define OCMC_BASE 0x40300000u
#define ON_CHIP_SIZE (64 * KiB)
#define DDR_BASE 0x80000000u
#define DDR_SIZE (512 * MiB)
#define CARD_DETECT_PIN 6 /* of GPIO0: low when a card is in MMC0 */
#define EMIF_STATUS_READY 0x40000004u

#define MIDR_CORTEX_A8_R3P2 0x413fc082 /* Linux takes r0p0 for an OMAP3430 */

enum { UARTS = 6, I2CS = 3, GPIOS = 4, MMCS = 2 };

#define TYPE_BEAGLEBONE_BLACK MACHINE_TYPE_NAME("beaglebone-black")
OBJECT_DECLARE_SIMPLE_TYPE(Board, BEAGLEBONE_BLACK)
struct Board {
    MachineState parent_obj;
    ARMCPU *cpu;
    DeviceState *intc, *prcm, *edma, *gpio[GPIOS], *i2c[I2CS];
    BlockBackend *card;
    MemoryRegion sram, ocmc, ddr_alias;
    bool loaded; /* QEMU is the boot loader */
};

/* Create a device as a child of the machine by this name; the caller sets properties, then calls board_map(). */
static DeviceState *board_new(Board *b, const char *type, const char *name)
{
    DeviceState *dev = qdev_new(type);

    object_property_add_child(OBJECT(b), name, OBJECT(dev));
    return dev;
}

static void board_map(DeviceState *dev, hwaddr base)
{
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, base);
}

static void board_connect(Board *b, DeviceState *dev, int n, int line)
{
    sysbus_connect_irq(SYS_BUS_DEVICE(dev), n, qdev_get_gpio_in(b->intc, line));
}

static void board_memory(Board *b)
{
    MemoryRegion *memory = get_system_memory(), *ram = MACHINE(b)->ram;

    memory_region_init_ram(&b->sram, NULL, "sram", ON_CHIP_SIZE, &error_fatal);
    memory_region_add_subregion(memory, SRAM_BASE, &b->sram);
    memory_region_init_ram(&b->ocmc, NULL, "ocmc", ON_CHIP_SIZE, &error_fatal);
    memory_region_add_subregion(memory, OCMC_BASE, &b->ocmc);
    memory_region_add_subregion(memory, DDR_BASE, ram);
    /* The EMIF decodes 1 GiB: a probe of the size sees the memory again. */
    memory_region_init_alias(&b->ddr_alias, NULL, "ddr-alias", ram, 0, DDR_SIZE);
    memory_region_add_subregion(memory, DDR_BASE + DDR_SIZE, &b->ddr_alias);
}

static void board_system(Board *b)
{
    DeviceState *dev;

    b->intc = board_new(b, TYPE_AM335X_INTC, "intc");
    board_map(b->intc, 0x48200000);
    sysbus_connect_irq(SYS_BUS_DEVICE(b->intc), 0, qdev_get_gpio_in(DEVICE(b->cpu), ARM_CPU_IRQ));

    b->prcm = board_new(b, TYPE_AM335X_PRCM, "prcm");
    qdev_prop_set_bit(b->prcm, "loaded", b->loaded);
    board_map(b->prcm, 0x44e00000);
    board_map(board_new(b, TYPE_AM335X_CONTROL, "control"), 0x44e10000);

    dev = board_new(b, TYPE_AM335X_WDT, "wdt1");
    qdev_prop_set_uint32(dev, "seconds-at-reset", b->loaded ? 60 : 180);
    object_property_set_link(OBJECT(dev), "prcm", OBJECT(b->prcm), &error_fatal);
    board_map(dev, 0x44e35000);
    board_connect(b, dev, 0, 91);

    b->edma = board_new(b, TYPE_AM335X_EDMA, "edma");
    board_map(b->edma, 0x49000000);
    board_connect(b, b->edma, 0, 12);
    board_connect(b, b->edma, 1, 14);

    dev = board_new(b, TYPE_AM335X_ADC, "adc");
    board_map(dev, 0x44e0d000);
    board_connect(b, dev, 0, 16);
}

static void board_timers(Board *b)
{
    static const struct {
        hwaddr base;
        int line;
    } timers[AM335X_TIMERS] = {
        { 0x44e05000, 66 }, { 0x44e31000, 67 }, { 0x48040000, 68 }, { 0x48042000, 69 },
        { 0x48044000, 92 }, { 0x48046000, 93 }, { 0x48048000, 94 }, { 0x4804a000, 95 },
    };

    for (int n = 0; n < AM335X_TIMERS; n++) {
        g_autofree char *name = g_strdup_printf("timer%d", n);
        DeviceState *dev = board_new(b, TYPE_AM335X_DMTIMER, name);

        qdev_prop_set_bit(dev, "1ms", n == 1);
        board_map(dev, timers[n].base);
        board_connect(b, dev, 0, timers[n].line);
        am335x_prcm_add_timer(b->prcm, n, dev);
    }
}

static void board_uarts(Board *b)
{
    static const struct {
        hwaddr base;
        int line;
    } uarts[UARTS] = {
        { 0x44e09000, 72 }, { 0x48022000, 73 }, { 0x48024000, 74 },
        { 0x481a6000, 44 }, { 0x481a8000, 45 }, { 0x481aa000, 46 },
    };

    for (int n = 0; n < UARTS; n++) {
        g_autofree char *name = g_strdup_printf("uart%d", n);
        DeviceState *dev = board_new(b, TYPE_AM335X_UART, name);

        qdev_prop_set_chr(dev, "chardev", serial_hd(n));
        qdev_prop_set_bit(dev, "loaded", b->loaded && n == 0);
        board_map(dev, uarts[n].base);
        board_connect(b, dev, 0, uarts[n].line);
    }
}

static void board_gpios(Board *b)
{
    static const struct {
        hwaddr base;
        int line;
    } gpios[GPIOS] = { { 0x44e07000, 96 }, { 0x4804c000, 98 }, { 0x481ac000, 32 }, { 0x481ae000, 62 } };

    for (int n = 0; n < GPIOS; n++) {
        g_autofree char *name = g_strdup_printf("gpio%d", n);

        b->gpio[n] = board_new(b, TYPE_AM335X_GPIO, name);
        board_map(b->gpio[n], gpios[n].base);
        board_connect(b, b->gpio[n], 0, gpios[n].line);
        board_connect(b, b->gpio[n], 1, gpios[n].line + 1);
    }
}

static void board_i2cs(Board *b)
{
    static const struct {
        hwaddr base;
        int line;
    } i2cs[I2CS] = { { 0x44e0b000, 70 }, { 0x4802a000, 71 }, { 0x4819c000, 30 } };

    for (int n = 0; n < I2CS; n++) {
        g_autofree char *name = g_strdup_printf("i2c%d", n);

        b->i2c[n] = board_new(b, TYPE_AM335X_I2C, name);
        board_map(b->i2c[n], i2cs[n].base);
        board_connect(b, b->i2c[n], 0, i2cs[n].line);
    }
    i2c_slave_create_simple(I2C_BUS(qdev_get_child_bus(b->i2c[0], "i2c")), TYPE_TPS65217, 0x24);
    i2c_slave_create_simple(I2C_BUS(qdev_get_child_bus(b->i2c[0], "i2c")), TYPE_BEAGLEBONE_EEPROM, 0x50);
}

static void board_mmcs(Board *b)
{
    static const struct {
        hwaddr base;
        int line, dma_tx, dma_rx;
    } mmcs[MMCS] = { { 0x48060000, 64, 24, 25 }, { 0x481d8000, 28, 2, 3 } };

    for (int n = 0; n < MMCS; n++) {
        g_autofree char *name = g_strdup_printf("mmc%d", n);
        DeviceState *dev = board_new(b, TYPE_AM335X_HSMMC, name), *card;
        DriveInfo *drive = drive_get(IF_SD, 0, n);

        board_map(dev, mmcs[n].base);
        board_connect(b, dev, 0, mmcs[n].line);
        qdev_connect_gpio_out_named(dev, "dma-tx", 0, qdev_get_gpio_in(b->edma, mmcs[n].dma_tx));
        qdev_connect_gpio_out_named(dev, "dma-rx", 0, qdev_get_gpio_in(b->edma, mmcs[n].dma_rx));
        if (n == 0) {
            qdev_connect_gpio_out_named(dev, "card-absent", 0, qdev_get_gpio_in(b->gpio[0], CARD_DETECT_PIN));
        }
        if (!drive) {
            continue;
        }
        if (n == 0) {
            b->card = blk_by_legacy_dinfo(drive);
        }
        card = qdev_new(TYPE_SD_CARD);
        qdev_prop_set_drive_err(card, "drive", blk_by_legacy_dinfo(drive), &error_fatal);
        qdev_realize_and_unref(card, qdev_get_child_bus(dev, "sd-bus"), &error_fatal);
    }
}

static void board_reset(MachineState *machine, ShutdownCause reason)
{
    Board *b = BEAGLEBONE_BLACK(machine);

    qemu_devices_reset(reason);
    if (!b->loaded && !qtest_enabled() && !am335x_rom_boot(b->cpu, b->card)) {
        exit(1);
    }
}

static void board_reset_cpu(void *cpu)
{
    cpu_reset(CPU(cpu));
}

static void board_init(MachineState *machine)
{
    static struct arm_boot_info boot = { .loader_start = DDR_BASE, .ram_size = DDR_SIZE, .board_id = -1 };
    Board *b = BEAGLEBONE_BLACK(machine);

    if (machine->ram_size != DDR_SIZE) {
        error_report("this board has 512 MiB of memory");
        exit(1);
    }
    b->loaded = machine->kernel_filename;
    b->cpu = ARM_CPU(object_new(machine->cpu_type));
    object_property_set_int(OBJECT(b->cpu), "midr", MIDR_CORTEX_A8_R3P2, &error_fatal);
    qdev_realize(DEVICE(b->cpu), NULL, &error_fatal);

    board_memory(b);
    board_system(b);
    board_timers(b);
    board_uarts(b);
    board_gpios(b);
    board_i2cs(b);
    board_mmcs(b);
    am335x_add_modules();
    am335x_add_gates(b->prcm);

    if (b->loaded) {
        arm_load_kernel(b->cpu, machine, &boot);
    } else {
        qemu_register_reset(board_reset_cpu, b->cpu);
    }
}

static void board_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);

    mc->desc = "BeagleBone Black (TI AM3358, Cortex-A8)";
    mc->default_cpu_type = ARM_CPU_TYPE_NAME("cortex-a8");
    mc->default_ram_size = DDR_SIZE;
    mc->default_ram_id = "ddr";
    mc->block_default_type = IF_SD;
    mc->init = board_init;
    mc->reset = board_reset;
}

static const TypeInfo board_type = {
    .name = TYPE_BEAGLEBONE_BLACK,
    .parent = TYPE_MACHINE,
    .instance_size = sizeof(Board),
    .class_init = board_class_init,
};

static void board_register(void)
{
    type_register_static(&board_type);
}
type_init(board_register)
