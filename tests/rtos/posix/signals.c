/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile int count, last, last_value, last_code;
static volatile pthread_t taker;

static void handle(int number)
{
	++count;
	last = number;
	taker = pthread_self();
	errno = ERANGE; /* the interrupted code keeps its own */
}

static void handle_info(int number, siginfo_t *info, void *unused)
{
	(void)unused;
	handle(number);
	last_value = last_value * 10 + info->si_value.sival_int;
	last_code = info->si_code;
	EQUAL(info->si_signo, number);
}

static void install(int number, void (*handler)(int), int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigemptyset(&action.sa_mask);
	OK(sigaction(number, &action, NULL));
}

static void install_info(int number, int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handle_info;
	action.sa_flags = SA_SIGINFO | flags;
	OK(sigaction(number, &action, NULL));
}

static void mask(int how, int number)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	OK(pthread_sigmask(how, &set, NULL));
}

static void sets(void)
{
	sigset_t set;
	struct sigaction action;

	OK(sigemptyset(&set));
	EQUAL(sigismember(&set, SIGUSR1), 0);
	OK(sigaddset(&set, SIGRTMAX));
	EQUAL(sigismember(&set, SIGRTMAX), 1);
	OK(sigdelset(&set, SIGRTMAX));
	EQUAL(sigismember(&set, SIGRTMAX), 0);
	OK(sigfillset(&set));
	EQUAL(sigismember(&set, SIGUSR1), 1);
	FAILS(sigaddset(&set, 0), EINVAL);
	FAILS(sigaddset(&set, NSIG), EINVAL);
	FAILS(sigismember(&set, -1), EINVAL);
	FAILS(sigaction(SIGKILL, &(struct sigaction){.sa_handler = SIG_IGN}, NULL), EINVAL);
	FAILS(sigaction(0, NULL, &action), EINVAL);
	OK(sigaction(SIGKILL, NULL, &action));
	FAILS(kill(getpid(), NSIG), EINVAL);
	FAILS(kill(77, SIGUSR1), ESRCH);
	OK(kill(getpid(), 0));
	EQUAL(pthread_kill(pthread_self(), -1), EINVAL);
	FAILS(sigqueue(77, SIGUSR1, (union sigval){0}), ESRCH);
	FAILS(sigqueue(getpid(), NSIG, (union sigval){0}), EINVAL);
	FAILS(raise(NSIG), EINVAL);
	EQUAL(pthread_sigmask(77, &set, NULL), EINVAL);
	FAILS(sigprocmask(77, &set, NULL), EINVAL);
	CHECK(SIGRTMAX - SIGRTMIN + 1 >= 8);
}

static void handlers(void)
{
	struct sigaction action;

	count = 0;
	install(SIGUSR1, handle, 0);
	errno = EBUSY;
	OK(raise(SIGUSR1));
	EQUAL(errno, EBUSY);
	EQUAL(count, 1);
	OK(kill(getpid(), SIGUSR1));
	EQUAL(count, 2);
	OK(pthread_kill(pthread_self(), SIGUSR1));
	EQUAL(count, 3);
	CHECK(pthread_equal(taker, pthread_self()));
	install(SIGUSR1, SIG_IGN, 0);
	OK(raise(SIGUSR1));
	EQUAL(count, 3);
	install(SIGUSR1, handle, SA_RESETHAND);
	OK(raise(SIGUSR1));
	EQUAL(count, 4);
	OK(sigaction(SIGUSR1, NULL, &action));
	CHECK(action.sa_handler == SIG_DFL);
	CHECK(signal(SIGUSR1, handle) == SIG_DFL);
	CHECK(signal(SIGUSR1, SIG_DFL) == handle);
	CHECK(signal(SIGKILL, handle) == SIG_ERR);
	OK(raise(SIGCHLD)); /* ignored by default */
}

static void blocked(void)
{
	sigset_t set, old;

	count = 0;
	install(SIGUSR1, handle, 0);
	mask(SIG_BLOCK, SIGUSR1);
	OK(raise(SIGUSR1));
	OK(raise(SIGUSR1));
	EQUAL(count, 0);
	OK(sigpending(&set));
	EQUAL(sigismember(&set, SIGUSR1), 1);
	EQUAL(sigismember(&set, SIGUSR2), 0);
	mask(SIG_UNBLOCK, SIGUSR1);
	EQUAL(count, 1); /* not queued: pending is pending */
	sigemptyset(&set);
	OK(pthread_sigmask(SIG_SETMASK, &set, &old));
	EQUAL(sigismember(&old, SIGUSR1), 0);
	sigfillset(&set);
	OK(sigprocmask(SIG_SETMASK, &set, NULL));
	OK(sigprocmask(SIG_SETMASK, NULL, &old));
	EQUAL(sigismember(&old, SIGKILL), 0); /* cannot be blocked */
	EQUAL(sigismember(&old, SIGUSR2), 1);
	sigemptyset(&set);
	OK(sigprocmask(SIG_SETMASK, &set, NULL));
	install(SIGUSR1, SIG_DFL, 0);
}

