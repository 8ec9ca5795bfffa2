/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SD/MMC host (manual: "Multimedia Card"): a standard host controller at offset 0x200 with the part's own registers
 * before it. A block is read or written by the data port, or by the EDMA that its requests start. Not modelled: SDIO
 * interrupts, time-outs other than a card that does not answer, the bus's rate and width.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/irq.h"
#include "hw/sd/sd.h"
#include "am335x.h"

REG32(SD_SYSCONFIG, 0x110)
    FIELD(SD_SYSCONFIG, SOFTRESET, 1, 1)
REG32(SD_SYSSTATUS, 0x114)
REG32(SD_CSRE, 0x124)
REG32(SD_SYSTEST, 0x128)
REG32(SD_CON, 0x12c)
    FIELD(SD_CON, INIT, 1, 1)
REG32(SD_PWCNT, 0x130)
REG32(SD_SDMASA, 0x200)
REG32(SD_BLK, 0x204)
    FIELD(SD_BLK, BLEN, 0, 12)
    FIELD(SD_BLK, NBLK, 16, 16)
REG32(SD_ARG, 0x208)
REG32(SD_CMD, 0x20c)
    FIELD(SD_CMD, DE, 0, 1)
    FIELD(SD_CMD, BCE, 1, 1)
    FIELD(SD_CMD, ACEN, 2, 2)
    FIELD(SD_CMD, DDIR, 4, 1)
    FIELD(SD_CMD, MSBS, 5, 1)
    FIELD(SD_CMD, RSP_TYPE, 16, 2)
    FIELD(SD_CMD, DP, 21, 1)
    FIELD(SD_CMD, INDX, 24, 6)
REG32(SD_RSP10, 0x210)
REG32(SD_RSP76, 0x21c)
REG32(SD_DATA, 0x220)
REG32(SD_PSTATE, 0x224)
REG32(SD_HCTL, 0x228)
REG32(SD_SYSCTL, 0x22c)
    FIELD(SD_SYSCTL, ICE, 0, 1)
    FIELD(SD_SYSCTL, ICS, 1, 1)
    FIELD(SD_SYSCTL, SRA, 24, 1)
    FIELD(SD_SYSCTL, SRD, 26, 1)
REG32(SD_STAT, 0x230)
    FIELD(SD_STAT, CC, 0, 1)
    FIELD(SD_STAT, TC, 1, 1)
    FIELD(SD_STAT, BWR, 4, 1)
    FIELD(SD_STAT, BRR, 5, 1)
    FIELD(SD_STAT, ERRI, 15, 1)
    FIELD(SD_STAT, CTO, 16, 1)
REG32(SD_IE, 0x234)
REG32(SD_ISE, 0x238)
REG32(SD_AC12, 0x23c)
REG32(SD_CAPA, 0x240)
REG32(SD_CUR_CAPA, 0x248)
REG32(SD_REV, 0x2fc)

enum { RSP_NONE, RSP_136, RSP_48, RSP_48_BUSY }; /* RSP_TYPE */
enum { AUTO_CMD12 = 1, STOP_TRANSMISSION = 12 };
#define ERRORS 0xffff0000u
#define SYSCTL_STORED 0x000fffcd  /* the reset bits clear themselves, ICS follows ICE */
#define CAPA_VOLTAGES 0x07000000u /* software may set them once */
#define DMA_REQUEST_NS 1000       /* from a block's end to the next request */
#define PSTATE_LINES 0x01f00000u  /* CMD and DAT[3:0] high */
#define PSTATE_CARD 0x000f0000u   /* present, stable, detect, not write-protected */
#define PSTATE_NO_CARD 0x000a0000u
#define PSTATE_READING 0xa06u     /* buffer readable, read active, data line active, data inhibited */
#define PSTATE_WRITING 0x506u

#define TYPE_AM335X_SD_BUS "am335x-sd-bus"
OBJECT_DECLARE_SIMPLE_TYPE(Am335xHsmmc, AM335X_HSMMC)
struct Am335xHsmmc {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    SDBus bus;
    qemu_irq irq, card_absent, dma_tx, dma_rx;
    QEMUTimer *dma_request;
    uint32_t sysconfig, csre, systest, con, pwcnt, sdmasa, blk, arg, cmd, rsp[4], hctl, sysctl;
    uint32_t stat, ie, ise, ac12, capa;
    uint8_t block[2048];
    uint32_t at, length; /* in the block */
    uint32_t blocks;     /* to come after it */
    bool reading, writing;
};

