/* SPDX-License-Identifier: BSD-3-Clause */
/* What drivers are made of. */
#ifndef RT_DEVICE_H__
#define RT_DEVICE_H__

#include <rtthread.h>

#include <ipc/completion.h>
#include <ipc/dataqueue.h>
#include <ipc/ringbuffer.h>
#include <ipc/waitqueue.h>
#include <ipc/workqueue.h>

#define RT_DEVICE(device) ((rt_device_t)(device))

#endif
