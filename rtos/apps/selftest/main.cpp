// SPDX-License-Identifier: BSD-3-Clause
// What only a real processor can show: faults that end one thread, and floating point registers that
// belong to each thread. Prints one line per check and "selftest: N passed, M failed". Then there is the
// shell, with commands to try it.
#include <cstdlib>
#include <finsh.h>
#include <rtmux/layout.h>
#include <rtos/budget.hpp>
#include <rtos/console.hpp>
#include <rtos/format.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/scheduler_lock.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/shell.hpp>
#include <rtos/thread.hpp>
#include <string.h>

using namespace rtos;

static constexpr size_t stack = 4096;
static constexpr uint32_t unmapped =
    RTMUX_TABLE_SLOTS_VA + RTMUX_TABLE_SLOTS * 0x100000; // free (rtmux/layout.h)
static constexpr uint32_t deepest = stack;               // more than any stack here can hold
static unsigned passed, failed;

static void check(const char *name, bool good) {
    log("%s: %s", name, good ? "passed" : "FAILED");
    ++(good ? passed : failed);
}

[[gnu::noinline]] static uint32_t overflow(uint32_t depth) {
    volatile uint32_t frame[8];
    frame[0] = depth;
    return depth == deepest ? 0 : overflow(depth + 1) + frame[0];
}

// Overflows in the middle of kernel calls: a kernel left inconsistent shows in the checks that follow.
static constinit Timer nothing{[](void *) {}, nullptr};
static constinit Semaphore counted;
[[gnu::noinline]] static uint32_t overflow_in_the_kernel(uint32_t depth) {
    volatile uint32_t frame = depth;
    nothing.start(now() + seconds(100));
    (void)counted.release();
    nothing.stop();
    (void)Thread::sleep_for(microseconds(2));
    return depth == deepest ? 0 : overflow_in_the_kernel(depth + 1) + frame;
}

static const uint32_t constant = 1;
static uint32_t written[] = {0xe12fff1e}; // BX LR: but where data is, nothing is executed

static void misaligned(void *) {
    alignas(8) static uint32_t words[4];
    uint32_t sum; // LDM of words that are not aligned always faults (Arm ARM A3.2.1)
    asm volatile("ldm %1, {r2, r3}\n\tadd %0, r2, r3"
                 : "=r"(sum)
                 : "r"(reinterpret_cast<uintptr_t>(words) + 2)
                 : "r2", "r3", "memory");
}

static constinit Thread faulty[] = {
    {"overflow", 5, [](void *) { overflow(0); }},
    {"kernel-overflow", 5, [](void *) { overflow_in_the_kernel(0); }},
    {"data", 5, [](void *) { *reinterpret_cast<volatile uint32_t *>(unmapped); }},
    {"read-only", 5, [](void *) { *const_cast<volatile uint32_t *>(&constant) = 2; }},
    {"code", 5, [](void *) { *reinterpret_cast<volatile uint32_t *>(RTMUX_RTOS_VA) = 0; }},
    {"misaligned", 5, misaligned},
    {"prefetch", 5, [](void *) { reinterpret_cast<void (*)()>(unmapped)(); }},
    {"execute-never", 5, [](void *) { reinterpret_cast<void (*)()>(written)(); }},
    {"undefined", 5, [](void *) { asm volatile("udf #0"); }},
};

static void check_faults() {
    for (Thread &t : faulty) {
        const bool started = t.start(stack) == Status::ok;
        (void)Thread::sleep_for(milliseconds(5)); // the log's thread reports
        check(t.name(), started && t.state() == Thread::State::faulted);
    }
}

// A Cortex-A8 does not divide: the library does, and says 0 where there is no quotient.
static void check_division() {
    static volatile int zero = 0, one = 1;
    static volatile bool over = false;
    static constinit Thread thread{"division", 5, [](void *) {
                                       const volatile int quotient = one / zero;
                                       (void)quotient;
                                       over = true;
                                   }};
    const bool started = thread.start(stack) == Status::ok;
    (void)thread.join(after(milliseconds(5)));
    check("division by zero is no fault", started && over && thread.state() == Thread::State::ended);
}

// The kernel after all these faults: timers, and a thread that is woken by one.
static void check_kernel() {
    static constinit Semaphore expired;
    static constinit Timer timer{[](void *) { (void)expired.release(); }, nullptr};
    bool good = true;
    for (int i = 0; i < 100; ++i) {
        const Time deadline = now() + microseconds(50 + i);
        timer.start(deadline);
        good = good && expired.take_for(milliseconds(1)) == Status::ok && now() >= deadline;
    }
    check("timers after faults", good);
    check("timeout after faults", expired.take_for(microseconds(100)) == Status::timeout);
}