static void mmc_update(Am335xHsmmc *s)
{
    qemu_set_irq(s->irq, !!(s->stat & s->ise));
}

/* A status that SD_IE does not enable is not seen. */
static void mmc_raise(Am335xHsmmc *s, uint32_t bits)
{
    s->stat |= bits & s->ie;
    if (s->stat & ERRORS) {
        s->stat |= R_SD_STAT_ERRI_MASK;
    }
}

static void mmc_transfer_complete(Am335xHsmmc *s)
{
    s->reading = s->writing = false;
    if (FIELD_EX32(s->cmd, SD_CMD, MSBS) && FIELD_EX32(s->cmd, SD_CMD, ACEN) == AUTO_CMD12) {
        SDRequest stop = { .cmd = STOP_TRANSMISSION };
        uint8_t response[16];
        if (sdbus_do_command(&s->bus, &stop, response) == 4) {
            s->rsp[3] = ldl_be_p(response);
        }
    }
    mmc_raise(s, R_SD_STAT_TC_MASK);
}

static void mmc_next_block(Am335xHsmmc *s)
{
    s->at = 0;
    if (FIELD_EX32(s->cmd, SD_CMD, MSBS) && FIELD_EX32(s->cmd, SD_CMD, BCE)) {
        if (!s->blocks) {
            mmc_transfer_complete(s);
            return;
        }
        s->blocks--;
    }
    if (s->reading) {
        sdbus_read_data(&s->bus, s->block, s->length);
        mmc_raise(s, R_SD_STAT_BRR_MASK);
    } else {
        mmc_raise(s, R_SD_STAT_BWR_MASK);
    }
    if (FIELD_EX32(s->cmd, SD_CMD, DE)) {
        timer_mod(s->dma_request, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + DMA_REQUEST_NS);
    }
}

static void mmc_block_done(Am335xHsmmc *s)
{
    if (s->writing) {
        sdbus_write_data(&s->bus, s->block, s->length);
    }
    if (FIELD_EX32(s->cmd, SD_CMD, MSBS)) {
        mmc_next_block(s);
    } else {
        mmc_transfer_complete(s);
    }
}

static void mmc_request_dma(void *opaque)
{
    Am335xHsmmc *s = opaque;

    if (s->reading) {
        qemu_irq_pulse(s->dma_rx);
    } else if (s->writing) {
        qemu_irq_pulse(s->dma_tx);
    }
}

static void mmc_start_data(Am335xHsmmc *s)
{
    s->length = FIELD_EX32(s->blk, SD_BLK, BLEN);
    s->blocks = FIELD_EX32(s->blk, SD_BLK, NBLK);
    if (!s->length || s->length > sizeof(s->block) || s->length % 4) {
        am335x_guest_error("HSMMC: block length %u\n", s->length);
        return;
    }
    s->reading = FIELD_EX32(s->cmd, SD_CMD, DDIR);
    s->writing = !s->reading;
    mmc_next_block(s);
}

static void mmc_command(Am335xHsmmc *s, uint32_t cmd)
{
    SDRequest request = { .cmd = FIELD_EX32(cmd, SD_CMD, INDX), .arg = s->arg };
    unsigned expected = FIELD_EX32(cmd, SD_CMD, RSP_TYPE);
    uint8_t response[16];
    int n = 0;

    s->cmd = cmd;
    if (FIELD_EX32(s->con, SD_CON, INIT)) { /* only clocks */
        mmc_raise(s, R_SD_STAT_CC_MASK);
        return;
    }
    if (sdbus_get_inserted(&s->bus)) {
        n = sdbus_do_command(&s->bus, &request, response);
    }
    if (expected != RSP_NONE && n <= 0) {
        mmc_raise(s, R_SD_STAT_CTO_MASK);
        return;
    }
    if (n == 16) { /* all 128 bits, CRC included: not shifted as the standard's host does */
        for (int i = 0; i < 4; i++) {
            s->rsp[3 - i] = ldl_be_p(response + 4 * i);
        }
    } else if (n == 4) {
        s->rsp[0] = ldl_be_p(response);
    }
    mmc_raise(s, R_SD_STAT_CC_MASK);
    if (FIELD_EX32(cmd, SD_CMD, DP)) {
        mmc_start_data(s);
    } else if (expected == RSP_48_BUSY) {
        mmc_raise(s, R_SD_STAT_TC_MASK);
    }
}

