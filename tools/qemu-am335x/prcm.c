/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Power, reset and clock management (manual: PRCM). A module is functional as soon as its CLKCTRL register enables it,
 * a DPLL locked as soon as that is asked for, a power domain in the state that is asked for: nothing takes time.
 */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "qapi/visitor.h"
#include "sysemu/runstate.h"
#include "am335x.h"
#include "clock_gates.h"

#define PRCM_SIZE 0x2000

/* Module clock control; of the CM_PER ones only the limits */
REG32(CM_PER_CPGMAC0_CLKCTRL, 0x014)
REG32(CM_PER_CLKDIV32K_CLKCTRL, 0x14c)
REG32(CM_WKUP_CONTROL_CLKCTRL, 0x404)
REG32(CM_WKUP_DEBUGSS_CLKCTRL, 0x414)
REG32(CM_IDLEST_DPLL_MPU, 0x420)
REG32(CM_CLKSEL_DPLL_MPU, 0x42c)
REG32(CM_IDLEST_DPLL_DDR, 0x434)
REG32(CM_CLKSEL_DPLL_DDR, 0x440)
REG32(CM_IDLEST_DPLL_DISP, 0x448)
REG32(CM_CLKSEL_DPLL_DISP, 0x454)
REG32(CM_IDLEST_DPLL_CORE, 0x45c)
REG32(CM_CLKSEL_DPLL_CORE, 0x468)
REG32(CM_IDLEST_DPLL_PER, 0x470)
REG32(CM_DIV_M4_DPLL_CORE, 0x480)
REG32(CM_DIV_M5_DPLL_CORE, 0x484)
REG32(CM_CLKMODE_DPLL_MPU, 0x488)
REG32(CM_CLKMODE_DPLL_PER, 0x48c)
REG32(CM_CLKMODE_DPLL_CORE, 0x490)
REG32(CM_CLKMODE_DPLL_DDR, 0x494)
REG32(CM_CLKMODE_DPLL_DISP, 0x498)
REG32(CM_CLKSEL_DPLL_PERIPH, 0x49c)
REG32(CM_DIV_M2_DPLL_DDR, 0x4a0)
REG32(CM_DIV_M2_DPLL_DISP, 0x4a4)
REG32(CM_DIV_M2_DPLL_MPU, 0x4a8)
REG32(CM_DIV_M2_DPLL_PER, 0x4ac)
REG32(CM_WKUP_WKUP_M3_CLKCTRL, 0x4b0)
REG32(CM_WKUP_WDT1_CLKCTRL, 0x4d4)
REG32(CM_DIV_M6_DPLL_CORE, 0x4d8)
REG32(CLKSEL_TIMER7_CLK, 0x504)
REG32(CLKSEL_TIMER1MS_CLK, 0x528)
REG32(CM_MPU_MPU_CLKCTRL, 0x604)
REG32(CM_RTC_RTC_CLKCTRL, 0x800)
REG32(CM_GFX_GFX_CLKCTRL, 0x904)
REG32(CM_CEFUSE_CEFUSE_CLKCTRL, 0xa20)
REG32(RM_PER_RSTCTRL, 0xc00)
REG32(PM_PER_PWRSTST, 0xc08)
REG32(PM_PER_PWRSTCTRL, 0xc0c)
REG32(RM_WKUP_RSTCTRL, 0xd00)
REG32(PM_WKUP_PWRSTCTRL, 0xd04)
REG32(PM_WKUP_PWRSTST, 0xd08)
REG32(RM_WKUP_RSTST, 0xd0c)
REG32(PM_MPU_PWRSTCTRL, 0xe00)
REG32(PM_MPU_PWRSTST, 0xe04)
REG32(PRM_RSTCTRL, 0xf00)
    FIELD(PRM_RSTCTRL, RST_GLOBAL_WARM_SW, 0, 1)
    FIELD(PRM_RSTCTRL, RST_GLOBAL_COLD_SW, 1, 1)
