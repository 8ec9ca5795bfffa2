/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control module: identity, pin multiplexing, DDR I/O. Writes from user mode have no effect, as on the part.
 */
#include "qemu/osdep.h"
#include "am335x.h"

#define CONTROL_SIZE 0x20000

REG32(CONTROL_REVISION, 0x000)
REG32(CONTROL_STATUS, 0x040)
    FIELD(CONTROL_STATUS, SYSBOOT0, 0, 8)
    FIELD(CONTROL_STATUS, DEVTYPE, 8, 3)
    FIELD(CONTROL_STATUS, SYSBOOT1, 16, 8)
REG32(DEVICE_ID, 0x600)
REG32(DEV_FEATURE, 0x604)
REG32(MAC_ID0_LO, 0x630)
REG32(MAC_ID0_HI, 0x634)
REG32(MAC_ID1_LO, 0x638)
REG32(MAC_ID1_HI, 0x63c)
REG32(EFUSE_SMA, 0x7fc)
REG32(CONF_GPMC_AD0, 0x800)
REG32(CONF_USB1_DRVVBUS, 0xa34)
REG32(VTP_CTRL, 0xe0c)
    FIELD(VTP_CTRL, READY, 5, 1)

OBJECT_DECLARE_SIMPLE_TYPE(Am335xControl, AM335X_CONTROL)
struct Am335xControl {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    uint32_t regs[CONTROL_SIZE / 4];
};

static uint32_t control_read_word(Am335xControl *s, hwaddr a)
{
    switch (a) {
    case A_CONTROL_REVISION:
        return 0x4f400100;
    case A_CONTROL_STATUS: /* boot: MMC1 first; type: general purpose; SYSBOOT[15:14] = 1: crystal of 24 MHz */
        return 0x0040031c;
    case A_DEVICE_ID:
        return 0x2b94402e; /* AM335x, revision 2.1 */
    case A_DEV_FEATURE:
        return 0x20fd0383; /* AM3358 */
    case A_MAC_ID0_LO: /* locally administered */
        return 0x12005452;
    case A_MAC_ID0_HI:
        return 0x5634;
    case A_MAC_ID1_LO:
        return 0x12005452;
    case A_MAC_ID1_HI:
        return 0x5734;
    case A_EFUSE_SMA:
        return 0x00011c2f; /* up to 1 GHz, package ZCZ */
    case A_VTP_CTRL:
        return s->regs[a / 4] | R_VTP_CTRL_READY_MASK;
    default:
        return s->regs[a / 4];
    }
}

static MemTxResult control_read(void *opaque, hwaddr a, uint64_t *v, unsigned size, MemTxAttrs attrs)
{
    *v = extract32(control_read_word(opaque, a & ~3), a % 4 * 8, size * 8);
    return MEMTX_OK;
}

static MemTxResult control_write(void *opaque, hwaddr a, uint64_t v, unsigned size, MemTxAttrs attrs)
{
    Am335xControl *s = opaque;

    if (attrs.user) {
        am335x_guest_error("control module: write to %05x from user mode, without effect\n", (unsigned)a);
        return MEMTX_OK;
    }
    s->regs[a / 4] = deposit32(s->regs[a / 4], a % 4 * 8, size * 8, v);
    return MEMTX_OK;
}

static const MemoryRegionOps control_ops = {
    .read_with_attrs = control_read,
    .write_with_attrs = control_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
};

static void control_reset(DeviceState *dev)
{
    Am335xControl *s = AM335X_CONTROL(dev);

    memset(s->regs, 0, sizeof(s->regs));
    for (int r = R_CONF_GPMC_AD0; r <= R_CONF_USB1_DRVVBUS; r++) {
        s->regs[r] = 0x37; /* GPIO or unused: mode 7, receiver on, pull-up */
    }
}

static void control_init(Object *obj)
{
    Am335xControl *s = AM335X_CONTROL(obj);

    memory_region_init_io(&s->mmio, obj, &control_ops, s, TYPE_AM335X_CONTROL, CONTROL_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
}

static void control_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = control_reset;
}

static const TypeInfo control_type = {
    .name = TYPE_AM335X_CONTROL,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xControl),
    .instance_init = control_init,
    .class_init = control_class_init,
};

static void control_register(void)
{
    type_register_static(&control_type);
}
type_init(control_register)