// Fill d0-d31 and FPSCR with a pattern and look at them rounds times. Returns how often one differed.
[[gnu::noinline]] static uint32_t hold_registers(uint32_t pattern, uint32_t rounding, uint32_t rounds) {
    uint32_t different = 0;
    asm volatile(".fpu neon\n"
                 "	vmsr	fpscr, %[mode]\n"
                 "	.irp	d, "
                 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                 "	vmov	d\\d, %[pattern], %[pattern]\n"
                 "	.endr\n"
                 "1:\n"
                 "	.irp	d, "
                 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                 "	vmov	r0, r1, d\\d\n"
                 "	cmp	r0, %[pattern]\n"
                 "	cmpeq	r1, %[pattern]\n"
                 "	addne	%[different], %[different], #1\n"
                 "	.endr\n"
                 "	vmrs	r0, fpscr\n"
                 "	cmp	r0, %[mode]\n"
                 "	addne	%[different], %[different], #1\n"
                 "	subs	%[rounds], %[rounds], #1\n"
                 "	bne	1b\n"
                 : [different] "+r"(different), [rounds] "+r"(rounds)
                 : [pattern] "r"(pattern), [mode] "r"(rounding)
                 : "r0", "r1", "cc");
    return different;
}

static uint32_t fp_different;
static constinit Semaphore fp_done;

static void fp_often(void *) {
    for (uint32_t i = 0; i < 50; ++i) {
        fp_different += hold_registers(0x5a000000 + i, 1u << 22, 3); // RMode 01
        (void)Thread::sleep_for(microseconds(100));
    }
    (void)fp_done.release();
}
static void fp_long(void *) {
    fp_different += hold_registers(0xa5a5a5a5, 2u << 22, 50000); // RMode 10
    (void)fp_done.release();
}
static constinit Thread fp_threads[] = {{"fp-often", 5, fp_often}, {"fp-long", 6, fp_long}};

static void check_fp() {
    bool good = true;
    for (Thread &t : fp_threads)
        good = t.start(stack) == Status::ok && good;
    for (unsigned i = 0; i < 2; ++i)
        good = fp_done.take_for(seconds(1)) == Status::ok && good;
    check("fp registers of two threads", good && fp_different == 0);
}

static void check_accounts() {
    const Thread &t = fp_threads[1];
    // 50,000 rounds of more than 130 instructions, which no processor here does in less than 1 ms.
    check("run time", t.run_time() > milliseconds(1) && t.run_time() < seconds(1));
    const size_t high_water = t.stack_high_water();
    check("stack high-water mark", high_water > 0 && high_water < stack);
}

// A thread that faults as its name says, again; and what cannot be ended by itself, an ISR.
static int fault(int count, char **words) {
    static constinit Timer timer{[](void *) { *reinterpret_cast<volatile uint32_t *>(unmapped); }, nullptr};
    for (const Thread &t : faulty)
        if (count == 2 && strcmp(words[1], t.name()) == 0) {
            Thread *const again = Thread::create(t.name(), 5, t.entry_point(), nullptr, stack);
            return again && again->start() == Status::ok ? 0 : 12;
        }
    if (count != 2 || strcmp(words[1], "isr") != 0)
        return 22;
    timer.start_after(milliseconds(1));
    return 0;
}
MSH_CMD_EXPORT(fault, KIND : of a thread or of an ISR)

static Duration guest_time() {
    Duration time{};
    Thread::for_each([&](const Thread &t) { time = strcmp(t.name(), "idle") == 0 ? t.run_time() : time; });
    return time;
}

// A thread that never stops, for so long; what the guest has meanwhile.
static int starve(int count, char **words) {
    static constexpr Duration span = milliseconds(200), period = milliseconds(10);
    static constinit Semaphore over;
    const char *const kind = count == 2 ? words[1] : "";
    Budget budget;
    Thread *const spins = Thread::create(
        "spins", 10,
        [](void *) {
            for (const Time end = after(span); now() < end;)
                ;
            (void)over.release();
        },
        nullptr, stack);
    if (!spins)
        return 12;
    const Duration before = guest_time();
    const Time start = now();
    // The shell's thread has a lower priority than that one, and comes when it has ended.
    {
        const SchedulerLock lock;
        if (spins->start() != Status::ok)
            return 12;
        if (strcmp(kind, "thread") == 0)
            (void)budget.start(*spins, milliseconds(3), period);
        else if (strcmp(kind, "all") == 0)
            (void)budget.start_total(milliseconds(3), period);
    }
    (void)over.take();
    (void)budget.stop();
    const Duration took = now() - start, guest = guest_time() - before;
    log("starve %s: the guest had %u of %u us, overruns %u", kind,
        static_cast<uint32_t>(guest.microseconds()), static_cast<uint32_t>(took.microseconds()),
        budget.overruns());
    return 0;
}
MSH_CMD_EXPORT(starve, [thread | all] : Linux; with a budget of 3 in 10 ms)

// More than the console holds at once.
static int lines(int count, char **words) {
    const int last = count == 2 ? atoi(words[1]) : 0;
    char line[64];
    for (int i = 1; i <= last; ++i)
        console_write(line, format(line, sizeof line, "line %u of what the console must not lose\n", i));
    return last > 0 ? 0 : 22;
}
MSH_CMD_EXPORT(lines, print so many lines)

// Nobody reads meanwhile: what is typed has to wait.
static int keep(int count, char **words) {
    const Time end = now() + milliseconds(count == 2 ? atoi(words[1]) : 100);
    while (now() < end)
        ;
    return 0;
}
MSH_CMD_EXPORT_ALIAS(keep, busy, keep the processor for so many ms)

int main() {
    check_faults();
    check_division();
    check_kernel();
    check_fp();
    check_accounts();
    log("selftest: %u passed, %u failed", passed, failed);
    return shell::start() == Status::ok ? 0 : 1;
}
