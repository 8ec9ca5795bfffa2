/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * General-purpose input/output, 32 pins. A pin has the level of the output register where that drives it, else what
 * comes from outside; DATAIN and the detectors see the pin, so an output can interrupt as well (receiver on).
 *
 * From outside: qemu_irq lines in and out; and properties, for QMP and qtest: "input" and "pin0".."pin31" drive pins,
 * "pins" reads their levels. Debounce registers store only: levels from outside have no bounce.
 */
#include "qemu/osdep.h"
#include "hw/irq.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "am335x.h"

REG32(GPIO_REVISION, 0x000)
REG32(GPIO_SYSCONFIG, 0x010)
    FIELD(GPIO_SYSCONFIG, SOFTRESET, 1, 1)
REG32(GPIO_EOI, 0x020)
REG32(GPIO_IRQSTATUS_RAW_0, 0x024)
REG32(GPIO_IRQSTATUS_RAW_1, 0x028)
REG32(GPIO_IRQSTATUS_0, 0x02c)
REG32(GPIO_IRQSTATUS_1, 0x030)
REG32(GPIO_IRQSTATUS_SET_0, 0x034)
REG32(GPIO_IRQSTATUS_SET_1, 0x038)
REG32(GPIO_IRQSTATUS_CLR_0, 0x03c)
REG32(GPIO_IRQSTATUS_CLR_1, 0x040)
REG32(GPIO_IRQWAKEN_0, 0x044)
REG32(GPIO_IRQWAKEN_1, 0x048)
REG32(GPIO_SYSSTATUS, 0x114)
REG32(GPIO_CTRL, 0x130)
    FIELD(GPIO_CTRL, DISABLEMODULE, 0, 1)
REG32(GPIO_OE, 0x134)
REG32(GPIO_DATAIN, 0x138)
REG32(GPIO_DATAOUT, 0x13c)
REG32(GPIO_LEVELDETECT0, 0x140)
REG32(GPIO_LEVELDETECT1, 0x144)
REG32(GPIO_RISINGDETECT, 0x148)
REG32(GPIO_FALLINGDETECT, 0x14c)
REG32(GPIO_DEBOUNCENABLE, 0x150)
REG32(GPIO_DEBOUNCINGTIME, 0x154)
REG32(GPIO_CLEARDATAOUT, 0x190)
REG32(GPIO_SETDATAOUT, 0x194)

enum { PINS = 32, LINES = 2 };

OBJECT_DECLARE_SIMPLE_TYPE(Am335xGpio, AM335X_GPIO)
struct Am335xGpio {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq irq[LINES], out[PINS];
    uint32_t sysconfig, ctrl, oe, dataout; /* oe: 1 is input */
    uint32_t level_low, level_high, rising, falling, debounce_enable, debounce_time, wake[LINES];
    uint32_t events[LINES], enabled[LINES]; /* IRQSTATUS_RAW, IRQSTATUS_SET */
    uint32_t input;                         /* what drives the pins from outside */
    uint32_t pins;
};

static void gpio_update(Am335xGpio *s)
{
    uint32_t pins = (s->input & s->oe) | (s->dataout & ~s->oe), changed = pins ^ s->pins;
    uint32_t found = (changed & pins & s->rising) | (changed & ~pins & s->falling) |
                     (pins & s->level_high) | (~pins & s->level_low);

    s->pins = pins;
    for (int n = 0; n < LINES; n++) {
        if (!FIELD_EX32(s->ctrl, GPIO_CTRL, DISABLEMODULE)) {
            s->events[n] |= found;
        }
        qemu_set_irq(s->irq[n], !!(s->events[n] & s->enabled[n]));
    }
    for (; changed; changed &= changed - 1) {
        int n = ctz32(changed);
        qemu_set_irq(s->out[n], pins >> n & 1);
    }
}

static void gpio_set_input(void *opaque, int n, int level)
{
    Am335xGpio *s = opaque;

    s->input = deposit32(s->input, n, 1, !!level);
    gpio_update(s);
}

static void gpio_reset(DeviceState *dev)
{
    Am335xGpio *s = AM335X_GPIO(dev);

    s->sysconfig = s->ctrl = s->dataout = 0;
    s->oe = 0xffffffff;
    s->level_low = s->level_high = s->rising = s->falling = s->debounce_enable = s->debounce_time = 0;
    memset(s->wake, 0, sizeof(s->wake));
    memset(s->events, 0, sizeof(s->events));
    memset(s->enabled, 0, sizeof(s->enabled));
    gpio_update(s);
}

/* A register that only holds its value, else NULL. */
static uint32_t *gpio_storage(Am335xGpio *s, hwaddr a)
{
    switch (a) {
    case A_GPIO_IRQWAKEN_0:
        return &s->wake[0];
    case A_GPIO_IRQWAKEN_1:
        return &s->wake[1];
    case A_GPIO_CTRL:
        return &s->ctrl;
    case A_GPIO_OE:
        return &s->oe;
    case A_GPIO_DATAOUT:
        return &s->dataout;
    case A_GPIO_LEVELDETECT0:
        return &s->level_low;
    case A_GPIO_LEVELDETECT1:
        return &s->level_high;
    case A_GPIO_RISINGDETECT:
        return &s->rising;
    case A_GPIO_FALLINGDETECT:
        return &s->falling;
    case A_GPIO_DEBOUNCENABLE:
        return &s->debounce_enable;
    case A_GPIO_DEBOUNCINGTIME:
        return &s->debounce_time;
    default:
        return NULL;
    }
}