/* Real-time signals: queued each with its value, the lowest number first, in order of arrival. */
static void queued(void)
{
	siginfo_t info;
	sigset_t set;
	int n = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
	install_info(SIGRTMIN, 0);
	install_info(SIGRTMIN + 1, 0);
	OK(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 3}));
	OK(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1}));
	OK(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2}));
	OK(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 4}));
	count = last_value = 0;
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	EQUAL(count, 4);
	EQUAL(last_value, 1234);
	EQUAL(last_code, SI_QUEUE);

	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
	OK(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 8}));
	OK(kill(getpid(), SIGRTMIN));
	EQUAL(sigwaitinfo(&set, &info), SIGRTMIN);
	EQUAL(info.si_value.sival_int, 8);
	EQUAL(info.si_code, SI_QUEUE);
	EQUAL(sigwaitinfo(&set, &info), SIGRTMIN);
	EQUAL(info.si_code, SI_USER);
	while (sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = n}) == 0 && n < 1000)
		++n;
	CHECK(n >= 32 && n < 1000);
	FAILS(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = n}), EAGAIN);
	for (int i = 0; i < n; ++i) {
		EQUAL(sigwaitinfo(&set, &info), SIGRTMIN);
		EQUAL(info.si_value.sival_int, i);
	}
	FAILS(sigtimedwait(&set, &info, &(struct timespec){0, 0}), EAGAIN);
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

static void *wait_rt(void *result)
{
	sigset_t set;
	int number = 0;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	OK(sigwait(&set, &number));
	*(int *)result = number;
	return NULL;
}

static void waiting(void)
{
	struct timespec begin;
	sigset_t set;
	siginfo_t info;
	int result = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL)); /* the new thread inherits this */
	const pthread_t t = start(wait_rt, &result, TEST_PRIORITY + 1);
	OK(kill(getpid(), SIGRTMIN + 3)); /* goes to the thread that waits for it */
	join(t);
	EQUAL(result, SIGRTMIN + 3);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	FAILS(sigtimedwait(&set, &info, &(struct timespec){.tv_nsec = 10000000}), EAGAIN);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	FAILS(sigtimedwait(&set, &info, &(struct timespec){.tv_nsec = 1000000000}), EINVAL);
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

static sem_t sem;
static pthread_t victim;

static void *send_usr1(void *times)
{
	for (long i = 0; i < (long)times; ++i) {
		sleep_ms(3);
		OK(pthread_kill(victim, SIGUSR1));
	}
	return NULL;
}

