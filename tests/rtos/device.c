/* SPDX-License-Identifier: GPL-2.0-only */
/* The device framework, with a driver that records what it is asked. */
#include "suite.h"
#include <rtdevice.h>

static struct rt_device device;
static int inits, opens, closes;
static rt_off_t last_position;
static char buffer[32];

static rt_err_t driver_init(rt_device_t dev)
{
	(void)dev;
	++inits;
	return RT_EOK;
}
static rt_err_t driver_open(rt_device_t dev, rt_uint16_t flags)
{
	(void)dev;
	(void)flags;
	++opens;
	return RT_EOK;
}
static rt_err_t driver_close(rt_device_t dev)
{
	(void)dev;
	++closes;
	return RT_EOK;
}
static rt_ssize_t driver_read(rt_device_t dev, rt_off_t position, void *to, rt_size_t size)
{
	(void)dev;
	last_position = position;
	memcpy(to, buffer + position, size);
	return (rt_ssize_t)size;
}
static rt_ssize_t driver_write(rt_device_t dev, rt_off_t position, const void *from, rt_size_t size)
{
	last_position = position;
	memcpy(buffer + position, from, size);
	if (dev->tx_complete)
		dev->tx_complete(dev, (void *)from);
	return (rt_ssize_t)size;
}
static rt_err_t driver_control(rt_device_t dev, int command, void *argument)
{
	if (command != RT_DEVICE_CTRL_CONFIG)
		return -RT_ENOSYS;
	if (dev->rx_indicate)
		dev->rx_indicate(dev, *(rt_size_t *)argument);
	return RT_EOK;
}

static void prepare(void)
{
	memset(&device, 0, sizeof(device));
	device.type = RT_Device_Class_Char;
	device.init = driver_init;
	device.open = driver_open;
	device.close = driver_close;
	device.read = driver_read;
	device.write = driver_write;
	device.control = driver_control;
	inits = opens = closes = 0;
}

static void test_register(void)
{
	prepare();
	uassert_equal(RT_EOK, rt_device_register(&device, "test", RT_DEVICE_FLAG_RDWR));
	uassert_true(rt_device_find("test") == &device);
	struct rt_device other = device;
	uassert_equal(-RT_ERROR,
		      rt_device_register(&other, "test", RT_DEVICE_FLAG_RDWR)); /* the name is taken */
	uassert_equal(RT_EOK, rt_device_unregister(&device));
	uassert_null(rt_device_find("test"));
	uassert_equal(-RT_ERROR, rt_device_register(RT_NULL, "null", 0));
}

static void test_open_and_close(void)
{
	prepare();
	rt_device_register(&device, "test", RT_DEVICE_FLAG_RDWR);
	uassert_equal(RT_EOK, rt_device_open(&device, RT_DEVICE_OFLAG_RDWR));
	uassert_equal(1, inits); /* by the first open */
	uassert_equal(1, opens);
	uassert_equal(RT_EOK, rt_device_open(&device, RT_DEVICE_OFLAG_RDWR));
	uassert_equal(1, inits);
	uassert_equal(2, device.ref_count);
	uassert_equal(RT_EOK, rt_device_close(&device));
	uassert_equal(0, closes); /* it is open still */
	uassert_equal(RT_EOK, rt_device_close(&device));
	uassert_equal(1, closes);
	uassert_equal(-RT_ERROR, rt_device_close(&device));
	rt_device_unregister(&device);
}

static void test_standalone(void)
{
	prepare();
	rt_device_register(&device, "alone", RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_STANDALONE);
	uassert_equal(RT_EOK, rt_device_open(&device, RT_DEVICE_OFLAG_RDWR));
	uassert_equal(-RT_EBUSY, rt_device_open(&device, RT_DEVICE_OFLAG_RDWR));
	uassert_equal(RT_EOK, rt_device_close(&device));
	uassert_equal(RT_EOK, rt_device_open(&device, RT_DEVICE_OFLAG_RDWR));
	rt_device_close(&device);
	rt_device_unregister(&device);
}

