/* SPDX-License-Identifier: BSD-3-Clause */
/* Intrusive lists. The caller protects them. */
#ifndef RT_SERVICE_H__
#define RT_SERVICE_H__

#include <rttypes.h>

#define rt_container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

#define RT_LIST_OBJECT_INIT(object) { &(object), &(object) }

rt_inline void rt_list_init(rt_list_t *l)
{
	l->next = l;
	l->prev = l;
}

/* Between l and its next node: after the head means first. */
rt_inline void rt_list_insert_after(rt_list_t *l, rt_list_t *n)
{
	rt_list_t *next = l->next;

	n->prev = l;
	n->next = next;
	next->prev = n;
	l->next = n;
}

/* Between l and its previous node: before the head means last. */
rt_inline void rt_list_insert_before(rt_list_t *l, rt_list_t *n)
{
	rt_list_insert_after(l->prev, n);
}

rt_inline void rt_list_remove(rt_list_t *n)
{
	rt_list_t *next = n->next;
	rt_list_t *prev = n->prev;

	prev->next = next;
	next->prev = prev;
	rt_list_init(n);
}

rt_inline int rt_list_isempty(const rt_list_t *l)
{
	return l->next == l;
}

rt_inline unsigned int rt_list_len(const rt_list_t *l)
{
	unsigned int length = 0;
	const rt_list_t *n;

	for (n = l->next; n != l; n = n->next)
		++length;
	return length;
}

#define rt_list_entry(node, type, member) rt_container_of(node, type, member)
#define rt_list_first_entry(head, type, member) rt_list_entry((head)->next, type, member)
#define rt_list_tail_entry(head, type, member) rt_list_entry((head)->prev, type, member)

#define rt_list_for_each(pos, head) for ((pos) = (head)->next; (pos) != (head); (pos) = (pos)->next)

/* pos may be removed in the loop. */
#define rt_list_for_each_safe(pos, n, head) \
	for ((pos) = (head)->next, (n) = (pos)->next; (pos) != (head); (pos) = (n), (n) = (pos)->next)

#define rt_list_for_each_entry(pos, head, member) \
	for ((pos) = rt_list_entry((head)->next, rt_typeof(*(pos)), member); &(pos)->member != (head); \
	     (pos) = rt_list_entry((pos)->member.next, rt_typeof(*(pos)), member))

#define rt_list_for_each_entry_safe(pos, n, head, member) \
	for ((pos) = rt_list_entry((head)->next, rt_typeof(*(pos)), member), \
	     (n) = rt_list_entry((pos)->member.next, rt_typeof(*(pos)), member); \
	     &(pos)->member != (head); \
	     (pos) = (n), (n) = rt_list_entry((n)->member.next, rt_typeof(*(n)), member))

#define RT_SLIST_OBJECT_INIT(object) { RT_NULL }

rt_inline void rt_slist_init(rt_slist_t *l)
{
	l->next = RT_NULL;
}

rt_inline rt_slist_t *rt_slist_first(rt_slist_t *l)
{
	return l->next;
}

rt_inline rt_slist_t *rt_slist_next(rt_slist_t *n)
{
	return n->next;
}

/* The last node; the head itself if the list is empty. */
rt_inline rt_slist_t *rt_slist_tail(rt_slist_t *l)
{
	while (l->next)
		l = l->next;
	return l;
}

rt_inline int rt_slist_isempty(rt_slist_t *l)
{
	return !l->next;
}

rt_inline void rt_slist_insert(rt_slist_t *l, rt_slist_t *n)
{
	n->next = l->next;
	l->next = n;
}

rt_inline void rt_slist_append(rt_slist_t *l, rt_slist_t *n)
{
	n->next = RT_NULL;
	rt_slist_tail(l)->next = n;
}

rt_inline unsigned int rt_slist_len(const rt_slist_t *l)
{
	unsigned int length = 0;
	const rt_slist_t *n;

	for (n = l->next; n; n = n->next)
		++length;
	return length;
}

/* Take the first node out; null if the list is empty. */
rt_inline rt_slist_t *rt_slist_pop(rt_slist_t *l)
{
	rt_slist_t *first = l->next;

	if (first) {
		l->next = first->next;
		first->next = RT_NULL;
	}
	return first;
}

/* Take n out, if it is there; returns l. */
rt_inline rt_slist_t *rt_slist_remove(rt_slist_t *l, rt_slist_t *n)
{
	rt_slist_t *before = l;

	while (before->next && before->next != n)
		before = before->next;
	if (before->next) {
		before->next = n->next;
		n->next = RT_NULL;
	}
	return l;
}

#define rt_slist_entry(node, type, member) rt_container_of(node, type, member)
#define rt_slist_first_entry(head, type, member) rt_slist_entry((head)->next, type, member)
#define rt_slist_tail_entry(head, type, member) rt_slist_entry(rt_slist_tail(head), type, member)

#define rt_slist_for_each(pos, head) for ((pos) = (head)->next; (pos); (pos) = (pos)->next)

#define rt_slist_entry_or_null(node, type, member) \
	((node) ? rt_slist_entry(node, type, member) : (type *)RT_NULL)
#define rt_slist_for_each_entry(pos, head, member) \
	for ((pos) = rt_slist_entry_or_null((head)->next, rt_typeof(*(pos)), member); (pos); \
	     (pos) = rt_slist_entry_or_null((pos)->member.next, rt_typeof(*(pos)), member))

#endif
