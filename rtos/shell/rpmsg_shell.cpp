// SPDX-License-Identifier: BSD-3-Clause
// The shell on an rpmsg endpoint: a terminal of Linux's rpmsg_tty.
#include <rtos/rpmsg_shell.hpp>

#include <rtmux/bounded_queue.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

constexpr unsigned priority = idle_priority - 2; // as the console's
constexpr size_t stack_bytes = 8192;

class RpmsgStream final : public Stream {
  public:
    constexpr RpmsgStream() = default;

    // Nobody who reads is waited for a second at a time; then the text is for nobody.
    void write(const char *text, size_t length) override {
        const uint32_t most = bus_->max_length();
        while (length != 0) {
            const auto piece = static_cast<uint32_t>(length < most ? length : most);
            const vbus::Status sent = endpoint_.send(text, piece, now() + seconds(1));
            if (sent == vbus::Status::reset)
                continue; // the next terminal gets it, if there is one
            if (sent != vbus::Status::ok)
                return;
            text += piece;
            length -= piece;
        }
    }

    size_t read(char *buffer, size_t size, Time deadline) override {
        size_t count = 0;
        while (count == 0) {
            while (count < size && typed_.peek()) {
                buffer[count++] = *typed_.peek();
                typed_.pop();
            }
            if (count == 0 && arrived_.take(deadline) != Status::ok)
                return 0;
        }
        return count;
    }

    Status start(vbus::rpmsg::Bus &bus) {
        bus_ = &bus;
        return bus.add(endpoint_);
    }

  private:
    static void receive(void *self, vbus::rpmsg::Endpoint &, const uint8_t *data, uint32_t length, uint32_t) {
        auto &stream = *static_cast<RpmsgStream *>(self);
        for (uint32_t i = 0; i < length; i++)
            (void)stream.typed_.put([c = static_cast<char>(data[i])](char &slot) { slot = c; });
        if (stream.arrived_.count() == 0)
            (void)stream.arrived_.release();
    }

    vbus::rpmsg::Endpoint endpoint_{"rpmsg-tty", vbus::rpmsg::Role::service, receive, this};
    vbus::rpmsg::Bus *bus_ = nullptr;
    rtmux::BoundedQueue<char, 256> typed_; // what does not fit is lost, as on a serial line
    Semaphore arrived_;
};

RpmsgStream stream;
Shell shell(stream, Access::observe);

// Silent until somebody types: only then is it known where to write to.
void serve(void *) {
    char first;
    while (stream.read(&first, 1, Time::never()) == 0)
        ;
    shell.print("\nRTMux: the real-time system's shell; help lists commands\n");
    shell.run();
}

constinit Thread thread{"shell-rpmsg", priority, serve};

} // namespace

Status start(vbus::rpmsg::Bus &bus, Access access) {
    shell.allow(access);
    const Status added = stream.start(bus);
    return added == Status::ok ? thread.start(stack_bytes) : added;
}

} // namespace rtos::shell
