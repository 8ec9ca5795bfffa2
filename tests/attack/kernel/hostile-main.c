// SPDX-License-Identifier: GPL-2.0-only
/* A kernel that means harm, in small: "echo NAME [NUMBER] > /proc/hostile"
 * makes the writing process try one attack in kernel mode. tests/attack/attacks.py
 * has what must come of each. Do not unload it: an attack that ends in an oops leaves
 * its process dead inside the module.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "hostile.h"

unsigned long iret;
module_param(iret, ulong, 0444);
MODULE_PARM_DESC(iret, "address of rtmux_iret_done, from /proc/kallsyms");

unsigned long linux_vectors[10];
module_param_array_named(vectors, linux_vectors, ulong, NULL, 0444);
MODULE_PARM_DESC(vectors, "addresses in Linux's rtmux_vectors, from /proc/kallsyms");

static const struct attack *const groups[] = {
	memory_attacks, call_attacks, frame_attacks, storm_attacks, vbus_attacks,
#ifdef CONFIG_ARM_RTMUX
	page_attacks, table_attacks, coprocessor_attacks, return_attacks, line_attacks,
#endif
};

static u32 random_state = 1;

void hostile_seed(u32 seed)
{
	random_state = seed ? seed : 1;
}

u32 hostile_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

static ssize_t hostile_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char text[64], *name, *number;
	unsigned long argument = 0;
	unsigned int i;
	const struct attack *a;
	int result;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buffer, size))
		return -EFAULT;
	text[size] = 0;
	name = strim(text);
	number = strchr(name, ' ');
	if (number) {
		*number++ = 0;
		if (kstrtoul(skip_spaces(number), 0, &argument))
			return -EINVAL;
	}

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		for (a = groups[i]; a->name; a++) {
			if (strcmp(a->name, name))
				continue;
			say("%s %lu", name, argument);
			hostile_seed(argument);
			result = a->run(argument);
			say("%s ends with %d%s", name, result, result == BREACH ? ": BREACH" : "");
			return result ? result : size;
		}
	}
	return -ENOENT;
}

static int hostile_show(struct seq_file *m, void *v)
{
	unsigned int i;
	const struct attack *a;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		for (a = groups[i]; a->name; a++)
			seq_printf(m, "%s\n", a->name);
	return 0;
}

static int hostile_open(struct inode *inode, struct file *file)
{
	return single_open(file, hostile_show, NULL);
}

static const struct proc_ops hostile_ops = {
	.proc_flags = PROC_ENTRY_PERMANENT,
	.proc_open = hostile_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = hostile_write,
};

static int __init hostile_init(void)
{
	if (!proc_create("hostile", 0600, NULL, &hostile_ops))
		return -ENOMEM;
	__module_get(THIS_MODULE);
	return 0;
}

module_init(hostile_init);
MODULE_DESCRIPTION("Attacks of a guest kernel on its executive");
MODULE_LICENSE("GPL");
