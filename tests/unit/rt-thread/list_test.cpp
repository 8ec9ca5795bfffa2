// SPDX-License-Identifier: GPL-2.0-only
#include <gtest/gtest.h>
#include <list>
#include <random>
#include <rtservice.h>
#include <vector>

namespace {

struct Node {
    int value;
    rt_list_t link;
    rt_slist_t single;
};

TEST(List, AgreesWithAStandardList) {
    std::mt19937 random(1);
    rt_list_t head = RT_LIST_OBJECT_INIT(head);
    std::vector<Node> nodes(16);
    std::list<int> model;
    for (int i = 0; i < 16; ++i) {
        nodes[static_cast<size_t>(i)].value = i;
        rt_list_init(&nodes[static_cast<size_t>(i)].link);
    }
    for (int round = 0; round < 20'000; ++round) {
        Node &n = nodes[random() % nodes.size()];
        if (!rt_list_isempty(&n.link)) {
            rt_list_remove(&n.link);
            model.remove(n.value);
        } else if (random() & 1) {
            rt_list_insert_after(&head, &n.link);
            model.push_front(n.value);
        } else {
            rt_list_insert_before(&head, &n.link);
            model.push_back(n.value);
        }
        ASSERT_EQ(rt_list_len(&head), model.size());
        ASSERT_EQ(rt_list_isempty(&head), model.empty());
        auto expected = model.begin();
        Node *at;
        rt_list_for_each_entry(at, &head, link) ASSERT_EQ(at->value, *expected++);
        rt_list_t *link;
        auto backwards = model.rbegin();
        for (link = head.prev; link != &head; link = link->prev)
            ASSERT_EQ(rt_list_entry(link, Node, link)->value, *backwards++);
        if (!model.empty()) {
            ASSERT_EQ(rt_list_first_entry(&head, Node, link)->value, model.front());
        }
    }
    Node *at;
    Node *next;
    rt_list_for_each_entry_safe(at, next, &head, link) rt_list_remove(&at->link);
    EXPECT_TRUE(rt_list_isempty(&head));
}

TEST(SingleList, AppendsInsertsRemovesAndPops) {
    rt_slist_t head = RT_SLIST_OBJECT_INIT(head);
    Node a{1, {}, {}}, b{2, {}, {}}, c{3, {}, {}};
    const auto values = [&] {
        std::vector<int> all;
        Node *n;
        rt_slist_for_each_entry(n, &head, single) all.push_back(n->value);
        return all;
    };
    EXPECT_TRUE(rt_slist_isempty(&head));
    EXPECT_EQ(rt_slist_pop(&head), nullptr);
    EXPECT_EQ(values(), (std::vector<int>{}));
    rt_slist_append(&head, &b.single);
    rt_slist_append(&head, &c.single);
    rt_slist_insert(&head, &a.single);
    EXPECT_EQ(values(), (std::vector{1, 2, 3}));
    EXPECT_EQ(rt_slist_len(&head), 3u);
    EXPECT_EQ(rt_slist_tail(&head), &c.single);
    EXPECT_EQ(rt_slist_first_entry(&head, Node, single), &a);
    EXPECT_EQ(rt_slist_tail_entry(&head, Node, single), &c);
    EXPECT_EQ(rt_slist_next(&a.single), &b.single);
    rt_slist_remove(&head, &b.single);
    rt_slist_remove(&head, &b.single); // not there any more
    EXPECT_EQ(values(), (std::vector{1, 3}));
    EXPECT_EQ(rt_slist_pop(&head), &a.single);
    EXPECT_EQ(rt_slist_pop(&head), &c.single);
    EXPECT_TRUE(rt_slist_isempty(&head));
}

} // namespace
