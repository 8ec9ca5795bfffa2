/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watchdog (manual: WDT1): counts up at 32768 Hz over a prescaler and resets the chip when it overflows. The boot ROM
 * leaves it running with three minutes to go, U-Boot with one.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "am335x.h"

REG32(WDT_WIDR, 0x00)
REG32(WDT_WDSC, 0x10)
    FIELD(WDT_WDSC, SOFTRESET, 1, 1)
REG32(WDT_WDST, 0x14)
REG32(WDT_WISR, 0x18)
REG32(WDT_WIER, 0x1c)
REG32(WDT_WCLR, 0x24)
    FIELD(WDT_WCLR, PTV, 2, 3)
    FIELD(WDT_WCLR, PRE, 5, 1)
REG32(WDT_WCRR, 0x28)
REG32(WDT_WLDR, 0x2c)
REG32(WDT_WTGR, 0x30)
REG32(WDT_WWPS, 0x34)
REG32(WDT_WDLY, 0x44)
REG32(WDT_WSPR, 0x48)
REG32(WDT_WIRQSTATRAW, 0x54)
REG32(WDT_WIRQSTAT, 0x58)
REG32(WDT_WIRQENSET, 0x5c)
REG32(WDT_WIRQENCLR, 0x60)

enum { EVENT_OVF = 1 << 0, EVENT_DLY = 1 << 1 };
#define WRAP 0x100000000ull

OBJECT_DECLARE_SIMPLE_TYPE(Am335xWdt, AM335X_WDT)
struct Am335xWdt {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *event;
    DeviceState *prcm;
    uint32_t seconds_at_reset; /* property: runs with so much to go */
    bool running;
    uint32_t wclr, wldr, wtgr, wdly, wspr, wdsc, status, enabled;
    uint32_t count; /* at edge number epoch of the 32 kHz clock */
    uint64_t epoch;
};

static uint64_t wdt_edges(void)
{
    return muldiv64(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL), AM335X_32K_HZ, NANOSECONDS_PER_SECOND);
}

static unsigned wdt_scale(Am335xWdt *s)
{
    return FIELD_EX32(s->wclr, WDT_WCLR, PRE) ? FIELD_EX32(s->wclr, WDT_WCLR, PTV) : 0;
}

/* The counter now; WRAP and above when it has overflowed. */
static uint64_t wdt_count(Am335xWdt *s)
{
    return s->running ? s->count + ((wdt_edges() - s->epoch) >> wdt_scale(s)) : s->count;
}

static void wdt_set_count(Am335xWdt *s, uint32_t count)
{
    s->count = count;
    s->epoch = wdt_edges();
}

static void wdt_update(Am335xWdt *s)
{
    uint64_t count = wdt_count(s), target = WRAP;

    qemu_set_irq(s->irq, !!(s->status & s->enabled));
    if (!s->running) {
        timer_del(s->event);
        return;
    }
    if ((s->enabled & ~s->status & EVENT_DLY) && s->wdly > count) {
        target = s->wdly;
    }
    timer_mod(s->event, muldiv64_round_up(s->epoch + ((target - s->count) << wdt_scale(s)), NANOSECONDS_PER_SECOND,
                                          AM335X_32K_HZ));
}

static void wdt_event(void *opaque)
{
    Am335xWdt *s = opaque;

    if (wdt_count(s) >= WRAP) {
        am335x_guest_error("WDT1: overflow, the chip is reset\n");
        s->running = false;
        am335x_prcm_reset(s->prcm, AM335X_RST_WDT1);
        return;
    }
    s->status |= wdt_count(s) >= s->wdly ? EVENT_DLY : 0;
    wdt_update(s);
}

static void wdt_reset(DeviceState *dev)
{
    Am335xWdt *s = AM335X_WDT(dev);

    s->wclr = R_WDT_WCLR_PRE_MASK;
    s->wldr = 0xfffb0000; /* ten seconds */
    s->wtgr = s->wdly = s->wspr = s->wdsc = s->status = s->enabled = 0;
    s->running = s->seconds_at_reset;
    if (s->running) {
        s->wldr = WRAP - (uint64_t)s->seconds_at_reset * AM335X_32K_HZ;
    }
    wdt_set_count(s, s->wldr);
    wdt_update(s);
}

