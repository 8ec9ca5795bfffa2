// SPDX-License-Identifier: BSD-3-Clause
// The console as a file. What is typed comes character by character, a carriage return as a new line
// (ICRNL), without echo.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <rtos/console.hpp>

#include "file.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

static ssize_t read(File &f, void *buffer, size_t size) {
    char *const text = static_cast<char *>(buffer);
    size_t count = 0;
    if (f.flags & O_NONBLOCK) {
        count = console_read(text, size, Time::past());
        if (!count && size)
            return -EAGAIN;
    } else {
        if (!Thread::may_block() && !console_available())
            return -EAGAIN;
        CancellationPoint point;
        const Status s = point.run([&] {
            count = console_read(text, size);
            return count || !size ? Status::ok : Status::interrupted;
        });
        if (s != Status::ok)
            return -error_of(s);
    }
    for (size_t i = 0; i < count; ++i)
        if (text[i] == '\r')
            text[i] = '\n';
    return static_cast<ssize_t>(count);
}

static ssize_t write(File &f, const void *data, size_t size) {
    const char *const text = static_cast<const char *>(data);
    if (f.flags & O_NONBLOCK) {
        const size_t count = console_try_write(text, size);
        return count || !size ? static_cast<ssize_t>(count) : -EAGAIN;
    }
    console_write(text, size);
    return static_cast<ssize_t>(size);
}

static int control(File &, int request, void *argument) {
    if (request != FIONREAD)
        return ENOTTY;
    *static_cast<int *>(argument) = static_cast<int>(console_available());
    return 0;
}

static short ready(File &) {
    return static_cast<short>((console_available() ? POLLIN | POLLRDNORM : 0) | POLLOUT | POLLWRNORM);
}

static void close(File &) {}

void console_file_begin() {
    console_on_input([](void *) { files_changed(); }, nullptr);
}

constinit const FileOperations console_file = {read, write, control, ready, close, true};

} // namespace rtos::posix
