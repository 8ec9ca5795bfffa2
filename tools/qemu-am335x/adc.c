/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Analog to digital converter (manual: TSC_ADC_SS): sixteen steps in turn, each from one input into one of two FIFOs,
 * and each in its time. Properties "ain0".."ain7": millivolts at the inputs, 0 to 1800. Not modelled: touch screen
 * steps, hardware events, range check, DMA.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/irq.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "am335x.h"

REG32(REVISION, 0x00)
REG32(SYSCONFIG, 0x10)
REG32(IRQSTATUS_RAW, 0x24)
REG32(IRQSTATUS, 0x28)
REG32(IRQENABLE_SET, 0x2c)
REG32(IRQENABLE_CLR, 0x30)
REG32(CTRL, 0x40)
    FIELD(CTRL, ENABLE, 0, 1)
    FIELD(CTRL, STEP_ID_TAG, 1, 1)
    FIELD(CTRL, STEPCONFIG_WRITEPROTECT_N, 2, 1)
REG32(ADCSTAT, 0x44)
    FIELD(ADCSTAT, STEP_ID, 0, 5)
    FIELD(ADCSTAT, FSM_BUSY, 5, 1)
REG32(ADC_CLKDIV, 0x4c)
REG32(STEPENABLE, 0x54)
REG32(IDLECONFIG, 0x58)
REG32(STEPCONFIG1, 0x64)
    FIELD(STEPCONFIG1, MODE, 0, 2)
    FIELD(STEPCONFIG1, AVERAGING, 2, 3)
    FIELD(STEPCONFIG1, SEL_INP_SWC, 19, 4)
    FIELD(STEPCONFIG1, FIFO_SELECT, 26, 1)
REG32(STEPDELAY1, 0x68)
    FIELD(STEPDELAY1, OPENDELAY, 0, 18)
    FIELD(STEPDELAY1, SAMPLEDELAY, 24, 8)
REG32(STEPDELAY16, 0xe0)
REG32(FIFO0COUNT, 0xe4)
REG32(FIFO0THRESHOLD, 0xe8)
REG32(FIFO1COUNT, 0xf0)
REG32(FIFO1THRESHOLD, 0xf4)
REG32(FIFO0DATA, 0x100)
REG32(FIFO1DATA, 0x200)

enum { MODE_ONE_SHOT, MODE_CONTINUOUS };
enum {
    END_OF_SEQUENCE = 1 << 1, FIFO0_THRESHOLD = 1 << 2, FIFO0_OVERRUN = 1 << 3, FIFO0_UNDERFLOW = 1 << 4, FIFO1_SHIFT = 3,
};
enum { INPUTS = 8, STEPS = 16, DEPTH = 64, CONVERSION_CLOCKS = 13, FULL_SCALE = 4095, FULL_SCALE_MV = 1800 };
#define STEP_STRIDE 8
#define STEPENABLE_STEPS 0x1fffe /* bit n: step n; bit 0 is the touch screen's charge step */

OBJECT_DECLARE_SIMPLE_TYPE(Am335xAdc, AM335X_ADC)
struct Am335xAdc {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *converted;
    uint32_t regs[0x100 / 4];
    uint32_t status, enabled, fifo[2][DEPTH];
    unsigned first[2], count[2];
    unsigned step; /* at work, 1 to 16; 0: none */
    uint32_t input[INPUTS];
};

static uint32_t adc_config(Am335xAdc *s, unsigned step)
{
    return s->regs[R_STEPCONFIG1 + (step - 1) * STEP_STRIDE / 4];
}

/* When software may change the steps: the protection is off. */
static bool adc_steps_writable(Am335xAdc *s)
{
    return FIELD_EX32(s->regs[R_CTRL], CTRL, STEPCONFIG_WRITEPROTECT_N);
}

