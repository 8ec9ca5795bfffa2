/* SPDX-License-Identifier: GPL-2.0-only */
/* The intrusive lists. */
#include "suite.h"

struct item {
	int value;
	rt_list_t node;
	rt_slist_t single;
};

static struct item items[5];

static void mark_list(rt_list_t *head)
{
	struct item *item;
	rt_list_for_each_entry(item, head, node) mark((char)('0' + item->value));
}
static void mark_slist(rt_slist_t *head)
{
	struct item *item;
	rt_slist_for_each_entry(item, head, single) mark((char)('0' + item->value));
}

static void test_list(void)
{
	rt_list_t head = RT_LIST_OBJECT_INIT(head);
	uassert_true(rt_list_isempty(&head));
	for (int i = 0; i < 5; ++i) {
		items[i].value = i;
		rt_list_init(&items[i].node);
	}
	rt_list_insert_before(&head, &items[1].node);
	rt_list_insert_before(&head, &items[2].node);
	rt_list_insert_after(&head, &items[0].node);
	rt_list_insert_after(&items[2].node, &items[3].node);
	mark_list(&head);
	uassert_order("0123");
	uassert_equal(4, rt_list_len(&head));
	rt_list_remove(&items[1].node);
	uassert_true(rt_list_isempty(&items[1].node));
	mark_list(&head);
	uassert_order("023");
	uassert_true(rt_list_first_entry(&head, struct item, node) == &items[0]);
	uassert_true(rt_list_entry(head.prev, struct item, node) == &items[3]);
	struct item *item, *next;
	rt_list_for_each_entry_safe(item, next, &head, node) rt_list_remove(&item->node);
	uassert_true(rt_list_isempty(&head));
}

static void test_slist(void)
{
	rt_slist_t head = RT_SLIST_OBJECT_INIT(head);
	uassert_true(rt_slist_isempty(&head));
	for (int i = 0; i < 5; ++i) {
		items[i].value = i;
		rt_slist_init(&items[i].single);
	}
	rt_slist_append(&head, &items[1].single);
	rt_slist_append(&head, &items[2].single);
	rt_slist_insert(&head, &items[0].single);
	rt_slist_insert(&items[2].single, &items[3].single);
	mark_slist(&head);
	uassert_order("0123");
	uassert_equal(4, rt_slist_len(&head));
	rt_slist_remove(&head, &items[2].single);
	mark_slist(&head);
	uassert_order("013");
	uassert_true(rt_slist_first(&head) == &items[0].single);
	uassert_true(rt_slist_tail(&head) == &items[3].single);
	uassert_true(rt_slist_next(&items[0].single) == &items[1].single);
	rt_slist_remove(&head, &items[4].single); /* is not in it */
	uassert_equal(3, rt_slist_len(&head));
}

static void test_container(void)
{
	uassert_true(rt_container_of(&items[2].node, struct item, node) == &items[2]);
}

static void testcase(void)
{
	UNIT(test_list);
	UNIT(test_slist);
	UNIT(test_container);
}
SUITE("list");