static uint32_t mmc_read_data(Am335xHsmmc *s)
{
    uint32_t v;

    if (!s->reading) {
        return 0;
    }
    v = ldl_le_p(s->block + s->at);
    s->at += 4;
    if (s->at >= s->length) {
        mmc_block_done(s);
    }
    return v;
}

static void mmc_write_data(Am335xHsmmc *s, uint32_t v)
{
    if (s->writing) {
        stl_le_p(s->block + s->at, v);
        s->at += 4;
        if (s->at >= s->length) {
            mmc_block_done(s);
        }
    }
}

static void mmc_reset(DeviceState *dev)
{
    Am335xHsmmc *s = AM335X_HSMMC(dev);

    s->sysconfig = s->csre = s->systest = s->pwcnt = s->sdmasa = s->blk = s->arg = s->cmd = s->hctl = s->sysctl = 0;
    s->stat = s->ie = s->ise = s->ac12 = 0;
    s->con = 0x500;
    s->capa = 0x06e10080;
    memset(s->rsp, 0, sizeof(s->rsp));
    s->reading = s->writing = false;
    timer_del(s->dma_request);
    qemu_set_irq(s->card_absent, !sdbus_get_inserted(&s->bus));
    mmc_update(s);
}

/* A register that only holds its value, else NULL. */
static uint32_t *mmc_storage(Am335xHsmmc *s, hwaddr a)
{
    switch (a) {
    case A_SD_CSRE:
        return &s->csre;
    case A_SD_SYSTEST:
        return &s->systest;
    case A_SD_CON:
        return &s->con;
    case A_SD_PWCNT:
        return &s->pwcnt;
    case A_SD_SDMASA:
        return &s->sdmasa;
    case A_SD_BLK:
        return &s->blk;
    case A_SD_ARG:
        return &s->arg;
    case A_SD_HCTL:
        return &s->hctl;
    case A_SD_IE:
        return &s->ie;
    case A_SD_ISE:
        return &s->ise;
    case A_SD_AC12:
        return &s->ac12;
    default:
        return NULL;
    }
}

static uint32_t mmc_read_word(Am335xHsmmc *s, hwaddr a)
{
    uint32_t *storage = mmc_storage(s, a);

    if (storage) {
        return *storage;
    }
    switch (a) {
    case 0x000: /* hardware identification, not documented for all parts */
    case 0x004:
    case 0x010:
    case A_SD_CUR_CAPA:
    case A_SD_CAPA + 4:
        return 0;
    case A_SD_SYSCONFIG:
        return s->sysconfig;
    case A_SD_SYSSTATUS:
        return 1; /* RESETDONE */
    case A_SD_CMD:
        return s->cmd;
    case A_SD_RSP10 ... A_SD_RSP76:
        return s->rsp[(a - A_SD_RSP10) / 4];
    case A_SD_DATA:
        return mmc_read_data(s);
    case A_SD_PSTATE:
        return PSTATE_LINES | (sdbus_get_inserted(&s->bus) ? PSTATE_CARD : PSTATE_NO_CARD) |
               (s->reading ? PSTATE_READING : 0) | (s->writing ? PSTATE_WRITING : 0);
    case A_SD_SYSCTL:
        return s->sysctl | (s->sysctl & R_SD_SYSCTL_ICE_MASK) << R_SD_SYSCTL_ICS_SHIFT;
    case A_SD_STAT:
        return s->stat;
    case A_SD_CAPA:
        return s->capa;
    case A_SD_REV:
        return 0x31010000;
    default:
        am335x_unimplemented("HSMMC: read of %03x\n", (unsigned)a);
        return 0;
    }
}

