/* SPDX-License-Identifier: GPL-2.0-only */
/* TPS65217, the BeagleBone Black's power management: registers behind a one-byte pointer. It changes no voltage. */
#include "qemu/osdep.h"
#include "hw/i2c/i2c.h"
#include "am335x.h"

enum { CHIPID = 0x00, REGISTERS = 0x20 };

OBJECT_DECLARE_SIMPLE_TYPE(Tps65217, TPS65217)
struct Tps65217 {
    I2CSlave parent_obj;
    uint8_t regs[REGISTERS], pointer;
    bool pointer_next; /* the next byte written is the register's number */
};

static int pmic_event(I2CSlave *i2c, enum i2c_event event)
{
    if (event == I2C_START_SEND) {
        TPS65217(i2c)->pointer_next = true;
    }
    return 0;
}

static uint8_t pmic_recv(I2CSlave *i2c)
{
    Tps65217 *s = TPS65217(i2c);

    return s->regs[s->pointer++ % REGISTERS];
}

static int pmic_send(I2CSlave *i2c, uint8_t v)
{
    Tps65217 *s = TPS65217(i2c);

    if (s->pointer_next) {
        s->pointer = v % REGISTERS;
        s->pointer_next = false;
    } else {
        if (s->pointer != CHIPID) {
            s->regs[s->pointer] = v;
        }
        s->pointer = (s->pointer + 1) % REGISTERS;
    }
    return 0;
}

static void pmic_reset(DeviceState *dev)
{
    static const uint8_t defaults[REGISTERS] = {
        0xe2, 0x3d, 0x80, 0x08, 0xb1, 0x80, 0xb2, 0x01, 0x00, 0x00, 0x08, 0x00,
        0x7f, 0x0c, 0x18, 0x08, 0x08, 0x06, 0x09, 0x38, 0x26, 0x3f, 0x7f,
    };

    memcpy(TPS65217(dev)->regs, defaults, sizeof(defaults));
}

static void pmic_class_init(ObjectClass *klass, void *data)
{
    I2C_SLAVE_CLASS(klass)->event = pmic_event;
    I2C_SLAVE_CLASS(klass)->recv = pmic_recv;
    I2C_SLAVE_CLASS(klass)->send = pmic_send;
    DEVICE_CLASS(klass)->reset = pmic_reset;
}

static const TypeInfo pmic_type = {
    .name = TYPE_TPS65217,
    .parent = TYPE_I2C_SLAVE,
    .instance_size = sizeof(Tps65217),
    .class_init = pmic_class_init,
};

static void pmic_register(void)
{
    type_register_static(&pmic_type);
}
type_init(pmic_register)
