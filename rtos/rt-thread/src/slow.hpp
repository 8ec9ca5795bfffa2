// SPDX-License-Identifier: BSD-3-Clause
// The whole of the calls whose fast paths are in fast.cpp: for what is not there, hooked, or wrong.
#pragma once

#include "wait.hpp"

namespace rt {

rt_err_t sem_take(rt_sem_t sem, rt_int32_t timeout, Until end, const char *call);
rt_err_t sem_release(rt_sem_t sem);
rt_err_t mutex_take(rt_mutex_t mutex, rt_int32_t timeout, Until end, const char *call);
rt_err_t mutex_release(rt_mutex_t mutex);
rt_err_t mb_send(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout, Until end, const char *call);
rt_err_t mb_recv(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout, Until end, const char *call);
rt_err_t mq_send(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t prio, rt_int32_t timeout,
                 Until end, const char *call);
rt_ssize_t mq_recv(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t *prio, rt_int32_t timeout, Until end,
                   const char *call);

} // namespace rt
