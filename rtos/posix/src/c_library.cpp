// SPDX-License-Identifier: BSD-3-Clause
// newlib's per-thread state, its locks, and the program's start and end.
//
// Debian's newlib is built with _impure_ptr (no __getreent) and with locks that do nothing. So the
// scheduler switches _impure_ptr, and stdio_lock.cpp locks what newlib does not.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <reent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rtos/log.hpp>

#include "attributes.hpp"
#include "file.hpp"
#include "kernel/scheduler.hpp"
#include "library_lock.hpp"
#include "stdio_lock.hpp"
#include "thread_table.hpp"
#include "timers.hpp"
#include "tls.hpp"

#ifndef RTOS_POSIX_MAIN_STACK
#define RTOS_POSIX_MAIN_STACK 32768
#endif

extern "C" {
// What threads that never called POSIX share; rtos::Thread::c_library is this from the start.
rtos::posix::CLibrary shared asm("rtos_c_library");
// newlib's own definition comes with an _impure_ptr that the scheduler does not switch.
struct _reent *const _global_impure_ptr = &rtos_c_library;

int __real_main(int argc, char **argv);
void __call_exitprocs(int status, void *object);
using Constructor = void (*)();
extern const Constructor __posix_init_array_start[];
extern const Constructor __posix_init_array_end[];
}

namespace rtos::posix {

void use_c_library(Thread &t) {
    scheduler.use_c_library(t);
}

static constinit LibraryLock environment_lock;
static constinit LibraryLock time_zone_lock;

static void *start(void *) {
    for (const Constructor *c = __posix_init_array_start; c != __posix_init_array_end; ++c)
        (*c)();
    static char name[] = "rtos";
    static char *arguments[] = {name, nullptr};
    exit(__real_main(1, arguments));
}

void end_process(const char *why, int value) {
    log("process ended: %s %d", why, value);
    remove_timers();
    Thread &current = Thread::current();
    for (unsigned i = 0; i < PTHREAD_THREADS_MAX; ++i) {
        Thread *victim = nullptr;
        {
            const IrqLock lock;
            ThreadControl *const c = thread_slots[i].control;
            if (c && !c->adopted && !c->reaped && c->thread != &current) {
                c->exiting = true;
                c->detached = c->detached || !c->joining; // who joins it releases it
                victim = c->thread;
            }
        }
        if (victim)
            (void)victim->terminate();
    }
    if (auto *const c = static_cast<ThreadControl *>(current.posix); c && !c->adopted)
        c->detached = true;
    Thread::exit();
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

// The application's main, linked with --wrap=main: the kernel's main thread starts a thread of POSIX for
// it, with a stack for stdio, in which constructors may use all that the application may.
int __wrap_main() {
    _REENT_INIT_PTR(&shared.reent);
    stdio_locks_begin();
    console_file_begin();
    if (void *const memory = memalign(tls_alignment, tls_size()))
        shared.thread_pointer = make_tls(memory);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, RTOS_POSIX_MAIN_STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t main_thread;
    const int error = pthread_create(&main_thread, &attributes, posix::start, nullptr);
    if (error)
        log("main does not start: error %d", error);
    else
        pthread_setname_np(main_thread, "main");
    return error;
}

void *__dso_handle;

int *__errno() {
    ThreadControl *const c = self_or_null();
    return c ? &c->reent._errno : &rtos_c_library._errno;
}

void __env_lock(_reent *) {
    environment_lock.lock();
}
void __env_unlock(_reent *) {
    environment_lock.unlock();
}
void __tz_lock() {
    time_zone_lock.lock();
}
void __tz_unlock() {
    time_zone_lock.unlock();
}

// newlib's own flushes the shared streams only.
void exit(int status) {
    __call_exitprocs(status, nullptr);
    flush_own_streams(*_REENT);
    if (_GLOBAL_REENT->__cleanup)
        (*_GLOBAL_REENT->__cleanup)(_GLOBAL_REENT);
    _exit(status);
}

void _exit(int status) {
    end_process("exit status", status);
}

// newlib's exit() and constructors ask for these.
void _init() {}
void _fini() {}

pid_t getpid() {
    return 1;
}
pid_t _getpid() {
    return 1;
}

} // extern "C"
