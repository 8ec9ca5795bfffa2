/* SPDX-License-Identifier: GPL-2.0-only */
/* A driver of RT-Thread's device framework, used by descriptors. */
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <rtdevice.h>
#include <rtthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is written comes back, as a loop on a serial line: with the receive interrupt. */
static struct rt_device echo;
static char line[16];
static size_t held;
static int opened;

static rt_err_t echo_open(rt_device_t device, rt_uint16_t flags)
{
	(void)device;
	CHECK(flags & RT_DEVICE_FLAG_INT_RX);
	opened = 1;
	return RT_EOK;
}

static rt_err_t echo_close(rt_device_t device)
{
	(void)device;
	opened = 0; /* by the last of those who opened it */
	return RT_EOK;
}

static rt_ssize_t echo_read(rt_device_t device, rt_off_t at, void *buffer, rt_size_t size)
{
	(void)device;
	(void)at;
	const size_t count = size < held ? size : held;
	memcpy(buffer, line, count);
	memmove(line, line + count, held - count);
	held -= count;
	return (rt_ssize_t)count;
}

static rt_ssize_t echo_write(rt_device_t device, rt_off_t at, const void *data, rt_size_t size)
{
	(void)at;
	const size_t room = sizeof(line) - held, count = size < room ? size : room;
	memcpy(line + held, data, count);
	held += count;
	if (count && device->rx_indicate)
		device->rx_indicate(device, held);
	return (rt_ssize_t)count;
}

static rt_err_t echo_control(rt_device_t device, int command, void *argument)
{
	(void)device;
	if (command != 7)
		return -RT_ENOSYS;
	*(int *)argument = 77;
	return RT_EOK;
}

/* The last of those who have it open closes it, and a better thread opens another one meanwhile: the
 * close is not through, and its file is not free yet. */
static int other;

static void *open_other(void *unused)
{
	(void)unused;
	other = open("/dev/other", O_RDWR);
	return NULL;
}

static rt_err_t slow_close(rt_device_t device)
{
	(void)device;
	join(start(open_other, NULL, TEST_PRIORITY + 1));
	return RT_EOK;
}

static void close_and_open(void)
{
	static struct rt_device slow, quick;
	char c;

	slow.type = quick.type = RT_Device_Class_Char;
	slow.close = slow_close;
	quick.open = echo_open;
	quick.close = echo_close;
	quick.read = echo_read;
	quick.write = echo_write;
	EQUAL(rt_device_register(&slow, "slow", RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_INT_RX), RT_EOK);
	EQUAL(rt_device_register(&quick, "other", RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_INT_RX), RT_EOK);
	const int d = open("/dev/slow", O_RDWR);
	OK(close(d));
	CHECK(other >= 0);
	EQUAL(opened, 1);
	EQUAL(write(other, "x", 1), 1);
	EQUAL(read(other, &c, 1), 1);
	OK(close(other));
	EQUAL(opened, 0);
	CHECK(slow.rx_indicate == NULL && quick.rx_indicate == NULL);
	EQUAL(rt_device_unregister(&slow), RT_EOK);
	EQUAL(rt_device_unregister(&quick), RT_EOK);
}

static void *write_late(void *descriptor)
{
	EQUAL(write(*(int *)descriptor, "late", 4), 4);
	return NULL;
}

static void nothing(int number)
{
	(void)number;
}

static void *interrupt(void *target)
{
	OK(pthread_kill(*(pthread_t *)target, SIGUSR1));
	return NULL;
}

static void *read_for_ever(void *descriptor)
{
	char c;
	read(*(int *)descriptor, &c, 1);
	return NULL;
}