/* Which waits a handler ends with EINTR, and which not. */
static void interrupted(void)
{
	char buffer[8];
	struct timespec left = {0, 0}, begin, until;
	struct mq_attr shape = {.mq_maxmsg = 1, .mq_msgsize = sizeof(buffer)};
	sigset_t empty;
	struct pollfd none = {.fd = -1};
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	victim = pthread_self();
	count = 0;
	install(SIGUSR1, handle, 0);
	OK(sem_init(&sem, 0, 0));
	const mqd_t q = mq_open("/eintr", O_RDWR | O_CREAT, 0600, &shape);
	pthread_t t = start(send_usr1, (void *)8, TEST_PRIORITY + 1);
	FAILS(sem_wait(&sem), EINTR);
	FAILS(nanosleep(&(struct timespec){.tv_sec = 100}, &left), EINTR);
	EQUAL(left.tv_sec, 99);
	FAILS(mq_receive(q, buffer, sizeof(buffer), NULL), EINTR);
	EQUAL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &(struct timespec){.tv_sec = 1000000}, NULL), EINTR);
	EQUAL(sleep(50), 50);
	FAILS(pause(), EINTR);
	FAILS(poll(&none, 1, -1), EINTR);
	sigemptyset(&empty);
	FAILS(sigsuspend(&empty), EINTR);
	EQUAL(count, 8);
	join(t);

	/* pthread functions never return EINTR. */
	t = start(send_usr1, (void *)1, TEST_PRIORITY + 1);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	OK(pthread_mutex_lock(&mutex));
	until = after_ms(CLOCK_REALTIME, 10);
	while (pthread_cond_timedwait(&cond, &mutex, &until) == 0) {
	}
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	EQUAL(count, 9);
	OK(pthread_mutex_unlock(&mutex));
	join(t);
	t = start(send_usr1, (void *)2, TEST_PRIORITY + 1);
	join(t);
	EQUAL(count, 11);

	/* SA_RESTART: the wait goes on. */
	install(SIGUSR1, handle, SA_RESTART);
	t = start(send_usr1, (void *)1, TEST_PRIORITY + 1);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_REALTIME, 10);
	FAILS(sem_timedwait(&sem, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	EQUAL(count, 12);
	join(t);
	OK(mq_close(q));
	OK(mq_unlink("/eintr"));
	OK(sem_destroy(&sem));
	install(SIGUSR1, SIG_DFL, 0);
}

static void nested(int number)
{
	if (number == SIGUSR1) {
		EQUAL(raise(SIGUSR2), 0); /* in sa_mask: comes after this one */
		EQUAL(count, 0);
		EQUAL(raise(SIGUSR1), 0); /* itself: blocked as well */
		EQUAL(last_value, 0);
		++last_value;
		install(SIGUSR1, handle, 0);
	} else {
		++count;
	}
}

static void masks_of_handlers(void)
{
	struct sigaction action;
	sigset_t now;

	count = last_value = last = 0;
	memset(&action, 0, sizeof(action));
	action.sa_handler = nested;
	sigaddset(&action.sa_mask, SIGUSR2);
	OK(sigaction(SIGUSR1, &action, NULL));
	OK(sigaction(SIGUSR2, &(struct sigaction){.sa_handler = nested}, NULL));
	OK(raise(SIGUSR1));
	EQUAL(last_value, 1);
	EQUAL(count, 2); /* SIGUSR1 in handle, SIGUSR2 in nested */
	OK(pthread_sigmask(SIG_SETMASK, NULL, &now));
	EQUAL(sigismember(&now, SIGUSR2), 0);
	install(SIGUSR1, SIG_DFL, 0);
	install(SIGUSR2, SIG_DFL, 0);
}

static void *idle_blocked(void *unused)
{
	(void)unused;
	sleep_ms(20);
	return NULL;
}

/* A signal of the process goes to a thread that does not block it; one of a thread to that one. */
static void whose(void)
{
	count = 0;
	install(SIGUSR1, handle, SA_RESTART);
	const pthread_t open_thread = start(idle_blocked, NULL, TEST_PRIORITY);
	mask(SIG_BLOCK, SIGUSR1);
	const pthread_t blocked_thread = start(idle_blocked, NULL, TEST_PRIORITY);
	sleep_ms(2);
	OK(kill(getpid(), SIGUSR1));
	sleep_ms(2);
	EQUAL(count, 1);
	CHECK(pthread_equal(taker, open_thread));
	OK(pthread_kill(blocked_thread, SIGUSR1)); /* stays pending there, and ends with it */
	sleep_ms(2);
	EQUAL(count, 1);
	join(open_thread);
	join(blocked_thread);
	mask(SIG_UNBLOCK, SIGUSR1);
	EQUAL(count, 1);
	install(SIGUSR1, SIG_DFL, 0);
}

static volatile double sum;

static void use_registers(int number)
{
	(void)number;
	double a[16];
	for (int i = 0; i < 16; ++i)
		a[i] = i * 1.5 + count;
	for (int i = 0; i < 16; ++i)
		sum += a[i];
	++count;
}

/* A handler that computes does not change what the thread that it interrupts computes. */
static void floating_point(void)
{
	double x = 1, y = 0, z = 3;
	timer_t t;
	const struct itimerspec every = {.it_value = {.tv_nsec = 100000}, .it_interval = {.tv_nsec = 100000}};

	count = 0;
	install(SIGALRM, use_registers, SA_RESTART);
	OK(timer_create(CLOCK_MONOTONIC, NULL, &t));
	OK(timer_settime(t, 0, &every, NULL));
	while (count < 50) {
		x += 0.5;
		y += x * 2 - 1;
		z = y - x * x * 2;
		/* x = 1 + n/2: y = n + n(n+1)/2, in whole numbers that doubles hold. */
		const double n = (x - 1) * 2;
		if (y != n + n * (n + 1) / 2) {
			CHECK(!"registers changed");
			break;
		}
		if (n > 100000)
			x = 1, y = 0;
	}
	CHECK(z != 12345);
	OK(timer_delete(t));
	install(SIGALRM, SIG_DFL, 0);
}

const struct test signals_tests[] = {
	{"sets", sets},
	{"handlers", handlers},
	{"blocked", blocked},
	{"queued", queued},
	{"waiting", waiting},
	{"interrupted", interrupted},
	{"masks_of_handlers", masks_of_handlers},
	{"whose", whose},
	{"floating_point", floating_point},
	{0, 0},
};
