// SPDX-License-Identifier: BSD-3-Clause
// What follows from a board's table: its checks, and the look-ups by the names that executive and RTOS use.
// The last line of each board's devices.hpp includes it, behind the table.
#pragma once

namespace board {

using device_map = DeviceMap<devices>;

static_assert(device_map::pages_in_order());
static_assert(device_map::lines_valid(BOARD_IRQ_LINES));
static_assert(device_map::controls_valid());
static_assert(device_map::quiet_valid());
static_assert(device_map::line_class(BOARD_RT_TIMER_IRQ) == LineClass::rt);
static_assert(device_map::line_class(BOARD_UART_IRQ) == LineClass::executive);
static_assert(device_map::line_class(BOARD_CONSOLE_IRQ) == LineClass::executive);
static_assert(device_map::line_class(BOARD_VBUS_IRQ) == LineClass::none);

constexpr FrameAccess frame_access(uint32_t pa) {
    return device_map::frame_access(pa);
}
constexpr bool write_allowed(uint32_t pa) {
    return device_map::write_allowed(pa);
}
constexpr LineClass line_class(uint32_t line) {
    return device_map::line_class(line);
}
constexpr uint32_t device_va(uint32_t pa) {
    return device_map::device_va(pa);
}
inline constexpr LineSet guest_lines = device_map::line_set(LineClass::guest);
inline constexpr auto &device_pages = device_map::pages.pa;
inline constexpr auto &quiet_writes = device_map::quiet_writes.write;

} // namespace board
