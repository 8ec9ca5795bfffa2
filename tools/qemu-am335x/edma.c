/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EDMA3 channel controller (manual: "Enhanced Direct Memory Access"). A transfer is done as soon as its event comes,
 * word by word. Not modelled: QDMA, the queues (the lowest channel goes first), the memory protection, the transfer
 * controllers' own registers.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "am335x.h"

enum { CHANNELS = 64, QDMA_CHANNELS = 8, SETS = 256, SET_WORDS = 8, REGIONS = 8 };

/* Global registers; 64-bit ones are two words, the low one first */
REG32(EDMA3CC_PID, 0x0000)
REG32(EDMA3CC_CCCFG, 0x0004)
REG32(EDMA3CC_DCHMAP0, 0x0100)
REG32(EDMA3CC_QCHMAP0, 0x0200)
REG32(EDMA3CC_EMR, 0x0300)
REG32(EDMA3CC_EMCR, 0x0308)
REG32(EDMA3CC_EEVAL, 0x0320)
REG32(EDMA3CC_DRAE0, 0x0340)
/* In the global window at 0x1000, and in one window of 0x200 for each shadow region from 0x2000 */
REG32(EDMA3CC_ER, 0x00)
REG32(EDMA3CC_ECR, 0x08)
REG32(EDMA3CC_ESR, 0x10)
REG32(EDMA3CC_CER, 0x18)
REG32(EDMA3CC_EER, 0x20)
REG32(EDMA3CC_EECR, 0x28)
REG32(EDMA3CC_EESR, 0x30)
REG32(EDMA3CC_SER, 0x38)
REG32(EDMA3CC_SECR, 0x40)
REG32(EDMA3CC_IER, 0x50)
REG32(EDMA3CC_IECR, 0x58)
REG32(EDMA3CC_IESR, 0x60)
REG32(EDMA3CC_IPR, 0x68)
REG32(EDMA3CC_ICR, 0x70)
REG32(EDMA3CC_IEVAL, 0x78)
#define GLOBAL_WINDOW 0x1000
#define SHADOW_WINDOWS 0x2000
#define SHADOW_SIZE 0x200
#define PARAM_SETS 0x4000
#define STORAGE_SIZE 0x1000 /* queues, priorities, ...: no effect */

enum { /* OPT */
    OPT_SYNCDIM = 1 << 2, OPT_STATIC = 1 << 3, OPT_TCC_SHIFT = 12, OPT_TCINTEN = 1 << 20, OPT_ITCINTEN = 1 << 21,
    OPT_TCCHEN = 1 << 22, OPT_ITCCHEN = 1 << 23,
};
#define LINK_NONE 0xffff

/* A PaRAM set, as it lies in memory */
typedef struct {
    uint32_t opt, src, a_b_cnt, dst, src_dst_bidx, link_bcntrld, src_dst_cidx, ccnt;
} ParamSet;
QEMU_BUILD_BUG_ON(sizeof(ParamSet) != SET_WORDS * 4);

OBJECT_DECLARE_SIMPLE_TYPE(Am335xEdma, AM335X_EDMA)
struct Am335xEdma {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    qemu_irq completion, error;
    bool running; /* transfers that transfers trigger wait for the one at work */
    uint64_t er, eer, ser, cer, ier, ipr, emr, drae[REGIONS];
    uint32_t dchmap[CHANNELS], qchmap[QDMA_CHANNELS];
    ParamSet sets[SETS];
    uint32_t storage[STORAGE_SIZE / 4];
};

static void edma_update(Am335xEdma *s)
{
    qemu_set_irq(s->completion, !!(s->ipr & s->ier & s->drae[0]));
    qemu_set_irq(s->error, !!s->emr);
}

static void edma_copy(uint32_t dst, uint32_t src, unsigned n)
{
    while (n) {
        uint8_t word[4];
        unsigned k = MIN(n, 4);
        MemTxResult result = address_space_read(&address_space_memory, src, MEMTXATTRS_UNSPECIFIED, word, k);

        result |= address_space_write(&address_space_memory, dst, MEMTXATTRS_UNSPECIFIED, word, k);
        if (result != MEMTX_OK) {
            am335x_guest_error("EDMA: bus error, %08x to %08x\n", src, dst);
        }
        src += k;
        dst += k;
        n -= k;
    }
}

/* One A-synchronised (an array) or AB-synchronised (a frame) transfer; true when the set is used up. */
static bool edma_step(ParamSet *p)
{
    unsigned acnt = extract32(p->a_b_cnt, 0, 16), bcnt = extract32(p->a_b_cnt, 16, 16);
    int16_t src_bidx = p->src_dst_bidx, dst_bidx = p->src_dst_bidx >> 16;
    int16_t src_cidx = p->src_dst_cidx, dst_cidx = p->src_dst_cidx >> 16;

    if (p->opt & OPT_SYNCDIM) {
        for (unsigned i = 0; i < bcnt; i++) {
            edma_copy(p->dst + i * dst_bidx, p->src + i * src_bidx, acnt);
        }
    } else {
        edma_copy(p->dst, p->src, acnt);
        if (--bcnt) {
            p->src += src_bidx;
            p->dst += dst_bidx;
            p->a_b_cnt = deposit32(p->a_b_cnt, 16, 16, bcnt);
            return false;
        }
        p->a_b_cnt = deposit32(p->a_b_cnt, 16, 16, p->link_bcntrld >> 16);
    }
    p->src += src_cidx;
    p->dst += dst_cidx;
    p->ccnt = (p->ccnt & 0xffff) - 1;
    return !p->ccnt;
}

