// SPDX-License-Identifier: BSD-3-Clause
// A driver with an ISR: the UART that the board's table gives to the RTOS. What comes goes back, in
// capitals, as soon as a line is complete.
#include <board.hpp>
#include <rtos/interrupt.hpp>
#include <rtos/log.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

using namespace rtos;

namespace {

class Serial {
    using Uart = board::RtUart;

  public:
    Status begin() {
        Uart::init();
        const Status attached = interrupt_attach(BOARD_RT_UART_IRQ, isr, this);
        if (attached == Status::ok)
            Uart::rx_irq(true);
        return attached;
    }

    char get() {
        while (taken_ == written_)
            (void)received_.take();
        const char c = ring_[taken_ % size];
        taken_ = taken_ + 1;
        return c;
    }

    // Waits for the UART by the clock: at 115200 bit/s a character takes 87 us.
    void put(char c) {
        while (!Uart::tx_ready())
            (void)Thread::sleep_for(microseconds(500));
        Uart::put(c);
    }

    uint32_t interrupts() const { return interrupts_; }
    uint32_t lost() const { return lost_; }

  private:
    static constexpr uint32_t size = 256;
    static constexpr unsigned at_once = 8; // an ISR's length is part of every latency

    static void isr(void *serial) {
        Serial &s = *static_cast<Serial *>(serial);
        s.interrupts_ = s.interrupts_ + 1;
        for (unsigned i = 0; i < at_once && Uart::rx_ready(); ++i) {
            const char c = Uart::get();
            if (s.written_ - s.taken_ == size) {
                s.lost_ = s.lost_ + 1;
                continue;
            }
            s.ring_[s.written_ % size] = c;
            s.written_ = s.written_ + 1;
        }
        Uart::rx_acknowledge();
        (void)s.received_.release();
    }

    Semaphore received_{0, 1};
    volatile char ring_[size] = {};
    volatile uint32_t written_ = 0, taken_ = 0;
    volatile uint32_t interrupts_ = 0, lost_ = 0;
};

constinit Serial serial;

char capital(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

} // namespace

int main() {
    if (serial.begin() != Status::ok) {
        log("uart_echo: the line is not the RTOS's");
        return 1;
    }
    log("uart_echo: ready");
    static char line[128];
    for (size_t length = 0;;) {
        const char c = serial.get();
        if (c != '\r' && c != '\n' && length < sizeof line) {
            line[length++] = c;
            continue;
        }
        for (size_t i = 0; i < length; ++i)
            serial.put(capital(line[i]));
        serial.put('\n');
        log("uart_echo: %u characters, interrupts %u, lost %u", length, serial.interrupts(), serial.lost());
        length = 0;
    }
}
