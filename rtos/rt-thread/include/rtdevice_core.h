/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices: drivers register them under a name, applications find, open, read, write and control them. */
#ifndef RT_DEVICE_CORE_H__
#define RT_DEVICE_CORE_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rt_device_class_type {
	RT_Device_Class_Char = 0,
	RT_Device_Class_Block,
	RT_Device_Class_NetIf,
	RT_Device_Class_MTD,
	RT_Device_Class_CAN,
	RT_Device_Class_RTC,
	RT_Device_Class_Sound,
	RT_Device_Class_Graphic,
	RT_Device_Class_I2CBUS,
	RT_Device_Class_USBDevice,
	RT_Device_Class_USBHost,
	RT_Device_Class_USBOTG,
	RT_Device_Class_SPIBUS,
	RT_Device_Class_SPIDevice,
	RT_Device_Class_SDIO,
	RT_Device_Class_PM,
	RT_Device_Class_Pipe,
	RT_Device_Class_Portal,
	RT_Device_Class_Timer,
	RT_Device_Class_Miscellaneous,
	RT_Device_Class_Sensor,
	RT_Device_Class_Touch,
	RT_Device_Class_PHY,
	RT_Device_Class_Security,
	RT_Device_Class_WLAN,
	RT_Device_Class_Pin,
	RT_Device_Class_ADC,
	RT_Device_Class_DAC,
	RT_Device_Class_WDT,
	RT_Device_Class_PWM,
	RT_Device_Class_Bus,
	RT_Device_Class_Unknown
};

#define RT_DEVICE_FLAG_DEACTIVATE 0x000
#define RT_DEVICE_FLAG_RDONLY 0x001
#define RT_DEVICE_FLAG_WRONLY 0x002
#define RT_DEVICE_FLAG_RDWR 0x003
#define RT_DEVICE_FLAG_REMOVABLE 0x004
#define RT_DEVICE_FLAG_STANDALONE 0x008 /* only one may have it open */
#define RT_DEVICE_FLAG_ACTIVATED 0x010  /* its init has run */
#define RT_DEVICE_FLAG_SUSPENDED 0x020
#define RT_DEVICE_FLAG_STREAM 0x040
#define RT_DEVICE_FLAG_DYNAMIC 0x080
#define RT_DEVICE_FLAG_INT_RX 0x100
#define RT_DEVICE_FLAG_DMA_RX 0x200
#define RT_DEVICE_FLAG_INT_TX 0x400
#define RT_DEVICE_FLAG_DMA_TX 0x800

#define RT_DEVICE_OFLAG_CLOSE 0x000
#define RT_DEVICE_OFLAG_RDONLY 0x001
#define RT_DEVICE_OFLAG_WRONLY 0x002
#define RT_DEVICE_OFLAG_RDWR 0x003
#define RT_DEVICE_OFLAG_OPEN 0x008
#define RT_DEVICE_OFLAG_MASK 0xf0f

#define RT_DEVICE_CTRL_RESUME 0x01
#define RT_DEVICE_CTRL_SUSPEND 0x02
#define RT_DEVICE_CTRL_CONFIG 0x03
#define RT_DEVICE_CTRL_CLOSE 0x04
#define RT_DEVICE_CTRL_NOTIFY_SET 0x05
#define RT_DEVICE_CTRL_SET_INT 0x06
#define RT_DEVICE_CTRL_CLR_INT 0x07
#define RT_DEVICE_CTRL_GET_INT 0x08
#define RT_DEVICE_CTRL_CONSOLE_OFLAG 0x09
#define RT_DEVICE_CTRL_MASK 0x1f
/* A class's own commands follow its base. */
#define RT_DEVICE_CTRL_BASE(Type) ((RT_Device_Class_##Type + 1) * 0x100)
/* Of this kernel, for poll: the driver of a pipe puts into an int what would be done at once, and from now on
   indicates what would not. Interrupts may be masked. */
#define RT_PIPE_CTRL_READY (RT_DEVICE_CTRL_BASE(Pipe) + 1)
#define RT_PIPE_READABLE 1
#define RT_PIPE_WRITABLE 2

typedef struct rt_device *rt_device_t;

/* Threads that wait for an event of a device; <ipc/waitqueue.h>. */
struct rt_wqueue {
	rt_uint32_t flag;
	rt_list_t waiting_list;
};
typedef struct rt_wqueue rt_wqueue_t;

/* A driver sets what it has; null is "not supported", for init, open and close "nothing to do". */
struct rt_device {
	struct rt_object parent;
	enum rt_device_class_type type;
	rt_uint16_t flag;
	rt_uint16_t open_flag;
	rt_uint8_t ref_count; /* how often it is open */
	rt_uint8_t device_id;

	rt_err_t (*rx_indicate)(rt_device_t dev, rt_size_t size);
	rt_err_t (*tx_complete)(rt_device_t dev, void *buffer);

	rt_err_t (*init)(rt_device_t dev);
	rt_err_t (*open)(rt_device_t dev, rt_uint16_t oflag);
	rt_err_t (*close)(rt_device_t dev);
	rt_ssize_t (*read)(rt_device_t dev, rt_off_t pos, void *buffer, rt_size_t size);
	rt_ssize_t (*write)(rt_device_t dev, rt_off_t pos, const void *buffer, rt_size_t size);
	rt_err_t (*control)(rt_device_t dev, int cmd, void *args);

	struct rt_wqueue wait_queue; /* for poll() */
	void *user_data;
};

struct rt_device_notify {
	void (*notify)(rt_device_t dev);
	struct rt_device *dev;
};

rt_device_t rt_device_find(const char *name);
/* -RT_ERROR: null, or the name is taken. */
rt_err_t rt_device_register(rt_device_t dev, const char *name, rt_uint16_t flags);
rt_err_t rt_device_unregister(rt_device_t dev);
rt_device_t rt_device_create(int type, int attach_size);
void rt_device_destroy(rt_device_t device);
rt_err_t rt_device_set_rx_indicate(rt_device_t dev, rt_err_t (*rx_ind)(rt_device_t dev, rt_size_t size));
rt_err_t rt_device_set_tx_complete(rt_device_t dev, rt_err_t (*tx_done)(rt_device_t dev, void *buffer));
rt_err_t rt_device_init(rt_device_t dev);
/* -RT_EBUSY: a standalone device that is open already. */
rt_err_t rt_device_open(rt_device_t dev, rt_uint16_t oflag);
rt_err_t rt_device_close(rt_device_t dev); /* -RT_ERROR: not open */
/* Bytes (blocks of a block device) done; 0 and rt_get_errno() if it is not open or cannot. */
rt_ssize_t rt_device_read(rt_device_t dev, rt_off_t pos, void *buffer, rt_size_t size);
rt_ssize_t rt_device_write(rt_device_t dev, rt_off_t pos, const void *buffer, rt_size_t size);
rt_err_t rt_device_control(rt_device_t dev, int cmd, void *arg); /* -RT_ENOSYS: it has no commands */

#ifdef __cplusplus
}
#endif

#endif
