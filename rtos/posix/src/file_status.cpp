// SPDX-License-Identifier: BSD-3-Clause
// What is to be known of a file, by descriptor and by name.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.hpp"
#include "status.hpp"

namespace rtos::posix {

const char *device_name(const char *path) {
    static constexpr char folder[] = "/dev/";
    return strncmp(path, folder, sizeof(folder) - 1) == 0 ? path + sizeof(folder) - 1 : path;
}

bool is_console(const char *name) {
    return strcmp(name, "console") == 0 || strcmp(name, "tty") == 0;
}

static void fill_stat(struct stat *s) {
    *s = {};
    s->st_mode = S_IFCHR | 0666;
    s->st_blksize = 128;
    s->st_nlink = 1;
}

// The error number of operation(File &), or EBADF.
template <class F> static int with_file(int d, F operation) {
    File *const f = acquire_file(d);
    if (!f)
        return EBADF;
    const int error = operation(*f);
    release_file(f);
    return error;
}

} // namespace rtos::posix

using namespace rtos::posix;

extern "C" {

int isatty(int d) {
    return with_errno(with_file(d, [](File &f) { return f.operations->terminal ? 0 : ENOTTY; })) == 0;
}
int _isatty(int d) {
    return isatty(d);
}

int fsync(int d) {
    return with_errno(with_file(d, [](File &) { return 0; }));
}
int fdatasync(int d) {
    return fsync(d);
}

// Devices have no position.
off_t lseek(int d, off_t, int whence) {
    return with_errno(with_file(
        d, [whence](File &) { return whence >= SEEK_SET && whence <= SEEK_END ? ESPIPE : EINVAL; }));
}
off_t _lseek(int d, off_t offset, int whence) {
    return lseek(d, offset, whence);
}

int fstat(int d, struct stat *s) {
    return with_errno(with_file(d, [s](File &) { return fill_stat(s), 0; }));
}
int _fstat(int d, struct stat *s) {
    return fstat(d, s);
}

int stat(const char *path, struct stat *s) {
    const char *const name = device_name(path);
    if (!is_console(name) && !device_exists(name))
        return with_errno(ENOENT);
    fill_stat(s);
    return 0;
}
int _stat(const char *path, struct stat *s) {
    return stat(path, s);
}

int access(const char *path, int) {
    struct stat s;
    return stat(path, &s);
}

} // extern "C"
