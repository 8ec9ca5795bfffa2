/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DMTIMER (manual: "DMTimer" and, with another register layout, "DMTimer 1ms").
 *
 * The counter is a function of the functional clock's edges since time 0, floor(t * hz), so that no fraction of an
 * edge is ever lost. Not modelled: capture, PWM output, the 1 ms correction of DMTIMER1 (TPIR, TNIR are storage),
 * posted writes (TWPS says there is none pending).
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/timer.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "am335x.h"

/* Registers by what they are; the offset depends on the layout. */
typedef enum {
    NONE, TIDR, TIOCP_CFG, TISTAT, IRQ_EOI, IRQSTATUS_RAW, IRQSTATUS, IRQENABLE_SET, IRQENABLE_CLR, TISR, TIER,
    IRQWAKEEN, TCLR, TCRR, TLDR, TTGR, TWPS, TMAR, TCAR1, TSICR, TCAR2, TPIR, TNIR, TCVR, TOCR, TOWR, REGISTERS
} Register;

static const uint8_t layout[] = {
    [0x00 / 4] = TIDR, [0x10 / 4] = TIOCP_CFG, [0x14 / 4] = TISTAT, [0x20 / 4] = IRQ_EOI,
    [0x24 / 4] = IRQSTATUS_RAW, [0x28 / 4] = IRQSTATUS, [0x2c / 4] = IRQENABLE_SET, [0x30 / 4] = IRQENABLE_CLR,
    [0x34 / 4] = IRQWAKEEN, [0x38 / 4] = TCLR, [0x3c / 4] = TCRR, [0x40 / 4] = TLDR, [0x44 / 4] = TTGR,
    [0x48 / 4] = TWPS, [0x4c / 4] = TMAR, [0x50 / 4] = TCAR1, [0x54 / 4] = TSICR, [0x58 / 4] = TCAR2,
};
static const uint8_t layout_1ms[] = {
    [0x00 / 4] = TIDR, [0x10 / 4] = TIOCP_CFG, [0x14 / 4] = TISTAT, [0x18 / 4] = TISR, [0x1c / 4] = TIER,
    [0x20 / 4] = IRQWAKEEN, [0x24 / 4] = TCLR, [0x28 / 4] = TCRR, [0x2c / 4] = TLDR, [0x30 / 4] = TTGR,
    [0x34 / 4] = TWPS, [0x38 / 4] = TMAR, [0x3c / 4] = TCAR1, [0x40 / 4] = TSICR, [0x44 / 4] = TCAR2,
    [0x48 / 4] = TPIR, [0x4c / 4] = TNIR, [0x50 / 4] = TCVR, [0x54 / 4] = TOCR, [0x58 / 4] = TOWR,
};

enum { MAT = 1 << 0, OVF = 1 << 1, TCAR = 1 << 2 }; /* interrupt sources */
enum { ST = 1 << 0, AR = 1 << 1, PTV_SHIFT = 2, PRE = 1 << 5, CE = 1 << 6 }; /* TCLR */
#define WRAP 0x100000000ull

OBJECT_DECLARE_SIMPLE_TYPE(Am335xDmtimer, AM335X_DMTIMER)
struct Am335xDmtimer {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *event;
    bool is_1ms;
    uint32_t hz;
    uint32_t regs[REGISTERS];
    uint32_t status, enabled;
    uint32_t count; /* the counter at edge number epoch */
    uint64_t epoch;
};

static uint64_t timer_edges(Am335xDmtimer *s)
{
    return muldiv64(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL), s->hz, NANOSECONDS_PER_SECOND);
}

static bool timer_runs(Am335xDmtimer *s)
{
    return (s->regs[TCLR] & ST) && s->hz;
}

/* log2 of the prescaler's factor */
static unsigned timer_scale(Am335xDmtimer *s)
{
    return s->regs[TCLR] & PRE ? extract32(s->regs[TCLR], PTV_SHIFT, 3) + 1 : 0;
}

/* Does a counter at from pass the match value within so many ticks? */
static bool timer_matches_in(Am335xDmtimer *s, int64_t from, int64_t ticks)
{
    return (s->regs[TCLR] & CE) && s->regs[TMAR] > from && s->regs[TMAR] <= from + ticks;
}

/* Bring counter and status to the present. */
static void timer_sync(Am335xDmtimer *s)
{
    unsigned scale = timer_scale(s);
    uint64_t ticks, left = WRAP - s->count, period = WRAP - s->regs[TLDR];

    if (!timer_runs(s)) {
        s->epoch = timer_edges(s);
        return;
    }
    ticks = (timer_edges(s) - s->epoch) >> scale;
    s->epoch += ticks << scale;
    if (ticks < left) {
        s->status |= timer_matches_in(s, s->count, ticks) ? MAT : 0;
        s->count += ticks;
    } else {
        s->status |= OVF | (timer_matches_in(s, s->count, left - 1) ? MAT : 0);
        if (!(s->regs[TCLR] & AR)) { /* one-shot: stays at zero */
            s->regs[TCLR] &= ~ST;
            s->count = 0;
        } else {
            ticks -= left;
            s->status |= timer_matches_in(s, s->regs[TLDR] - 1ll, MIN(ticks + 1, period)) ? MAT : 0;
            s->count = s->regs[TLDR] + ticks % period;
        }
    }
}