REG32(PRM_RSTST, 0xf08)
REG32(PM_RTC_PWRSTCTRL, 0x1000)
REG32(PM_RTC_PWRSTST, 0x1004)
REG32(PM_GFX_PWRSTCTRL, 0x1100)
REG32(RM_GFX_RSTCTRL, 0x1104)
REG32(PM_GFX_PWRSTST, 0x1110)
REG32(RM_GFX_RSTST, 0x1114)
REG32(PM_CEFUSE_PWRSTCTRL, 0x1200)
REG32(PM_CEFUSE_PWRSTST, 0x1204)

enum { MODULEMODE = 3, MODULEMODE_ENABLE = 2, IDLEST_DISABLED = 3 << 16, CLKCTRL_READ_ONLY = 7 << 16 };
enum { DPLL_EN = 7, DPLL_EN_LOCK = 7, DPLL_EN_BYPASS = 4, DPLL_SSC_EN = 1 << 12, DPLL_SSC_ACK = 1 << 13 };
enum { ST_DPLL_CLK_LOCKED = 1 << 0, ST_MN_BYPASS = 1 << 8 };

OBJECT_DECLARE_SIMPLE_TYPE(Am335xPrcm, AM335X_PRCM)
struct Am335xPrcm {
    SysBusDevice parent_obj;
    MemoryRegion mmio;
    ClockGate *gates;
    DeviceState *timer[AM335X_TIMERS];
    bool loaded; /* property: start as after the boot loader, not as after the boot ROM */
    uint32_t reset_cause;
    uint32_t regs[PRCM_SIZE / 4];
};

static bool prcm_is_clkctrl(hwaddr a)
{
    switch (a) {
    case 0x11c: /* CLKSTCTRL of L4HS, OCPWP_L3, PRUSS, CPSW and LCDC, in between */
    case 0x12c:
    case 0x140:
    case 0x144:
    case 0x148:
        return false;
    case A_CM_WKUP_WDT1_CLKCTRL:
    case A_CM_MPU_MPU_CLKCTRL:
    case A_CM_RTC_RTC_CLKCTRL:
    case A_CM_GFX_GFX_CLKCTRL:
    case A_CM_CEFUSE_CEFUSE_CLKCTRL:
        return true;
    default:
        return (a >= A_CM_PER_CPGMAC0_CLKCTRL && a <= A_CM_PER_CLKDIV32K_CLKCTRL) ||
               (a >= A_CM_WKUP_CONTROL_CLKCTRL && a <= A_CM_WKUP_DEBUGSS_CLKCTRL) ||
               (a >= A_CM_WKUP_WKUP_M3_CLKCTRL && a <= A_CM_WKUP_WKUP_M3_CLKCTRL + 0x18);
    }
}

/* CM_IDLEST_DPLL_x: the offset of CM_CLKMODE_DPLL_x, else 0 */
static hwaddr prcm_clkmode_of(hwaddr idlest)
{
    switch (idlest) {
    case A_CM_IDLEST_DPLL_MPU:
        return A_CM_CLKMODE_DPLL_MPU;
    case A_CM_IDLEST_DPLL_DDR:
        return A_CM_CLKMODE_DPLL_DDR;
    case A_CM_IDLEST_DPLL_DISP:
        return A_CM_CLKMODE_DPLL_DISP;
    case A_CM_IDLEST_DPLL_CORE:
        return A_CM_CLKMODE_DPLL_CORE;
    case A_CM_IDLEST_DPLL_PER:
        return A_CM_CLKMODE_DPLL_PER;
    default:
        return 0;
    }
}

/* PM_x_PWRSTST: the offset of PM_x_PWRSTCTRL, else 0 */
static hwaddr prcm_pwrstctrl_of(hwaddr pwrstst)
{
    switch (pwrstst) {
    case A_PM_PER_PWRSTST:
        return A_PM_PER_PWRSTCTRL;
    case A_PM_WKUP_PWRSTST:
        return A_PM_WKUP_PWRSTCTRL;
    case A_PM_MPU_PWRSTST:
        return A_PM_MPU_PWRSTCTRL;
    case A_PM_RTC_PWRSTST:
        return A_PM_RTC_PWRSTCTRL;
    case A_PM_GFX_PWRSTST:
        return A_PM_GFX_PWRSTCTRL;
    case A_PM_CEFUSE_PWRSTST:
        return A_PM_CEFUSE_PWRSTCTRL;
    default:
        return 0;
    }
}

