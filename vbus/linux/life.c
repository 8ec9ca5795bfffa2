// SPDX-License-Identifier: GPL-2.0-only
/*
 * rtmux.ko: this kernel's life as the RTOS sees it.
 *
 *   /sys/kernel/rtmux/last_report   how the Linux before this one ended, and the end of its log; empty if
 *                                   there was none since the board's start
 *   /sys/kernel/rtmux/watchdog      seconds, 0: off. The RTOS ends a kernel whose workqueues stand still for
 *                                   that long
 *
 * A kernel that panics says so: what comes then is the RTOS's to decide.
 */
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/panic_notifier.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <asm/rtmux.h>
#include <rtmux/abi/life.h>

#define REPORT_MAX 65536
#define WATCHDOG_MAX_S (RTMUX_WATCHDOG_MAX_MS / 1000)

static struct kobject *directory;
static DEFINE_MUTEX(changing);
static unsigned int watchdog_s;

/* r0 is argument and result; piece: what the call leaves in r1 to r3 */
static long life_call(unsigned long number, unsigned long argument, u32 *piece)
{
	register unsigned long r0 asm("r0") = argument;
	register unsigned long r1 asm("r1") = RTMUX_LIFE_MAGIC;
	register unsigned long r2 asm("r2") = 0;
	register unsigned long r3 asm("r3") = 0;
	register unsigned long ip asm("ip") = number;

	asm volatile("svc #0" : "+r" (r0), "+r" (r1), "+r" (r2), "+r" (r3) : "r" (ip) : "memory");
	if (piece) {
		piece[0] = r1;
		piece[1] = r2;
		piece[2] = r3;
	}
	return r0;
}

/* The kernel's log is in it: for those who may read that */
static BIN_ATTR_SIMPLE_ADMIN_RO(last_report);

/* The same until the RTOS makes another one, which it does when we have ended. */
static int read_report(void)
{
	char *text = kvmalloc(REPORT_MAX, GFP_KERNEL);
	u32 piece[RTMUX_REPORT_PIECE / 4];
	size_t length = 0;
	long got;

	if (!text)
		return -ENOMEM;
	while (length < REPORT_MAX - RTMUX_REPORT_PIECE) {
		got = life_call(RTMUX_REPORT, length, piece);
		if (got <= 0 || got > RTMUX_REPORT_PIECE)
			break;
		memcpy(text + length, piece, got);
		length += got;
	}
	bin_attr_last_report.private = text;
	bin_attr_last_report.size = length;
	return 0;
}

static void serve_watchdog(struct work_struct *work);
static DECLARE_DELAYED_WORK(watchdog, serve_watchdog);

static void serve_watchdog(struct work_struct *work)
{
	unsigned int seconds = READ_ONCE(watchdog_s);

	if (!seconds)
		return;
	life_call(RTMUX_WATCHDOG, seconds * 1000, NULL);
	queue_delayed_work(system_highpri_wq, &watchdog, seconds * HZ / 4);
}

static long set_watchdog(unsigned int seconds)
{
	if (seconds > WATCHDOG_MAX_S)
		return -EINVAL;
	guard(mutex)(&changing);
	WRITE_ONCE(watchdog_s, 0);
	cancel_delayed_work_sync(&watchdog);
	WRITE_ONCE(watchdog_s, seconds);
	if (!seconds)
		return life_call(RTMUX_WATCHDOG, 0, NULL);
	serve_watchdog(NULL);
	return 0;
}

static ssize_t watchdog_show(struct kobject *object, struct kobj_attribute *attribute, char *to)
{
	return sysfs_emit(to, "%u\n", READ_ONCE(watchdog_s));
}

static ssize_t watchdog_store(struct kobject *object, struct kobj_attribute *attribute, const char *from, size_t length)
{
	unsigned int seconds;
	long error = kstrtouint(from, 0, &seconds);

	if (!error)
		error = set_watchdog(seconds);
	return error ? error : length;
}
static struct kobj_attribute watchdog_attribute = __ATTR_RW_MODE(watchdog, 0600);

/* The last of the notifiers: others may have something to say yet */
static int panicked(struct notifier_block *block, unsigned long event, void *text)
{
	life_call(RTMUX_PANIC, 0, NULL);
	return NOTIFY_DONE;
}
static struct notifier_block panic_block = { .notifier_call = panicked, .priority = INT_MIN };

static int __init life_init(void)
{
	int error = read_report();

	if (error)
		return error;
	error = -ENOMEM;
	directory = kobject_create_and_add("rtmux", kernel_kobj);
	if (!directory)
		goto no_directory;
	error = sysfs_create_bin_file(directory, &bin_attr_last_report);
	if (!error)
		error = sysfs_create_file(directory, &watchdog_attribute.attr);
	if (error)
		goto no_file;
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	return 0;

no_file:
	kobject_put(directory);
no_directory:
	kvfree(bin_attr_last_report.private);
	return error;
}
module_init(life_init);

static void __exit life_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	kobject_put(directory);
	set_watchdog(0);
	kvfree(bin_attr_last_report.private);
}
module_exit(life_exit);

MODULE_DESCRIPTION("RTMux: report of the Linux before, watchdog, and what the RTOS is told of a panic");
MODULE_LICENSE("GPL");
