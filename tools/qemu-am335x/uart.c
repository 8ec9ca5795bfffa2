/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * UART (manual: "Universal Asynchronous Receiver/Transmitter"): 16C750 with 64-byte FIFOs.
 *
 * Property "paced": a character takes its time at the programmed rate, so that the transmitter's FIFO can be full;
 * otherwise output leaves at once. Input has no rate, and bytes below the trigger level time out at once. Not modelled:
 * line errors, modem lines, hardware and software flow control, IrDA, DMA.
 */
#include "qemu/osdep.h"
#include "qemu/fifo8.h"
#include "qemu/timer.h"
#include "chardev/char-fe.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "am335x.h"

/* Several registers share an offset: LCR, EFR and MCR say which one is there. */
REG32(THR_RHR_DLL, 0x00)
REG32(IER_DLH, 0x04)
REG32(IIR_FCR_EFR, 0x08)
REG32(LCR, 0x0c)
REG32(MCR_XON1, 0x10)
REG32(LSR_XON2, 0x14)
REG32(MSR_TCR_XOFF1, 0x18)
REG32(SPR_TLR_XOFF2, 0x1c)
REG32(MDR1, 0x20)
REG32(MDR2, 0x24)
REG32(UASR, 0x38)
REG32(SCR, 0x40)
REG32(SSR, 0x44)
REG32(MVR, 0x50)
REG32(SYSC, 0x54)
REG32(SYSS, 0x58)
REG32(WER, 0x5c)
REG32(RXFIFO_LVL, 0x64)
REG32(TXFIFO_LVL, 0x68)
REG32(IER2, 0x6c)

enum { IER_RHR = 1 << 0, IER_THR = 1 << 1 };
enum { IIR_NONE = 0x01, IIR_THR = 0x02, IIR_RHR = 0x04, IIR_RX_TIMEOUT = 0x0c, IIR_FIFOS = 0xc0 };
enum { FCR_FIFO_EN = 1 << 0, FCR_RX_CLEAR = 1 << 1, FCR_TX_CLEAR = 1 << 2 };
enum { LSR_RXFIFOE = 1 << 0, LSR_TXFIFOE = 1 << 5, LSR_TXSRE = 1 << 6 };
enum { LCR_CONFIG_MODE_B = 0xbf, LCR_DIV_EN = 1 << 7 };
enum { EFR_ENHANCED = 1 << 4, MCR_TCR_TLR = 1 << 6 };
enum { MDR1_UART_16X = 0, MDR1_UART_16X_AUTO = 2, MDR1_UART_13X = 3, MDR1_DISABLED = 7 };
enum { SCR_TXEMPTYCTLIT = 1 << 3 };
enum { FIFO_SIZE = 64, UART_CLOCK_HZ = 48000000, BITS_PER_CHAR = 10 };

OBJECT_DECLARE_SIMPLE_TYPE(Am335xUart, AM335X_UART)
struct Am335xUart {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    CharBackend chr;
    qemu_irq irq;
    QEMUTimer *shifted; /* paced: the character in the shift register is out */
    bool paced;
    bool loaded; /* property: 115200 baud, as U-Boot leaves it */
    Fifo8 rx, tx;
    uint8_t ier, lcr, mcr, efr, dll, dlh, spr, fcr, tcr, tlr, xon1, xon2, xoff1, xoff2;
    uint8_t mdr1, mdr2, scr, wer, sysc, ier2;
};

static unsigned uart_rx_trigger(Am335xUart *s)
{
    static const uint8_t levels[] = { 8, 16, 56, 60 };

    if (!(s->fcr & FCR_FIFO_EN)) {
        return 1;
    }
    return s->tlr >> 4 ? (s->tlr >> 4) * 4 : levels[s->fcr >> 6];
}

/* How many places must be free for the THR interrupt. */
static unsigned uart_tx_trigger(Am335xUart *s)
{
    static const uint8_t levels[] = { 8, 16, 32, 56 };

    if (!(s->fcr & FCR_FIFO_EN)) {
        return FIFO_SIZE;
    }
    return s->tlr & 15 ? (s->tlr & 15) * 4 : levels[(s->fcr >> 4) & 3];
}

static bool uart_shifting(Am335xUart *s)
{
    return timer_pending(s->shifted);
}

static bool uart_thr_wanted(Am335xUart *s)
{
    if (s->scr & SCR_TXEMPTYCTLIT) {
        return fifo8_is_empty(&s->tx) && !uart_shifting(s);
    }
    return fifo8_num_free(&s->tx) >= uart_tx_trigger(s);
}

static uint8_t uart_iir(Am335xUart *s)
{
    uint8_t fifos = s->fcr & FCR_FIFO_EN ? IIR_FIFOS : 0;
    unsigned received = fifo8_num_used(&s->rx);

    if ((s->ier & IER_RHR) && received) {
        return fifos | (received >= uart_rx_trigger(s) ? IIR_RHR : IIR_RX_TIMEOUT);
    }
    return fifos | ((s->ier & IER_THR) && uart_thr_wanted(s) ? IIR_THR : IIR_NONE);
}