static void test_read_and_write(void)
{
	char text[8] = "";
	prepare();
	rt_device_register(&device, "test", RT_DEVICE_FLAG_RDWR);
	uassert_equal(0, rt_device_read(&device, 0, text, 4)); /* not open */
	uassert_equal(0, rt_device_write(&device, 0, text, 4));
	rt_device_open(&device, RT_DEVICE_OFLAG_RDWR);
	uassert_equal(5, rt_device_write(&device, 3, "hello", 5));
	uassert_equal(3, last_position);
	uassert_equal(5, rt_device_read(&device, 3, text, 5));
	uassert_string("hello", text);
	device.read = RT_NULL;
	uassert_equal(0, rt_device_read(&device, 0, text, 4)); /* it cannot */
	uassert_equal(-RT_ENOSYS, rt_get_errno());
	rt_device_close(&device);
	rt_device_unregister(&device);
}

static rt_size_t indicated;
static void *completed;
static rt_err_t on_receive(rt_device_t dev, rt_size_t size)
{
	(void)dev;
	indicated = size;
	return RT_EOK;
}
static rt_err_t on_complete(rt_device_t dev, void *from)
{
	(void)dev;
	completed = from;
	return RT_EOK;
}

static void test_callbacks(void)
{
	static const char text[] = "text";
	rt_size_t size = 17;
	prepare();
	rt_device_register(&device, "test", RT_DEVICE_FLAG_RDWR);
	rt_device_open(&device, RT_DEVICE_OFLAG_RDWR);
	uassert_equal(RT_EOK, rt_device_set_rx_indicate(&device, on_receive));
	uassert_equal(RT_EOK, rt_device_set_tx_complete(&device, on_complete));
	uassert_equal(RT_EOK, rt_device_control(&device, RT_DEVICE_CTRL_CONFIG, &size));
	uassert_equal(17, indicated);
	uassert_equal(-RT_ENOSYS, rt_device_control(&device, 0x1234, RT_NULL));
	rt_device_write(&device, 0, text, 4);
	uassert_true(completed == text);
	device.control = RT_NULL;
	uassert_equal(-RT_ENOSYS, rt_device_control(&device, RT_DEVICE_CTRL_CONFIG, &size));
	rt_device_close(&device);
	rt_device_unregister(&device);
}

static void test_failing_init(void)
{
	prepare();
	device.open = RT_NULL;
	device.close = RT_NULL;
	rt_device_register(&device, "test", RT_DEVICE_FLAG_RDWR);
	uassert_equal(RT_EOK, rt_device_open(&device, RT_DEVICE_OFLAG_RDONLY)); /* none is none to fail */
	uassert_equal(RT_DEVICE_OFLAG_RDONLY | RT_DEVICE_OFLAG_OPEN, device.open_flag);
	uassert_equal(RT_EOK, rt_device_close(&device));
	uassert_equal(RT_DEVICE_OFLAG_CLOSE, device.open_flag);
	rt_device_unregister(&device);
}

static void test_create(void)
{
	rt_device_t created = rt_device_create(RT_Device_Class_Char, 16);
	uassert_not_null(created);
	uassert_equal(RT_EOK, rt_device_register(created, "created", RT_DEVICE_FLAG_RDWR));
	uassert_true(rt_device_find("created") == created);
	uassert_equal(RT_EOK, rt_device_unregister(created));
	rt_device_destroy(created);
}

static void test_bad_input(void)
{
	char text[4];
	uassert_refused(rt_device_open, -RT_EINVAL, (RT_NULL, RT_DEVICE_OFLAG_RDWR));
	uassert_refused(rt_device_close, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_device_unregister, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_device_control, -RT_EINVAL, (RT_NULL, 0, RT_NULL));
	uassert_refused(rt_device_read, 0, (RT_NULL, 0, text, 4));
	uassert_refused(rt_device_write, 0, (RT_NULL, 0, text, 4));
	uassert_null(rt_device_find("nothing"));
}

static void testcase(void)
{
	UNIT(test_register);
	UNIT(test_open_and_close);
	UNIT(test_standalone);
	UNIT(test_read_and_write);
	UNIT(test_callbacks);
	UNIT(test_failing_init);
	UNIT(test_create);
	UNIT(test_bad_input);
}
SUITE("device");
