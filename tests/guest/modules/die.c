// SPDX-License-Identifier: GPL-2.0-only
/* Ways for a kernel to end: "echo NAME > /proc/die". They are no attacks: each is what a bug does. */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static void oops_in_interrupt(struct irq_work *work)
{
	*(volatile int *)8 = 1;
}
static DEFINE_IRQ_WORK(work, oops_in_interrupt);

static ssize_t die_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char name[16];

	if (size >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, buffer, size))
		return -EFAULT;
	name[size] = 0;
	strim(name);
	if (!strcmp(name, "oops-irq")) {
		irq_work_queue(&work);
		msleep(1000);
	} else if (!strcmp(name, "spin")) {
		local_irq_disable();
		for (;;)
			cpu_relax();
	} else if (!strcmp(name, "hang")) {
		/* Interrupts go on, but nobody else runs */
		preempt_disable();
		for (;;)
			cpu_relax();
	}
	return -ENOENT;
}

static const struct proc_ops die_ops = { .proc_write = die_write };

static int __init die_init(void)
{
	return proc_create("die", 0200, NULL, &die_ops) ? 0 : -ENOMEM;
}
module_init(die_init);

static void __exit die_exit(void)
{
	remove_proc_entry("die", NULL);
}
module_exit(die_exit);

MODULE_DESCRIPTION("Ways for a kernel to end");
MODULE_LICENSE("GPL");