static void edma_link(Am335xEdma *s, ParamSet *p)
{
    unsigned link = p->link_bcntrld & 0xffff;

    if (link == LINK_NONE) {
        memset(p, 0, sizeof(*p));
        p->link_bcntrld = LINK_NONE;
    } else {
        *p = s->sets[(link - PARAM_SETS) / sizeof(*p) % SETS];
    }
}

/* Serve one event of a channel. */
static void edma_run(Am335xEdma *s, unsigned channel)
{
    ParamSet *p = &s->sets[extract32(s->dchmap[channel], 5, 9) % SETS];
    uint32_t opt = p->opt;
    uint64_t code = 1ull << extract32(opt, OPT_TCC_SHIFT, 6);
    bool last;

    if (!(p->ccnt & 0xffff) || !(p->a_b_cnt & 0xffff) || !(p->a_b_cnt >> 16)) {
        if (!(p->ccnt & 0xffff) && !p->a_b_cnt) { /* a null set: the event is missed; a dummy set absorbs it */
            s->emr |= 1ull << channel;
            s->ser |= 1ull << channel;
        }
        return;
    }
    last = edma_step(p);
    if (last && !(opt & OPT_STATIC)) {
        edma_link(s, p);
    }
    if (opt & (last ? OPT_TCINTEN : OPT_ITCINTEN)) {
        s->ipr |= code;
    }
    if (opt & (last ? OPT_TCCHEN : OPT_ITCCHEN)) {
        s->cer |= code;
    }
}

/* Serve what is pending: chained events, enabled events, those that software set. */
static void edma_serve(Am335xEdma *s, uint64_t set_by_software)
{
    uint64_t pending;

    if (s->running) {
        return;
    }
    s->running = true;
    while ((pending = s->cer | (s->er & s->eer) | set_by_software)) {
        uint64_t channel = 1ull << ctz64(pending);
        s->cer &= ~channel;
        s->er &= ~channel;
        set_by_software &= ~channel;
        edma_run(s, ctz64(pending));
    }
    s->running = false;
    edma_update(s);
}

static void edma_event(void *opaque, int channel, int level)
{
    Am335xEdma *s = opaque;

    if (level) {
        s->er |= 1ull << channel;
        edma_serve(s, 0);
    }
}

static uint64_t edma_read_window(Am335xEdma *s, hwaddr reg)
{
    switch (reg) {
    case A_EDMA3CC_ER:
        return s->er;
    case A_EDMA3CC_CER:
        return s->cer;
    case A_EDMA3CC_EER:
        return s->eer;
    case A_EDMA3CC_SER:
        return s->ser;
    case A_EDMA3CC_IER:
        return s->ier;
    case A_EDMA3CC_IPR:
        return s->ipr;
    default:
        return 0;
    }
}

static void edma_write_window(Am335xEdma *s, hwaddr reg, uint64_t bits)
{
    uint64_t set_by_software = 0;

    switch (reg) {
    case A_EDMA3CC_ECR:
        s->er &= ~bits;
        break;
    case A_EDMA3CC_ESR:
        set_by_software = bits;
        break;
    case A_EDMA3CC_EECR:
        s->eer &= ~bits;
        break;
    case A_EDMA3CC_EESR:
        s->eer |= bits;
        break;
    case A_EDMA3CC_SECR:
        s->ser &= ~bits;
        break;
    case A_EDMA3CC_IECR:
        s->ier &= ~bits;
        break;
    case A_EDMA3CC_IESR:
        s->ier |= bits;
        break;
    case A_EDMA3CC_ICR:
        s->ipr &= ~bits;
        break;
    case A_EDMA3CC_IEVAL: /* a pulse for what is still pending */
        qemu_set_irq(s->completion, 0);
        break;
    }
    edma_serve(s, set_by_software);
    edma_update(s);
}

/* What of a 64-bit register a word's bits may touch: all in the global window, in a region's what DRAE grants. */
static uint64_t edma_window_mask(Am335xEdma *s, hwaddr a)
{
    return a < SHADOW_WINDOWS ? UINT64_MAX : s->drae[(a - SHADOW_WINDOWS) / SHADOW_SIZE];
}

static unsigned edma_half(hwaddr a)
{
    return a & 4 ? 32 : 0;
}

