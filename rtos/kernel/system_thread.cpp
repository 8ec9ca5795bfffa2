// SPDX-License-Identifier: BSD-3-Clause
#include "system_thread.hpp"

#include "scheduler.hpp"

namespace rtos {

constinit SystemThread system_thread;

bool defer(AsyncCall &call) {
    return system_thread.defer(call);
}

bool SystemThread::defer(AsyncCall &call) {
    const IrqLock lock;
    const bool put = deferred_.put(call);
    out_of_work_.wake_first();
    return put;
}

void SystemThread::ended(Thread &t) {
    ended_.insert_before(Scheduler::link_of(t));
    out_of_work_.wake_first();
}

void SystemThread::work(void *of) {
    SystemThread &self = *static_cast<SystemThread *>(of);
    for (;;) {
        {
            const IrqLock lock;
            if (self.deferred_.empty() && !self.ended_.linked())
                (void)self.out_of_work_.wait(lock, Time::never());
            self.deferred_.run();
        }
        Thread::reap_first(self.ended_);
    }
}

Status SystemThread::start() {
    return thread_.start(stack);
}

} // namespace rtos
