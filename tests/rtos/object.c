/* SPDX-License-Identifier: GPL-2.0-only */
/* The registry: names and kinds, finding, counting, walking. */
#include "suite.h"

static void test_static_object(void)
{
	struct rt_object object;
	char name[RT_NAME_MAX];
	const int before = rt_object_get_length(RT_Object_Class_Custom);
	memset(&object, 0, sizeof(object));
	rt_object_init(&object, RT_Object_Class_Custom, "static");
	uassert_equal(before + 1, rt_object_get_length(RT_Object_Class_Custom));
	uassert_true(rt_object_find("static", RT_Object_Class_Custom) == &object);
	uassert_null(rt_object_find("static", RT_Object_Class_Timer)); /* another kind */
	uassert_null(rt_object_find("stat", RT_Object_Class_Custom));
	uassert_equal(RT_Object_Class_Custom, rt_object_get_type(&object));
	uassert_true(rt_object_is_systemobject(&object));
	uassert_equal(RT_EOK, rt_object_get_name(&object, name, sizeof(name)));
	uassert_string("static", name);
	rt_object_detach(&object);
	uassert_null(rt_object_find("static", RT_Object_Class_Custom));
	uassert_equal(before, rt_object_get_length(RT_Object_Class_Custom));
}

static void test_dynamic_object(void)
{
	rt_object_t object = rt_object_allocate(RT_Object_Class_Semaphore, "dynamic");
	uassert_not_null(object);
	uassert_false(rt_object_is_systemobject(object));
	uassert_true(rt_object_find("dynamic", RT_Object_Class_Semaphore) == object);
	rt_object_delete(object);
	uassert_null(rt_object_find("dynamic", RT_Object_Class_Semaphore));
}

static void test_long_name(void)
{
	struct rt_semaphore sem;
	rt_sem_init(&sem, "a-name-that-is-longer-than-it-may-be", 0, RT_IPC_FLAG_PRIO);
	char name[RT_NAME_MAX + 1] = "";
	memcpy(name, sem.parent.parent.name, RT_NAME_MAX);
	uassert_true(strncmp(name, "a-name-that-is-longer", strlen(name)) == 0);
	uassert_true(strlen(name) >= RT_NAME_MAX - 1);
	rt_sem_detach(&sem);
}

static rt_err_t count(rt_object_t object, void *data)
{
	(void)object;
	++*(int *)data;
	return RT_EOK;
}
static rt_err_t stop_at_two(rt_object_t object, void *data)
{
	(void)object;
	return ++*(int *)data == 2 ? -RT_ERROR : RT_EOK;
}

static void test_walk(void)
{
	struct rt_semaphore sem[3];
	rt_object_t found[8];
	int seen = 0;
	const int before = rt_object_get_length(RT_Object_Class_Semaphore);
	for (int i = 0; i < 3; ++i)
		rt_sem_init(&sem[i], "walk", 0, RT_IPC_FLAG_PRIO);
	uassert_equal(before + 3, rt_object_get_length(RT_Object_Class_Semaphore));
	uassert_equal(2, rt_object_get_pointers(RT_Object_Class_Semaphore, found, 2)); /* as many as fit */
	rt_object_for_each(RT_Object_Class_Semaphore, count, &seen);
	uassert_equal(before + 3, seen);
	seen = 0;
	rt_object_for_each(RT_Object_Class_Semaphore, stop_at_two, &seen);
	uassert_equal(2, seen);
	for (int i = 0; i < 3; ++i)
		rt_sem_detach(&sem[i]);
	uassert_equal(before, rt_object_get_length(RT_Object_Class_Semaphore));
	uassert_not_null(rt_object_get_information(RT_Object_Class_Thread));
	uassert_null(rt_object_get_information(RT_Object_Class_Unknown));
}

static void test_the_kernels_own(void)
{
	uassert_not_null(rt_object_find("main", RT_Object_Class_Thread));
	uassert_true(rt_object_get_length(RT_Object_Class_Thread) >= 2);
}

static int destroyed;
static rt_err_t destroy(void *data)
{
	destroyed = *(int *)data;
	return RT_EOK;
}

static void test_custom_object(void)
{
	static int data = 7;
	destroyed = 0;
	rt_object_t object = rt_custom_object_create("custom", &data, destroy);
	uassert_not_null(object);
	uassert_true(rt_object_find("custom", RT_Object_Class_Custom) == object);
	uassert_equal(RT_EOK, rt_custom_object_destroy(object));
	uassert_equal(7, destroyed);
	uassert_null(rt_object_find("custom", RT_Object_Class_Custom));
}

static void test_bad_input(void)
{
	uassert_null(rt_object_find(RT_NULL, RT_Object_Class_Thread));
	uassert_null(rt_object_find("main", 0x7f));
	uassert_equal(0, rt_object_get_length((enum rt_object_class_type)0x7f));
	uassert_equal(-RT_EINVAL, rt_object_get_name(RT_NULL, (char *)"x", 1));
}

static void testcase(void)
{
	UNIT(test_static_object);
	UNIT(test_dynamic_object);
	UNIT(test_long_name);
	UNIT(test_walk);
	UNIT(test_the_kernels_own);
	UNIT(test_custom_object);
	UNIT(test_bad_input);
}
SUITE("object");
