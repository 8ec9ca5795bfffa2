// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <rtos/object.hpp>

namespace {

using namespace rtos;
using Kind = Object::Kind;

struct Objects : testing::Test {
    void SetUp() override { machine::reset(); }
};

std::string names(Kind kind) {
    std::string all;
    ObjectCursor cursor(kind);
    while (cursor.next([&](Object &o) {
        EXPECT_TRUE(machine::masked());
        all += o.name();
    })) {
    }
    return all;
}

std::unique_ptr<Object> enlisted(Kind kind, const std::string &name) {
    auto o = std::make_unique<Object>(kind, name.c_str(), nullptr);
    o->enlist();
    return o;
}

TEST_F(Objects, AreListedByKindInOrder) {
    int subject = 0;
    Object a(Kind::event, "a", &subject), b(Kind::event, "b", nullptr, Object::Layer::posix),
        c(Kind::timer, "c", nullptr);
    EXPECT_FALSE(a.enlisted());
    EXPECT_EQ(names(Kind::event), "");
    a.enlist();
    b.enlist();
    a.enlist(); // once more changes nothing
    c.enlist();
    EXPECT_EQ(names(Kind::event), "ab");
    EXPECT_EQ(names(Kind::timer), "c");
    EXPECT_EQ(Object::count(Kind::event), 2u);
    EXPECT_EQ(a.subject(), &subject);
    EXPECT_EQ(b.layer(), Object::Layer::posix);
    a.delist();
    a.delist();
    EXPECT_EQ(names(Kind::event), "b");
    EXPECT_EQ(Object::count(Kind::event), 1u);
}

TEST_F(Objects, AreFoundByKindAndName) {
    const auto a = enlisted(Kind::mailbox, "box"), b = enlisted(Kind::mailbox, "box2"),
               twin = enlisted(Kind::mailbox, "box"), c = enlisted(Kind::semaphore, "box");
    EXPECT_EQ(Object::find(Kind::mailbox, "box"), a.get());
    EXPECT_EQ(Object::find(Kind::mailbox, "box2"), b.get());
    EXPECT_EQ(Object::find(Kind::semaphore, "box"), c.get());
    EXPECT_EQ(Object::find(Kind::mailbox, "bo"), nullptr);
    EXPECT_EQ(Object::find(Kind::mailbox, ""), nullptr);
    EXPECT_EQ(Object::find(Kind::device, "box"), nullptr);
}

TEST_F(Objects, NamesAreCopiedAndCut) {
    char name[] = "0123456789abcdefgh";
    const auto o = enlisted(Kind::custom, name);
    name[0] = 'x';
    EXPECT_STREQ(o->name(), "0123456789abcde");
    EXPECT_EQ(Object::find(Kind::custom, "0123456789abcdefgh"), o.get());
    o->rename("new");
    EXPECT_EQ(Object::find(Kind::custom, "new"), o.get());
    EXPECT_STREQ(Object(Kind::custom, nullptr, nullptr).name(), "");
}

TEST_F(Objects, DestructionDelists) {
    enlisted(Kind::device, "gone");
    EXPECT_EQ(names(Kind::device), "");
}

TEST_F(Objects, EnumerationEndsThoughOthersKeepComing) {
    std::vector<std::unique_ptr<Object>> all;
    all.push_back(enlisted(Kind::channel, "first"));
    ObjectCursor cursor(Kind::channel);
    unsigned seen = 0;
    while (cursor.next([&](Object &) { ++seen; }))
        for (int i = 0; i < 3; ++i)
            all.push_back(enlisted(Kind::channel, "later"));
    EXPECT_EQ(seen, 1u);
    EXPECT_FALSE(cursor.next([](Object &) {})); // and stays at its end
    all.erase(all.begin());
    EXPECT_FALSE(cursor.next([](Object &) {}));
}

// Objects come and go between any two steps: each that is there from beginning to end is seen once, none
// twice, none that is gone.
TEST_F(Objects, EnumerationIsSafeUnderChange) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::unique_ptr<Object>> all;
        std::set<Object *> from_the_beginning, seen;
        for (unsigned i = 0, n = random() % 60; i < n; ++i)
            from_the_beginning.insert(all.emplace_back(enlisted(Kind::memory, "m")).get());
        ObjectCursor cursor(Kind::memory);
        Object *at = nullptr;
        while (cursor.next([&](Object &o) { at = &o; })) {
            EXPECT_TRUE(seen.insert(at).second);
            EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](auto &o) { return o.get() == at; }));
            for (unsigned i = random() % 3; i > 0 && !all.empty(); --i) {
                const auto gone = all.begin() + static_cast<ptrdiff_t>(random() % all.size());
                from_the_beginning.erase(gone->get());
                // Its memory is kept, so that no other gets the same address.
                (*gone)->delist();
                static std::vector<std::unique_ptr<Object>> graveyard;
                graveyard.push_back(std::move(*gone));
                all.erase(gone);
            }
            if (random() % 2)
                all.push_back(enlisted(Kind::memory, "new"));
        }
        for (Object *o : from_the_beginning)
            EXPECT_TRUE(seen.contains(o));
    }
}

} // namespace
