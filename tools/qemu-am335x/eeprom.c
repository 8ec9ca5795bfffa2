/* SPDX-License-Identifier: GPL-2.0-only */
/* The BeagleBone Black's identity: 32 KiB behind two address bytes, write-protected. U-Boot chooses by it. */
#include "qemu/osdep.h"
#include "hw/i2c/i2c.h"
#include "am335x.h"

enum { SIZE = 0x8000, ADDRESS_BYTES = 2 };

OBJECT_DECLARE_SIMPLE_TYPE(BeagleboneEeprom, BEAGLEBONE_EEPROM)
struct BeagleboneEeprom {
    I2CSlave parent_obj;
    uint16_t address;
    unsigned written; /* bytes since the start */
};

static int eeprom_event(I2CSlave *i2c, enum i2c_event event)
{
    if (event == I2C_START_SEND) {
        BEAGLEBONE_EEPROM(i2c)->written = 0;
    }
    return 0;
}

static uint8_t eeprom_recv(I2CSlave *i2c)
{
    static const char contents[] = "\xaa\x55\x33\xee" /* magic, name, version, serial number */
                                   "A335BNLT"
                                   "00C0"
                                   "0000BBBK0000";
    BeagleboneEeprom *s = BEAGLEBONE_EEPROM(i2c);
    uint16_t at = s->address++ % SIZE;

    return at < sizeof(contents) - 1 ? contents[at] : 0xff;
}

static int eeprom_send(I2CSlave *i2c, uint8_t v)
{
    BeagleboneEeprom *s = BEAGLEBONE_EEPROM(i2c);

    if (s->written++ < ADDRESS_BYTES) {
        s->address = s->address << 8 | v;
    }
    return 0;
}

static void eeprom_class_init(ObjectClass *klass, void *data)
{
    I2C_SLAVE_CLASS(klass)->event = eeprom_event;
    I2C_SLAVE_CLASS(klass)->recv = eeprom_recv;
    I2C_SLAVE_CLASS(klass)->send = eeprom_send;
}

static const TypeInfo eeprom_type = {
    .name = TYPE_BEAGLEBONE_EEPROM,
    .parent = TYPE_I2C_SLAVE,
    .instance_size = sizeof(BeagleboneEeprom),
    .class_init = eeprom_class_init,
};

static void eeprom_register(void)
{
    type_register_static(&eeprom_type);
}
type_init(eeprom_register)