/* Rate of DMTIMERn's clock: TIMER0 has the 32 kHz RC oscillator, the others what CLKSEL says. */
static uint32_t prcm_timer_hz(Am335xPrcm *s, unsigned n)
{
    static const uint8_t clksel[AM335X_TIMERS] = { 0, 0x28, 0x08, 0x0c, 0x10, 0x18, 0x1c, 0x04 };
    uint32_t sel = s->regs[(0x500 + clksel[n]) / 4];

    if (n == 0) {
        return AM335X_32K_HZ;
    }
    if (n == 1) { /* 0: crystal; 1, 3, 4: 32 kHz sources; 2: the TCLKIN pin */
        return (sel & 7) == 0 ? AM335X_M_OSC_HZ : (sel & 7) == 2 ? 0 : AM335X_32K_HZ;
    }
    return (sel & 3) == 1 ? AM335X_M_OSC_HZ : (sel & 3) == 2 ? AM335X_32K_HZ : 0;
}

static void prcm_clock_timers(Am335xPrcm *s)
{
    for (unsigned n = 0; n < AM335X_TIMERS; n++) {
        if (s->timer[n]) {
            am335x_dmtimer_set_clock(s->timer[n], prcm_timer_hz(s, n));
        }
    }
}

static void prcm_write_clkctrl(Am335xPrcm *s, hwaddr a, uint32_t v)
{
    bool on = (v & MODULEMODE) == MODULEMODE_ENABLE;

    if (on != ((s->regs[a / 4] & MODULEMODE) == MODULEMODE_ENABLE)) {
        clock_gate_set(s->gates, a, on);
    }
    s->regs[a / 4] = (v & ~CLKCTRL_READ_ONLY) | (on ? 0 : IDLEST_DISABLED);
}

void am335x_prcm_reset(DeviceState *dev, uint32_t cause)
{
    AM335X_PRCM(dev)->reset_cause = cause;
    qemu_system_reset_request(SHUTDOWN_CAUSE_GUEST_RESET);
}

void am335x_prcm_add_gate(DeviceState *dev, uint16_t clkctrl, hwaddr base, hwaddr size)
{
    clock_gate_add(&AM335X_PRCM(dev)->gates, OBJECT(dev), clkctrl, base, size);
}

void am335x_prcm_add_timer(DeviceState *dev, unsigned n, DeviceState *timer)
{
    AM335X_PRCM(dev)->timer[n] = timer;
}

static uint64_t prcm_read(void *opaque, hwaddr a, unsigned size)
{
    Am335xPrcm *s = opaque;
    uint32_t v = s->regs[a / 4];
    hwaddr control;

    if ((control = prcm_clkmode_of(a))) {
        return (s->regs[control / 4] & DPLL_EN) == DPLL_EN_LOCK ? ST_DPLL_CLK_LOCKED : ST_MN_BYPASS;
    }
    if ((control = prcm_pwrstctrl_of(a))) {
        return 0x1f4 | (s->regs[control / 4] & 3); /* memories and logic on, no transition; the state asked for */
    }
    if (a >= A_CM_CLKMODE_DPLL_MPU && a <= A_CM_CLKMODE_DPLL_DISP) {
        return (v & ~DPLL_SSC_ACK) | (v & DPLL_SSC_EN ? DPLL_SSC_ACK : 0);
    }
    return v;
}

