// SPDX-License-Identifier: GPL-2.0-only
/* bench [NAME] [repetitions]: nanoseconds per operation, minimum over the
 * repetitions, one "name value" per line.
 * bench time NAME repetitions PROGRAM [ARGUMENT...]: the same of running it.
 *
 * A repetition is made to last less than the 10 ms tick natively (with QEMU's
 * -icount shift=0 an instruction is a nanosecond), so that the minimum is one
 * which no tick disturbed. Only differences of CLOCK_MONOTONIC around the
 * whole repetition are used.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/random.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ENDS_AT_ONCE "--end"

static long call(long nr, long a0, long a1)
{
	register long r0 asm("r0") = a0;
	register long r1 asm("r1") = a1;
	register long r7 asm("r7") = nr;

	asm volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r7) : "memory");
	return r0;
}

static void stop(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each returns the nanoseconds of its n operations. */
typedef uint64_t (*benchmark)(unsigned int n);

static uint64_t getppid_call(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		call(SYS_getppid, 0, 0);
	return now() - start;
}

static uint64_t clock_gettime_call(unsigned int n)
{
	uint64_t start = now();
	struct timespec t;

	for (unsigned int i = 0; i < n; i++)
		call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t);
	return now() - start;
}

static uint64_t yield_call(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		call(SYS_sched_yield, 0, 0);
	return now() - start;
}

static uint64_t pipe_self(unsigned int n)
{
	uint64_t start, end;
	char byte = 0;
	int fd[2];

	if (pipe(fd) != 0)
		stop("pipe");
	start = now();
	for (unsigned int i = 0; i < n; i++)
		if (write(fd[1], &byte, 1) != 1 || read(fd[0], &byte, 1) != 1)
			stop("pipe");
	end = now();
	close(fd[0]);
	close(fd[1]);
	return end - start;
}

