// SPDX-License-Identifier: BSD-3-Clause
// Locks of streams. Debian's newlib has none, so the link wraps its functions (--wrap, see CMakeLists.txt).
//
// Each thread of POSIX has standard streams of its own, with their buffers, in its struct _reent: they need
// no lock, and lines of two threads do not mix. A stream that fopen() and its kin make has one, in the
// member where newlib would keep its own; so have the standard streams of threads that never called POSIX.
#include "stdio_lock.hpp"

#include <initializer_list>
#include <new>
#include <reent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "library_lock.hpp"

namespace rtos::posix {

static constinit LibraryLock shared_stdin, shared_stdout, shared_stderr;
static constinit LibraryLock streams_lock; // newlib's list of streams

static_assert(sizeof(_flock_t) == sizeof(LibraryLock *));

static LibraryLock *lock_of(const FILE *f) {
    return f ? reinterpret_cast<LibraryLock *>(f->_lock) : nullptr;
}
static void set_lock(FILE *f, LibraryLock *lock) {
    f->_lock = reinterpret_cast<_flock_t>(lock);
}

class StreamLock {
  public:
    explicit StreamLock(const FILE *f) : lock_(lock_of(f)) {
        if (lock_)
            lock_->lock();
    }
    StreamLock(const StreamLock &) = delete;
    StreamLock &operator=(const StreamLock &) = delete;
    ~StreamLock() {
        if (lock_)
            lock_->unlock();
    }

  private:
    LibraryLock *const lock_;
};

extern "C" void __sinit(_reent *);

void stdio_locks_begin() {
    _reent *const shared = _GLOBAL_REENT;
    __sinit(shared);
    set_lock(shared->_stdin, &shared_stdin);
    set_lock(shared->_stdout, &shared_stdout);
    set_lock(shared->_stderr, &shared_stderr);
}

void flush_own_streams(_reent &r) {
    if (!r.__sdidinit)
        return;
    fflush(r._stdout);
    fflush(r._stderr);
}

void reclaim(_reent &r) {
    if (r.__sdidinit)
        for (FILE *const f : {r._stdin, r._stdout, r._stderr}) {
            if (f->_flags & __SMBF)
                free(f->_bf._base);
            if (f->_ub._base && f->_ub._base != f->_ubuf)
                free(f->_ub._base);
            free(f->_lb._base);
        }
    r.__sdidinit = 0;
    _reclaim_reent(&r);
}

} // namespace rtos::posix

using namespace rtos::posix;

extern "C" {

void flockfile(FILE *f) {
    if (LibraryLock *const lock = lock_of(f))
        lock->lock();
}
int ftrylockfile(FILE *f) {
    LibraryLock *const lock = lock_of(f);
    return !lock || lock->try_lock() ? 0 : -1;
}
void funlockfile(FILE *f) {
    if (LibraryLock *const lock = lock_of(f))
        lock->unlock();
}

// A place for a new stream; it keeps its lock for its next life.
FILE *__real___sfp(_reent *);
FILE *__wrap___sfp(_reent *r) {
    streams_lock.lock();
    FILE *const f = __real___sfp(r);
    if (f && !lock_of(f)) {
        void *const memory = malloc(sizeof(LibraryLock));
        if (memory)
            set_lock(f, new (memory) LibraryLock);
    }
    streams_lock.unlock();
    return f;
}

#define WRAP(result, name, parameters, arguments, stream)                                                    \
    result __real_##name parameters;                                                                         \
    result __wrap_##name parameters {                                                                        \
        const StreamLock lock(stream);                                                                       \
        return __real_##name arguments;                                                                      \
    }
WRAP(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f), f)
WRAP(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f), f)
WRAP(int, fgetc, (FILE * f), (f), f)
WRAP(int, getc, (FILE * f), (f), f)
WRAP(int, ungetc, (int c, FILE *f), (c, f), f)
WRAP(char *, fgets, (char *s, int n, FILE *f), (s, n, f), f)
WRAP(int, fputc, (int c, FILE *f), (c, f), f)
WRAP(int, putc, (int c, FILE *f), (c, f), f)
WRAP(int, fputs, (const char *s, FILE *f), (s, f), f)
WRAP(int, getchar, (), (), _REENT->_stdin)
WRAP(int, putchar, (int c), (c), _REENT->_stdout)
WRAP(int, puts, (const char *s), (s), _REENT->_stdout)
WRAP(int, fflush, (FILE * f), (f), f)
WRAP(int, fseek, (FILE * f, long offset, int whence), (f, offset, whence), f)
WRAP(int, fseeko, (FILE * f, _off_t offset, int whence), (f, offset, whence), f)
WRAP(long, ftell, (FILE * f), (f), f)
WRAP(_off_t, ftello, (FILE * f), (f), f)
WRAP(void, rewind, (FILE * f), (f), f)
WRAP(int, setvbuf, (FILE * f, char *b, int mode, size_t n), (f, b, mode, n), f)
WRAP(int, fclose, (FILE * f), (f), f)
WRAP(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f), f)
WRAP(ssize_t, __getdelim, (char **line, size_t *n, int end, FILE *f), (line, n, end, f), f)
WRAP(ssize_t, __getline, (char **line, size_t *n, FILE *f), (line, n, f), f)
WRAP(int, vfprintf, (FILE * f, const char *format, va_list a), (f, format, a), f)
WRAP(int, vfiprintf, (FILE * f, const char *format, va_list a), (f, format, a), f)
WRAP(int, vfscanf, (FILE * f, const char *format, va_list a), (f, format, a), f)
WRAP(int, vprintf, (const char *format, va_list a), (format, a), _REENT->_stdout)
WRAP(int, vscanf, (const char *format, va_list a), (format, a), _REENT->_stdin)
#undef WRAP

// The same through the function that takes a va_list.
#define WRAP_VARIADIC(stream, call)                                                                          \
    va_list a;                                                                                               \
    va_start(a, format);                                                                                     \
    const StreamLock lock(stream);                                                                           \
    const int result = call;                                                                                 \
    va_end(a);                                                                                               \
    return result;
int __wrap_fprintf(FILE *f, const char *format, ...) {
    WRAP_VARIADIC(f, __real_vfprintf(f, format, a))
}
int __wrap_fiprintf(FILE *f, const char *format, ...) {
    WRAP_VARIADIC(f, __real_vfiprintf(f, format, a))
}
int __wrap_fscanf(FILE *f, const char *format, ...) {
    WRAP_VARIADIC(f, __real_vfscanf(f, format, a))
}
int __wrap_printf(const char *format, ...) {
    WRAP_VARIADIC(_REENT->_stdout, __real_vprintf(format, a))
}
int __wrap_scanf(const char *format, ...) {
    WRAP_VARIADIC(_REENT->_stdin, __real_vscanf(format, a))
}
#undef WRAP_VARIADIC

} // extern "C"