static void prcm_write(void *opaque, hwaddr a, uint64_t v, unsigned size)
{
    Am335xPrcm *s = opaque;

    if (prcm_is_clkctrl(a)) {
        prcm_write_clkctrl(s, a, v);
        return;
    }
    if (prcm_clkmode_of(a) || prcm_pwrstctrl_of(a)) {
        am335x_guest_error("PRCM: write to read-only register %03x\n", (unsigned)a);
        return;
    }
    switch (a) {
    case A_PRM_RSTCTRL:
        if (FIELD_EX32(v, PRM_RSTCTRL, RST_GLOBAL_COLD_SW)) {
            am335x_prcm_reset(DEVICE(s), AM335X_RST_COLD);
        } else if (FIELD_EX32(v, PRM_RSTCTRL, RST_GLOBAL_WARM_SW)) {
            am335x_prcm_reset(DEVICE(s), AM335X_RST_WARM_SW);
        }
        break;
    case A_PRM_RSTST:
    case A_RM_WKUP_RSTST:
    case A_RM_GFX_RSTST:
        s->regs[a / 4] &= ~v;
        break;
    case A_RM_WKUP_RSTCTRL:
        s->regs[a / 4] = v;
        s->regs[R_RM_WKUP_RSTST] |= 1 << 5; /* WKUP_M3_LRST */
        break;
    case A_RM_GFX_RSTCTRL:
        s->regs[a / 4] = v;
        s->regs[R_RM_GFX_RSTST] |= ~v & 1; /* GFX_RST */
        break;
    default:
        s->regs[a / 4] = v;
        if (a >= A_CLKSEL_TIMER7_CLK && a <= A_CLKSEL_TIMER1MS_CLK) {
            prcm_clock_timers(s);
        }
    }
}