static int64_t adc_step_ns(Am335xAdc *s, unsigned step)
{
    uint32_t delay = s->regs[R_STEPDELAY1 + (step - 1) * STEP_STRIDE / 4];
    uint64_t samples = 1 << MIN(FIELD_EX32(adc_config(s, step), STEPCONFIG1, AVERAGING), 4);
    uint64_t clocks = FIELD_EX32(delay, STEPDELAY1, OPENDELAY) +
                      samples * (FIELD_EX32(delay, STEPDELAY1, SAMPLEDELAY) + 1 + CONVERSION_CLOCKS);

    return clocks * ((s->regs[R_ADC_CLKDIV] & 0xffff) + 1) * NANOSECONDS_PER_SECOND / AM335X_M_OSC_HZ;
}

static void adc_update(Am335xAdc *s)
{
    qemu_set_irq(s->irq, !!(s->status & s->enabled));
}

/* Begin the next enabled step after the one at work. */
static void adc_next(Am335xAdc *s)
{
    uint32_t steps = s->regs[R_STEPENABLE] & STEPENABLE_STEPS, later = steps & ~((2u << s->step) - 1);

    if (!FIELD_EX32(s->regs[R_CTRL], CTRL, ENABLE) || !steps) {
        s->step = 0;
        timer_del(s->converted);
        return;
    }
    s->step = ctz32(later ? later : steps);
    timer_mod(s->converted, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + adc_step_ns(s, s->step));
}

static void adc_store(Am335xAdc *s, unsigned fifo, uint32_t sample)
{
    if (s->count[fifo] == DEPTH) {
        s->status |= FIFO0_OVERRUN << fifo * FIFO1_SHIFT;
        return;
    }
    s->fifo[fifo][(s->first[fifo] + s->count[fifo]++) % DEPTH] = sample;
    if (s->count[fifo] > (s->regs[fifo ? R_FIFO1THRESHOLD : R_FIFO0THRESHOLD] & 0x3f)) {
        s->status |= FIFO0_THRESHOLD << fifo * FIFO1_SHIFT;
    }
}

static void adc_converted(void *opaque)
{
    Am335xAdc *s = opaque;
    uint32_t config = adc_config(s, s->step);
    unsigned input = FIELD_EX32(config, STEPCONFIG1, SEL_INP_SWC);
    uint32_t millivolts = input < INPUTS ? s->input[input] : 0; /* 8: VREFN */
    uint32_t sample = millivolts * FULL_SCALE / FULL_SCALE_MV;

    if (FIELD_EX32(s->regs[R_CTRL], CTRL, STEP_ID_TAG)) {
        sample |= (s->step - 1) << 16;
    }
    adc_store(s, FIELD_EX32(config, STEPCONFIG1, FIFO_SELECT), sample);
    if (FIELD_EX32(config, STEPCONFIG1, MODE) == MODE_ONE_SHOT) {
        s->regs[R_STEPENABLE] &= ~(1u << s->step);
    }
    if (!(s->regs[R_STEPENABLE] & STEPENABLE_STEPS & ~((2u << s->step) - 1))) {
        s->status |= END_OF_SEQUENCE;
    }
    adc_next(s);
    adc_update(s);
}

static uint32_t adc_take(Am335xAdc *s, unsigned fifo)
{
    uint32_t sample;

    if (!s->count[fifo]) {
        s->status |= FIFO0_UNDERFLOW << fifo * FIFO1_SHIFT;
        adc_update(s);
        return 0;
    }
    sample = s->fifo[fifo][s->first[fifo]];
    s->first[fifo] = (s->first[fifo] + 1) % DEPTH;
    s->count[fifo]--;
    return sample;
}