/* Raise or lower the interrupt, and come back when it next would rise. */
static void timer_update(Am335xDmtimer *s)
{
    uint32_t awaited = s->enabled & ~s->status;
    uint64_t ticks = UINT64_MAX, left = WRAP - s->count;

    qemu_set_irq(s->irq, !!(s->status & s->enabled));
    if (timer_runs(s)) {
        if (awaited & OVF) {
            ticks = left;
        }
        if ((awaited & MAT) && timer_matches_in(s, s->count, left)) {
            ticks = MIN(ticks, s->regs[TMAR] - s->count);
        } else if ((awaited & MAT) && (s->regs[TCLR] & AR) && timer_matches_in(s, s->regs[TLDR] - 1ll, WRAP)) {
            ticks = MIN(ticks, left + s->regs[TMAR] - s->regs[TLDR]);
        }
    }
    if (ticks == UINT64_MAX) {
        timer_del(s->event);
    } else {
        uint64_t edge = s->epoch + (ticks << timer_scale(s));
        timer_mod(s->event, muldiv64_round_up(edge, NANOSECONDS_PER_SECOND, s->hz));
    }
}

static void timer_event(void *opaque)
{
    timer_sync(opaque);
    timer_update(opaque);
}

void am335x_dmtimer_set_clock(DeviceState *dev, uint32_t hz)
{
    Am335xDmtimer *s = AM335X_DMTIMER(dev);

    timer_sync(s);
    s->hz = hz;
    s->epoch = timer_edges(s);
    timer_update(s);
}

static void timer_reset(DeviceState *dev)
{
    Am335xDmtimer *s = AM335X_DMTIMER(dev);

    memset(s->regs, 0, sizeof(s->regs));
    s->regs[TSICR] = 4; /* POSTED */
    s->status = s->enabled = s->count = 0;
    s->epoch = timer_edges(s);
    timer_update(s);
}

static Register timer_register(Am335xDmtimer *s, hwaddr a)
{
    const uint8_t *table = s->is_1ms ? layout_1ms : layout;
    size_t n = s->is_1ms ? ARRAY_SIZE(layout_1ms) : ARRAY_SIZE(layout);

    return a / 4 < n ? table[a / 4] : NONE;
}

static uint64_t timer_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xDmtimer *s = opaque;
    Register r = timer_register(s, a);

    timer_sync(s);
    switch (r) {
    case NONE:
        am335x_guest_error("DMTIMER: read of %02x, no register\n", (unsigned)a);
        return 0;
    case TIDR:
        return s->is_1ms ? 0x15 : 0x4fff1301;
    case TISTAT:
        return 1; /* RESETDONE */
    case TISR:
    case IRQSTATUS_RAW:
        return s->status;
    case IRQSTATUS:
        return s->status & s->enabled;
    case TIER:
    case IRQENABLE_SET:
    case IRQENABLE_CLR:
        return s->enabled;
    case TCRR:
        return s->count;
    case TTGR:
        return 0xffffffff;
    default:
        return s->regs[r];
    }
}

static void timer_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xDmtimer *s = opaque;
    Register r = timer_register(s, a);
    unsigned soft_reset = s->is_1ms ? 2 : 1;

    timer_sync(s);
    switch (r) {
    case TIOCP_CFG:
        if (v & soft_reset) {
            timer_reset(DEVICE(s));
        }
        s->regs[r] = v & ~soft_reset;
        break;
    case TSICR:
        if (v & 2) { /* SFT: reset of the functional part */
            timer_reset(DEVICE(s));
        }
        s->regs[r] = v & 4;
        break;
    case IRQSTATUS_RAW:
        s->status |= v & 7;
        break;
    case TISR:
    case IRQSTATUS:
        s->status &= ~v;
        break;
    case TIER:
        s->enabled = v & 7;
        break;
    case IRQENABLE_SET:
        s->enabled |= v & 7;
        break;
    case IRQENABLE_CLR:
        s->enabled &= ~v;
        break;
    case TCRR:
        s->count = v;
        s->epoch = timer_edges(s); /* the prescaler starts anew */
        break;
    case TTGR:
        s->count = s->regs[TLDR];
        s->epoch = timer_edges(s);
        break;
    case TCLR:
        s->regs[r] = v & 0x7fff;
        break;
    case TLDR:
        if (v == 0xffffffff) {
            am335x_guest_error("DMTIMER: TLDR must not be the overflow value\n");
        }
        s->regs[r] = v;
        break;
    case IRQWAKEEN:
        s->regs[r] = v & 7;
        break;
    case TMAR:
    case TPIR:
    case TNIR:
    case TOCR:
    case TOWR:
        s->regs[r] = v;
        break;
    case IRQ_EOI:
        break;
    default:
        am335x_guest_error("DMTIMER: write to %02x, none or read-only\n", (unsigned)a);
    }
    timer_update(s);
}

static const MemoryRegionOps timer_ops = {
    .read = timer_read,
    .write = timer_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 2, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void timer_init_instance(Object *obj)
{
    Am335xDmtimer *s = AM335X_DMTIMER(obj);

    memory_region_init_io(&s->mmio, obj, &timer_ops, s, TYPE_AM335X_DMTIMER, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    s->event = timer_new_ns(QEMU_CLOCK_VIRTUAL, timer_event, s);
}

static Property timer_properties[] = {
    DEFINE_PROP_BOOL("1ms", Am335xDmtimer, is_1ms, false),
    DEFINE_PROP_END_OF_LIST(),
};

static void timer_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = timer_reset;
    device_class_set_props(DEVICE_CLASS(klass), timer_properties);
}

static const TypeInfo timer_type = {
    .name = TYPE_AM335X_DMTIMER,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xDmtimer),
    .instance_init = timer_init_instance,
    .class_init = timer_class_init,
};

static void timer_register_type(void)
{
    type_register_static(&timer_type);
}
type_init(timer_register_type)