/* Two writes in a row, one pair to start and one to stop. */
static void wdt_write_wspr(Am335xWdt *s, uint32_t v)
{
    bool stop = s->wspr == 0xaaaa && v == 0x5555, start = s->wspr == 0xbbbb && v == 0x4444;

    s->wspr = v;
    if (stop || start) {
        wdt_set_count(s, wdt_count(s));
        s->running = start;
    }
}

static uint64_t wdt_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xWdt *s = opaque;

    switch (a) {
    case A_WDT_WIDR:
        return 0x502a0501;
    case A_WDT_WDSC:
        return s->wdsc;
    case A_WDT_WDST:
        return 1; /* RESETDONE */
    case A_WDT_WISR:
    case A_WDT_WIRQSTATRAW:
        return s->status;
    case A_WDT_WIRQSTAT:
        return s->status & s->enabled;
    case A_WDT_WIER:
    case A_WDT_WIRQENSET:
    case A_WDT_WIRQENCLR:
        return s->enabled;
    case A_WDT_WCLR:
        return s->wclr;
    case A_WDT_WCRR:
        return wdt_count(s);
    case A_WDT_WLDR:
        return s->wldr;
    case A_WDT_WTGR:
        return s->wtgr;
    case A_WDT_WWPS:
        return 0; /* no write is pending */
    case A_WDT_WDLY:
        return s->wdly;
    case A_WDT_WSPR:
        return s->wspr;
    default:
        am335x_guest_error("WDT1: read of %02x, no register\n", (unsigned)a);
        return 0;
    }
}

static void wdt_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xWdt *s = opaque;

    switch (a) {
    case A_WDT_WDSC:
        if (FIELD_EX32(v, WDT_WDSC, SOFTRESET)) {
            wdt_reset(DEVICE(s));
        }
        s->wdsc = v & ~R_WDT_WDSC_SOFTRESET_MASK;
        break;
    case A_WDT_WISR:
    case A_WDT_WIRQSTAT:
        s->status &= ~v;
        break;
    case A_WDT_WIRQSTATRAW:
        s->status |= v & 3;
        break;
    case A_WDT_WIER:
        s->enabled = v & 3;
        break;
    case A_WDT_WIRQENSET:
        s->enabled |= v & 3;
        break;
    case A_WDT_WIRQENCLR:
        s->enabled &= ~v;
        break;
    case A_WDT_WCLR:
    case A_WDT_WCRR:
    case A_WDT_WLDR:
        if (s->running) {
            am335x_guest_error("WDT1: write to %02x while it runs\n", (unsigned)a);
        }
        if (a == A_WDT_WCRR) {
            wdt_set_count(s, v);
        } else {
            wdt_set_count(s, wdt_count(s));
            *(a == A_WDT_WCLR ? &s->wclr : &s->wldr) = v;
        }
        break;
    case A_WDT_WTGR: /* reloads when it is another value than before */
        if (v != s->wtgr) {
            wdt_set_count(s, s->wldr);
        }
        s->wtgr = v;
        break;
    case A_WDT_WDLY:
        s->wdly = v;
        break;
    case A_WDT_WSPR:
        wdt_write_wspr(s, v);
        break;
    default:
        am335x_guest_error("WDT1: write to %02x, none or read-only\n", (unsigned)a);
    }
    wdt_update(s);
}

static const MemoryRegionOps wdt_ops = {
    .read = wdt_read,
    .write = wdt_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 2, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void wdt_init(Object *obj)
{
    Am335xWdt *s = AM335X_WDT(obj);

    memory_region_init_io(&s->mmio, obj, &wdt_ops, s, TYPE_AM335X_WDT, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    s->event = timer_new_ns(QEMU_CLOCK_VIRTUAL, wdt_event, s);
}

static Property wdt_properties[] = {
    DEFINE_PROP_UINT32("seconds-at-reset", Am335xWdt, seconds_at_reset, 180),
    DEFINE_PROP_LINK("prcm", Am335xWdt, prcm, TYPE_DEVICE, DeviceState *),
    DEFINE_PROP_END_OF_LIST(),
};

static void wdt_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = wdt_reset;
    device_class_set_props(DEVICE_CLASS(klass), wdt_properties);
}

static const TypeInfo wdt_type = {
    .name = TYPE_AM335X_WDT,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xWdt),
    .instance_init = wdt_init,
    .class_init = wdt_class_init,
};

static void wdt_register(void)
{
    type_register_static(&wdt_type);
}
type_init(wdt_register)