static uint64_t adc_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xAdc *s = opaque;

    switch (a) {
    case A_REVISION:
        return 0x47300001;
    case A_IRQSTATUS_RAW:
        return s->status;
    case A_IRQSTATUS:
        return s->status & s->enabled;
    case A_IRQENABLE_SET:
    case A_IRQENABLE_CLR:
        return s->enabled;
    case A_ADCSTAT: /* idle: step 16 */
        return s->step ? FIELD_DP32(s->step - 1, ADCSTAT, FSM_BUSY, 1) : 0x10;
    case A_FIFO0COUNT:
        return s->count[0];
    case A_FIFO1COUNT:
        return s->count[1];
    case A_FIFO0DATA ... A_FIFO0DATA + 0xff:
        return adc_take(s, 0);
    case A_FIFO1DATA ... A_FIFO1DATA + 0xff:
        return adc_take(s, 1);
    default:
        return a < sizeof(s->regs) ? s->regs[a / 4] : 0;
    }
}

static void adc_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xAdc *s = opaque;

    switch (a) {
    case A_IRQSTATUS_RAW:
        s->status |= v & 0x7ff;
        break;
    case A_IRQSTATUS:
        s->status &= ~v;
        break;
    case A_IRQENABLE_SET:
        s->enabled |= v & 0x7ff;
        break;
    case A_IRQENABLE_CLR:
        s->enabled &= ~v;
        break;
    case A_CTRL:
    case A_STEPENABLE:
        s->regs[a / 4] = v;
        if (!s->step || !FIELD_EX32(s->regs[R_CTRL], CTRL, ENABLE)) {
            s->step = 0;
            adc_next(s);
        }
        break;
    case A_IDLECONFIG ... A_STEPDELAY16:
        if (!adc_steps_writable(s)) {
            am335x_guest_error("ADC: write to %02x while steps are protected\n", (unsigned)a);
        } else {
            s->regs[a / 4] = v;
        }
        break;
    case A_REVISION:
    case A_ADCSTAT:
    case A_FIFO0COUNT:
    case A_FIFO1COUNT:
        am335x_guest_error("ADC: write to read-only register %02x\n", (unsigned)a);
        break;
    default:
        if (a < sizeof(s->regs)) {
            s->regs[a / 4] = v;
        }
    }
    adc_update(s);
}

static const MemoryRegionOps adc_ops = {
    .read = adc_read,
    .write = adc_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void adc_reset(DeviceState *dev)
{
    Am335xAdc *s = AM335X_ADC(dev);

    memset(s->regs, 0, sizeof(s->regs));
    s->status = s->enabled = s->step = 0;
    memset(s->first, 0, sizeof(s->first));
    memset(s->count, 0, sizeof(s->count));
    timer_del(s->converted);
    adc_update(s);
}

static void adc_get_input(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint32(v, name, &AM335X_ADC(obj)->input[(uintptr_t)opaque], errp);
}

static void adc_set_input(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    uint32_t millivolts;

    if (!visit_type_uint32(v, name, &millivolts, errp)) {
        return;
    }
    if (millivolts > FULL_SCALE_MV) {
        error_setg(errp, "%s: the converter takes 0 to %d millivolts", name, FULL_SCALE_MV);
        return;
    }
    AM335X_ADC(obj)->input[(uintptr_t)opaque] = millivolts;
}

static void adc_init(Object *obj)
{
    Am335xAdc *s = AM335X_ADC(obj);

    memory_region_init_io(&s->mmio, obj, &adc_ops, s, TYPE_AM335X_ADC, 0x2000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    s->converted = timer_new_ns(QEMU_CLOCK_VIRTUAL, adc_converted, s);
    for (uintptr_t n = 0; n < INPUTS; n++) {
        g_autofree char *name = g_strdup_printf("ain%u", (unsigned)n);
        object_property_add(obj, name, "uint32", adc_get_input, adc_set_input, NULL, (void *)n);
    }
}

static void adc_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = adc_reset;
}

static const TypeInfo adc_type = {
    .name = TYPE_AM335X_ADC,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xAdc),
    .instance_init = adc_init,
    .class_init = adc_class_init,
};

static void adc_register(void)
{
    type_register_static(&adc_type);
}
type_init(adc_register)
