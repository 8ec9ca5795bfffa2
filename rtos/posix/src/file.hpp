// SPDX-License-Identifier: BSD-3-Clause
// Open files: devices and the console. A descriptor names one, dup() makes several name the same.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include <rtos/wait_queue.hpp>

namespace rtos::posix {

struct File;

// Of a kind of file. Byte counts and negative error numbers.
struct FileOperations {
    ssize_t (*read)(File &f, void *buffer, size_t size);
    ssize_t (*write)(File &f, const void *data, size_t size);
    int (*control)(File &f, int request, void *argument); // error number
    short (*ready)(File &f);                              // POLLIN, POLLOUT, as it stands
    void (*close)(File &f);
    bool terminal;
};

struct File {
    const FileOperations *operations; // null: this place is free
    void *object;                     // the device
    int flags;                        // access mode and O_NONBLOCK
    unsigned references;              // descriptors and calls at work
};

extern const FileOperations console_file;
// Before the first thread of the application: poll() is told of what is typed.
void console_file_begin();
// Open the device of this name. Error number.
int open_device(const char *name, int flags, File &f);
bool device_exists(const char *name);
// The name in a path: /dev/ may stand before it.
const char *device_name(const char *path);
bool is_console(const char *name);

// Something may have become readable or writable: poll() is to look. Any context.
void files_changed();
// Count of these changes, to be read before looking; wait for the next one with IRQs masked.
unsigned file_changes();
Status wait_for_change(const IrqLock &lock, unsigned seen, Time deadline);

// Use the file of a descriptor: null, or one that release() is due to.
File *acquire_file(int descriptor);
void release_file(void *file);

} // namespace rtos::posix
