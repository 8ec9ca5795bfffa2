// SPDX-License-Identifier: BSD-3-Clause
#include "object.hpp"

static bool usable(const rt_device_t dev) {
    return rt::is_object(rt::object_of(dev), RT_Object_Class_Device);
}

// The device's own first use; the flag says that it has been. Positive: an error code, 0 is none.
static rt_err_t initialise(rt_device_t dev) {
    if (dev->flag & RT_DEVICE_FLAG_ACTIVATED)
        return RT_EOK;
    const rt_err_t result = dev->init ? dev->init(dev) : RT_EOK;
    if (result == RT_EOK)
        dev->flag |= RT_DEVICE_FLAG_ACTIVATED;
    return result;
}

// Nothing can be read or written: why.
static rt_ssize_t nothing(rt_err_t error) {
    rt_set_errno(error);
    return 0;
}

extern "C" {

rt_device_t rt_device_find(const char *name) {
    const rt_object_t found = rt_object_find(name, RT_Object_Class_Device);
    return found ? rt_list_entry(found, rt_device, parent) : nullptr;
}

rt_err_t rt_device_register(rt_device_t dev, const char *name, rt_uint16_t flags) {
    if (!dev || !name || rt_device_find(name) || rt::is_listed(dev->parent, RT_Object_Class_Device))
        return -RT_ERROR;
    // A created one is dynamic, and that it stays.
    const bool dynamic = dev->parent.type == RT_Object_Class_Device;
    rt::enlist(dev->parent, RT_Object_Class_Device | (dynamic ? 0u : unsigned{RT_Object_Class_Static}), name,
               dev);
    dev->flag = flags;
    dev->ref_count = 0;
    dev->open_flag = 0;
    dev->wait_queue.flag = 0;
    rt_list_init(&dev->wait_queue.waiting_list);
    return RT_EOK;
}

rt_err_t rt_device_unregister(rt_device_t dev) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    const bool dynamic = !rt::is_static(dev->parent);
    rt::delist(dev->parent);
    if (dynamic)
        dev->parent.type = RT_Object_Class_Device; // to be destroyed
    return RT_EOK;
}

// Not listed before it is registered.
rt_device_t rt_device_create(int type, int attach_size) {
    RT_REQUIRE(attach_size >= 0, nullptr);
    const size_t own = RT_ALIGN(sizeof(rt_device), RT_ALIGN_SIZE);
    auto *const dev = static_cast<rt_device_t>(rt_calloc(1, own + static_cast<size_t>(attach_size)));
    if (dev) {
        dev->parent.type = RT_Object_Class_Device;
        dev->type = static_cast<rt_device_class_type>(type);
        dev->user_data = reinterpret_cast<uint8_t *>(dev) + own;
        rt_list_init(&dev->parent.list);
    }
    return dev;
}

void rt_device_destroy(rt_device_t device) {
    RT_REQUIRE(device && rt::is_dynamic_object(rt::object_of(device), RT_Object_Class_Device), );
    if (!rt_list_isempty(&device->parent.list))
        rt::delist(device->parent);
    device->parent.type = RT_Object_Class_Null;
    rt_free(device);
}

rt_err_t rt_device_init(rt_device_t dev) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    return initialise(dev);
}

rt_err_t rt_device_open(rt_device_t dev, rt_uint16_t oflag) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    RT_REQUIRE(dev->ref_count != RT_UINT8_MAX, -RT_EFULL);
    if (const rt_err_t error = initialise(dev))
        return error;
    if ((dev->flag & RT_DEVICE_FLAG_STANDALONE) && (dev->open_flag & RT_DEVICE_OFLAG_OPEN))
        return -RT_EBUSY;
    rt_err_t result = RT_EOK;
    if (!(dev->open_flag & RT_DEVICE_OFLAG_OPEN) ||
        (dev->open_flag & RT_DEVICE_OFLAG_MASK) != ((oflag & RT_DEVICE_OFLAG_MASK) | RT_DEVICE_OFLAG_OPEN)) {
        if (dev->open)
            result = dev->open(dev, oflag); // sets open_flag, or not
        else
            dev->open_flag = oflag & RT_DEVICE_OFLAG_MASK;
    }
    if (result != RT_EOK && result != -RT_ENOSYS)
        return result;
    dev->open_flag |= RT_DEVICE_OFLAG_OPEN;
    ++dev->ref_count;
    return result;
}

rt_err_t rt_device_close(rt_device_t dev) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    if (dev->ref_count == 0)
        return -RT_ERROR;
    if (--dev->ref_count != 0)
        return RT_EOK;
    const rt_err_t result = dev->close ? dev->close(dev) : RT_EOK;
    if (result == RT_EOK || result == -RT_ENOSYS)
        dev->open_flag = RT_DEVICE_OFLAG_CLOSE;
    return result;
}

rt_ssize_t rt_device_read(rt_device_t dev, rt_off_t pos, void *buffer, rt_size_t size) {
    RT_REQUIRE(dev && usable(dev), 0);
    if (dev->ref_count == 0)
        return nothing(-RT_ERROR);
    return dev->read ? dev->read(dev, pos, buffer, size) : nothing(-RT_ENOSYS);
}

rt_ssize_t rt_device_write(rt_device_t dev, rt_off_t pos, const void *buffer, rt_size_t size) {
    RT_REQUIRE(dev && usable(dev), 0);
    if (dev->ref_count == 0)
        return nothing(-RT_ERROR);
    return dev->write ? dev->write(dev, pos, buffer, size) : nothing(-RT_ENOSYS);
}

rt_err_t rt_device_control(rt_device_t dev, int cmd, void *arg) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    return dev->control ? dev->control(dev, cmd, arg) : -RT_ENOSYS;
}

rt_err_t rt_device_set_rx_indicate(rt_device_t dev, rt_err_t (*rx_ind)(rt_device_t dev, rt_size_t size)) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    dev->rx_indicate = rx_ind;
    return RT_EOK;
}

rt_err_t rt_device_set_tx_complete(rt_device_t dev, rt_err_t (*tx_done)(rt_device_t dev, void *buffer)) {
    RT_REQUIRE(dev && usable(dev), -RT_EINVAL);
    dev->tx_complete = tx_done;
    return RT_EOK;
}
}
