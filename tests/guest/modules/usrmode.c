// SPDX-License-Identifier: GPL-2.0-only
/* The processor mode in which kernel code runs, read from the CPSR itself:
 * /sys/module/usrmode/parameters/. Natively 0x13 (SVC), as guest 0x10 (USR).
 */
#include <linux/module.h>

#define PSR(mask) ({ u32 psr_; asm volatile("mrs %0, cpsr" : "=r" (psr_) : : "memory"); psr_ & (mask); })

static uint mode;
module_param(mode, uint, 0444);
MODULE_PARM_DESC(mode, "CPSR.M of kernel code");

static uint mode_after_cps;
module_param(mode_after_cps, uint, 0444);
MODULE_PARM_DESC(mode_after_cps, "CPSR.M after an attempt to enter SVC mode");

static uint masked;
module_param(masked, uint, 0444);
MODULE_PARM_DESC(masked, "CPSR.I after cpsid i: 0x80 where it takes effect");

static uint virtually_masked;
module_param(virtually_masked, uint, 0444);
MODULE_PARM_DESC(virtually_masked, "irqs_disabled() after local_irq_disable(): always 1");

static uint really_masked;
module_param(really_masked, uint, 0444);
MODULE_PARM_DESC(really_masked, "CPSR.I after local_irq_disable(): 0 as guest");

static int __init usrmode_init(void)
{
	unsigned long flags;

	mode = PSR(0x1f);
	asm volatile("cps	#0x13" : : : "memory"); /* natively: where we are */
	mode_after_cps = PSR(0x1f);

	asm volatile("cpsid	i" : : : "memory");
	masked = PSR(0x80);
	asm volatile("cpsie	i" : : : "memory");

	local_irq_save(flags);
	virtually_masked = !!irqs_disabled();
	really_masked = PSR(0x80);
	local_irq_restore(flags);

	pr_info("usrmode: mode %#x, after cps %#x, cpsid i gives %#x, local_irq_disable gives %#x\n",
		mode, mode_after_cps, masked, really_masked);
	return 0;
}

static void __exit usrmode_exit(void)
{
}

module_init(usrmode_init);
module_exit(usrmode_exit);
MODULE_DESCRIPTION("Processor mode of the kernel");
MODULE_LICENSE("GPL");
