// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's boot, first and again: from the image, which lies behind the
// guest's RAM, to the kernel's first instruction (Linux,
// Documentation/arch/arm/booting.rst).
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "boot/guest_dt.hpp"
#include "boot/image.hpp"
#include "console.hpp"
#include "executive.hpp"
#include "image_memory.hpp"
#include "mmu/domain.h"
#include "rtmux/abi/rtos.h"
#include "rtos.hpp"
#include "statistics.hpp"

#include <cstring>

namespace rtmux::guest {
namespace {

// Physical memory to guest RAM, through both sets of slots' one: the source
// slot may be the one that the destination takes, so a piece at a time.
void copy(uint32_t to, uint32_t from, uint32_t length) {
    constexpr uint32_t piece = 4096;
    alignas(8) static uint8_t buffer[piece];
    while (length != 0) {
        // neither crosses a megabyte
        const uint32_t left = piece - (to % piece > from % piece ? to % piece : from % piece);
        const uint32_t count = left < length ? left : length;
        memcpy(buffer, window::slot(from), count);
        memcpy(window::slot(to), buffer, count);
        to += count;
        from += count;
        length -= count;
    }
}

bool guest_may(uint32_t pa) {
    return board::frame_access(pa) != board::FrameAccess::none;
}

// The edited device tree at pa; its length, 0 after saying what is wrong.
uint32_t make_device_tree(uint32_t pa, uint32_t initrd) {
    const Image &image = executive::image();
    const ImagePart &tree = image.part[RTMUX_PART_DEVICE_TREE];
    const ImagePart &initrd_part = image.part[RTMUX_PART_INITRD];
    const ImagePart &bootargs = image.part[RTMUX_PART_BOOTARGS];
    static char text[bootargs_max + 1];
    const uint32_t text_length = bootargs.usable() ? bootargs.length : 0;
    memcpy(text, window::slot(bootargs.usable() ? bootargs.pa : image.pa), text_length);
    copy(pa, tree.pa, tree.length);
    const GuestDtConfig config = {
        .memory_base = executive::guest_base(),
        .memory_size = executive::guest_size(),
        .initrd_start = initrd,
        .initrd_end = initrd != 0 ? initrd + initrd_part.length : 0,
        .bootargs = text,
        .bootargs_length = text_length,
        .vbus_base = RTMUX_VBUS_VA - RTMUX_RAM_VA + BOARD_RAM_BASE,
        .vbus_size = BOARD_VBUS_SIZE,
        .vbus_irq = BOARD_VBUS_IRQ,
        .clock_pa = board::guest_clock_pa,
        .guest_may = guest_may,
    };
    const GuestDtResult result = edit_guest_dt(window::slot(pa), tree.length, device_tree_room, config);
    if (result.error != GuestDtError::none) {
        console::log("device tree: %s", describe(result.error));
        return 0;
    }
    return result.length;
}

} // namespace

void boot() {
    set_running(false);
    const Image &image = executive::image();
    vcpu.pc = 0; // nothing to tell of yet, should it stop here
    executive::check_guest_image();
    if (!image.guest_usable())
        stop(RTMUX_GUEST_FAILED, "its part of the image cannot be used");
    const ImagePart &kernel = image.part[RTMUX_PART_KERNEL];
    const ImagePart &initrd = image.part[RTMUX_PART_INITRD];
    const GuestPlacement place = place_guest(kernel.memory_size, initrd.usable() ? initrd.length : 0,
                                             executive::guest_base(), executive::guest_size());
    if (!place.fits)
        stop(RTMUX_GUEST_FAILED, "kernel, device tree and initrd do not fit its memory");
    copy(place.kernel, kernel.pa, kernel.length);
    if (place.initrd != 0)
        copy(place.initrd, initrd.pa, initrd.length);
    if (make_device_tree(place.device_tree, place.initrd) == 0)
        stop(RTMUX_GUEST_FAILED, "no device tree for it");

    memset(vcpu.shared, 0, 4096);
    vic.reset();
    shadow.reset();
    memset(vcpu.r, 0, sizeof vcpu.r);
    vcpu.r[1] = ~0u; // machine type: by the device tree
    vcpu.r[2] = place.device_tree;
    vcpu.pc = place.kernel;
    vcpu.clear_slow(Vcpu::slow_fill |
                    Vcpu::slow_stop); // not slow_irq: a device may have raised its line by now
    vcpu.vectors_set = vcpu.hello = false;
    vcpu.iret_pc = Vcpu::no_iret;
    system_registers = {};
    begin_life();
    {
        const cpu::IrqMask masked;
        if (cpu::fpexc() & cpu::fpexc_en)
            cpu::set_fpexc(0);
    }
    enter_kernel_mode();
    statistics.boots++;
    dcache_clean_invalidate_all();
    cpu::icache_invalidate_all();
    console::log("guest: kernel at %08x, %u KiB of memory, counter %u", place.kernel,
                 executive::guest_size() / 1024, board::Counter::read());
    set_running(true);
    rtos::guest_state(RTMUX_GUEST_RUNNING);
    if (vcpu.is_slow(Vcpu::slow_stop))
        stop_as_requested();
}

} // namespace rtmux::guest

// From guest_run(): IRQs open; masked when it returns.
extern "C" void guest_boot() {
    rtmux::guest::boot();
    rtmux::cpu::irq_off();
}