static void loop(void)
{
	char buffer[32];
	struct stat s;
	int value = 0;
	pthread_t self = pthread_self(), t;
	void *result;

	echo.type = RT_Device_Class_Char;
	echo.open = echo_open;
	echo.close = echo_close;
	echo.read = echo_read;
	echo.write = echo_write;
	echo.control = echo_control;
	EQUAL(rt_device_register(&echo, "echo", RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_INT_RX), RT_EOK);

	OK(stat("/dev/echo", &s));
	int d = open("/dev/echo", O_RDWR);
	CHECK(d >= 3);
	EQUAL(opened, 1);
	EQUAL(write(d, "hello", 5), 5);
	EQUAL(read(d, buffer, sizeof(buffer)), 5);
	CHECK(memcmp(buffer, "hello", 5) == 0);
	EQUAL(isatty(d), 0);
	OK(ioctl(d, 7, &value));
	EQUAL(value, 77);
	FAILS(ioctl(d, 8, &value), ENOTTY);
	FAILS(lseek(d, 0, SEEK_SET), ESPIPE);

	/* A read that waits; one that a signal ends; one that is cancelled. */
	t = start(write_late, &d, TEST_PRIORITY - 1);
	EQUAL(read(d, buffer, sizeof(buffer)), 4);
	join(t);
	OK(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = nothing}, NULL));
	t = start(interrupt, &self, TEST_PRIORITY - 1);
	FAILS(read(d, buffer, sizeof(buffer)), EINTR);
	join(t);
	signal(SIGUSR1, SIG_DFL);
	t = start(read_for_ever, &d, TEST_PRIORITY + 1);
	OK(pthread_cancel(t));
	OK(pthread_join(t, &result));
	CHECK(result == PTHREAD_CANCELED);

	/* Readiness. */
	struct pollfd p = {.fd = d, .events = POLLIN | POLLOUT};
	EQUAL(poll(&p, 1, 0), 1);
	EQUAL(p.revents, POLLOUT);
	p.events = POLLIN;
	EQUAL(poll(&p, 1, 5), 0);
	t = start(write_late, &d, TEST_PRIORITY - 1);
	EQUAL(poll(&p, 1, -1), 1);
	EQUAL(p.revents, POLLIN);
	join(t);
	EQUAL(read(d, buffer, 2), 2);
	EQUAL(poll(&p, 1, 0), 1); /* there is more */
	EQUAL(read(d, buffer, sizeof(buffer)), 2);
	EQUAL(poll(&p, 1, 0), 0);

	/* What does not fit. */
	OK(fcntl(d, F_SETFL, O_NONBLOCK));
	FAILS(read(d, buffer, 1), EAGAIN);
	EQUAL(write(d, "0123456789abcdef+", 17), 16);
	FAILS(write(d, "+", 1), EAGAIN);
	EQUAL(read(d, buffer, sizeof(buffer)), 16);

	const int copy = dup(d), again = open("echo", O_RDONLY);
	FAILS(write(again, "x", 1), EBADF);
	OK(close(d));
	OK(close(again));
	EQUAL(opened, 1);
	EQUAL(write(copy, "x", 1), 1);
	OK(close(copy));
	EQUAL(opened, 0);
	CHECK(echo.rx_indicate == NULL);
	EQUAL(rt_device_unregister(&echo), RT_EOK);
	FAILS(open("/dev/echo", O_RDWR), ENOENT);
}

/* What would block with the scheduler locked fails instead of trying for ever. */
static void locked_scheduler(void)
{
	char c;

	rt_enter_critical();
	FAILS(read(STDIN_FILENO, &c, 1), EAGAIN);
	FAILS(pause(), EPERM);
	FAILS(poll(NULL, 0, 5), EPERM);
	rt_exit_critical();
}

/* Threads of RT-Thread's that call POSIX and newlib. */
static rt_sem_t done;

static void rt_entry(void *argument)
{
	char text[32];
	errno = EBUSY;
	rt_thread_mdelay(2);
	EQUAL(errno, EBUSY);
	rt_sprintf(text, "%d", 5);
	CHECK(strcmp(text, "5") == 0);
	CHECK(!pthread_equal(pthread_self(), *(pthread_t *)argument));
	EQUAL(pthread_join(pthread_self(), NULL), EDEADLK);
	rt_sem_release(done);
}

static void rt_threads(void)
{
	pthread_t self = pthread_self();

	done = rt_sem_create("done", 0, RT_IPC_FLAG_PRIO);
	CHECK(done);
	for (int i = 0; i < 2; ++i) {
		errno = ENOTTY;
		const rt_thread_t t = rt_thread_create("rt", rt_entry, &self, 4096, 10, 10);
		CHECK(t);
		EQUAL(rt_thread_startup(t), RT_EOK);
	}
	for (int i = 0; i < 2; ++i)
		EQUAL(rt_sem_take(done, RT_WAITING_FOREVER), RT_EOK);
	EQUAL(errno, ENOTTY);
	sleep_ms(5); /* they end, and with them what POSIX kept of them */
	rt_sem_delete(done);
}

const struct test devices_tests[] = {
	{"loop", loop}, {"close_and_open", close_and_open}, {"locked", locked_scheduler},
	{"rt_threads", rt_threads}, {0, 0}};
