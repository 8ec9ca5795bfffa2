// SPDX-License-Identifier: GPL-2.0-only
#include "simulation.hpp"

#include "console.hpp"
#include "rtos.hpp"
#include "statistics.hpp"

#include <cstring>
#include <new>

using rtmux::test::Failure;
using rtmux::test::require;

extern "C" {
void guest_data_abort();
void guest_prefetch_abort();
void guest_undefined();
void guest_hypercall();
void guest_iret();
void guest_interrupted();
void guest_slow();
}

namespace board {

void InterruptController::enable(uint32_t line) {
    require(line_class(line) == LineClass::guest, "a line that is not the guest's is enabled");
    enabled[line] = true;
}
void InterruptController::disable(uint32_t line) {
    require(line_class(line) == LineClass::guest, "a line that is not the guest's is disabled");
    enabled[line] = false;
}
void InterruptController::forget(uint32_t line) {
    require(line_class(line) == LineClass::guest && !enabled[line], "a line that is not the guest's to forget");
}

} // namespace board

namespace rtmux {

cpu::Simulated cpu::simulated;
Statistics statistics;
Vcpu vcpu;

namespace simulation {

Control control;
SimulatedMachine machine;

namespace {

// The shared page, and guards that nobody but ASan looks at
uint32_t shared_page[1024];
bool owns_fp;

void judge(const test::Loaded &entry) {
    require(entry.va < RTMUX_WINDOW || entry.va >= RTMUX_WINDOW_END, "a translation in the window");
    require(entry.domain == RTMUX_DOMAIN_KERNEL || entry.domain == RTMUX_DOMAIN_USER ||
                entry.domain == RTMUX_DOMAIN_VECTORS,
            "domain");
    const test::FrameAccess access = test::frame_access(entry.pa);
    require(access != test::FrameAccess::none, "a frame that is not the guest's");
    const bool writable = entry.ap == 1 || entry.ap == 2 || entry.ap == 3;
    require(access != test::FrameAccess::device_read_only || !writable, "a mediated device can be written");
}

} // namespace

void power_on() {
    control = {};
    cpu::simulated = {.masked = false,
                      .dacr = RTMUX_DACR_KERNEL_MODE,
                      .tpidruro = 0,
                      .fpexc = 0,
                      .interrupts_open = [] { control.interrupts_open(); },
                      .wait = [] { control.wait(); }};
    machine = SimulatedMachine{std::move(machine.ram)};
    machine.check = judge;
    machine.fill_window();
    statistics = {};
    owns_fp = false;
    memset(shared_page, 0, sizeof shared_page);
    new (&vcpu) Vcpu{};
    vcpu.shared = shared_page;
    vcpu.cpsr = psr::usr;
    vcpu.iret_pc = Vcpu::no_iret;
    guest::system_registers = {};
    guest::identification = {};
    guest::vic.attach(shared_page, board::guest_lines.word);
    guest::vic.reset();
    new (&shadow) GuestShadow{{&machine}, {}, {&machine}};
    shadow.reset();
}

// As arm/vectors.S does
void exit_guest(uint32_t reason) {
    cpu::irq_on();
    switch (reason) {
    case EXIT_SVC:
        vcpu.pc == vcpu.iret_pc ? guest_iret() : guest_hypercall();
        break;
    case EXIT_UNDEFINED:
        guest_undefined();
        break;
    case EXIT_PREFETCH_ABORT:
        guest_prefetch_abort();
        break;
    case EXIT_DATA_ABORT:
        guest_data_abort();
        break;
    default:
        guest_interrupted();
        break;
    }
    cpu::irq_off();
    if (vcpu.is_slow(~Vcpu::slow_fill)) {
        cpu::irq_on();
        guest_slow();
    }
    require(cpu::simulated.masked, "the guest is entered with IRQs open");
    require((vcpu.cpsr & (psr::mode_mask | psr::i | psr::f | psr::a | psr::j)) == psr::usr,
            "the guest is entered with more than USR mode's rights");
    require(cpu::simulated.dacr == (vcpu.user_mode ? RTMUX_DACR_USER_MODE : RTMUX_DACR_KERNEL_MODE), "DACR");
    require(vcpu.shared == shared_page, "the shared page");
    require(machine.all_clean(), "a table's word that was not cleaned");
    require(!(cpu::simulated.fpexc & cpu::fpexc_en) || owns_fp, "FP registers of another");
}

} // namespace simulation

GuestShadow shadow{{&simulation::machine}, {}, {&simulation::machine}};

void console::log_arguments(const char *, const Argument *, uint32_t) {}

void rtos::doorbell(uint32_t) {
    require(!cpu::simulated.masked, "doorbell with IRQs masked");
    simulation::control.doorbells++;
}
void rtos::take_fp() {
    require(cpu::simulated.masked, "take_fp with IRQs open");
    simulation::owns_fp = true;
}

uint32_t rtos::guest_call(uint32_t, uint32_t *r) {
    require(!cpu::simulated.masked, "guest_call with IRQs masked");
    r[1] = ~r[1];
    return -static_cast<uint32_t>(RTMUX_E_NOSYS);
}

void guest::note_kernel_fault(uint32_t vector) {
    require(vector == RTMUX_V_UND_SVC || vector == RTMUX_V_PABT_SVC || vector == RTMUX_V_DABT_SVC,
            "no exception of the kernel's");
}
void guest::stop_as_requested() {
    throw simulation::Stopped{"as requested"};
}
void guest::serve_console() {
    vcpu.clear_slow(Vcpu::slow_console);
}
void guest::stop(uint32_t, const char *reason) {
    throw simulation::Stopped{reason ? reason : "by itself"};
}
void guest::stop_foreign_kernel() {
    throw simulation::Stopped{"foreign kernel"};
}

} // namespace rtmux

namespace {

using rtmux::simulation::machine;

// The virtual mode's access through what hardware would walk: false, an abort
const rtmux::test::Loaded *translate(uint32_t va, rtmux::test::Loaded &entry) {
    const auto found = machine.walk(va);
    if (found.size() != 1)
        return nullptr;
    entry = found[0];
    return (rtmux::cpu::simulated.dacr >> 2 * entry.domain & 3) != 0 && entry.ap >= 2 ? &entry : nullptr;
}

bool lines(uint32_t from, uint32_t to) {
    require(from < to && from % 64 == 0 && from >> 12 == (to - 1) >> 12, "cache maintenance beyond a page");
    require(from < RTMUX_WINDOW || from >= RTMUX_WINDOW_END, "cache maintenance in the window");
    rtmux::test::Loaded entry;
    return translate(from, entry) != nullptr;
}

} // namespace

extern "C" {

bool guest_load(uint32_t va, uint32_t *value) {
    rtmux::test::Loaded entry;
    if (va - RTMUX_SHARED < sizeof rtmux::simulation::shared_page) {
        *value = rtmux::simulation::shared_page[va % 4096 / 4];
        return rtmux::vcpu.user_mode == 0;
    }
    if (!translate(va, entry))
        return false;
    if (!machine.read((entry.pa & ~0xfffu) | (va & 0xffc), *value))
        *value = va * 2654435761u; // a device's register
    return true;
}
bool cache_lines_clean(uint32_t start, uint32_t end) {
    return lines(start, end);
}
bool cache_lines_clean_invalidate(uint32_t start, uint32_t end) {
    return lines(start, end);
}
bool cache_lines_clean_pou(uint32_t start, uint32_t end) {
    return lines(start, end);
}
void dcache_clean_invalidate_all() {}
}
