/* SPDX-License-Identifier: GPL-2.0-only */
/* The modules of the AM335x that are only an identity here, and which clock gates which window. */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"
#include "am335x.h"
#include "modules.h"

#define ALL 0xffffffffu

/* clang-format off */
static const struct {
    const char *name;
    uint32_t base, size;
} modules[] = {
    { "l3-noc",   0x44000000, 0x10000 },
    { "l4wkup",   0x44c00000, 0x2000 },
    { "m3-umem",  0x44d00000, 0x4000 },
    { "m3-dmem",  0x44d80000, 0x2000 },
    { "rtc",      0x44e3e000, 0x1000 },
    { "usbss",    0x47400000, 0x8000 },
    { "mmc2",     0x47810000, 0x1000 },
    { "l4per",    0x48000000, 0x2000 },
    { "spi0",     0x48030000, 0x1000 },
    { "mcasp0",   0x48038000, 0x2000 },
    { "mcasp1",   0x4803c000, 0x2000 },
    { "elm",      0x48080000, 0x10000 },
    { "mailbox",  0x480c8000, 0x1000 },
    { "spinlock", 0x480ca000, 0x1000 },
    { "spi1",     0x481a0000, 0x1000 },
    { "dcan0",    0x481cc000, 0x2000 },
    { "dcan1",    0x481d0000, 0x2000 },
    { "epwm0",    0x48300000, 0x1000 },
    { "epwm1",    0x48302000, 0x1000 },
    { "epwm2",    0x48304000, 0x1000 },
    { "lcdc",     0x4830e000, 0x1000 },
    { "rng",      0x48310000, 0x2000 },
    { "tptc0",    0x49800000, 0x1000 },
    { "tptc1",    0x49900000, 0x1000 },
    { "tptc2",    0x49a00000, 0x1000 },
    { "l4fast",   0x4a000000, 0x2000 },
    { "cpsw",     0x4a100000, 0x8000 },
    { "emif",     0x4c000000, 0x1000 },
    { "pruss",    0x4a300000, 0x80000 },
    { "debugss",  0x4b140000, 0x20000 },
    { "gpmc",     0x50000000, 0x1000 },
    { "sham",     0x53100000, 0x1000 },
    { "aes",      0x53500000, 0x1000 },
    { "sgx",      0x56000000, 0x10000 },
};

