/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I2C controller (manual: "I2C"), as master. A byte takes no time. Not modelled: slave mode, 10-bit addresses, DMA,
 * the bus's rate.
 */
#include "qemu/osdep.h"
#include "hw/i2c/i2c.h"
#include "hw/irq.h"
#include "am335x.h"

REG32(I2C_REVNB_LO, 0x00)
REG32(I2C_REVNB_HI, 0x04)
REG32(I2C_SYSC, 0x10)
    FIELD(I2C_SYSC, SRST, 1, 1)
REG32(I2C_EOI, 0x20)
REG32(I2C_IRQSTATUS_RAW, 0x24)
REG32(I2C_IRQSTATUS, 0x28)
REG32(I2C_IRQENABLE_SET, 0x2c)
REG32(I2C_IRQENABLE_CLR, 0x30)
REG32(I2C_WE, 0x34)
REG32(I2C_SYSS, 0x90)
REG32(I2C_BUF, 0x94)
    FIELD(I2C_BUF, TXTRSH, 0, 6)
    FIELD(I2C_BUF, RXTRSH, 8, 6)
REG32(I2C_CNT, 0x98)
REG32(I2C_DATA, 0x9c)
REG32(I2C_CON, 0xa4)
REG32(I2C_OA, 0xa8)
REG32(I2C_SA, 0xac)
REG32(I2C_PSC, 0xb0)
REG32(I2C_SCLL, 0xb4)
REG32(I2C_SCLH, 0xb8)
REG32(I2C_SYSTEST, 0xbc)
REG32(I2C_BUFSTAT, 0xc0)

enum {
    NACK = 1 << 1, ARDY = 1 << 2, RRDY = 1 << 3, XRDY = 1 << 4, BF = 1 << 8, BB = 1 << 12, RDR = 1 << 13,
    XDR = 1 << 14, /* I2C_IRQSTATUS */
    CON_STT = 1 << 0, CON_STP = 1 << 1, CON_TRX = 1 << 9, CON_MST = 1 << 10, CON_EN = 1 << 15,
};
#define LINES_HIGH 0x1e0    /* SYSTEST: SCL and SDA, in and functional */
#define FIFO_32 (2u << 14)  /* BUFSTAT */

OBJECT_DECLARE_SIMPLE_TYPE(Am335xI2c, AM335X_I2C)
struct Am335xI2c {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    I2CBus *bus;
    qemu_irq irq;
    uint32_t sysc, status, enabled, buf, cnt, con, oa, sa, psc, scll, sclh, systest;
    uint32_t left;    /* bytes of the transfer to come */
    bool active;      /* the data phase goes on */
    bool receives;
    bool busy;        /* between start and stop */
    bool stop_at_end;
};

static void i2c_ready(Am335xI2c *s)
{
    if (s->active && s->left) {
        unsigned threshold = 1 + (s->receives ? FIELD_EX32(s->buf, I2C_BUF, RXTRSH)
                                              : FIELD_EX32(s->buf, I2C_BUF, TXTRSH));
        bool full = s->left >= threshold; /* else the draining request: what remains is less than the threshold */
        s->status |= s->receives ? (full ? RRDY : RDR) : (full ? XRDY : XDR);
    }
    qemu_set_irq(s->irq, !!(s->status & s->enabled));
}

static void i2c_stop(Am335xI2c *s)
{
    if (s->busy) {
        i2c_end_transfer(s->bus);
    }
    s->active = s->busy = false;
}

/* The address or a byte was not acknowledged. ARDY too: registers may be written again. */
static void i2c_refused(Am335xI2c *s)
{
    s->status |= NACK | ARDY;
    i2c_stop(s);
    s->con &= ~(CON_STT | CON_STP | CON_MST);
}

static void i2c_finished(Am335xI2c *s)
{
    s->active = false;
    s->status |= ARDY;
    s->con &= ~CON_STT;
    if (s->stop_at_end) {
        i2c_stop(s);
        s->status |= BF;
        s->con &= ~(CON_STP | CON_MST);
    }
}

static void i2c_start(Am335xI2c *s)
{
    s->receives = !(s->con & CON_TRX);
    s->stop_at_end = s->con & CON_STP;
    s->left = s->cnt ? s->cnt : 0x10000;
    s->busy = true;
    if (i2c_start_transfer(s->bus, s->sa, s->receives)) {
        i2c_refused(s);
    } else {
        s->active = true;
    }
}

static void i2c_write_con(Am335xI2c *s, uint32_t v)
{
    s->con = v;
    if (!(v & CON_EN)) {
        i2c_stop(s);
        s->status = 0;
    } else if ((v & (CON_MST | CON_STT)) == (CON_MST | CON_STT)) {
        i2c_start(s);
    } else if ((v & CON_STP) && s->busy) {
        i2c_stop(s);
        s->con &= ~CON_STP;
        s->status |= ARDY | BF;
    }
}