static void uart_update(Am335xUart *s)
{
    qemu_set_irq(s->irq, !(uart_iir(s) & IIR_NONE));
}

/* Time of a character, 0 when the transmitter has no clock. */
static int64_t uart_char_ns(Am335xUart *s)
{
    unsigned divisor = (s->dlh & 0x3f) << 8 | s->dll;
    unsigned oversampling = s->mdr1 == MDR1_UART_13X ? 13 : 16;

    return (int64_t)BITS_PER_CHAR * oversampling * divisor * NANOSECONDS_PER_SECOND / UART_CLOCK_HZ;
}

static bool uart_mode_is_on(Am335xUart *s)
{
    return s->mdr1 == MDR1_UART_16X || s->mdr1 == MDR1_UART_16X_AUTO || s->mdr1 == MDR1_UART_13X;
}

/* Take the next character out of the FIFO. */
static void uart_shift(void *opaque)
{
    Am335xUart *s = opaque;

    if (!fifo8_is_empty(&s->tx)) {
        uint8_t c = fifo8_pop(&s->tx);
        qemu_chr_fe_write_all(&s->chr, &c, 1);
        timer_mod(s->shifted, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + uart_char_ns(s));
    }
    uart_update(s);
}

static void uart_transmit(Am335xUart *s, uint8_t c)
{
    unsigned places = s->fcr & FCR_FIFO_EN ? FIFO_SIZE : 1;

    if (!uart_mode_is_on(s) || !uart_char_ns(s)) {
        am335x_guest_error("UART: THR written with the transmitter off (MDR1 %02x)\n", s->mdr1);
    } else if (!s->paced) {
        qemu_chr_fe_write_all(&s->chr, &c, 1);
    } else if (fifo8_num_used(&s->tx) >= places) {
        am335x_guest_error("UART: THR written with a full FIFO\n");
    } else {
        fifo8_push(&s->tx, c);
        if (!uart_shifting(s)) {
            uart_shift(s);
        }
    }
}

static int uart_can_receive(void *opaque)
{
    return fifo8_num_free(&((Am335xUart *)opaque)->rx);
}

static void uart_receive(void *opaque, const uint8_t *data, int n)
{
    Am335xUart *s = opaque;

    fifo8_push_all(&s->rx, data, n);
    uart_update(s);
}

static void uart_reset(DeviceState *dev)
{
    Am335xUart *s = AM335X_UART(dev);

    fifo8_reset(&s->rx);
    fifo8_reset(&s->tx);
    timer_del(s->shifted);
    s->ier = s->lcr = s->mcr = s->efr = s->dll = s->dlh = s->spr = s->fcr = s->tcr = s->tlr = 0;
    s->xon1 = s->xon2 = s->xoff1 = s->xoff2 = s->mdr2 = s->scr = s->sysc = s->ier2 = 0;
    s->mdr1 = MDR1_DISABLED;
    s->wer = 0xff;
    if (s->loaded) {
        s->mdr1 = MDR1_UART_16X;
        s->lcr = 3;
        s->fcr = FCR_FIFO_EN;
        s->dll = UART_CLOCK_HZ / 16 / 115200;
    }
    uart_update(s);
}

static uint8_t uart_lsr(Am335xUart *s)
{
    uint8_t empty = fifo8_is_empty(&s->tx) ? LSR_TXFIFOE | (uart_shifting(s) ? 0 : LSR_TXSRE) : 0;

    return empty | (fifo8_is_empty(&s->rx) ? 0 : LSR_RXFIFOE);
}

static uint8_t uart_take_received(Am335xUart *s)
{
    uint8_t c;

    if (fifo8_is_empty(&s->rx)) {
        return 0;
    }
    c = fifo8_pop(&s->rx);
    uart_update(s);
    qemu_chr_fe_accept_input(&s->chr);
    return c;
}

static bool uart_tcr_tlr(Am335xUart *s)
{
    return (s->efr & EFR_ENHANCED) && (s->mcr & MCR_TCR_TLR);
}