static uint64_t edma_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xEdma *s = opaque;

    switch (a) {
    case A_EDMA3CC_PID:
        return 0x40014c00;
    case A_EDMA3CC_CCCFG:
        return 0x03224445; /* 64 channels, 8 QDMA channels, 256 sets, 3 queues, 4 regions */
    case A_EDMA3CC_DCHMAP0 ... A_EDMA3CC_DCHMAP0 + 4 * CHANNELS - 1:
        return s->dchmap[(a - A_EDMA3CC_DCHMAP0) / 4];
    case A_EDMA3CC_QCHMAP0 ... A_EDMA3CC_QCHMAP0 + 4 * QDMA_CHANNELS - 1:
        return s->qchmap[(a - A_EDMA3CC_QCHMAP0) / 4];
    case A_EDMA3CC_EMR:
    case A_EDMA3CC_EMR + 4:
        return extract64(s->emr, edma_half(a), 32);
    case A_EDMA3CC_DRAE0 ... A_EDMA3CC_DRAE0 + 8 * REGIONS - 1:
        return extract64(s->drae[(a - A_EDMA3CC_DRAE0) / 8], edma_half(a), 32);
    case GLOBAL_WINDOW ... GLOBAL_WINDOW + SHADOW_SIZE - 1:
    case SHADOW_WINDOWS ... SHADOW_WINDOWS + REGIONS * SHADOW_SIZE - 1:
        return extract64(edma_read_window(s, a % SHADOW_SIZE & ~4) & edma_window_mask(s, a), edma_half(a), 32);
    case PARAM_SETS ... PARAM_SETS + sizeof(s->sets) - 1:
        return ((uint32_t *)s->sets)[(a - PARAM_SETS) / 4];
    default:
        return a < STORAGE_SIZE ? s->storage[a / 4] : 0;
    }
}

static void edma_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xEdma *s = opaque;
    uint64_t bits = v << edma_half(a);

    switch (a) {
    case A_EDMA3CC_DCHMAP0 ... A_EDMA3CC_DCHMAP0 + 4 * CHANNELS - 1:
        s->dchmap[(a - A_EDMA3CC_DCHMAP0) / 4] = v;
        break;
    case A_EDMA3CC_QCHMAP0 ... A_EDMA3CC_QCHMAP0 + 4 * QDMA_CHANNELS - 1:
        s->qchmap[(a - A_EDMA3CC_QCHMAP0) / 4] = v;
        break;
    case A_EDMA3CC_EMCR:
    case A_EDMA3CC_EMCR + 4:
        s->emr &= ~bits;
        edma_update(s);
        break;
    case A_EDMA3CC_EEVAL: /* a pulse for what is still pending */
        qemu_set_irq(s->error, 0);
        edma_update(s);
        break;
    case A_EDMA3CC_DRAE0 ... A_EDMA3CC_DRAE0 + 8 * REGIONS - 1: {
        uint64_t *drae = &s->drae[(a - A_EDMA3CC_DRAE0) / 8];
        *drae = deposit64(*drae, edma_half(a), 32, v);
        edma_update(s);
        break;
    }
    case GLOBAL_WINDOW ... GLOBAL_WINDOW + SHADOW_SIZE - 1:
    case SHADOW_WINDOWS ... SHADOW_WINDOWS + REGIONS * SHADOW_SIZE - 1:
        edma_write_window(s, a % SHADOW_SIZE & ~4, bits & edma_window_mask(s, a));
        break;
    case PARAM_SETS ... PARAM_SETS + sizeof(s->sets) - 1:
        ((uint32_t *)s->sets)[(a - PARAM_SETS) / 4] = v;
        break;
    default:
        if (a < STORAGE_SIZE) {
            s->storage[a / 4] = v;
        } else {
            am335x_guest_error("EDMA: write to %04x, no register\n", (unsigned)a);
        }
    }
}

static const MemoryRegionOps edma_ops = {
    .read = edma_read,
    .write = edma_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void edma_reset(DeviceState *dev)
{
    Am335xEdma *s = AM335X_EDMA(dev);

    s->er = s->eer = s->ser = s->cer = s->ier = s->ipr = s->emr = 0;
    memset(s->drae, 0, sizeof(s->drae));
    memset(s->dchmap, 0, sizeof(s->dchmap));
    memset(s->qchmap, 0, sizeof(s->qchmap));
    memset(s->storage, 0, sizeof(s->storage));
    edma_update(s);
}

static void edma_init(Object *obj)
{
    Am335xEdma *s = AM335X_EDMA(obj);

    memory_region_init_io(&s->mmio, obj, &edma_ops, s, TYPE_AM335X_EDMA, 0x10000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->completion);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->error);
    qdev_init_gpio_in(DEVICE(obj), edma_event, CHANNELS);
}

static void edma_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = edma_reset;
}

static const TypeInfo edma_type = {
    .name = TYPE_AM335X_EDMA,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xEdma),
    .instance_init = edma_init,
    .class_init = edma_class_init,
};

static void edma_register(void)
{
    type_register_static(&edma_type);
}
type_init(edma_register)
