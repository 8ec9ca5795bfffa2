// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_object.hpp"
#include "wait.hpp"

#include <ipc/completion.h>

#include <rtos/completion.hpp>

using rtos::Completion;
using rtos::Status;

static constexpr rt_uint32_t initialised = 0x706d6f63;

// RT_COMPLETION_INIT leaves it to the first use.
static Completion &of(rt_completion &c) {
    const rtos::IrqMask masked;
    if (c.state != initialised) {
        rt::make_kernel_object<Completion>(c.kernel);
        c.state = initialised;
    }
    return rt::kernel_object<Completion>(c.kernel);
}

static rt_err_t wait(rt_completion *completion, rt_int32_t timeout, rt::Until end, const char *call) {
    if (!completion)
        return rt::refuse("a completion", call);
    Completion &c = of(*completion);
    if (c.try_wait())
        return RT_EOK;
    if (const rt_err_t error = rt::before_wait(timeout, -RT_ETIMEOUT, call))
        return error;
    const rtos::Time deadline = rt::deadline_of(timeout);
    Status result;
    do
        result = c.wait(deadline);
    while (result == Status::interrupted && end == rt::Until::done);
    return rt::fail(rt::error_of(result));
}

extern "C" {

void rt_completion_init(rt_completion *completion) {
    RT_REQUIRE(completion, );
    completion->state = 0;
    of(*completion);
}

rt_err_t rt_completion_wait(rt_completion *completion, rt_int32_t timeout) {
    return wait(completion, timeout, rt::Until::done, RT_THIS_CALL);
}

rt_err_t rt_completion_wait_flags(rt_completion *completion, rt_int32_t timeout, int suspend_flag) {
    return wait(completion, timeout, rt::until(suspend_flag), RT_THIS_CALL);
}

void rt_completion_done(rt_completion *completion) {
    RT_REQUIRE(completion, );
    of(*completion).complete();
}

rt_err_t rt_completion_wakeup(rt_completion *completion) {
    RT_REQUIRE(completion, -RT_EINVAL);
    Completion &c = of(*completion);
    const rtos::IrqLock lock;
    if (c.done())
        return -RT_EBUSY;
    const bool waited = !c.waiters().empty();
    c.complete();
    return waited ? RT_EOK : -RT_EEMPTY;
}
}