/* Registers with bits that always read the same: revisions, soft resets that are over, statuses that are good */
static const struct {
    uint32_t address, bits, value;
} fixed[] = {
    { 0x44e3e074, ALL, 0x4eb01106 }, /* rtc */
    { 0x47400000, ALL, 0x4ea20800 }, /* usbss */
    { 0x47400010, 1, 0 }, /* usbss */
    { 0x47401000, ALL, 0x4ea20800 }, /* usb0 */
    { 0x47401014, 1, 0 }, /* usb0 */
    { 0x4740141c, 0xff000000, 0xde000000 }, /* usb0: the MUSB core's configuration */
    { 0x4740146c, ALL, 0x0800 }, /* usb0: and version */
    { 0x47401800, ALL, 0x4ea20800 }, /* usb1 */
    { 0x47401814, 1, 0 }, /* usb1 */
    { 0x47401c1c, 0xff000000, 0xde000000 }, /* usb1 */
    { 0x47401c6c, ALL, 0x0800 }, /* usb1 */
    { 0x47810110, 2, 0 }, /* mmc2 */
    { 0x47810114, ALL, 1 }, /* mmc2 */
    { 0x478102fc, ALL, 0x31010000 }, /* mmc2 */
    { 0x48030000, ALL, 0x40301a0b }, /* spi0 */
    { 0x48030110, 2, 0 }, /* spi0 */
    { 0x48030114, ALL, 1 }, /* spi0 */
    { 0x48038000, ALL, 0x44300a02 }, /* mcasp0 */
    { 0x4803c000, ALL, 0x44300a02 }, /* mcasp1 */
    { 0x48080000, ALL, 0x00000020 }, /* elm */
    { 0x48080010, 2, 0 }, /* elm */
    { 0x48080014, ALL, 1 }, /* elm */
    { 0x480c8000, ALL, 0x00000400 }, /* mailbox */
    { 0x480c8010, 1, 0 }, /* mailbox */
    { 0x480ca000, ALL, 0x50020000 }, /* spinlock */
    { 0x480ca010, 2, 0 }, /* spinlock */
    { 0x480ca014, ALL, 1 }, /* spinlock */
    { 0x481a0000, ALL, 0x40301a0b }, /* spi1 */
    { 0x481a0110, 2, 0 }, /* spi1 */
    { 0x481a0114, ALL, 1 }, /* spi1 */
    { 0x48300000, ALL, 0x47400001 }, /* epwm0 */
    { 0x48300004, 1, 0 }, /* epwm0 */
    { 0x48302000, ALL, 0x47400001 }, /* epwm1 */
    { 0x48302004, 1, 0 }, /* epwm1 */
    { 0x48304000, ALL, 0x47400001 }, /* epwm2 */
    { 0x48304004, 1, 0 }, /* epwm2 */
    { 0x4830e000, ALL, 0x4f200900 }, /* lcdc */
    { 0x49800000, ALL, 0x40003b00 }, /* tptc0 */
    { 0x49800010, 1, 0 }, /* tptc0 */
    { 0x49900000, ALL, 0x40003b00 }, /* tptc1 */
    { 0x49900010, 1, 0 }, /* tptc1 */
    { 0x49a00000, ALL, 0x40003b00 }, /* tptc2 */
    { 0x49a00010, 1, 0 }, /* tptc2 */
    { 0x4a100000, ALL, 0x0019010c }, /* cpsw */
    { 0x4a100008, 1, 0 }, /* cpsw */
    { 0x4a100800, ALL, 0x00180108 }, /* cpsw */
    { 0x4a10081c, 1, 0 }, /* cpsw */
    { 0x4a100d00, ALL, 0x00290104 }, /* cpsw */
    { 0x4a100d80, ALL, 0x00170112 }, /* cpsw */
    { 0x4a100d8c, 1, 0 }, /* cpsw */
    { 0x4a100dc0, ALL, 0x00170112 }, /* cpsw */
    { 0x4a100dcc, 1, 0 }, /* cpsw */
    { 0x4a101000, ALL, 0x00070104 }, /* mdio */
    { 0x4a101004, 0, 0x80000000 }, /* mdio: idle */
    { 0x4a101008, ALL, 0 }, /* mdio: no PHY */
    { 0x4a10100c, ALL, 0 }, /* mdio */
    { 0x4a101080, 0xa0000000, 0 }, /* mdio: USERACCESS0, GO and ACK */
    { 0x4a101200, ALL, 0x4edb0100 }, /* cpsw wrapper */
    { 0x4a101204, 1, 0 }, /* cpsw wrapper */
    { 0x4c000000, ALL, 0x40443403 }, /* emif */
    { 0x4c000004, ALL, 0x40000004 }, /* emif: STATUS, the PHY is ready */
    { 0x50000000, ALL, 0x00000060 }, /* gpmc */
    { 0x50000010, 2, 0 }, /* gpmc */
    { 0x50000014, ALL, 1 }, /* gpmc */
    { 0x53100100, ALL, 0x41300a03 }, /* sham */
    { 0x53100110, 2, 0 }, /* sham */
    { 0x53100114, ALL, 1 }, /* sham */
    { 0x53500080, ALL, 0x41900003 }, /* aes */
    { 0x53500084, 2, 0 }, /* aes */
    { 0x53500088, ALL, 1 }, /* aes */
};

