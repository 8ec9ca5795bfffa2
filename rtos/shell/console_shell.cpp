// SPDX-License-Identifier: BSD-3-Clause
// The shell on the RT console.
#include <rtos/shell.hpp>

#include <rtos/console.hpp>
#include <rtos/thread.hpp>

#include "msh.h"
#include "shell.hpp"

namespace rtos::shell {

namespace {

constexpr unsigned priority = idle_priority - 2; // above the log, below all else
constexpr size_t stack_bytes = 8192;             // commands of applications run on it

class ConsoleStream final : public Stream {
  public:
    void write(const char *text, size_t length) override { console_write(text, length); }
    size_t read(char *buffer, size_t size, Time deadline) override {
        return console_read(buffer, size, deadline);
    }
    void editing(bool on) override { console_editing(on); }
};

ConsoleStream stream;
Shell shell(stream, Access::all);

// Silent until somebody is there: what reads the console's log sees no prompt.
void serve(void *) {
    char first;
    while (stream.read(&first, 1, Time::never()) == 0)
        ;
    console_in_use();
    shell.print("\nRTMux: the real-time system's shell; help lists commands\n");
    shell.run();
}

constinit Thread thread{"shell", priority, serve};

} // namespace

Status start() {
    return thread.start(stack_bytes);
}

} // namespace rtos::shell

extern "C" int finsh_system_init() {
    return rtos::shell::start() == rtos::Status::ok ? 0 : -1;
}
