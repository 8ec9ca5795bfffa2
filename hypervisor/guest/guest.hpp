// SPDX-License-Identifier: GPL-2.0-only
//
// The guest: what the files of this folder call of each other.
#pragma once

#include "arm/cpu.hpp"
#include "board.hpp"
#include "guest/emulate.hpp"
#include "guest/vcpu.hpp"
#include "guest/vic.hpp"
#include "mmu/domain.h"
#include "mmu/guest_shadow.hpp"
#include "rtmux/abi/rtos.h"

namespace rtmux {

using Vic = VirtualIc<board::InterruptController>;

namespace guest {

extern Vic vic;
extern GuestSystem system_registers;
extern Identification identification;

// boot.cpp: loads the kernel from the image and sets the guest to its first
// instruction, with virtual interrupts masked. With IRQs open. Stops the guest
// if the image is not good.
void boot();

// reflect.cpp: exceptions as the guest sees them. The new DACR counts when the guest is entered.
constexpr uint32_t frame_address = RTMUX_SHARED + RTMUX_S_EXC;
inline void enter_kernel_mode() {
    vcpu.user_mode = 0;
    vcpu.write_shared(RTMUX_S_IRQ_OFF, RTMUX_SHARED);
    vcpu.cpsr = psr::usr;
    cpu::set_dacr(RTMUX_DACR_KERNEL_MODE);
}
void enter_user_mode();
// As reflect(), of an exception in user mode
inline void reflect_from_user(uint32_t usr_vector, uint32_t pc) {
    vcpu.write_shared(RTMUX_S_EXC, vcpu.r[0]);
    vcpu.write_shared(RTMUX_S_EXC + 4, pc);
    vcpu.write_shared(RTMUX_S_EXC + 8, vcpu.cpsr);
    vcpu.write_shared(RTMUX_S_EXC + RTMUX_EXC_SP, vcpu.r[13]);
    vcpu.write_shared(RTMUX_S_EXC + RTMUX_EXC_SP + 4, vcpu.r[14]);
    vcpu.r[13] = vcpu.kernel_sp;
    vcpu.r[0] = frame_address;
    vcpu.pc = vcpu.vector[usr_vector];
    enter_kernel_mode();
}
// From the vector pair that begins at usr_vector; pc is what the kernel finds in its frame.
void reflect(uint32_t usr_vector, uint32_t pc);
void reflect_data_abort(uint32_t status, uint32_t address);
void reflect_prefetch_abort(uint32_t status, uint32_t address);
void reflect_undefined();
void inject_irq();
void iret();

// DFSR and IFSR (Arm ARM B4.1.52): FS[3:0], FS[4] in bit 10, WnR in bit 11
constexpr uint32_t wnr = 1u << 11;
// DFSR of an asynchronous external abort (Arm ARM table B3-23): FS = 10110
constexpr bool imprecise(uint32_t status) {
    return (status & 0x40f) == 0x406;
}

// hypercall.cpp
void hypercall();

// privileged.cpp: undefined instructions of the kernel that the executive emulates.
void undefined_instruction();
// Kernel mode's most frequent one by far, alone. False, and nothing done: it was another.
[[nodiscard]] bool flush_page_instruction();
// The store at pc, to a device page that the guest only reads.
void mediated_store(uint32_t pa, uint32_t address);

// memory.cpp
// The word of the guest at va, with the rights of its current mode.
[[nodiscard]] bool read_word(uint32_t va, uint32_t &value);
enum class CacheOperation : uint8_t { clean, clean_invalidate, clean_to_unification };
void maintain_cache(CacheOperation operation, uint32_t start, uint32_t end);

// life.cpp: how it ends.
// Of an exception reflected to the kernel from itself: what the report tells, and no endless loop of them.
void note_kernel_fault(uint32_t vector);
void begin_life(); // at a boot
// rtmux_exec
int request_stop(const char *reason);
void copy_end(rtmux_guest_end *copy);
int read_memory(uint32_t pa, void *to, uint32_t length);
// slow_stop is set. With IRQs open.
[[noreturn]] void stop_as_requested();
// While the guest does not run, the console is served at once (irq.cpp).
void set_running(bool running);

// Text for the console, put off until it can be sent with IRQs open.
void serve_console();

// Gives the guest up: says why, with its registers, tells the RTOS, and
// leaves its stack.
[[noreturn]] void stop(uint32_t state, const char *reason);
// Because it did what only a kernel without the patch does.
[[noreturn]] void stop_foreign_kernel();

} // namespace guest
} // namespace rtmux

extern "C" {
void guest_run();
[[noreturn]] void guest_leave();
bool guest_load(uint32_t va, uint32_t *value);
bool device_store(uint32_t va, uint32_t value);
bool cache_lines_clean(uint32_t start, uint32_t end);
bool cache_lines_clean_invalidate(uint32_t start, uint32_t end);
bool cache_lines_clean_pou(uint32_t start, uint32_t end);
void dcache_clean_invalidate_all();
}
