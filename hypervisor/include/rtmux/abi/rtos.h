/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract between the executive and the RTOS image, version 3.
 *
 * The executive loads the RTOS ELF into the window, and calls its entry point
 * with a pointer to struct rtmux_exec, in SVC mode with IRQs masked, on the
 * boot stack.  The entry point fills in *exec->ops and never returns: it ends
 * by starting its scheduler.
 *
 * Interrupts arrive at the executive.  It pushes struct rtmux_irq_frame on the
 * SVC stack of whatever was interrupted (an RTOS thread, the guest, or the
 * executive at work for the guest: to the RTOS the last two are its idle
 * thread), and calls ops->isr(line) for an RT line with IRQs masked.  After the
 * end of interrupt, if ops->isr returned that a switch is due, it calls
 * ops->preempt(), still with IRQs masked; that switches SVC stacks and returns
 * when the interrupted thread is scheduled again. So it does, if
 * *ops->need_resched is not 0, after the console's interrupt, ops->doorbell and
 * ops->guest_state.
 */
#ifndef RTMUX_ABI_RTOS_H
#define RTMUX_ABI_RTOS_H

#include <stdint.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rtmux_trace;

#define RTMUX_RTOS_ABI_VERSION 3u

/* What the console takes whole, or not at all */
#define RTMUX_CONSOLE_RECORD 120u

/* Pushed on the SVC stack by the executive's IRQ entry, lowest address first. */
struct rtmux_irq_frame {
	uint32_t r0, r1, r2, r3, ip, lr; /* of the interrupted context; lr is lr_svc */
	uint32_t pc, cpsr;
};

/* A fault taken in privileged code of the RTOS image. */
struct rtmux_fault {
	uint32_t r[16];  /* r13 and r14 of SVC mode; r15 = address of the instruction */
	uint32_t cpsr;
	uint32_t type;   /* RTMUX_FAULT_* */
	uint32_t status; /* DFSR or IFSR */
	uint32_t address;/* DFAR or IFAR */
};
enum { RTMUX_FAULT_DATA, RTMUX_FAULT_PREFETCH, RTMUX_FAULT_UNDEFINED };

/* What the RTOS gives to the executive. All are called with IRQs masked. */
struct rtmux_rtos_ops {
	uint32_t version;
	/* An RT interrupt; on the interrupted SVC stack. Returns *need_resched. */
	uint32_t (*isr)(uint32_t line);
	/* Not 0: a thread of higher priority than the running one is ready. */
	volatile uint32_t *need_resched;
	/* Run the best ready thread; returns when this one is the best again. The
	 * guest's lines are held already, as if by hold_guest_irqs(1). */
	void (*preempt)(void);
	/* The guest rang the V-Bus doorbell for this channel, so it says; guest
	 * context. */
	void (*doorbell)(uint32_t channel);
	/* The guest needs the FP registers: save their owner's, load the guest's.
	 * Called before FPEXC.EN is set for the guest; IRQs stay masked until
	 * FPEXC is written. */
	void (*fp_guest)(void);
	/* A fault in RTOS code, on the executive's abort stack, registers saved in
	 * *f. Does not return when it ends the thread (it switches to another);
	 * returns 0 if it cannot handle it: the executive reports and stops. An
	 * RTMUX_FAULT_UNDEFINED from an FP instruction may be resolved: returns 1
	 * to re-execute. */
	int (*fault)(struct rtmux_fault *f);
	/* State of the guest changed: RTMUX_GUEST_*. */
	void (*guest_state)(uint32_t state);
	/* Something was typed at the console. As an interrupt, on the interrupted
	 * SVC stack, whatever the guest does; and then not again until
	 * exec->console_read, so that typing costs RT one interrupt a read. */
	void (*console_rx)(void);
	/* A hypercall that the executive does not know, in the guest's context, IRQs
	 * open: r0-r3 are the guest's, its to choose. Returns the new r0, and may
	 * change r1-r3. rtmux/abi/life.h */
	uint32_t (*guest_call)(uint32_t number, uint32_t *r);
};

enum {
	RTMUX_GUEST_STOPPED, /* not booted yet, or by exec->stop_guest */
	RTMUX_GUEST_RUNNING,
	RTMUX_GUEST_FAILED,  /* by the executive: it cannot go on, or not begin */
	RTMUX_GUEST_OFF,     /* it asked for that */
	RTMUX_GUEST_RESTART, /* it asked to be booted anew */
};

