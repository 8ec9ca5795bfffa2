// SPDX-License-Identifier: GPL-2.0-only
// Commands for tests/qemu/board.py: what a board's interrupt controller does, and an executive that is dead.
// Software raises the lines of the RTOS's devices, behind the executive's back.
#include "board.hpp"
#include "rtos/shell.hpp"

#include <finsh.h>
#include <rthw.h>
#include <rtthread.h>

namespace {

using Controller = board::InterruptController;

char order[8];
int taken;

void take(int line, void *letter) {
    Controller::unpend(static_cast<uint32_t>(line));
    if (taken < 7)
        order[taken++] = *static_cast<const char *>(letter);
}

// Raised together, each comes once; raised and withdrawn while masked, none comes and nothing is stuck.
int lines(int, char **) {
    static char low[] = "a", high[] = "b";
    constexpr int first = BOARD_RT_GPIO_IRQ < BOARD_RT_UART_IRQ ? BOARD_RT_GPIO_IRQ : BOARD_RT_UART_IRQ;
    constexpr int second = BOARD_RT_GPIO_IRQ < BOARD_RT_UART_IRQ ? BOARD_RT_UART_IRQ : BOARD_RT_GPIO_IRQ;
    rt_hw_interrupt_install(first, take, low, "low");
    rt_hw_interrupt_install(second, take, high, "high");
    rt_hw_interrupt_umask(first);
    rt_hw_interrupt_umask(second);
    for (int round = 0; round < 3; round++) {
        const bool withdrawn = round == 1;
        taken = 0;
        const rt_base_t level = rt_hw_interrupt_disable();
        Controller::pend(first);
        Controller::pend(second);
        if (withdrawn) {
            Controller::unpend(first);
            Controller::unpend(second);
        }
        rt_hw_interrupt_enable(level);
        rt_thread_mdelay(2); // the timer's line comes after all of that
        order[taken] = '\0';
        rt_kprintf("lines %s: %s.\n", withdrawn ? "withdrawn" : "raised", order);
    }
    return 0;
}
MSH_CMD_EXPORT(lines, raise and withdraw interrupt lines);

// Takes the processor from everybody, the executive included.
int hang(int, char **) {
    rt_kprintf("masked for ever\n");
    rt_thread_mdelay(10);
    rt_hw_interrupt_disable();
    for (;;)
        ;
}
MSH_CMD_EXPORT(hang, mask interrupts for ever);

} // namespace

int main() {
    if (rtos::shell::start() != rtos::Status::ok)
        return 1;
    rt_kprintf("board commands ready\n");
    for (;;)
        rt_thread_mdelay(1000);
}
