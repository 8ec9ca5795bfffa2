// SPDX-License-Identifier: GPL-2.0-only
//
// The executive's start: from the first C++ instruction to the RTOS's.
#include "board.hpp"
#include "console.hpp"
#include "executive.hpp"
#include "guest/guest.hpp"
#include "image_memory.hpp"
#include "mmu/window.hpp"
#include "rtos.hpp"
#include "trace.hpp"

extern "C" {
using Constructor = void (*)();
extern const Constructor __init_array_start[], __init_array_end[];
}

namespace rtmux::executive {
namespace {

constexpr uint32_t megabyte = 1u << 20;
constexpr uint32_t ram_end = uint32_t{BOARD_RAM_BASE} + BOARD_RAM_SIZE;

Image the_image;

void report(uint32_t first, uint32_t last) {
    for (uint32_t type = first; type <= last; type++)
        if (the_image.faulty(type))
            console::log("image: %s: %s", part_name(type), describe(the_image.part[type].error));
}

void enable_lines() {
    using Controller = board::InterruptController;
    Controller::init();
    for (uint32_t line = 0; line < Controller::lines; line++) {
        const board::LineClass owner = board::line_class(line);
        if (owner == board::LineClass::rt)
            Controller::set_rt(line); // the RTOS enables it
        else if (owner == board::LineClass::executive)
            Controller::enable(line); // the guest's: guest::vic
    }
    // After RT's lines, before the guest's: the console's input, and what keeps the board from being reset.
    Controller::set_input(BOARD_UART_IRQ);
    if constexpr (board::Watchdog::line < Controller::lines)
        Controller::set_input(board::Watchdog::line);
}

} // namespace

uint32_t guest_bytes;

const Image &image() {
    return the_image;
}

void check_guest_image() {
    static bool checked;
    if (!checked) {
        ImageMemory memory;
        check_guest_parts(memory, the_image);
        report(RTMUX_PART_KERNEL, RTMUX_PART_BOOTARGS);
        checked = true;
    }
}

// Whole megabytes, so that all of the guest's memory can be sections.
void start(uint32_t image_pa, bool ram_is_there) {
    guest_bytes = (image_pa & ~(megabyte - 1)) - guest_base();
    window::init();
    board::init();
    board::Counter::init();
    console::init();
    begin_trace();
    enable_lines();
    vcpu.shared = window::shared_page();
    uint32_t guest_lines[RTMUX_NR_IRQS / 32] = {};
    for (uint32_t line = 0; line < RTMUX_NR_IRQS; line++)
        if (board::line_class(line) == board::LineClass::guest)
            guest_lines[line / 32] |= 1u << line % 32;
    guest::vic.attach(vcpu.shared, guest_lines);
    guest::identification = read_identification();
    for (const Constructor *c = __init_array_start; c != __init_array_end; c++)
        (*c)();
    console::log("RTMux %s on %s", RTMUX_VERSION, BOARD_NAME);
    if (const char *reason = board::reset_reason())
        console::log("started by %s", reason);
    if constexpr (board::profile != nullptr)
        console::log("profile %s", board::profile);
    board::Watchdog::start();
    if (ram_is_there) {
        ImageMemory memory;
        the_image = check_image(memory, image_pa, {BOARD_NAME, ram_end - image_pa, guest_size()});
        report(RTMUX_PART_NONE, RTMUX_PART_RTOS);
        if (the_image.rtos_usable())
            rtos::start(the_image.part[RTMUX_PART_RTOS]);
    } else {
        console::log("the board has less than the %u MiB of RAM that this is made for", BOARD_RAM_SIZE >> 20);
    }
    board::Watchdog::stop();
    console::log("no RTOS to run; the board waits for a reset");
    console::drain_all();
    for (;;)
        cpu::wfi();
}

} // namespace rtmux::executive

// From arm/boot.S: in the window, on the vCPU's stack, IRQs masked.
extern "C" [[noreturn]] void executive_main(uint32_t image_pa, bool ram_is_there);
extern "C" void executive_main(uint32_t image_pa, bool ram_is_there) {
    rtmux::executive::start(image_pa, ram_is_there);
    __builtin_unreachable();
}