static uint8_t i2c_read_data(Am335xI2c *s)
{
    uint8_t data = 0;

    if (s->active && s->receives) {
        data = i2c_recv(s->bus);
        if (!--s->left) {
            i2c_finished(s);
        }
        i2c_ready(s);
    }
    return data;
}

static void i2c_write_data(Am335xI2c *s, uint8_t data)
{
    if (s->active && !s->receives) {
        if (i2c_send(s->bus, data)) {
            i2c_refused(s);
        } else if (!--s->left) {
            i2c_finished(s);
        }
    }
}

static void i2c_reset(DeviceState *dev)
{
    Am335xI2c *s = AM335X_I2C(dev);

    i2c_stop(s);
    s->sysc = s->status = s->enabled = s->buf = s->cnt = s->con = s->oa = s->sa = s->psc = s->scll = s->sclh = 0;
    s->systest = s->left = 0;
    s->stop_at_end = s->receives = false;
    i2c_ready(s);
}

static uint64_t i2c_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xI2c *s = opaque;
    unsigned level = MIN(s->left, 63);

    switch (a) {
    case A_I2C_REVNB_LO:
        return 0x000b;
    case A_I2C_REVNB_HI:
        return 0x5040;
    case A_I2C_SYSC:
        return s->sysc;
    case A_I2C_EOI:
    case A_I2C_WE:
        return 0;
    case A_I2C_IRQSTATUS_RAW:
        return s->status | (s->busy ? BB : 0);
    case A_I2C_IRQSTATUS:
        return (s->status & s->enabled) | (s->busy ? BB : 0);
    case A_I2C_IRQENABLE_SET:
    case A_I2C_IRQENABLE_CLR:
        return s->enabled;
    case A_I2C_SYSS:
        return 1; /* RDONE */
    case A_I2C_BUF:
        return s->buf;
    case A_I2C_CNT:
        return s->active ? s->left & 0xffff : s->cnt;
    case A_I2C_DATA:
        return i2c_read_data(s);
    case A_I2C_CON:
        return s->con;
    case A_I2C_OA:
        return s->oa;
    case A_I2C_SA:
        return s->sa;
    case A_I2C_PSC:
        return s->psc;
    case A_I2C_SCLL:
        return s->scll;
    case A_I2C_SCLH:
        return s->sclh;
    case A_I2C_SYSTEST:
        return s->systest | LINES_HIGH;
    case A_I2C_BUFSTAT: /* RXSTAT: bytes to read; TXSTAT: bytes to write */
        return FIFO_32 | (!s->active ? 0 : s->receives ? level << 8 : level);
    default:
        am335x_unimplemented("I2C: read of %02x\n", (unsigned)a);
        return 0;
    }
}

static void i2c_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xI2c *s = opaque;

    switch (a) {
    case A_I2C_SYSC:
        if (FIELD_EX32(v, I2C_SYSC, SRST)) {
            i2c_reset(DEVICE(s));
        }
        s->sysc = v & ~R_I2C_SYSC_SRST_MASK;
        break;
    case A_I2C_EOI:
    case A_I2C_WE:
        break;
    case A_I2C_IRQSTATUS_RAW:
        s->status |= v & 0x7fff & ~BB;
        break;
    case A_I2C_IRQSTATUS:
        s->status &= ~v;
        break;
    case A_I2C_IRQENABLE_SET:
        s->enabled |= v;
        break;
    case A_I2C_IRQENABLE_CLR:
        s->enabled &= ~v;
        break;
    case A_I2C_BUF:
        s->buf = v & ~0x4040u; /* the FIFO clear bits read 0 */
        break;
    case A_I2C_CNT:
        s->cnt = v & 0xffff;
        break;
    case A_I2C_DATA:
        i2c_write_data(s, v);
        break;
    case A_I2C_CON:
        i2c_write_con(s, v);
        break;
    case A_I2C_OA:
        s->oa = v;
        break;
    case A_I2C_SA:
        s->sa = v & 0x3ff;
        break;
    case A_I2C_PSC:
        s->psc = v;
        break;
    case A_I2C_SCLL:
        s->scll = v;
        break;
    case A_I2C_SCLH:
        s->sclh = v;
        break;
    case A_I2C_SYSTEST:
        s->systest = v & ~0xfu;
        break;
    default:
        am335x_unimplemented("I2C: write of %04x to %02x\n", (unsigned)v, (unsigned)a);
    }
    i2c_ready(s);
}

static const MemoryRegionOps i2c_ops = {
    .read = i2c_read,
    .write = i2c_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
};

static void i2c_init(Object *obj)
{
    Am335xI2c *s = AM335X_I2C(obj);

    memory_region_init_io(&s->mmio, obj, &i2c_ops, s, TYPE_AM335X_I2C, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    s->bus = i2c_init_bus(DEVICE(obj), "i2c");
}

static void i2c_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = i2c_reset;
}

static const TypeInfo i2c_type = {
    .name = TYPE_AM335X_I2C,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xI2c),
    .instance_init = i2c_init,
    .class_init = i2c_class_init,
};

static void i2c_register(void)
{
    type_register_static(&i2c_type);
}
type_init(i2c_register)