/* Why the executive runs instead of the guest */
enum {
	RTMUX_EXIT_SVC,       /* hypercall, or return from an exception */
	RTMUX_EXIT_UNDEFINED, /* privileged or FP instruction */
	RTMUX_EXIT_PREFETCH_ABORT,
	RTMUX_EXIT_DATA_ABORT,
	RTMUX_EXIT_IRQ,  /* to deliver a virtual interrupt, or serve the console */
	RTMUX_EXIT_BOOT, /* the guest's image is being loaded */
	RTMUX_EXIT_NONE, /* the guest itself was interrupted */
	RTMUX_EXIT_IDLE, /* a hypercall: it waits for an interrupt */
	RTMUX_EXIT_REASONS = RTMUX_EXIT_BOOT
};

/* What happened since the board's start. Counters wrap. */
struct rtmux_statistics {
	uint32_t size;           /* sizeof(struct rtmux_statistics) */
	uint32_t boots;          /* of the guest */
	uint32_t world_switches; /* from the guest to RT threads and back */
	uint32_t system_calls;   /* of the guest's processes */
	uint32_t exits[RTMUX_EXIT_REASONS]; /* to the executive, by reason */
	uint32_t hypercalls, bad_hypercalls;
	uint32_t emulated; /* privileged instructions */
	uint32_t reflected_data, reflected_prefetch, reflected_undefined;
	uint32_t device_writes, device_writes_refused; /* to registers that the guest only reads */
	uint32_t fp_switches;                          /* FP registers to the guest */
	uint32_t rt_irqs, guest_irqs, spurious_irqs, delivered_irqs;
	uint32_t imprecise_aborts;
	uint32_t longest_masked; /* IRQs, in ticks of the RT clock */
	uint32_t shadow_fills, shadow_faults, shadow_tables, shadow_evictions;
	uint32_t space_switches, cold_space_switches;
	uint32_t shadow_flushes; /* of all, an address space, a page or a range */
	uint32_t console_dropped; /* records of the executive's that did not fit */
	uint32_t console_received;
};

enum { RTMUX_IRQ_NOBODY, RTMUX_IRQ_RT, RTMUX_IRQ_GUEST, RTMUX_IRQ_EXECUTIVE };

/* An interrupt line, and how often it came: to the guest as its virtual line. */
struct rtmux_irq {
	uint32_t owner; /* RTMUX_IRQ_*; V-Bus is the guest's */
	uint32_t count;
};

/* What the guest was doing when it was last interrupted. */
struct rtmux_guest_context {
	uint32_t size;      /* sizeof(struct rtmux_guest_context) */
	uint32_t state;     /* RTMUX_GUEST_*; the rest is 0 unless it is RUNNING */
	uint32_t user_mode; /* not 0: a process ran, not the kernel */
	uint32_t irqs_off;  /* not 0: its kernel had virtual interrupts masked */
	uint32_t pc, lr, sp, cpsr; /* lr and sp as of the last exit if exit is EXIT_NONE */
	uint32_t exit;      /* RTMUX_EXIT_*: what the executive was doing for it */
	uint32_t hypercall; /* of EXIT_SVC from the kernel: its number, 0 for a return from an exception */
	/* What was last, long ago perhaps: a hypercall, and an abort's DFSR or IFSR with its address */
	uint32_t last_hypercall;
	uint32_t last_status, last_address;
};

/* An exception of the guest's kernel that was reflected to it */
struct rtmux_guest_fault {
	uint32_t pc;
	uint32_t vector; /* RTMUX_V_* of its entry */
	uint32_t status, address; /* of the last abort; an undefined instruction has none */
};
#define RTMUX_RECENT_CALLS 8u
#define RTMUX_RECENT_FAULTS 4u

/* How the guest ended. */
struct rtmux_guest_end {
	uint32_t size;      /* sizeof(struct rtmux_guest_end) */
	uint32_t state;     /* RTMUX_GUEST_* */
	const char *reason; /* null: it asked for it itself */
	uint32_t began;     /* 0: there was nothing to boot; the rest says nothing */
	uint32_t user_mode; /* not 0: a process ran, not the kernel */
	uint32_t r[15], pc, cpsr;
	uint32_t fault_count; /* of all reflected to its kernel since it was booted */
	struct rtmux_guest_fault fault[RTMUX_RECENT_FAULTS]; /* the newest first */
	uint8_t hypercall[RTMUX_RECENT_CALLS]; /* numbers, the newest first; 0: none */
};