static const MemoryRegionOps prcm_ops = {
    .read = prcm_read,
    .write = prcm_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/* What a boot loader leaves, for a kernel that QEMU loads: devices on, DPLLs locked at U-Boot's rates. */
static void prcm_as_loader(Am335xPrcm *s)
{
    static const uint16_t enabled[] = {
        /* CPSW, EMIF, MMC0, MMC1, TIMER2, GPIO1 to 3, GPIO0, UART0, I2C0, I2C1, I2C2, WDT1, RTC, EDMA */
        0x014, 0x028, 0x03c, 0x0f4, 0x080, 0x0ac, 0x0b0, 0x0b4, 0x408, 0x4b4, 0x4b8, 0x048, 0x044, 0x4d4, 0x800,
        0x0bc, 0x024, 0x0fc, 0x100,
    };
    static const struct {
        uint16_t reg;
        uint32_t value;
    } rates[] = { /* CLKSEL: multiplier << 8 | divider - 1 of 24 MHz */
        { R_CM_CLKSEL_DPLL_MPU, 1000 << 8 | 23 },   { R_CM_DIV_M2_DPLL_MPU, 1 },
        { R_CM_CLKSEL_DPLL_CORE, 1000 << 8 | 23 },  { R_CM_DIV_M4_DPLL_CORE, 10 },
        { R_CM_DIV_M5_DPLL_CORE, 8 },               { R_CM_DIV_M6_DPLL_CORE, 4 },
        { R_CM_CLKSEL_DPLL_PERIPH, 960 << 8 | 23 }, { R_CM_DIV_M2_DPLL_PER, 5 },
        { R_CM_CLKSEL_DPLL_DDR, 400 << 8 | 23 },    { R_CM_DIV_M2_DPLL_DDR, 1 },
        { R_CM_CLKSEL_DPLL_DISP, 100 << 8 | 23 },   { R_CM_DIV_M2_DPLL_DISP, 1 },
    };

    for (int i = 0; i < ARRAY_SIZE(enabled); i++) {
        s->regs[enabled[i] / 4] = MODULEMODE_ENABLE;
    }
    for (int r = R_CM_CLKMODE_DPLL_MPU; r <= R_CM_CLKMODE_DPLL_DISP; r++) {
        s->regs[r] = DPLL_EN_LOCK;
    }
    for (int i = 0; i < ARRAY_SIZE(rates); i++) {
        s->regs[rates[i].reg] = rates[i].value;
    }
}

static void prcm_reset_registers(DeviceState *dev)
{
    static const uint16_t enabled[] = {
        /* always on: L4LS, L3_INSTR, L3, L4HS, L4WKUP, WKUP_M3, MPU, CONTROL, DEBUGSS, OCMCRAM */
        0x060, 0x0dc, 0x0e0, 0x120, 0x40c, 0x4b0, 0x604, 0x404, 0x414, 0x02c,
        /* and what the boot ROM uses: MMC0, TIMER1, WDT1 */
        0x03c, 0x4c4, 0x4d4,
    };
    Am335xPrcm *s = AM335X_PRCM(dev);
    uint32_t causes = s->regs[R_PRM_RSTST]; /* survives a warm reset */

    memset(s->regs, 0, sizeof(s->regs));
    s->regs[R_PRM_RSTST] = s->reset_cause == AM335X_RST_COLD ? AM335X_RST_COLD : causes | s->reset_cause;
    s->reset_cause = AM335X_RST_COLD; /* unless something else asks for the next reset */
    for (hwaddr a = 0; a < PRCM_SIZE; a += 4) {
        if (prcm_is_clkctrl(a)) {
            s->regs[a / 4] = IDLEST_DISABLED;
        }
    }
    for (int i = 0; i < ARRAY_SIZE(enabled); i++) {
        s->regs[enabled[i] / 4] = MODULEMODE_ENABLE;
    }
    for (hwaddr a = A_CLKSEL_TIMER7_CLK; a <= 0x51c; a += 4) {
        s->regs[a / 4] = 1; /* the crystal */
    }
    for (int r = R_CM_CLKMODE_DPLL_MPU; r <= R_CM_CLKMODE_DPLL_DISP; r++) {
        s->regs[r] = DPLL_EN_BYPASS;
    }
    s->regs[R_RM_PER_RSTCTRL] = 1 << 1; /* PRUSS, wake-up M3 and GFX held in reset */
    s->regs[R_RM_WKUP_RSTCTRL] = 1 << 3;
    s->regs[R_RM_GFX_RSTCTRL] = 1 << 0;
    s->regs[R_PM_PER_PWRSTCTRL] = 0xee0000eb;
    s->regs[R_PM_WKUP_PWRSTCTRL] = 0x8;
    s->regs[R_PM_MPU_PWRSTCTRL] = 0x1ff0007;
    s->regs[R_PM_RTC_PWRSTCTRL] = 0x4;
    s->regs[R_PM_GFX_PWRSTCTRL] = 0x60044;
    if (s->loaded) {
        prcm_as_loader(s);
    }
    for (hwaddr a = 0; a < PRCM_SIZE; a += 4) {
        if (prcm_is_clkctrl(a)) {
            clock_gate_set(s->gates, a, (s->regs[a / 4] & MODULEMODE) == MODULEMODE_ENABLE);
        }
    }
    prcm_clock_timers(s);
}

/* Property "mpu-hz": the processor's rate by its DPLL, for tests that must see whether somebody changed it. */
static void prcm_get_mpu_hz(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Am335xPrcm *s = AM335X_PRCM(obj);
    uint32_t clksel = s->regs[R_CM_CLKSEL_DPLL_MPU], m2 = s->regs[R_CM_DIV_M2_DPLL_MPU] & 0x1f;
    bool locked = (s->regs[R_CM_CLKMODE_DPLL_MPU] & DPLL_EN) == DPLL_EN_LOCK;
    uint64_t hz = AM335X_M_OSC_HZ;

    if (locked && m2) {
        hz = hz * extract32(clksel, 8, 11) / (extract32(clksel, 0, 7) + 1) / m2;
    }
    visit_type_uint64(v, name, &hz, errp);
}

static void prcm_init(Object *obj)
{
    Am335xPrcm *s = AM335X_PRCM(obj);

    memory_region_init_io(&s->mmio, obj, &prcm_ops, s, TYPE_AM335X_PRCM, PRCM_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    object_property_add(obj, "mpu-hz", "uint64", prcm_get_mpu_hz, NULL, NULL, NULL);
    s->reset_cause = AM335X_RST_COLD;
}

static Property prcm_properties[] = {
    DEFINE_PROP_BOOL("loaded", Am335xPrcm, loaded, false),
    DEFINE_PROP_END_OF_LIST(),
};

static void prcm_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->reset = prcm_reset_registers;
    device_class_set_props(DEVICE_CLASS(klass), prcm_properties);
}

static const TypeInfo prcm_type = {
    .name = TYPE_AM335X_PRCM,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(Am335xPrcm),
    .instance_init = prcm_init,
    .class_init = prcm_class_init,
};

static void prcm_register(void)
{
    type_register_static(&prcm_type);
}
type_init(prcm_register)
