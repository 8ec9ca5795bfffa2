// SPDX-License-Identifier: BSD-3-Clause
// A device of RT-Thread's device framework as a file. A driver says with rx_indicate that there is something
// to read, and with tx_complete that there is room.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include <rtdevice.h>
#include <rtthread.h>

#include "file.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

// Devices that are open as files. The indication is the device's, so all files of one share a record.
struct OpenDevice {
    rt_device_t device;
    unsigned files;
    bool indicates;                               // its driver has the receive interrupt on
    volatile bool readable;                       // indicated, and not read empty since
    rt_err_t (*indicate)(rt_device_t, rt_size_t); // what was there before
    rt_err_t (*complete)(rt_device_t, void *);
};
static constexpr unsigned most_devices = 16;
static constinit OpenDevice open_devices[most_devices];

static OpenDevice *find(rt_device_t device) {
    for (OpenDevice &d : open_devices)
        if (d.device == device)
            return &d;
    return nullptr;
}

// A file less; the last one gives the indications back.
static void leave(OpenDevice &d) {
    const IrqMask masked;
    if (--d.files != 0)
        return;
    d.device->rx_indicate = d.indicate;
    d.device->tx_complete = d.complete;
    d.device = nullptr;
}

static rt_err_t indicated(rt_device_t device, rt_size_t size) {
    OpenDevice *const d = find(device);
    if (!d)
        return RT_EOK;
    d->readable = true;
    files_changed();
    return d->indicate ? d->indicate(device, size) : RT_EOK;
}

static rt_err_t completed(rt_device_t device, void *buffer) {
    OpenDevice *const d = find(device);
    if (!d)
        return RT_EOK;
    files_changed();
    return d->complete ? d->complete(device, buffer) : RT_EOK;
}

static int error_of_device(rt_err_t error) {
    switch (error < 0 ? -error : error) {
    case RT_EOK:
        return 0;
    case RT_ETIMEOUT:
        return ETIMEDOUT;
    case RT_EFULL:
    case RT_EEMPTY:
        return EAGAIN;
    case RT_ENOMEM:
        return ENOMEM;
    case RT_ENOSYS:
        return ENOTTY;
    case RT_EBUSY:
        return EBUSY;
    case RT_EINTR:
        return EINTR;
    case RT_EINVAL:
        return EINVAL;
    default:
        return EIO;
    }
}

// Attempt until something was done; 0 is "not now", and so the next change is waited for.
template <class F> static ssize_t repeat(const File &f, bool may_wait, F attempt) {
    CancellationPoint point;
    for (;;) {
        const unsigned seen = file_changes();
        const ssize_t done = attempt();
        if (done == -RT_ERROR && static_cast<OpenDevice *>(f.object)->device->type == RT_Device_Class_Pipe)
            return -EPIPE; // the other end went
        if (done != 0)
            return done < 0 ? -error_of_device(static_cast<rt_err_t>(done)) : done;
        if (f.flags & O_NONBLOCK)
            return -EAGAIN;
        if (!may_wait)
            return 0;
        const Status s = point.run([seen] {
            const IrqLock lock;
            return wait_for_change(lock, seen, Time::never());
        });
        if (s != Status::ok)
            return -error_of(s);
    }
}

static ssize_t read(File &f, void *buffer, size_t size) {
    OpenDevice &d = *static_cast<OpenDevice *>(f.object);
    if (!size)
        return 0;
    return repeat(f, d.indicates, [&]() -> ssize_t {
        d.readable = false; // before: an indication during the read counts
        const rt_ssize_t done = rt_device_read(d.device, 0, buffer, size);
        if (done == static_cast<rt_ssize_t>(size))
            d.readable = true; // there may be more
        return done;
    });
}

static ssize_t write(File &f, const void *data, size_t size) {
    OpenDevice &d = *static_cast<OpenDevice *>(f.object);
    if (!size)
        return 0;
    return repeat(f, d.device->flag & (RT_DEVICE_FLAG_INT_TX | RT_DEVICE_FLAG_DMA_TX),
                  [&]() -> ssize_t { return rt_device_write(d.device, 0, data, size); });
}

static int control(File &f, int request, void *argument) {
    return error_of_device(rt_device_control(static_cast<OpenDevice *>(f.object)->device, request, argument));
}

// A pipe's driver may know more than what it has indicated: whether there is room, or another record.
static short ready(File &f) {
    const OpenDevice &d = *static_cast<OpenDevice *>(f.object);
    int known = -1;
    if (d.device->type == RT_Device_Class_Pipe &&
        rt_device_control(d.device, RT_PIPE_CTRL_READY, &known) == RT_EOK && known >= 0)
        return static_cast<short>((known & RT_PIPE_READABLE ? POLLIN | POLLRDNORM : 0) |
                                  (known & RT_PIPE_WRITABLE ? POLLOUT | POLLWRNORM : 0));
    return static_cast<short>((d.readable || !d.indicates ? POLLIN | POLLRDNORM : 0) | POLLOUT | POLLWRNORM);
}

static void close(File &f) {
    OpenDevice &d = *static_cast<OpenDevice *>(f.object);
    const rt_device_t device = d.device;
    leave(d);
    (void)rt_device_close(device); // which may take its time: who opens it meanwhile has a record of his own
}

static constinit const FileOperations device_file = {read, write, control, ready, close, false};

bool device_exists(const char *name) {
    return rt_device_find(name) != nullptr;
}

int open_device(const char *name, int flags, File &f) {
    const rt_device_t device = rt_device_find(name);
    if (!device)
        return ENOENT;
    if (device->type == RT_Device_Class_Block)
        return ENXIO; // counts in blocks; there is no file system
    const int mode = flags & O_ACCMODE;
    const bool in = mode != O_WRONLY && (device->flag & RT_DEVICE_FLAG_INT_RX);
    const unsigned access = mode == O_RDONLY   ? RT_DEVICE_OFLAG_RDONLY
                            : mode == O_WRONLY ? RT_DEVICE_OFLAG_WRONLY
                                               : RT_DEVICE_OFLAG_RDWR;
    OpenDevice *d;
    {
        const IrqMask masked;
        d = find(device);
        if (!d)
            d = find(nullptr);
        if (!d)
            return ENFILE;
        d->device = device;
        if (d->files++ == 0) {
            d->indicates = device->flag & (RT_DEVICE_FLAG_INT_RX | RT_DEVICE_FLAG_DMA_RX);
            d->readable = false;
            d->indicate = device->rx_indicate;
            d->complete = device->tx_complete;
            device->rx_indicate = indicated;
            device->tx_complete = completed;
        }
    }
    const rt_err_t error = rt_device_open(
        device, static_cast<rt_uint16_t>(access | (in ? static_cast<unsigned>(RT_DEVICE_FLAG_INT_RX) : 0u)));
    if (error != RT_EOK) {
        leave(*d);
        return error_of_device(error);
    }
    f.object = d;
    f.operations = &device_file;
    return 0;
}

} // namespace rtos::posix