static void mmc_write_word(Am335xHsmmc *s, hwaddr a, uint32_t v)
{
    uint32_t *storage = mmc_storage(s, a);

    if (storage) {
        *storage = v;
        return;
    }
    switch (a) {
    case A_SD_SYSCONFIG:
        if (FIELD_EX32(v, SD_SYSCONFIG, SOFTRESET)) {
            mmc_reset(DEVICE(s));
        }
        s->sysconfig = v & ~R_SD_SYSCONFIG_SOFTRESET_MASK;
        break;
    case A_SD_CMD:
        mmc_command(s, v);
        break;
    case A_SD_DATA:
        mmc_write_data(s, v);
        break;
    case A_SD_SYSCTL:
        s->sysctl = v & SYSCTL_STORED;
        if (v & (R_SD_SYSCTL_SRA_MASK | R_SD_SYSCTL_SRD_MASK)) {
            s->reading = s->writing = false;
        }
        if (v & R_SD_SYSCTL_SRA_MASK) {
            s->stat = 0;
        }
        break;
    case A_SD_STAT:
        s->stat &= ~v;
        if (!(s->stat & ERRORS)) {
            s->stat &= ~R_SD_STAT_ERRI_MASK;
        }
        break;
    case A_SD_CAPA:
        s->capa |= v & CAPA_VOLTAGES;
        break;
    default:
        am335x_unimplemented("HSMMC: write of %08x to %03x\n", v, (unsigned)a);
    }
}

static uint64_t mmc_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xHsmmc *s = opaque;
    uint32_t v = mmc_read_word(s, a & ~3);

    mmc_update(s);
    return extract32(v, a % 4 * 8, size * 8);
}

/* Standard host drivers write bytes and halves as well. */
static void mmc_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xHsmmc *s = opaque;
    hwaddr word = a & ~3;
    unsigned shift = a % 4 * 8;

    if (size == 4 || word == A_SD_DATA) {
        mmc_write_word(s, word, v);
    } else if (word == A_SD_STAT) { /* only these bits are to be cleared */
        mmc_write_word(s, word, (uint32_t)v << shift);
    } else if (word == A_SD_CMD && a + size != word + 4) { /* the transfer's mode: the command's index starts it */
        s->cmd = deposit32(s->cmd, shift, size * 8, v);
    } else {
        mmc_write_word(s, word, deposit32(mmc_read_word(s, word), shift, size * 8, v));
    }
    mmc_update(s);
}

static const MemoryRegionOps mmc_ops = {
    .read = mmc_read,
    .write = mmc_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
};

static void mmc_set_inserted(DeviceState *dev, bool inserted)
{
    qemu_set_irq(AM335X_HSMMC(dev)->card_absent, !inserted);
}

static void mmc_init(Object *obj)
{
    Am335xHsmmc *s = AM335X_HSMMC(obj);
    DeviceState *dev = DEVICE(obj);

    memory_region_init_io(&s->mmio, obj, &mmc_ops, s, TYPE_AM335X_HSMMC, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    qdev_init_gpio_out_named(dev, &s->card_absent, "card-absent", 1);
    qdev_init_gpio_out_named(dev, &s->dma_tx, "dma-tx", 1);
    qdev_init_gpio_out_named(dev, &s->dma_rx, "dma-rx", 1);
    qbus_init(&s->bus, sizeof(s->bus), TYPE_AM335X_SD_BUS, dev, "sd-bus");
    s->dma_request = timer_new_ns(QEMU_CLOCK_VIRTUAL, mmc_request_dma, s);
}

static void mmc_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = mmc_reset;
}

static void mmc_bus_class_init(ObjectClass *klass, void *data)
{
    SD_BUS_CLASS(klass)->set_inserted = mmc_set_inserted;
}

static const TypeInfo mmc_types[] = {
    {
        .name = TYPE_AM335X_HSMMC,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(Am335xHsmmc),
        .instance_init = mmc_init,
        .class_init = mmc_class_init,
    },
    {
        .name = TYPE_AM335X_SD_BUS,
        .parent = TYPE_SD_BUS,
        .class_init = mmc_bus_class_init,
    },
};
DEFINE_TYPES(mmc_types)
