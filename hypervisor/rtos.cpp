// SPDX-License-Identifier: GPL-2.0-only
#include "rtos.hpp"

#include "arm/cpu.hpp"
#include "board.hpp"
#include "boot/elf.hpp"
#include "console.hpp"
#include "executive.hpp"
#include "guest/guest.hpp"
#include "image_memory.hpp"
#include "mmu/window.hpp"
#include "statistics.hpp"
#include "trace.hpp"

#include <cstring>

namespace rtmux::rtos {
namespace {

constexpr uint32_t page = 4096;

rtmux_rtos_ops &ops = dispatch.rtos;
uint32_t state_of_guest = RTMUX_GUEST_STOPPED;
uint32_t heap_start;

void *address(uint32_t va) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(va));
}

bool is_rt(uint32_t line) {
    return board::line_class(line) == board::LineClass::rt;
}

int irq_enable(uint32_t line) {
    if (!is_rt(line))
        return -1;
    board::InterruptController::enable(line);
    return 0;
}

int irq_disable(uint32_t line) {
    if (!is_rt(line))
        return -1;
    board::InterruptController::disable(line);
    return 0;
}

// RT waits for the first half, Linux for the second.
void hold_guest_irqs(int hold) {
    trace_world(hold != 0);
    board::InterruptController::hold_guest(hold != 0);
    if (hold == 0)
        statistics.world_switches++;
}

void notify_guest() {
    const cpu::IrqMask masked;
    trace(RTMUX_TRACE_NOTIFY);
    guest::vic.raise(BOARD_VBUS_IRQ);
    vcpu.set_slow(Vcpu::slow_irq);
}

int protect_heap_page(void *where, window::Protection protection) {
    const uint32_t va = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(where));
    if (va % page != 0 || va < heap_start || va - RTMUX_RTOS_VA >= RTMUX_RTOS_SIZE)
        return -1;
    window::protect(va, page, protection);
    return 0;
}

int unmap_page(void *where) {
    return protect_heap_page(where, window::Protection::none);
}

int map_page(void *where) {
    return protect_heap_page(where, window::Protection::read_write);
}

// Two words lie on the executive's stack for the guest: arm/vectors.S
void guest_context(rtmux_guest_context *copy) {
    *copy = {};
    copy->size = sizeof *copy;
    copy->state = state_of_guest;
    if (state_of_guest != RTMUX_GUEST_RUNNING)
        return;
    const volatile uint32_t *const top = reinterpret_cast<const uint32_t *>(&vcpu);
    const uint32_t reason = top[-1];
    const bool interrupted = (reason & psr::mode_mask) == psr::usr;
    copy->user_mode = vcpu.user_mode;
    copy->irqs_off = !vcpu.irqs_open();
    copy->pc = interrupted ? top[-2] : vcpu.pc;
    copy->cpsr = interrupted ? reason : vcpu.cpsr;
    copy->lr = vcpu.r[14];
    copy->sp = vcpu.r[13];
    copy->exit = interrupted ? uint32_t{RTMUX_EXIT_NONE} : reason;
    copy->last_hypercall = static_cast<uint32_t>(statistics.recent_calls & 0xff);
    copy->last_status = vcpu.status;
    copy->last_address = vcpu.address;
    if (copy->exit == RTMUX_EXIT_SVC && !vcpu.user_mode && vcpu.pc != vcpu.iret_pc) {
        copy->hypercall = vcpu.r[12];
        if (copy->hypercall == RTMUX_IDLE)
            copy->exit = RTMUX_EXIT_IDLE;
    }
}

int irq_line(uint32_t line, rtmux_irq *copy) {
    static_assert(static_cast<uint32_t>(board::LineClass::rt) == RTMUX_IRQ_RT &&
                  static_cast<uint32_t>(board::LineClass::guest) == RTMUX_IRQ_GUEST &&
                  static_cast<uint32_t>(board::LineClass::executive) == RTMUX_IRQ_EXECUTIVE);
    if (line >= board::line_count)
        return -1;
    const bool to_guest = board::line_class(line) == board::LineClass::guest || line == BOARD_VBUS_IRQ;
    copy->owner = to_guest ? uint32_t{RTMUX_IRQ_GUEST} : static_cast<uint32_t>(board::line_class(line));
    copy->count = to_guest ? guest::vic.statistics().raised[line] : dispatch.line[line].irqs;
    return 0;
}

