// SPDX-License-Identifier: BSD-3-Clause
// Descriptors: open, close, read, write and what changes a descriptor.
#include "file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

// The console is open as standard input, output and error from the start.
static constinit File files[OPEN_MAX] = {{&console_file, nullptr, O_RDWR, 3}};
static constinit File *descriptors[OPEN_MAX] = {&files[0], &files[0], &files[0]};

static constinit WaitQueue pollers;
static constinit unsigned changes;

void files_changed() {
    const IrqLock lock;
    ++changes;
    pollers.wake_all(lock, Status::ok);
}

unsigned file_changes() {
    const IrqMask masked;
    return changes;
}

Status wait_for_change(const IrqLock &lock, unsigned seen, Time deadline) {
    return changes != seen ? Status::ok : pollers.wait(lock, deadline);
}

static bool valid(int d) {
    return d >= 0 && d < OPEN_MAX && descriptors[d];
}

File *acquire_file(int d) {
    const IrqMask masked;
    if (!valid(d))
        return nullptr;
    ++descriptors[d]->references;
    return descriptors[d];
}

void release_file(void *file) {
    File &f = *static_cast<File *>(file);
    {
        const IrqMask masked;
        if (f.references > 1) {
            --f.references;
            return;
        }
    }
    // Nobody else has it, and open() does not take it before it is closed.
    if (f.operations)
        f.operations->close(f);
    f.operations = nullptr;
    const IrqMask masked;
    f.references = 0;
}

// The lowest free descriptor from first on becomes one of f. -1: there is none. IRQs masked.
static int describe(File &f, int first) {
    for (int d = first; d < OPEN_MAX; ++d) {
        if (descriptors[d])
            continue;
        descriptors[d] = &f;
        ++f.references;
        return d;
    }
    return -1;
}

static File *free_file() {
    const IrqMask masked;
    for (File &f : files) {
        if (f.references)
            continue;
        f.references = 1; // open()'s own
        return &f;
    }
    return nullptr;
}

// Run operation(File &) on a descriptor that allows access, as a cancellation point.
template <class F> static ssize_t transfer(int d, int access, F operation) {
    const CancellationPoint point;
    File *const f = acquire_file(d);
    if (!f)
        return with_errno(EBADF);
    const int mode = f->flags & O_ACCMODE;
    ssize_t result = -EBADF;
    if (mode == O_RDWR || mode == access) {
        pthread_cleanup_push(release_file, f);
        result = operation(*f);
        pthread_cleanup_pop(0);
    }
    release_file(f);
    return result < 0 ? with_errno(static_cast<int>(-result)) : result;
}

static int duplicate(int d, int first) {
    const IrqMask masked;
    if (!valid(d))
        return with_errno(EBADF);
    const int copy = describe(*descriptors[d], first);
    return copy < 0 ? with_errno(EMFILE) : copy;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int open(const char *path, int flags, ...) {
    const CancellationPoint point;
    if (!path)
        return with_errno(EFAULT);
    if ((flags & O_ACCMODE) == O_ACCMODE)
        return with_errno(EINVAL);
    const char *const name = device_name(path);
    File *const f = free_file();
    if (!f)
        return with_errno(EMFILE);
    f->flags = flags & (O_ACCMODE | O_NONBLOCK);
    int error = 0;
    if (is_console(name))
        f->operations = &console_file;
    else
        error = open_device(name, flags, *f);
    int d = -1;
    if (!error) {
        const IrqMask masked;
        d = describe(*f, 0);
        if (d < 0)
            error = EMFILE;
    }
    release_file(f);
    return error ? with_errno(error) : d;
}
int _open(const char *path, int flags, int) {
    return open(path, flags);
}

int creat(const char *path, mode_t mode) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int close(int d) {
    File *f;
    {
        const IrqMask masked;
        if (!valid(d))
            return with_errno(EBADF);
        f = descriptors[d];
        descriptors[d] = nullptr;
    }
    release_file(f);
    return 0;
}
int _close(int d) {
    return close(d);
}

ssize_t read(int d, void *buffer, size_t size) {
    return transfer(d, O_RDONLY,
                    [=](File &f) { return buffer || !size ? f.operations->read(f, buffer, size) : -EFAULT; });
}
ssize_t _read(int d, void *buffer, size_t size) {
    return read(d, buffer, size);
}

ssize_t write(int d, const void *data, size_t size) {
    return transfer(d, O_WRONLY,
                    [=](File &f) { return data || !size ? f.operations->write(f, data, size) : -EFAULT; });
}
ssize_t _write(int d, const void *data, size_t size) {
    return write(d, data, size);
}

int ioctl(int d, int request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    File *const f = acquire_file(d);
    if (!f)
        return with_errno(EBADF);
    const int error = f->operations->control(*f, request, argument);
    release_file(f);
    return with_errno(error);
}

int dup(int d) {
    return duplicate(d, 0);
}

int dup2(int d, int to) {
    if (to < 0 || to >= OPEN_MAX)
        return with_errno(EBADF);
    File *old;
    {
        const IrqMask masked;
        if (!valid(d))
            return with_errno(EBADF);
        if (d == to)
            return to;
        old = descriptors[to];
        descriptors[to] = descriptors[d];
        ++descriptors[d]->references;
    }
    if (old)
        release_file(old);
    return to;
}

int fcntl(int d, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    const int argument = va_arg(arguments, int);
    va_end(arguments);
    if (command == F_DUPFD)
        return argument < 0 || argument >= OPEN_MAX ? with_errno(EINVAL) : duplicate(d, argument);
    const IrqMask masked;
    if (!valid(d))
        return with_errno(EBADF);
    int &flags = descriptors[d]->flags;
    switch (command) {
    case F_GETFL:
        return flags;
    case F_SETFL:
        flags = (flags & O_ACCMODE) | (argument & O_NONBLOCK);
        return 0;
    case F_GETFD: // close-on-exec means nothing without exec
    case F_SETFD:
        return 0;
    default:
        return with_errno(EINVAL);
    }
}
int _fcntl(int d, int command, int argument) {
    return fcntl(d, command, argument);
}

} // extern "C"
