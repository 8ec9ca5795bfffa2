/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks, and the order of the initialisers. */
#include "suite.h"

static volatile int calls;
static struct rt_object *volatile hooked;

static void on_object(struct rt_object *object)
{
	hooked = object;
	++calls;
}

static void test_object_hooks(void)
{
	struct rt_semaphore sem;
	calls = 0;
	rt_object_attach_sethook(on_object);
	rt_sem_init(&sem, "hooked", 1, RT_IPC_FLAG_PRIO);
	rt_object_attach_sethook(RT_NULL);
	uassert_equal(1, calls);
	uassert_true(hooked == &sem.parent.parent);

	rt_object_trytake_sethook(on_object);
	rt_sem_take(&sem, 0);
	rt_object_trytake_sethook(RT_NULL);
	uassert_equal(2, calls);
	rt_object_put_sethook(on_object);
	rt_sem_release(&sem);
	rt_object_put_sethook(RT_NULL);
	uassert_equal(3, calls);
	rt_object_take_sethook(on_object);
	rt_sem_take(&sem, 0);
	rt_sem_take(&sem, 0); /* fails: is not told */
	rt_object_take_sethook(RT_NULL);
	uassert_equal(4, calls);

	rt_object_detach_sethook(on_object);
	rt_sem_detach(&sem);
	rt_object_detach_sethook(RT_NULL);
	uassert_equal(5, calls);
}

static struct rt_thread *volatile switched_from[8], *volatile switched_to[8];
static volatile int switches;
static void on_switch(struct rt_thread *from, struct rt_thread *to)
{
	if (switches < 8) {
		switched_from[switches] = from;
		switched_to[switches] = to;
	}
	++switches;
}
static void nothing(void *unused)
{
	(void)unused;
}

static void test_scheduler_hook(void)
{
	rt_thread_t self = rt_thread_self();
	switches = 0;
	rt_scheduler_sethook(on_switch);
	rt_thread_t other = suite_start("switched", HIGHER, nothing, RT_NULL);
	rt_scheduler_sethook(RT_NULL);
	uassert_equal(2, switches);
	uassert_true(switched_from[0] == self && switched_to[0] == other);
	uassert_true(switched_from[1] == other && switched_to[1] == self);
}

static rt_thread_t volatile hooked_thread;
static void on_thread(rt_thread_t thread)
{
	hooked_thread = thread;
	++calls;
}

static void suspend_self(void *unused)
{
	(void)unused;
	rt_thread_suspend(rt_thread_self());
	rt_schedule();
}

static void test_thread_hooks(void)
{
	calls = 0;
	rt_thread_inited_sethook(on_thread);
	rt_thread_t thread = suite_start("suspends", HIGHER, suspend_self, RT_NULL);
	rt_thread_inited_sethook(RT_NULL);
	uassert_equal(1, calls);
	uassert_true(hooked_thread == thread);
	rt_thread_resume_sethook(on_thread);
	rt_thread_resume(thread);
	rt_thread_resume_sethook(RT_NULL);
	uassert_equal(2, calls);
	uassert_true(suite_join());
	calls = 0;
	rt_thread_suspend_sethook(on_thread);
	thread = suite_start("suspends", HIGHER, suspend_self, RT_NULL);
	rt_thread_suspend_sethook(RT_NULL);
	uassert_equal(1, calls);
	uassert_true(hooked_thread == thread);
	rt_thread_resume(thread);
}

static volatile int idle_calls;
static void on_idle(void)
{
	++idle_calls;
}
static void on_idle_2(void)
{
	idle_calls += 100;
}

static void test_idle_hooks(void)
{
	idle_calls = 0;
	uassert_equal(RT_EOK, rt_thread_idle_sethook(on_idle));
	rt_thread_delay(3);
	uassert_true(idle_calls > 0);
	uassert_equal(RT_EOK, rt_thread_idle_sethook(on_idle_2));
	idle_calls = 0;
	rt_thread_delay(3);
	uassert_true(idle_calls > 100);
	uassert_equal(RT_EOK, rt_thread_idle_delhook(on_idle));
	uassert_equal(RT_EOK, rt_thread_idle_delhook(on_idle_2));
	idle_calls = 0;
	rt_thread_delay(3);
	uassert_equal(0, idle_calls);
	uassert_equal(-RT_ENOSYS, rt_thread_idle_delhook(on_idle));
}

static volatile int entered, left;
static void on_timer_enter(struct rt_timer *timer)
{
	(void)timer;
	++entered;
}
static void on_timer_exit(struct rt_timer *timer)
{
	(void)timer;
	++left;
}

static void test_timer_hooks(void)
{
	struct rt_timer timer;
	entered = left = 0;
	rt_timer_init(&timer, "hooked", nothing, RT_NULL, 1,
		      RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_enter_sethook(on_timer_enter);
	rt_timer_exit_sethook(on_timer_exit);
	rt_timer_start(&timer);
	rt_thread_delay(2);
	rt_timer_enter_sethook(RT_NULL);
	rt_timer_exit_sethook(RT_NULL);
	uassert_equal(1, entered);
	uassert_equal(1, left);
	rt_timer_detach(&timer);
}

static void on_interrupt_enter(void)
{
	++entered;
}
static void on_interrupt_leave(void)
{
	++left;
}

static void test_interrupt_hooks(void)
{
	entered = left = 0;
	rt_interrupt_enter_sethook(on_interrupt_enter);
	rt_interrupt_leave_sethook(on_interrupt_leave);
	rt_interrupt_enter();
	rt_interrupt_leave();
	rt_interrupt_enter_sethook(RT_NULL);
	rt_interrupt_leave_sethook(RT_NULL);
	uassert_true(entered >= 1 && entered == left);
}

static void *volatile allocated;
static void on_malloc(void **block, rt_size_t size)
{
	allocated = *block;
	calls = (int)size;
}
static void on_free(void **block)
{
	allocated = *block;
}

static void test_heap_hooks(void)
{
	rt_malloc_sethook(on_malloc);
	void *block = rt_malloc(33);
	rt_malloc_sethook(RT_NULL);
	uassert_true(allocated == block);
	uassert_equal(33, calls);
	allocated = RT_NULL;
	rt_free_sethook(on_free);
	rt_free(block);
	rt_free_sethook(RT_NULL);
	uassert_true(allocated == block);
}

static char initialised[16];
static int initialise(char letter)
{
	const size_t length = strlen(initialised);
	initialised[length] = letter;
	return 0;
}
static int init_app(void)
{
	return initialise('6');
}
INIT_APP_EXPORT(init_app);
static int init_board(void)
{
	return initialise('1');
}
INIT_BOARD_EXPORT(init_board);
static int init_device(void)
{
	return initialise('3');
}
INIT_DEVICE_EXPORT(init_device);
static int init_environment(void)
{
	return initialise('5');
}
INIT_ENV_EXPORT(init_environment);
static int init_previous(void)
{
	return initialise('2');
}
INIT_PREV_EXPORT(init_previous);
static int init_component(void)
{
	return initialise('4');
}
INIT_COMPONENT_EXPORT(init_component);

static void test_init_order(void)
{
	uassert_string("123456", initialised);
}

static void testcase(void)
{
	UNIT(test_init_order);
	UNIT(test_object_hooks);
	UNIT(test_scheduler_hook);
	UNIT(test_thread_hooks);
	UNIT(test_idle_hooks);
	UNIT(test_timer_hooks);
	UNIT(test_interrupt_hooks);
	UNIT(test_heap_hooks);
}
SUITE("hooks");
