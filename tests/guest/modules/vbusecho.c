// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver on the rpmsg bus that sends back what it gets, in the callback: the
 * shortest way through the kernel. It says where it is with an empty message.
 */
#include <linux/module.h>
#include <linux/rpmsg.h>

static int vbusecho_callback(struct rpmsg_device *rpdev, void *data, int length, void *priv, u32 src)
{
	return rpmsg_trysendto(rpdev->ept, data, length, src);
}

static int vbusecho_probe(struct rpmsg_device *rpdev)
{
	return rpmsg_send(rpdev->ept, "", 0);
}

static const struct rpmsg_device_id vbusecho_ids[] = {
	{ .name = "kernel-echo" },
	{ },
};
MODULE_DEVICE_TABLE(rpmsg, vbusecho_ids);

static struct rpmsg_driver vbusecho_driver = {
	.drv.name = KBUILD_MODNAME,
	.id_table = vbusecho_ids,
	.probe = vbusecho_probe,
	.callback = vbusecho_callback,
};
module_rpmsg_driver(vbusecho_driver);

MODULE_DESCRIPTION("Echo on the rpmsg bus");
MODULE_LICENSE("GPL");