rtmux_guest_image guest_image;

[[noreturn]] void reset_board() {
    console::log("resetting the board");
    console::drain_all();
    board::reset_board();
}

constinit rtmux_exec table = {
    .version = RTMUX_RTOS_ABI_VERSION,
    .size = sizeof(rtmux_exec),
    .ops = &dispatch.rtos,
    .heap = nullptr,
    .heap_size = 0,
    .vbus = nullptr,
    .vbus_size = BOARD_VBUS_SIZE,
    .log = console::write,
    .console_read = console::read,
    .run_guest = guest_run,
    .irq_enable = irq_enable,
    .irq_disable = irq_disable,
    .hold_guest_irqs = hold_guest_irqs,
    .notify_guest = notify_guest,
    .unmap_page = unmap_page,
    .statistics = copy_statistics,
    .guest_context = guest_context,
    .irq_line = irq_line,
    .map_page = map_page,
    .trace = trace_memory(),
    .stop_guest = guest::request_stop,
    .guest_end = guest::copy_end,
    .read_guest = guest::read_memory,
    .guest_image = &guest_image,
    .reset_board = reset_board,
};

} // namespace

void start(const ImagePart &part) {
    ImageMemory memory;
    const ElfRegion region = {RTMUX_RTOS_VA, RTMUX_RTOS_SIZE, static_cast<uint8_t *>(address(RTMUX_RTOS_VA))};
    const ElfProgram program = load_elf(memory, part.pa, part.length, region);
    if (program.error != ElfError::none) {
        console::log("image: RTOS: %s", describe(program.error));
        return;
    }
    dcache_clean_invalidate_all();
    cpu::icache_invalidate_all();
    for (uint32_t i = 0; i < program.count; i++) {
        const ElfSegment &s = program.segment[i];
        const auto protection = s.executable ? window::Protection::read_execute
                                : s.writable ? window::Protection::read_write
                                             : window::Protection::read_only;
        window::protect(s.va, (s.memory_size + page - 1) & ~(page - 1), protection);
    }
    heap_start = program.end;
    table.heap = static_cast<uint8_t *>(address(program.end));
    table.heap_size = RTMUX_RTOS_VA + RTMUX_RTOS_SIZE - program.end;
    table.vbus = static_cast<uint8_t *>(address(RTMUX_VBUS_VA));
    const Image &image = executive::image();
    guest_image = {image.policy,
                   image.watchdog_ms,
                   executive::guest_base(),
                   executive::guest_size(),
                   image.kernel_va - RTMUX_IMAGE_KERNEL_OFFSET,
                   image.kernel_log};
    console::log("RTOS: %u KiB at %08x, heap %u KiB", (program.end - RTMUX_RTOS_VA) / 1024, RTMUX_RTOS_VA,
                 table.heap_size / 1024);
    reinterpret_cast<rtmux_rtos_entry *>(address(program.entry))(&table);
}

void console_rx() {
    ops.console_rx();
}

void preempt() {
    trace_world(true);
    board::InterruptController::hold_guest(true);
    ops.preempt();
}

void preempt_if_needed() {
    if (*ops.need_resched != 0)
        preempt();
}

void doorbell(uint32_t channel) {
    MaskedStretch masked;
    trace(RTMUX_TRACE_DOORBELL, channel);
    ops.doorbell(channel);
    masked.end();
    preempt_if_needed();
}

uint32_t guest_call(uint32_t number, uint32_t *r) {
    return ops.guest_call(number, r);
}

void take_fp() {
    ops.fp_guest();
}

void guest_state(uint32_t state) {
    MaskedStretch masked;
    trace(RTMUX_TRACE_GUEST_STATE, state);
    state_of_guest = state;
    ops.guest_state(state);
    masked.end();
    preempt_if_needed();
}

bool fault(rtmux_fault &f) {
    trace(RTMUX_TRACE_RT_FAULT, f.type, f.status);
    return ops.fault != nullptr && ops.fault(&f) != 0;
}

bool contains(uint32_t va) {
    return va - RTMUX_RTOS_VA < RTMUX_RTOS_SIZE;
}

} // namespace rtmux::rtos
