// SPDX-License-Identifier: BSD-3-Clause
#include <poll.h>

#include <errno.h>
#include <limits.h>
#include <sys/select.h>

#include "clock.hpp"
#include "file.hpp"
#include "signal_actions.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

static constexpr short always = POLLERR | POLLHUP | POLLNVAL;

static short look(const pollfd &p) {
    File *const f = acquire_file(p.fd);
    if (!f)
        return POLLNVAL;
    const short is = f->operations->ready(*f);
    release_file(f);
    return static_cast<short>(is & (p.events | always));
}

// Number of descriptors that are ready, 0 at the deadline, or a negative error number. A handler that has run
// since there had been so many ends it, one with SA_RESTART as well.
static int wait(pollfd *all, nfds_t count, Time deadline, unsigned handlers) {
    CancellationPoint point;
    for (;;) {
        const unsigned seen = file_changes();
        int ready = 0;
        for (nfds_t i = 0; i < count; ++i) {
            all[i].revents = all[i].fd < 0 ? short{0} : look(all[i]);
            ready += all[i].revents != 0;
        }
        if (ready)
            return ready;
        const Status s = point.run([&] {
            const IrqLock lock;
            if (point.control().handlers_run != handlers)
                return Status::deleted;
            const Status waited = wait_for_change(lock, seen, deadline);
            return waited == Status::interrupted && point.control().handlers_run != handlers ? Status::deleted
                                                                                             : waited;
        });
        if (s == Status::timeout)
            return 0;
        if (s != Status::ok)
            return s == Status::would_block ? -EPERM : -EINTR;
    }
}

static bool in(const fd_set *set, int d) {
    return set && FD_ISSET(d, set);
}

static int select_until(int n, fd_set *reads, fd_set *writes, fd_set *excepts, Time deadline,
                        unsigned handlers) {
    if (n < 0 || n > FD_SETSIZE)
        return with_errno(EINVAL);
    pollfd all[OPEN_MAX];
    nfds_t count = 0;
    for (int d = 0; d < n; ++d) {
        const int events = (in(reads, d) ? POLLIN : 0) | (in(writes, d) ? POLLOUT : 0);
        if (!events && !in(excepts, d))
            continue;
        if (d >= OPEN_MAX)
            return with_errno(EBADF);
        all[count++] = {d, static_cast<short>(events), 0};
    }
    const int ready = wait(all, count, deadline, handlers);
    if (ready < 0)
        return with_errno(-ready);
    for (nfds_t i = 0; i < count; ++i)
        if (all[i].revents & POLLNVAL)
            return with_errno(EBADF);
    if (excepts)
        *excepts = {};
    int bits = 0;
    for (nfds_t i = 0; i < count; ++i) {
        const int d = all[i].fd;
        if (in(reads, d)) {
            if (all[i].revents & POLLIN)
                ++bits;
            else
                FD_CLR(d, reads);
        }
        if (in(writes, d)) {
            if (all[i].revents & POLLOUT)
                ++bits;
            else
                FD_CLR(d, writes);
        }
    }
    return bits;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int poll(pollfd *all, nfds_t count, int timeout) {
    if (count > OPEN_MAX)
        return with_errno(EINVAL);
    const int ready = posix::wait(all, count, timeout < 0 ? Time::never() : now() + milliseconds(timeout),
                                  self().handlers_run);
    return ready < 0 ? with_errno(-ready) : ready;
}

int select(int n, fd_set *reads, fd_set *writes, fd_set *excepts, timeval *limit) {
    Time deadline = Time::never();
    if (limit) {
        if (limit->tv_sec < 0 || limit->tv_usec < 0 || limit->tv_usec >= 1'000'000)
            return with_errno(EINVAL);
        deadline = deadline_at(monotonic_ns() +
                               to_ns(timespec{limit->tv_sec, static_cast<long>(limit->tv_usec * 1000)}));
    }
    return posix::select_until(n, reads, writes, excepts, deadline, self().handlers_run);
}

int pselect(int n, fd_set *reads, fd_set *writes, fd_set *excepts, const timespec *limit,
            const sigset_t *mask) {
    Time deadline = Time::never();
    if (limit) {
        if (!valid(*limit) || limit->tv_sec < 0)
            return with_errno(EINVAL);
        deadline = deadline_at(monotonic_ns() + to_ns(*limit));
    }
    ThreadControl &c = self();
    const uint64_t before = c.blocked;
    const unsigned handlers = c.handlers_run;
    if (mask)
        posix::set_mask(c, *mask);
    const int result = posix::select_until(n, reads, writes, excepts, deadline, handlers);
    const int error = errno;
    posix::set_mask(c, before);
    errno = error;
    return result;
}

} // extern "C"
