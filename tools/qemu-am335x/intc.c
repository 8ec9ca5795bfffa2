/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupt controller (manual: "ARM Interrupt Controller"). Sorting latches the line with the best priority in
 * SIR_IRQ and raises IRQ; the next sorting comes with NEWIRQAGR. A general-purpose part has no FIQ: ILR bit 0 is
 * reserved, and is kept 0 here.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/irq.h"
#include "am335x.h"

REG32(INTC_REVISION, 0x00)
REG32(INTC_SYSCONFIG, 0x10)
    FIELD(INTC_SYSCONFIG, SOFTRESET, 1, 1)
REG32(INTC_SYSSTATUS, 0x14)
REG32(INTC_SIR_IRQ, 0x40)
REG32(INTC_SIR_FIQ, 0x44)
REG32(INTC_CONTROL, 0x48)
    FIELD(INTC_CONTROL, NEWIRQAGR, 0, 1)
REG32(INTC_PROTECTION, 0x4c)
REG32(INTC_IDLE, 0x50)
REG32(INTC_IRQ_PRIORITY, 0x60)
REG32(INTC_FIQ_PRIORITY, 0x64)
REG32(INTC_THRESHOLD, 0x68)
/* one set for each 32 lines, 0x20 bytes apart */
REG32(INTC_ITR0, 0x80)
REG32(INTC_MIR0, 0x84)
REG32(INTC_MIR_CLEAR0, 0x88)
REG32(INTC_MIR_SET0, 0x8c)
REG32(INTC_ISR_SET0, 0x90)
REG32(INTC_ISR_CLEAR0, 0x94)
REG32(INTC_PENDING_IRQ0, 0x98)
REG32(INTC_PENDING_FIQ0, 0x9c)
REG32(INTC_ILR0, 0x100)
    FIELD(INTC_ILR0, FIQNIRQ, 0, 1)
    FIELD(INTC_ILR0, PRIORITY, 2, 6)

#define BANK_STRIDE 0x20
#define SPURIOUS 0xffffff80u /* SPURIOUSIRQFLAG, bits 31:7 */
#define THRESHOLD_OFF 0xff
#define LOWEST_PRIORITY 0x40 /* what IRQ_PRIORITY holds after reset */
/* A line that goes away, or is masked, while sorting goes on makes the result spurious: 10 functional clocks. */
#define SORTING_NS 100

OBJECT_DECLARE_SIMPLE_TYPE(Am335xIntc, AM335X_INTC)
struct Am335xIntc {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq irq;
    uint32_t line[4], soft[4], mir[4]; /* soft: lines raised by ISR_SET */
    uint8_t priority[AM335X_INTC_LINES];
    uint32_t sysconfig, protection, idle, threshold;
    uint8_t active, active_priority;
    bool sorted;   /* SIR_IRQ is latched and IRQ is up, until NEWIRQAGR */
    bool spurious; /* what is latched is no longer true */
    int64_t sorted_at;
};

static uint32_t intc_unmasked(Am335xIntc *s, unsigned bank)
{
    return (s->line[bank] | s->soft[bank]) & ~s->mir[bank];
}

/* A threshold holds back priorities equal to it and lower ones; priority 0 passes always. */
static bool intc_passes(Am335xIntc *s, unsigned n)
{
    return s->threshold == THRESHOLD_OFF || !s->priority[n] || s->priority[n] < s->threshold;
}

/* The line to serve, or -1. Of equal priorities the highest number wins. */
static int intc_sort(Am335xIntc *s)
{
    int best = -1;

    for (unsigned bank = 0; bank < 4; bank++) {
        for (uint32_t lines = intc_unmasked(s, bank); lines; lines &= lines - 1) {
            unsigned n = bank * 32 + ctz32(lines);
            if (intc_passes(s, n) && (best < 0 || s->priority[n] <= s->priority[best])) {
                best = n;
            }
        }
    }
    return best;
}

static void intc_update(Am335xIntc *s)
{
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (!s->sorted) {
        int n = intc_sort(s);
        if (n >= 0) {
            s->active = n;
            s->active_priority = s->priority[n];
            s->sorted = true;
            s->spurious = false;
            s->sorted_at = now;
        }
    } else if (now - s->sorted_at < SORTING_NS) {
        bool pending = intc_unmasked(s, s->active / 32) >> (s->active % 32) & 1;
        s->spurious |= !pending || !intc_passes(s, s->active);
    }
    qemu_set_irq(s->irq, s->sorted);
}

static void intc_set_line(void *opaque, int n, int level)
{
    Am335xIntc *s = opaque;

    s->line[n / 32] = deposit32(s->line[n / 32], n % 32, 1, !!level);
    intc_update(s);
}

static void intc_reset(DeviceState *dev)
{
    Am335xIntc *s = AM335X_INTC(dev);

    memset(s->soft, 0, sizeof(s->soft));
    memset(s->mir, 0xff, sizeof(s->mir));
    memset(s->priority, 0, sizeof(s->priority));
    s->sysconfig = s->protection = s->idle = 0;
    s->threshold = THRESHOLD_OFF;
    s->active = 0;
    s->active_priority = LOWEST_PRIORITY;
    s->sorted = s->spurious = false;
    intc_update(s);
}

static uint32_t intc_read_bank(Am335xIntc *s, unsigned bank, hwaddr reg)
{
    switch (reg) {
    case A_INTC_ITR0:
        return s->line[bank] | s->soft[bank];
    case A_INTC_MIR0:
        return s->mir[bank];
    case A_INTC_ISR_SET0:
        return s->soft[bank];
    case A_INTC_PENDING_IRQ0:
        return intc_unmasked(s, bank);
    default: /* MIR_CLEAR, MIR_SET, ISR_CLEAR, PENDING_FIQ */
        return 0;
    }
}

