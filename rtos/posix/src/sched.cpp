// SPDX-License-Identifier: BSD-3-Clause
// Scheduling: of threads by handle, and sched_*, where a process is asked for: 0 or getpid(), which is
// the running thread's own, as there is one process.
#include <sched.h>
#include <unistd.h>

#include "status.hpp"
#include "thread_control.hpp"
#include "time_convert.hpp"

using namespace rtos;
using namespace rtos::posix;

namespace {

int set(ThreadControl &c, int policy, int priority) {
    if (!valid_policy(policy) || !valid_priority(priority))
        return EINVAL;
    const int error = error_of(c.thread->set_priority(to_kernel(priority)));
    if (!error && policy != c.policy)
        apply_policy(c, policy);
    return error;
}

bool this_process(pid_t pid) {
    return pid == 0 || pid == getpid();
}

} // namespace

extern "C" {

int pthread_setschedparam(pthread_t handle, int policy, const sched_param *param) {
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    return c ? set(*c, policy, param->sched_priority) : ESRCH;
}

int pthread_getschedparam(pthread_t handle, int *policy, sched_param *param) {
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    if (!c)
        return ESRCH;
    *policy = c->policy;
    param->sched_priority = to_posix(c->thread->base_priority());
    return 0;
}

int pthread_setschedprio(pthread_t handle, int priority) {
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    return c ? set(*c, c->policy, priority) : ESRCH;
}

int sched_yield() {
    return with_errno(error_of(Thread::yield()));
}

void pthread_yield() {
    (void)sched_yield();
}

int sched_get_priority_max(int policy) {
    return valid_policy(policy) ? highest_priority : with_errno(EINVAL);
}

int sched_get_priority_min(int policy) {
    return valid_policy(policy) ? lowest_priority : with_errno(EINVAL);
}

int sched_rr_get_interval(pid_t pid, timespec *interval) {
    if (!this_process(pid))
        return with_errno(ESRCH);
    *interval = from_ns<timespec>(round_robin_slice.nanoseconds());
    return 0;
}

int sched_setparam(pid_t pid, const sched_param *param) {
    if (!this_process(pid))
        return with_errno(ESRCH);
    if (!param)
        return with_errno(EINVAL);
    ThreadControl &c = self();
    return with_errno(set(c, c.policy, param->sched_priority));
}

int sched_getparam(pid_t pid, sched_param *param) {
    if (!this_process(pid))
        return with_errno(ESRCH);
    if (!param)
        return with_errno(EINVAL);
    param->sched_priority = to_posix(self().thread->base_priority());
    return 0;
}

int sched_setscheduler(pid_t pid, int policy, const sched_param *param) {
    if (!this_process(pid))
        return with_errno(ESRCH);
    if (!param)
        return with_errno(EINVAL);
    ThreadControl &c = self();
    const int old = c.policy;
    const int error = set(c, policy, param->sched_priority);
    return error ? with_errno(error) : old;
}

int sched_getscheduler(pid_t pid) {
    return this_process(pid) ? self().policy : with_errno(ESRCH);
}

} // extern "C"