/* Window and the PRCM register of its clock */
static const struct {
    uint32_t base, size;
    uint16_t clkctrl;
} gates[] = {
    { 0x40300000, 0x10000, 0x02c }, /* OCMC RAM */
    { 0x44e05000, 0x1000,  0x410 }, /* TIMER0 */
    { 0x44e07000, 0x1000,  0x408 }, /* GPIO0 */
    { 0x44e09000, 0x1000,  0x4b4 }, /* UART0 */
    { 0x44e0b000, 0x1000,  0x4b8 }, /* I2C0 */
    { 0x44e0d000, 0x2000,  0x4bc }, /* ADC_TSC */
    { 0x44e31000, 0x1000,  0x4c4 }, /* TIMER1 */
    { 0x44e35000, 0x1000,  0x4d4 }, /* WDT1 */
    { 0x44e3e000, 0x1000,  0x800 }, /* RTC */
    { 0x47400000, 0x8000,  0x01c }, /* USB0 */
    { 0x47810000, 0x1000,  0x0f8 }, /* MMC2 */
    { 0x48022000, 0x1000,  0x06c }, /* UART1 */
    { 0x48024000, 0x1000,  0x070 }, /* UART2 */
    { 0x4802a000, 0x1000,  0x048 }, /* I2C1 */
    { 0x48030000, 0x1000,  0x04c }, /* SPI0 */
    { 0x48038000, 0x2000,  0x034 }, /* MCASP0 */
    { 0x4803c000, 0x2000,  0x068 }, /* MCASP1 */
    { 0x48040000, 0x1000,  0x080 }, /* TIMER2 */
    { 0x48042000, 0x1000,  0x084 }, /* TIMER3 */
    { 0x48044000, 0x1000,  0x088 }, /* TIMER4 */
    { 0x48046000, 0x1000,  0x0ec }, /* TIMER5 */
    { 0x48048000, 0x1000,  0x0f0 }, /* TIMER6 */
    { 0x4804a000, 0x1000,  0x07c }, /* TIMER7 */
    { 0x4804c000, 0x1000,  0x0ac }, /* GPIO1 */
    { 0x48060000, 0x1000,  0x03c }, /* MMC0 */
    { 0x48080000, 0x10000, 0x040 }, /* ELM */
    { 0x480c8000, 0x1000,  0x110 }, /* MAILBOX0 */
    { 0x480ca000, 0x1000,  0x10c }, /* SPINLOCK */
    { 0x4819c000, 0x1000,  0x044 }, /* I2C2 */
    { 0x481a0000, 0x1000,  0x050 }, /* SPI1 */
    { 0x481a6000, 0x1000,  0x074 }, /* UART3 */
    { 0x481a8000, 0x1000,  0x078 }, /* UART4 */
    { 0x481aa000, 0x1000,  0x038 }, /* UART5 */
    { 0x481ac000, 0x1000,  0x0b0 }, /* GPIO2 */
    { 0x481ae000, 0x1000,  0x0b4 }, /* GPIO3 */
    { 0x481cc000, 0x2000,  0x0c0 }, /* DCAN0 */
    { 0x481d0000, 0x2000,  0x0c4 }, /* DCAN1 */
    { 0x481d8000, 0x1000,  0x0f4 }, /* MMC1 */
    { 0x48300000, 0x1000,  0x0d4 }, /* EPWMSS0 */
    { 0x48302000, 0x1000,  0x0cc }, /* EPWMSS1 */
    { 0x48304000, 0x1000,  0x0d8 }, /* EPWMSS2 */
    { 0x4830e000, 0x1000,  0x018 }, /* LCDC */
    { 0x48310000, 0x2000,  0x090 }, /* RNG */
    { 0x49000000, 0x10000, 0x0bc }, /* TPCC */
    { 0x49800000, 0x1000,  0x024 }, /* TPTC0 */
    { 0x49900000, 0x1000,  0x0fc }, /* TPTC1 */
    { 0x49a00000, 0x1000,  0x100 }, /* TPTC2 */
    { 0x4a100000, 0x8000,  0x014 }, /* CPGMAC0 */
    { 0x4a300000, 0x80000, 0x0e8 }, /* PRU_ICSS */
    { 0x4c000000, 0x1000,  0x028 }, /* EMIF */
    { 0x50000000, 0x1000,  0x030 }, /* GPMC */
    { 0x53100000, 0x1000,  0x0a0 }, /* SHA0 */
    { 0x53500000, 0x1000,  0x094 }, /* AES0 */
    { 0x56000000, 0x10000, 0x904 }, /* GFX */
};
/* clang-format on */

void am335x_add_modules(void)
{
    for (int i = 0; i < ARRAY_SIZE(modules); i++) {
        DeviceState *dev = qdev_new(TYPE_AM335X_MODULE);

        qdev_prop_set_string(dev, "name", modules[i].name);
        qdev_prop_set_uint32(dev, "base", modules[i].base);
        qdev_prop_set_uint32(dev, "size", modules[i].size);
        sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
        sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, modules[i].base);
    }
}

uint32_t am335x_fixed_bits(uint32_t address, uint32_t v)
{
    for (int i = 0; i < ARRAY_SIZE(fixed); i++) {
        if (fixed[i].address == address) {
            return (v & ~fixed[i].bits) | fixed[i].value;
        }
    }
    return v;
}

void am335x_add_gates(DeviceState *prcm)
{
    for (int i = 0; i < ARRAY_SIZE(gates); i++) {
        am335x_prcm_add_gate(prcm, gates[i].clkctrl, gates[i].base, gates[i].size);
    }
}