static void intc_write_bank(Am335xIntc *s, unsigned bank, hwaddr reg, uint32_t v)
{
    switch (reg) {
    case A_INTC_MIR0:
        s->mir[bank] = v;
        break;
    case A_INTC_MIR_CLEAR0:
        s->mir[bank] &= ~v;
        break;
    case A_INTC_MIR_SET0:
        s->mir[bank] |= v;
        break;
    case A_INTC_ISR_SET0:
        s->soft[bank] |= v;
        break;
    case A_INTC_ISR_CLEAR0:
        s->soft[bank] &= ~v;
        break;
    default:
        am335x_guest_error("INTC: write to read-only register %03x\n", (unsigned)(reg + bank * BANK_STRIDE));
    }
}

/* PROTECTION: with it on, only privileged accesses pass. */
static bool intc_refuses(Am335xIntc *s, hwaddr a, MemTxAttrs attrs)
{
    if (!s->protection || !attrs.user) {
        return false;
    }
    am335x_guest_error("INTC: access to %03x from user mode\n", (unsigned)a);
    return true;
}

static MemTxResult intc_read(void *opaque, hwaddr a, uint64_t *v, unsigned size, MemTxAttrs attrs)
{
    Am335xIntc *s = opaque;
    uint32_t valid = s->sorted && !s->spurious ? 0 : SPURIOUS;

    *v = 0;
    if (intc_refuses(s, a, attrs)) {
        return MEMTX_ERROR;
    }
    switch (a) {
    case A_INTC_REVISION:
        *v = 0x50;
        break;
    case A_INTC_SYSCONFIG:
        *v = s->sysconfig;
        break;
    case A_INTC_SYSSTATUS:
        *v = 1; /* RESETDONE */
        break;
    case A_INTC_SIR_IRQ:
        *v = s->active | valid;
        break;
    case A_INTC_IRQ_PRIORITY:
        *v = s->active_priority | valid;
        break;
    case A_INTC_SIR_FIQ:
        *v = SPURIOUS;
        break;
    case A_INTC_FIQ_PRIORITY:
        *v = SPURIOUS | LOWEST_PRIORITY;
        break;
    case A_INTC_CONTROL:
        break;
    case A_INTC_PROTECTION:
        *v = s->protection;
        break;
    case A_INTC_IDLE:
        *v = s->idle;
        break;
    case A_INTC_THRESHOLD:
        *v = s->threshold;
        break;
    case A_INTC_ITR0 ... A_INTC_ILR0 - 1:
        *v = intc_read_bank(s, (a - A_INTC_ITR0) / BANK_STRIDE, A_INTC_ITR0 + a % BANK_STRIDE);
        break;
    case A_INTC_ILR0 ... A_INTC_ILR0 + 4 * AM335X_INTC_LINES - 1:
        *v = FIELD_DP32(0, INTC_ILR0, PRIORITY, s->priority[(a - A_INTC_ILR0) / 4]);
        break;
    default:
        am335x_guest_error("INTC: read of %03x, no register\n", (unsigned)a);
    }
    return MEMTX_OK;
}

static MemTxResult intc_write(void *opaque, hwaddr a, uint64_t v, unsigned size, MemTxAttrs attrs)
{
    Am335xIntc *s = opaque;

    if (intc_refuses(s, a, attrs)) {
        return MEMTX_ERROR;
    }
    switch (a) {
    case A_INTC_SYSCONFIG:
        if (FIELD_EX32(v, INTC_SYSCONFIG, SOFTRESET)) {
            intc_reset(DEVICE(s));
        }
        s->sysconfig = v & 1;
        break;
    case A_INTC_CONTROL:
        if (FIELD_EX32(v, INTC_CONTROL, NEWIRQAGR)) {
            s->sorted = s->spurious = false;
        }
        break;
    case A_INTC_PROTECTION:
        s->protection = v & 1;
        break;
    case A_INTC_IDLE:
        s->idle = v & 3;
        break;
    case A_INTC_THRESHOLD:
        s->threshold = v & 0xff;
        break;
    case A_INTC_ITR0 ... A_INTC_ILR0 - 1:
        intc_write_bank(s, (a - A_INTC_ITR0) / BANK_STRIDE, A_INTC_ITR0 + a % BANK_STRIDE, v);
        break;
    case A_INTC_ILR0 ... A_INTC_ILR0 + 4 * AM335X_INTC_LINES - 1:
        if (FIELD_EX32(v, INTC_ILR0, FIQNIRQ)) {
            am335x_guest_error("INTC: ILR%u: FIQ is reserved\n", (unsigned)(a - A_INTC_ILR0) / 4);
        }
        s->priority[(a - A_INTC_ILR0) / 4] = FIELD_EX32(v, INTC_ILR0, PRIORITY);
        break;
    default:
        am335x_guest_error("INTC: write to %03x, no register\n", (unsigned)a);
    }
    intc_update(s);
    return MEMTX_OK;
}

static const MemoryRegionOps intc_ops = {
    .read_with_attrs = intc_read,
    .write_with_attrs = intc_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static void intc_init(Object *obj)
{
    Am335xIntc *s = AM335X_INTC(obj);

    memory_region_init_io(&s->mmio, obj, &intc_ops, s, TYPE_AM335X_INTC, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    qdev_init_gpio_in(DEVICE(obj), intc_set_line, AM335X_INTC_LINES);
}

static void intc_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = intc_reset;
}

static const TypeInfo intc_type = {
    .name = TYPE_AM335X_INTC,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xIntc),
    .instance_init = intc_init,
    .class_init = intc_class_init,
};

static void intc_register(void)
{
    type_register_static(&intc_type);
}
type_init(intc_register)
