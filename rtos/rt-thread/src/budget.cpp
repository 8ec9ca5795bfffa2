// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_object.hpp"

#include <rtbudget.h>

#include <rtos/budget.hpp>

using rtos::Budget;

static Budget &of(rt_budget &b) {
    return rt::kernel_object<Budget>(b.kernel);
}

static void overran(Budget &, void *budget) {
    rt_budget &b = *static_cast<rt_budget *>(budget);
    if (b.hook)
        b.hook(&b, b.argument);
}

static rt_err_t start(rt_budget *budget, rt_uint8_t flag, void (*hook)(rt_budget *, void *), void *argument,
                      auto begin) {
    if (!budget || flag > RT_BUDGET_FLAG_THROTTLE || (budget->made && of(*budget).on()))
        return -RT_EINVAL;
    budget->hook = hook;
    budget->argument = argument;
    budget->made = RT_TRUE;
    const auto overrun =
        flag == RT_BUDGET_FLAG_THROTTLE ? Budget::Overrun::throttle : Budget::Overrun::report;
    Budget &b = *new (budget->kernel) Budget(overrun, overran, budget);
    return begin(b) == rtos::Status::ok ? RT_EOK : -RT_EINVAL;
}

extern "C" {

rt_err_t rt_thread_budget_start(rt_budget *budget, rt_thread_t thread, rt_uint32_t runtime,
                                rt_uint32_t period, rt_uint8_t flag, void (*hook)(rt_budget *, void *),
                                void *argument) {
    if (!thread)
        return -RT_EINVAL;
    return start(budget, flag, hook, argument, [=](Budget &b) {
        return b.start(rt::of(*thread), rtos::microseconds(runtime), rtos::microseconds(period));
    });
}

rt_err_t rt_sched_budget_start(rt_budget *budget, rt_uint8_t priority, rt_uint32_t runtime,
                               rt_uint32_t period, rt_uint8_t flag, void (*hook)(rt_budget *, void *),
                               void *argument) {
    return start(budget, flag, hook, argument, [=](Budget &b) {
        return b.start_total(rtos::microseconds(runtime), rtos::microseconds(period), priority);
    });
}

rt_err_t rt_budget_stop(rt_budget *budget) {
    return budget && budget->made && of(*budget).stop() == rtos::Status::ok ? RT_EOK : -RT_EINVAL;
}

rt_uint32_t rt_budget_overruns(rt_budget *budget) {
    return budget && budget->made ? of(*budget).overruns() : 0;
}

} // extern "C"