static uint64_t gpio_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xGpio *s = opaque;
    uint32_t *storage = gpio_storage(s, a);

    if (storage) {
        return *storage;
    }
    switch (a) {
    case A_GPIO_REVISION:
        return 0x50600801;
    case A_GPIO_SYSCONFIG:
        return s->sysconfig;
    case A_GPIO_EOI:
        return 0;
    case A_GPIO_IRQSTATUS_RAW_0:
    case A_GPIO_IRQSTATUS_RAW_1:
        return s->events[(a - A_GPIO_IRQSTATUS_RAW_0) / 4];
    case A_GPIO_IRQSTATUS_0:
    case A_GPIO_IRQSTATUS_1:
        return s->events[(a - A_GPIO_IRQSTATUS_0) / 4] & s->enabled[(a - A_GPIO_IRQSTATUS_0) / 4];
    case A_GPIO_IRQSTATUS_SET_0:
    case A_GPIO_IRQSTATUS_SET_1:
    case A_GPIO_IRQSTATUS_CLR_0:
    case A_GPIO_IRQSTATUS_CLR_1:
        return s->enabled[(a - A_GPIO_IRQSTATUS_SET_0) / 4 % LINES];
    case A_GPIO_SYSSTATUS:
        return 1; /* RESETDONE */
    case A_GPIO_DATAIN:
        return s->pins;
    case A_GPIO_CLEARDATAOUT:
    case A_GPIO_SETDATAOUT:
        return s->dataout;
    default:
        am335x_guest_error("GPIO: read of %03x, no register\n", (unsigned)a);
        return 0;
    }
}

static void gpio_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xGpio *s = opaque;
    uint32_t *storage = gpio_storage(s, a);

    switch (a) {
    case A_GPIO_SYSCONFIG:
        if (FIELD_EX32(v, GPIO_SYSCONFIG, SOFTRESET)) {
            gpio_reset(DEVICE(s));
        }
        s->sysconfig = v & ~R_GPIO_SYSCONFIG_SOFTRESET_MASK;
        break;
    case A_GPIO_EOI:
        break;
    case A_GPIO_IRQSTATUS_RAW_0:
    case A_GPIO_IRQSTATUS_RAW_1:
        s->events[(a - A_GPIO_IRQSTATUS_RAW_0) / 4] |= v;
        break;
    case A_GPIO_IRQSTATUS_0:
    case A_GPIO_IRQSTATUS_1:
        s->events[(a - A_GPIO_IRQSTATUS_0) / 4] &= ~v; /* a level that lasts sets it again */
        break;
    case A_GPIO_IRQSTATUS_SET_0:
    case A_GPIO_IRQSTATUS_SET_1:
        s->enabled[(a - A_GPIO_IRQSTATUS_SET_0) / 4] |= v;
        break;
    case A_GPIO_IRQSTATUS_CLR_0:
    case A_GPIO_IRQSTATUS_CLR_1:
        s->enabled[(a - A_GPIO_IRQSTATUS_CLR_0) / 4] &= ~v;
        break;
    case A_GPIO_CLEARDATAOUT:
        s->dataout &= ~v;
        break;
    case A_GPIO_SETDATAOUT:
        s->dataout |= v;
        break;
    default:
        if (storage) {
            *storage = v;
        } else {
            am335x_guest_error("GPIO: write to %03x, none or read-only\n", (unsigned)a);
        }
    }
    gpio_update(s);
}

static const MemoryRegionOps gpio_ops = {
    .read = gpio_read,
    .write = gpio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void gpio_get_word(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Am335xGpio *s = AM335X_GPIO(obj);

    visit_type_uint32(v, name, strcmp(name, "pins") ? &s->input : &s->pins, errp);
}

static void gpio_set_word(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Am335xGpio *s = AM335X_GPIO(obj);

    if (visit_type_uint32(v, name, &s->input, errp)) {
        gpio_update(s);
    }
}

static void gpio_get_pin(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    bool level = AM335X_GPIO(obj)->pins >> (uintptr_t)opaque & 1;

    visit_type_bool(v, name, &level, errp);
}

static void gpio_set_pin(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    bool level;

    if (visit_type_bool(v, name, &level, errp)) {
        gpio_set_input(AM335X_GPIO(obj), (uintptr_t)opaque, level);
    }
}

static void gpio_init(Object *obj)
{
    Am335xGpio *s = AM335X_GPIO(obj);

    memory_region_init_io(&s->mmio, obj, &gpio_ops, s, TYPE_AM335X_GPIO, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    for (int n = 0; n < LINES; n++) {
        sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq[n]);
    }
    qdev_init_gpio_in(DEVICE(obj), gpio_set_input, PINS);
    qdev_init_gpio_out(DEVICE(obj), s->out, PINS);
    object_property_add(obj, "input", "uint32", gpio_get_word, gpio_set_word, NULL, NULL);
    object_property_add(obj, "pins", "uint32", gpio_get_word, NULL, NULL, NULL);
    for (uintptr_t n = 0; n < PINS; n++) {
        g_autofree char *name = g_strdup_printf("pin%u", (unsigned)n);
        object_property_add(obj, name, "bool", gpio_get_pin, gpio_set_pin, NULL, (void *)n);
    }
}

static void gpio_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = gpio_reset;
}

static const TypeInfo gpio_type = {
    .name = TYPE_AM335X_GPIO,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xGpio),
    .instance_init = gpio_init,
    .class_init = gpio_class_init,
};

static void gpio_register(void)
{
    type_register_static(&gpio_type);
}
type_init(gpio_register)