static uint64_t uart_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xUart *s = opaque;
    bool divisor = s->lcr & LCR_DIV_EN, mode_b = s->lcr == LCR_CONFIG_MODE_B;

    switch (a) {
    case A_THR_RHR_DLL:
        return divisor ? s->dll : uart_take_received(s);
    case A_IER_DLH:
        return divisor ? s->dlh : s->ier;
    case A_IIR_FCR_EFR:
        return mode_b ? s->efr : uart_iir(s);
    case A_LCR:
        return s->lcr;
    case A_MCR_XON1:
        return mode_b ? s->xon1 : s->mcr;
    case A_LSR_XON2:
        return mode_b ? s->xon2 : uart_lsr(s);
    case A_MSR_TCR_XOFF1: /* MSR: carrier, ready and clear to send */
        return uart_tcr_tlr(s) ? s->tcr : mode_b ? s->xoff1 : 0xb0;
    case A_SPR_TLR_XOFF2:
        return uart_tcr_tlr(s) ? s->tlr : mode_b ? s->xoff2 : s->spr;
    case A_MDR1:
        return s->mdr1;
    case A_MDR2:
        return s->mdr2;
    case A_UASR:
        return 0;
    case A_SCR:
        return s->scr;
    case A_SSR: /* TX_FIFO_FULL */
        return s->paced && fifo8_num_used(&s->tx) >= (s->fcr & FCR_FIFO_EN ? FIFO_SIZE : 1);
    case A_MVR:
        return 0x47424e03;
    case A_SYSC:
        return s->sysc;
    case A_SYSS:
        return 1; /* RESETDONE */
    case A_WER:
        return s->wer;
    case A_RXFIFO_LVL:
        return fifo8_num_used(&s->rx);
    case A_TXFIFO_LVL:
        return fifo8_num_used(&s->tx);
    case A_IER2:
        return s->ier2;
    default:
        am335x_unimplemented("UART: read of %02x\n", (unsigned)a);
        return 0;
    }
}

static void uart_write(void *opaque, hwaddr a, uint64_t value, unsigned size)
{
    Am335xUart *s = opaque;
    bool divisor = s->lcr & LCR_DIV_EN, mode_b = s->lcr == LCR_CONFIG_MODE_B;
    uint8_t v = value;

    switch (a) {
    case A_THR_RHR_DLL:
        if (divisor) {
            s->dll = v;
        } else {
            uart_transmit(s, v);
        }
        break;
    case A_IER_DLH:
        *(divisor ? &s->dlh : &s->ier) = v;
        break;
    case A_IIR_FCR_EFR:
        *(mode_b ? &s->efr : &s->fcr) = v;
        if (!mode_b && (v & FCR_RX_CLEAR)) {
            fifo8_reset(&s->rx);
            qemu_chr_fe_accept_input(&s->chr);
        }
        if (!mode_b && (v & FCR_TX_CLEAR)) {
            fifo8_reset(&s->tx);
        }
        break;
    case A_LCR:
        s->lcr = v;
        break;
    case A_MCR_XON1:
        *(mode_b ? &s->xon1 : &s->mcr) = v;
        break;
    case A_LSR_XON2:
        if (mode_b) {
            s->xon2 = v;
        }
        break;
    case A_MSR_TCR_XOFF1:
        if (uart_tcr_tlr(s)) {
            s->tcr = v;
        } else if (mode_b) {
            s->xoff1 = v;
        }
        break;
    case A_SPR_TLR_XOFF2:
        *(uart_tcr_tlr(s) ? &s->tlr : mode_b ? &s->xoff2 : &s->spr) = v;
        break;
    case A_MDR1:
        s->mdr1 = v & 7;
        break;
    case A_MDR2:
        s->mdr2 = v;
        break;
    case A_SCR:
        s->scr = v;
        break;
    case A_SYSC:
        if (v & 2) { /* SOFTRESET */
            uart_reset(DEVICE(s));
        }
        s->sysc = v & 0x1d;
        break;
    case A_WER:
        s->wer = v;
        break;
    case A_IER2:
        s->ier2 = v;
        break;
    default:
        am335x_unimplemented("UART: write of %02x to %02x\n", v, (unsigned)a);
    }
    uart_update(s);
}

static const MemoryRegionOps uart_ops = {
    .read = uart_read,
    .write = uart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
};

static void uart_init(Object *obj)
{
    Am335xUart *s = AM335X_UART(obj);

    memory_region_init_io(&s->mmio, obj, &uart_ops, s, TYPE_AM335X_UART, 0x1000);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    fifo8_create(&s->rx, FIFO_SIZE);
    fifo8_create(&s->tx, FIFO_SIZE);
    s->shifted = timer_new_ns(QEMU_CLOCK_VIRTUAL, uart_shift, s);
}

static void uart_realize(DeviceState *dev, Error **errp)
{
    Am335xUart *s = AM335X_UART(dev);

    qemu_chr_fe_set_handlers(&s->chr, uart_can_receive, uart_receive, NULL, NULL, s, NULL, true);
}

static Property uart_properties[] = {
    DEFINE_PROP_CHR("chardev", Am335xUart, chr),
    DEFINE_PROP_BOOL("paced", Am335xUart, paced, false),
    DEFINE_PROP_BOOL("loaded", Am335xUart, loaded, false),
    DEFINE_PROP_END_OF_LIST(),
};

static void uart_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->realize = uart_realize;
    DEVICE_CLASS(klass)->reset = uart_reset;
    device_class_set_props(DEVICE_CLASS(klass), uart_properties);
}

static const TypeInfo uart_type = {
    .name = TYPE_AM335X_UART,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xUart),
    .instance_init = uart_init,
    .class_init = uart_class_init,
};

static void uart_register(void)
{
    type_register_static(&uart_type);
}
type_init(uart_register)
