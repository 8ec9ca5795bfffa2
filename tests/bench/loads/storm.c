// SPDX-License-Identifier: GPL-2.0-only
/* A kernel that makes trouble without breaking anything: "echo NAME > /proc/storm" makes the writing process do one
 * thing in kernel mode as fast as it goes, some milliseconds long. "cat /proc/storm" says how much was done of each.
 * The same on a native kernel, but for what only a guest has.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/of_irq.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/tlbflush.h>
#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

static u32 hypercall(u32 nr, u32 a0, u32 a1, u32 a2)
{
	register u32 r0 asm("r0") = a0;
	register u32 r1 asm("r1") = a1;
	register u32 r2 asm("r2") = a2;
	register u32 r3 asm("r3") = 0;
	register u32 ip asm("ip") = nr;

	asm volatile("svc #0" : "+r" (r0), "+r" (r1), "+r" (r2), "+r" (r3), "+r" (ip) : : "lr", "memory", "cc");
	return r0;
}
#endif

/* Interrupts off, virtual ones in a guest: for ever, as far as a thread with a period of half a millisecond can tell */
static unsigned long irqs_off(void)
{
	u64 end = ktime_get_ns() + 20 * NSEC_PER_MSEC;
	unsigned long flags;

	local_irq_save(flags);
	while (ktime_get_ns() < end)
		cpu_relax();
	local_irq_restore(flags);
	return 1;
}

/* Translation faults in kernel mode: no mapping of vmalloc is that high */
static unsigned long faults(void)
{
	unsigned long i, failed = 0;
	u32 word;

	for (i = 0; i < 2000; i++)
		failed += copy_from_kernel_nofault(&word, (void *)(0xf5000000 + (i & 0xff) * PAGE_SIZE), 4) != 0;
	return failed;
}

static unsigned long tlb(void)
{
	unsigned long i;

	for (i = 0; i < 500; i++) {
		local_flush_tlb_all();
#ifdef CONFIG_ARM_RTMUX
		hypercall(RTMUX_TLB_KERNEL, PAGE_OFFSET, 0xfffff000, 0);
		hypercall(RTMUX_TLB_USER, 0, TASK_SIZE, i & 0xff);
#endif
	}
	return i;
}

#ifdef CONFIG_ARM_RTMUX
/* All of the caches by set and way is a call, and the executive's affair */
static unsigned long caches(void)
{
	unsigned long i;

	for (i = 0; i < 50; i++) {
		hypercall(RTMUX_CACHE_ALL, 0, 0, 0);
		hypercall(RTMUX_CACHE_COHERENT, PAGE_OFFSET, PAGE_OFFSET + 0x7f000, 0);
		hypercall(RTMUX_DCACHE_AREA, 0, 0xffffffff, 0);
	}
	return i;
}

static unsigned long hypercalls(void)
{
	unsigned long i;

	for (i = 0; i < 10000; i++)
		hypercall(i & 1 ? RTMUX_VBUS_DOORBELL : 9999, 0, 0, 0);
	return i;
}

static unsigned long idle(void)
{
	return hypercall(RTMUX_IDLE, 0, 0, 0) == 0;
}
#else
/* DCCISW on every line of L1 and L2: Arm ARM B4.2.1, geometry of the Cortex-A8 */
static unsigned long caches(void)
{
	unsigned long i, set;

	for (i = 0; i < 10; i++) {
		for (set = 0; set < 128; set++) {
			asm volatile("mcr	p15, 0, %0, c7, c14, 2" : : "r" (set << 6) : "memory");
			asm volatile("mcr	p15, 0, %0, c7, c14, 2" : : "r" (set << 6 | 1 << 30) : "memory");
			asm volatile("mcr	p15, 0, %0, c7, c14, 2" : : "r" (set << 6 | 2 << 30) : "memory");
			asm volatile("mcr	p15, 0, %0, c7, c14, 2" : : "r" (set << 6 | 3u << 30) : "memory");
		}
		dsb(sy);
	}
	return i;
}

static unsigned long idle(void)
{
	asm volatile("dsb\n	wfi" : : : "memory");
	return 1;
}
#endif

/* A device of Linux's own that never stops asking: a UART that nothing is connected to, whose transmitter is empty again
 * as soon as it is given a character (PL011: Arm DDI0183)
 */
#define UART_DATA 0x00
#define UART_MASK 0x38
#define UART_CLEAR 0x44
#define UART_TX (1 << 5)
#define STORM 400

static void __iomem *uart;
static unsigned int taken;
static DECLARE_COMPLETION(storm_over);

static irqreturn_t uart_interrupt(int irq, void *unused)
{
	writel(UART_TX, uart + UART_CLEAR);
	if (++taken < STORM) {
		writel(0, uart + UART_DATA);
	} else {
		writel(0, uart + UART_MASK);
		complete(&storm_over);
	}
	return IRQ_HANDLED;
}

static unsigned long interrupts(void)
{
	taken = 0;
	reinit_completion(&storm_over);
	writel(UART_TX, uart + UART_MASK);
	writel(0, uart + UART_DATA);
	return wait_for_completion_timeout(&storm_over, HZ * 10) ? taken : 0;
}

static int device_setup(void)
{
	struct device_node *node = of_find_node_by_path("serial2");
	unsigned int irq = node ? irq_of_parse_and_map(node, 0) : 0;

	uart = node ? of_iomap(node, 0) : NULL;
	if (!irq || !uart)
		return -ENODEV;
	writel(0, uart + UART_MASK);
	return request_irq(irq, uart_interrupt, IRQF_NO_THREAD, "storm", NULL);
}

static struct storm {
	const char *name;
	unsigned long (*run)(void); /* how much it did */
	unsigned long done;
} storms[] = {
	{ "irqs-off", irqs_off },
	{ "faults", faults },
	{ "tlb", tlb },
	{ "caches", caches },
	{ "interrupts", interrupts },
	{ "idle", idle },
#ifdef CONFIG_ARM_RTMUX
	{ "hypercalls", hypercalls },
#endif
};

static ssize_t storm_write(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	char text[32] = "";
	unsigned long done;
	unsigned int i;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buffer, size))
		return -EFAULT;
	for (i = 0; i < ARRAY_SIZE(storms); i++) {
		if (strcmp(storms[i].name, strim(text)))
			continue;
		done = storms[i].run();
		storms[i].done += done;
		return done ? size : -EIO;
	}
	return -ENOENT;
}

static int storm_show(struct seq_file *m, void *v)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(storms); i++)
		seq_printf(m, "%s %lu\n", storms[i].name, storms[i].done);
	return 0;
}

static int storm_open(struct inode *inode, struct file *file)
{
	return single_open(file, storm_show, NULL);
}

static const struct proc_ops storm_ops = {
	.proc_open = storm_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = storm_write,
};

static int __init storm_init(void)
{
	int error = device_setup();

	if (error)
		return error;
	return proc_create("storm", 0600, NULL, &storm_ops) ? 0 : -ENOMEM;
}

module_init(storm_init);
MODULE_DESCRIPTION("Load from kernel mode");
MODULE_LICENSE("GPL");