static uint64_t pipe_round_trip(unsigned int n)
{
	uint64_t start, end;
	int to[2], from[2];
	char byte = 0;
	pid_t pid;

	if (pipe(to) != 0 || pipe(from) != 0)
		stop("pipe");
	pid = fork();
	if (pid == 0) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1)
			if (write(from[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	start = now();
	for (unsigned int i = 0; i < n; i++)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			stop("pipe");
	end = now();
	close(to[0]), close(to[1]), close(from[0]), close(from[1]);
	waitpid(pid, NULL, 0);
	return end - start;
}

static void nothing(int signo)
{
	(void)signo;
}

static uint64_t signal_install(unsigned int n)
{
	struct sigaction act = { .sa_handler = nothing };
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		sigaction(SIGUSR2, &act, NULL);
	return now() - start;
}

static uint64_t signal_self(unsigned int n)
{
	struct sigaction act = { .sa_handler = nothing };
	pid_t self = getpid();
	uint64_t start;

	sigaction(SIGUSR1, &act, NULL);
	start = now();
	for (unsigned int i = 0; i < n; i++)
		call(SYS_kill, self, SIGUSR1);
	return now() - start;
}

static uint64_t fork_exit(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			stop("fork");
	}
	return now() - start;
}

/* Both sides of a fork or vfork */
static void exec_and_wait(pid_t pid)
{
	static char *const args[] = { "bench", ENDS_AT_ONCE, NULL }, *const env[] = { NULL };
	int status = 0;

	if (pid == 0) {
		execve("/proc/self/exe", args, env);
		_exit(1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		stop("fork and exec");
}

static uint64_t fork_exec(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		exec_and_wait(fork());
	return now() - start;
}

static __attribute__((noinline)) void vfork_once(void)
{
	exec_and_wait(vfork());
}

static uint64_t vfork_exec(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		vfork_once();
	return now() - start;
}

/* A program, its output thrown away, to its end */
static uint64_t run_program(char **args)
{
	uint64_t start = now();
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		dup2(null, 2);
		execvp(args[0], args);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		stop(args[0]);
	return now() - start;
}

static volatile uint32_t *map(unsigned int count, int populate)
{
	void *at = mmap(NULL, count * 4096u, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | (populate ? MAP_POPULATE : 0), -1, 0);

	if (at == MAP_FAILED)
		stop("mmap");
	return at;
}

static uint64_t first_touch(unsigned int n)
{
	volatile uint32_t *at = map(n, 0);
	uint64_t start = now(), end;

	for (unsigned int i = 0; i < n; i++)
		at[i * 1024] = 1;
	end = now();
	munmap((void *)at, n * 4096u);
	return end - start;
}

/* Of a file that is in memory: Linux maps sixteen pages with each fault */
static uint64_t file_touch(unsigned int n)
{
	static int fd = -1;
	volatile uint32_t *at;
	uint64_t start, end;

	if (fd < 0) {
		char page[4096] = { 1 };

		fd = open("/tmp/bench-file", O_RDWR | O_CREAT | O_TRUNC, 0600);
		for (unsigned int i = 0; i < n; i++)
			if (write(fd, page, sizeof(page)) != sizeof(page))
				stop("/tmp/bench-file");
	}
	at = mmap(NULL, n * 4096u, PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		stop("mmap");
	start = now();
	for (unsigned int i = 0; i < n; i++)
		(void)at[i * 1024];
	end = now();
	munmap((void *)at, n * 4096u);
	return end - start;
}

static uint64_t munmap_page(unsigned int n)
{
	volatile uint32_t *at = map(n, 1);
	uint64_t start;

	for (unsigned int i = 0; i < n; i++)
		at[i * 1024] = 1;
	start = now();
	munmap((void *)at, n * 4096u);
	return now() - start;
}

/* Touch within a working set that is already mapped */
static uint64_t touch(unsigned int set, unsigned int n)
{
	volatile uint32_t *at = map(set, 1);
	uint64_t start, end;

	for (unsigned int i = 0; i < set; i++)
		at[i * 1024] = i;
	start = now();
	for (unsigned int i = 0; i < n; i++)
		(void)at[i % set * 1024];
	end = now();
	munmap((void *)at, set * 4096u);
	return end - start;
}

static uint64_t touch_64(unsigned int n)
{
	return touch(64, n);
}

static uint64_t touch_256(unsigned int n)
{
	return touch(256, n);
}

static uint64_t touch_1024(unsigned int n)
{
	return touch(1024, n);
}

static uint64_t mmap_munmap(unsigned int n)
{
	uint64_t start = now();

	for (unsigned int i = 0; i < n; i++)
		munmap((void *)map(1, 0), 4096);
	return now() - start;
}

static uint64_t mprotect_page(unsigned int n)
{
	volatile uint32_t *at = map(1, 1);
	uint64_t start = now(), end;

	for (unsigned int i = 0; i < n; i++) {
		mprotect((void *)at, 4096, PROT_READ);
		mprotect((void *)at, 4096, PROT_READ | PROT_WRITE);
		*at = i;
	}
	end = now();
	munmap((void *)at, 4096);
	return end - start;
}

static volatile uint32_t sink;
static volatile double real_sink;

static uint64_t integer_loop(unsigned int n)
{
	uint64_t start = now();
	uint32_t a = 1, b = 2;

	for (unsigned int i = 0; i < n; i++) {
		a = a * 1664525 + 1013904223;
		b ^= a >> (b & 15);
	}
	sink = b;
	return now() - start;
}

static uint64_t float_loop(unsigned int n)
{
	uint64_t start = now();
	double x = 1, y = 0.5;

	for (unsigned int i = 0; i < n; i++) {
		x = x * 1.0000001 + y;
		y = y * 0.9999999 + 1e-9;
	}
	real_sink = x + y;
	return now() - start;
}

/* Two threads that wake each other: a switch within one address space */
static uint32_t turn;

static void pass(uint32_t mine, uint32_t other, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, other, NULL);
		__atomic_store_n(&turn, other, __ATOMIC_RELEASE);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1);
	}
}

static void *partner(void *n)
{
	pass(1, 0, *(unsigned int *)n);
	return NULL;
}

static uint64_t futex_round_trip(unsigned int n)
{
	pthread_t thread;
	uint64_t start, end;

	if (pthread_create(&thread, NULL, partner, &n) != 0)
		stop("pthread_create");
	sched_yield();
	start = now();
	pass(0, 1, n);
	end = now();
	pthread_join(thread, NULL);
	return end - start;
}

/*
 * Until its random number generator is ready, Linux hashes 48,000
 * instructions' worth for every exec (AT_RANDOM). Devices' interrupts make it
 * ready sooner or later, so without this the figures of exec have two values.
 */
static void ready_random(void)
{
	struct {
		struct rand_pool_info info;
		uint32_t words[64];
	} pool = { .info = { .entropy_count = 2048, .buf_size = 256 } };
	int fd = open("/dev/random", O_WRONLY);

	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool) != 0)
		stop("/dev/random");
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		benchmark run;
		unsigned int n;
	} list[] = {
		{ "getppid", getppid_call, 20000 },
		{ "clock_gettime", clock_gettime_call, 8000 },
		{ "sched_yield", yield_call, 8000 },
		{ "pipe_self", pipe_self, 2000 },
		{ "pipe_round_trip", pipe_round_trip, 600 },
		{ "signal_install", signal_install, 4000 },
		{ "signal", signal_self, 1200 },
		{ "fork_exit", fork_exit, 40 },
		{ "fork_exec", fork_exec, 10 },
		{ "vfork_exec", vfork_exec, 10 },
		{ "first_touch", first_touch, 1024 },
		{ "file_touch", file_touch, 1024 },
		{ "munmap_page", munmap_page, 1024 },
		{ "touch_small", touch_64, 200000 },
		{ "touch_medium", touch_256, 200000 },
		{ "touch_large", touch_1024, 200000 },
		{ "mmap_munmap", mmap_munmap, 500 },
		{ "mprotect_page", mprotect_page, 500 },
		{ "cpu", integer_loop, 500000 },
		{ "cpu_fp", float_loop, 500000 },
		{ "futex_round_trip", futex_round_trip, 500 },
	};
	const char *only = argc > 1 && strcmp(argv[1], "all") != 0 ? argv[1] : NULL;
	unsigned int repetitions = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 0) : 4;
	int found = 0;

	if (only && strcmp(only, ENDS_AT_ONCE) == 0)
		return 0;
	ready_random();
	if (only && strcmp(only, "time") == 0 && argc > 4) {
		uint64_t least = UINT64_MAX;

		repetitions = (unsigned int)strtoul(argv[3], NULL, 0);
		for (unsigned int i = 0; i <= repetitions; i++) {
			uint64_t t = run_program(argv + 4);

			if (i > 0 && t < least)
				least = t;
		}
		printf("%s %llu\n", argv[2], (unsigned long long)least);
		return 0;
	}
	for (unsigned int k = 0; k < sizeof(list) / sizeof(list[0]); k++) {
		uint64_t least = UINT64_MAX;

		if (only && strcmp(only, list[k].name) != 0)
			continue;
		for (unsigned int i = 0; i <= repetitions; i++) {
			uint64_t t = list[k].run(list[k].n);

			if (i > 0 && t < least) /* the first one warms up */
				least = t;
		}
		printf("%s %.2f\n", list[k].name, (double)least / list[k].n);
		fflush(stdout);
		found = 1;
	}
	if (!found)
		fprintf(stderr, "usage: bench [NAME|all] [repetitions]\n"
				"       bench time NAME repetitions PROGRAM [ARGUMENT...]\n");
	return found ? 0 : 2;
}
