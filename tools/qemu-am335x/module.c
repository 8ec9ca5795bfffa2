/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module that is not modelled: it stores what is written, except for bits that read the same always. Drivers and
 * boot loaders that only identify it, reset it or switch it off need no more.
 */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "am335x.h"
#include "modules.h"

OBJECT_DECLARE_SIMPLE_TYPE(Am335xModule, AM335X_MODULE)
struct Am335xModule {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    char *name;
    uint32_t base, size;
    uint32_t *regs;
};

static uint64_t module_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xModule *s = opaque;
    uint32_t v = am335x_fixed_bits(s->base + (a & ~3), s->regs[a / 4]);

    am335x_unimplemented("%s: read of %05x\n", s->name, (unsigned)a);
    return extract32(v, a % 4 * 8, size * 8);
}

static void module_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xModule *s = opaque;

    am335x_unimplemented("%s: write of %x to %05x\n", s->name, (unsigned)v, (unsigned)a);
    s->regs[a / 4] = deposit32(s->regs[a / 4], a % 4 * 8, size * 8, v);
}

static const MemoryRegionOps module_ops = {
    .read = module_read,
    .write = module_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
};

static void module_reset(DeviceState *dev)
{
    Am335xModule *s = AM335X_MODULE(dev);

    memset(s->regs, 0, s->size);
}

static void module_realize(DeviceState *dev, Error **errp)
{
    Am335xModule *s = AM335X_MODULE(dev);

    s->regs = g_malloc0(s->size);
    memory_region_init_io(&s->mmio, OBJECT(dev), &module_ops, s, s->name, s->size);
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->mmio);
}

static Property module_properties[] = {
    DEFINE_PROP_STRING("name", Am335xModule, name),
    DEFINE_PROP_UINT32("base", Am335xModule, base, 0),
    DEFINE_PROP_UINT32("size", Am335xModule, size, 0x1000),
    DEFINE_PROP_END_OF_LIST(),
};

static void module_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->realize = module_realize;
    DEVICE_CLASS(klass)->reset = module_reset;
    device_class_set_props(DEVICE_CLASS(klass), module_properties);
}

static const TypeInfo module_type = {
    .name = TYPE_AM335X_MODULE,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xModule),
    .class_init = module_class_init,
};

static void module_register(void)
{
    type_register_static(&module_type);
}
type_init(module_register)