/* What the image says of the guest (rtmux/abi/image.h). */
struct rtmux_guest_image {
	uint32_t policy;      /* a nibble for each cause */
	uint32_t watchdog_ms; /* 0: none */
	uint32_t ram, ram_size; /* of the guest, physical */
	uint32_t kernel_va;   /* where the kernel has ram in its linear map */
	uint32_t kernel_log;  /* virtual address of its variable prb; 0: not known */
};

/* What the executive gives to the RTOS. */
struct rtmux_exec {
	uint32_t version;
	uint32_t size; /* sizeof(struct rtmux_exec) */
	struct rtmux_rtos_ops *ops;

	/* Memory of the RTOS behind its image: free, mapped RW and execute-never.
	 * Pages for stacks are taken from it; see unmap_page. */
	uint8_t *heap;
	uint32_t heap_size;
	/* The V-Bus memory, shared with the guest. */
	uint8_t *vbus;
	uint32_t vbus_size;

	/* Append to the console. Never blocks, callable from anywhere. 0; or -1 if
	 * there is no room, for the caller to wait or to count: of at most
	 * RTMUX_CONSOLE_RECORD bytes then nothing is written, of more a part. */
	int (*log)(const char *text, uint32_t length);
	/* Take what was typed, at most size characters; returns how many. From
	 * one context at a time. */
	uint32_t (*console_read)(char *buffer, uint32_t size);
	/* The idle thread's work: run the guest. Returns only when there is no guest
	 * (RTMUX_GUEST_STOPPED, _FAILED, _OFF), IRQs open. */
	void (*run_guest)(void);
	/* Mask or unmask an RT line at the interrupt controller. 0, or -1 for a line
	 * that is not RT. */
	int (*irq_enable)(uint32_t line);
	int (*irq_disable)(uint32_t line);
	/* Hold guest interrupts back at the controller while an RT thread runs.
	 * Call with hold = 1 when leaving the idle thread, 0 when entering it. */
	void (*hold_guest_irqs)(int hold);
	/* Raise the V-Bus line of the guest. Callable from anywhere. */
	void (*notify_guest)(void);
	/* Make one 4 KiB page of the heap inaccessible (a guard page). 0 or -1. */
	int (*unmap_page)(void *page);
	/* Copies of what the executive counts, and of what the guest was doing when
	 * the caller interrupted it. From a thread or an interrupt. */
	void (*statistics)(struct rtmux_statistics *copy);
	void (*guest_context)(struct rtmux_guest_context *copy);
	/* 0, or -1: no such line. */
	int (*irq_line)(uint32_t line, struct rtmux_irq *copy);
	/* Make a page that unmap_page took away accessible again. 0 or -1. */
	int (*map_page)(void *page);
	/* The trace ring of rtmux/abi/trace.h, to be read, and switched by its word enabled; NULL: this
	 * executive was built without. */
	struct rtmux_trace *trace;

	/* Stop the guest at its next exit, which is the end of the interrupt that
	 * called this; reason is kept. From anywhere. 0, or -1: it does not run. */
	int (*stop_guest)(const char *reason);
	/* How it ended last. When run_guest has returned. */
	void (*guest_end)(struct rtmux_guest_end *copy);
	/* Read the guest's memory. From where run_guest is called, while no guest
	 * runs. 0, or -1: not all of it is the guest's. */
	int (*read_guest)(uint32_t pa, void *to, uint32_t length);
	const struct rtmux_guest_image *guest_image;
	/* Reset the board, after what is left of the console's text. Does not return. */
	void (*reset_board)(void);
};

typedef void rtmux_rtos_entry(const struct rtmux_exec *exec);

#ifdef __cplusplus
}
static_assert(sizeof(rtmux_irq_frame) == 32 && offsetof(rtmux_irq_frame, pc) == 24);
static_assert(sizeof(rtmux_fault) == 80 && offsetof(rtmux_fault, cpsr) == 64);
static_assert(sizeof(rtmux_statistics) == 33 * 4 && offsetof(rtmux_statistics, exits) == 16);
static_assert(offsetof(rtmux_statistics, rt_irqs) == 18 * 4 && offsetof(rtmux_statistics, shadow_fills) == 24 * 4);
#if __SIZEOF_POINTER__ == 4
static_assert(sizeof(rtmux_guest_end) == (23 + 4 * RTMUX_RECENT_FAULTS) * 4 + RTMUX_RECENT_CALLS);
#endif
static_assert(sizeof(rtmux_guest_context) == 13 * 4 && offsetof(rtmux_guest_context, pc) == 16);
#endif
#endif /* RTMUX_ABI_RTOS_H */
