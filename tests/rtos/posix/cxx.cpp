// SPDX-License-Identifier: GPL-2.0-only
// libstdc++ in many threads.
#include "check.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Constructed {
    Constructed() : words{"before", "main"} {}
    std::vector<std::string> words;
} constructed;

void containers() {
    EQUAL(constructed.words.size(), 2);
    std::vector<int> v(1000);
    std::iota(v.begin(), v.end(), 0);
    std::reverse(v.begin(), v.end());
    std::sort(v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()));
    std::map<std::string, int> m;
    for (int i = 0; i < 100; ++i)
        m[std::to_string(i)] = i;
    EQUAL(m.at("42"), 42);
    std::string s;
    const std::function<void(char)> add = [&s](char c) { s += c; };
    for (char c = 'a'; c <= 'z'; ++c)
        add(c);
    EQUAL(s.size(), 26);
    const auto shared = std::make_shared<int>(7);
    const std::weak_ptr<int> weak = shared;
    EQUAL(*weak.lock(), 7);
    std::atomic<uint64_t> counter{1ull << 40};
    counter.fetch_add(2);
    CHECK(counter == (1ull << 40) + 2);
    CHECK(std::optional<int>{}.value_or(3) == 3);
}

int depth_of_throw(int depth) {
    const std::string keeps_a_destructor(static_cast<size_t>(depth + 20), 'x');
    if (depth == 0)
        throw std::runtime_error(keeps_a_destructor);
    return depth_of_throw(depth - 1) + 1;
}

void *throw_many(void *) {
    for (int i = 0; i < 100; ++i) {
        try {
            depth_of_throw(i % 10);
            CHECK(!"not reached");
        } catch (const std::exception &e) {
            EQUAL(std::string(e.what()).size(), 20);
            sched_yield(); // another thread's exception is in flight meanwhile
            try {
                throw;
            } catch (const std::runtime_error &again) {
                CHECK(&again == &e);
            }
        }
    }
    return nullptr;
}

void exceptions() {
    CHECK(std::uncaught_exceptions() == 0);
    pthread_t t[3];
    for (pthread_t &i : t)
        i = start(throw_many, nullptr, TEST_PRIORITY);
    for (const pthread_t i : t)
        join(i);
    bool caught = false;
    try {
        volatile size_t too_much = 1u << 30;
        const std::unique_ptr<char[]> array(new char[too_much]);
        CHECK(array[0] == 0);
    } catch (const std::bad_alloc &) {
        caught = true;
    }
    CHECK(caught);
    try {
        (void)std::vector<int>().at(1);
        CHECK(!"not reached");
    } catch (const std::out_of_range &) {
    }
}

std::atomic<int> constructions;

struct Slow {
    Slow() {
        sleep_ms(5);
        ++constructions;
    }
    int value = 3;
};

void *use_static(void *) {
    static Slow slow;
    EQUAL(slow.value, 3);
    EQUAL(constructions, 1);
    return nullptr;
}

void statics() {
    constructions = 0;
    pthread_t t[3];
    for (pthread_t &i : t)
        i = start(use_static, nullptr, TEST_PRIORITY);
    for (const pthread_t i : t)
        join(i);
    EQUAL(constructions, 1);

    // One whose constructor throws is constructed anew.
    static int attempts;
    struct Throws {
        Throws() {
            if (++attempts == 1)
                throw attempts;
        }
    };
    for (int i = 0; i < 2; ++i) {
        try {
            static Throws t;
            EQUAL(i, 1);
        } catch (int) {
            EQUAL(i, 0);
        }
    }
    EQUAL(attempts, 2);
}

std::atomic<int> destroyed;

struct Local {
    ~Local() { ++destroyed; }
    int value = 5;
};

thread_local int zero;
thread_local int initial = 17;
thread_local Local local;

void *use_locals(void *) {
    EQUAL(zero, 0);
    EQUAL(initial, 17);
    EQUAL(local.value, 5);
    ++zero;
    ++initial;
    ++local.value;
    sched_yield();
    EQUAL(zero, 1);
    EQUAL(initial, 18);
    EQUAL(local.value, 6);
    return nullptr;
}

void thread_locals() {
    destroyed = 0;
    pthread_t t[3];
    for (pthread_t &i : t)
        i = start(use_locals, nullptr, TEST_PRIORITY);
    for (const pthread_t i : t)
        join(i);
    EQUAL(destroyed, 3);
    EQUAL(zero, 0);
}

} // namespace

extern "C" const test cxx_tests[] = {
    {"containers", containers},       {"exceptions", exceptions}, {"statics", statics},
    {"thread_locals", thread_locals}, {nullptr, nullptr},
};
