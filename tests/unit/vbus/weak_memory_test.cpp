// SPDX-License-Identifier: GPL-2.0-only
// Every execution of small cases on the weakest memory: each record once and in order, or its loss
// told; nothing of a former life; nobody asleep beside a record or beside room.
#include "weak_memory.hpp"

#include <gtest/gtest.h>

namespace {

using weak::Explorer;

// A channel with rings of 64 bytes: two records of 24 bytes, or one with a skip, and it is full.
struct Channel {
    alignas(64) uint32_t memory[64] = {};
    vbus_end ends[2] = {};

    explicit Channel(uint32_t start = 0, bool met = true) {
        auto *lines = reinterpret_cast<vbus_side *>(memory);
        for (unsigned s = 0; s < 2; s++) {
            vbus_end &end = ends[s];
            end.mine = &lines[s];
            end.peer = &lines[!s];
            end.tx = &memory[s == 0 ? 32 : 48];
            end.rx = &memory[s == 0 ? 48 : 32];
            end.tx_size = end.rx_size = end.tx_high = 64;
            end.tx_low = 32;
            if (s == 0 || met)
                vbus_end_open(&end);
        }
        for (int i = 0; i < 3 && met; i++)
            for (vbus_end &end : ends)
                (void)vbus_poll_peer(&end);
        for (unsigned s = 0; s < 2 && met; s++) { // as if so much had gone through
            vbus_end &end = ends[s];
            end.head = end.published = end.peer_tail = end.mine->head = start;
            end.tail = end.peer_head = end.mine->tail = start;
            end.mine->head_event = start;
            end.mine->tail_event = start - 1;
        }
        for (vbus_end &end : ends)
            (void)vbus_take_doorbell(&end);
    }
};

// What a side did: its program writes this anew in every run.
struct Log {
    std::vector<uint32_t> sent, received;
    std::vector<bool> reset_before; // received[i] came after a reset that was told
    std::string wrong;
    vbus_stats stats{};
};

// One side's end while its program runs, and what its programs are made of.
class Actor {
  public:
    Actor(const vbus_end &end, unsigned side, Log &log)
        : end_(end), side_(side), log_(log), seen_(end.generation) {
        log = {};
    }
    Actor(const Actor &) = delete;
    ~Actor() { log_.stats = end_.stats; }

    vbus_result put(uint32_t number) {
        vbus_slot slot;
        const vbus_result result = vbus_tx_begin(&end_, 8, &slot);
        if (result == VBUS_OK) {
            auto *words = static_cast<uint32_t *>(slot.payload);
            vbus_store(&words[0], number, RELAXED);
            vbus_store(&words[1], life(end_.epoch, end_.peer_epoch), RELAXED);
            if (vbus_tx_put(&end_, &slot, 1, 0, number) == VBUS_OK)
                log_.sent.push_back(number);
        }
        return result;
    }
    vbus_result send(uint32_t number) {
        const vbus_result result = put(number);
        publish();
        return result;
    }
    void publish() {
        vbus_tx_publish(&end_);
        ring();
    }
    // Until it is sent, asleep while there is no room.
    void send_waiting(uint32_t number) {
        for (;;) {
            checkpoint(number);
            const vbus_result result = send(number);
            if (result == VBUS_OK)
                return;
            if (result != VBUS_RESET)
                sleep_unless([&] { return vbus_tx_wait(&end_, 8); });
        }
    }

    vbus_result receive() {
        vbus_message message;
        vbus_result result = vbus_rx_begin(&end_, &message);
        if (result == VBUS_OK) {
            take(message);
            result = vbus_rx_release(&end_, &message);
        }
        ring();
        return result;
    }
    // All that is there by one release.
    vbus_result receive_batch() {
        vbus_message message;
        vbus_result result = vbus_rx_begin(&end_, &message);
        if (result != VBUS_OK) {
            ring();
            return result;
        }
        do
            take(message);
        while (vbus_rx_next(&end_, &message) == VBUS_OK);
        result = vbus_rx_release(&end_, &message);
        ring();
        return result;
    }
    // Until record `number` has come, asleep while there is none.
    void receive_until(uint32_t number, bool batch = false) {
        vbus_message message;
        while ((log_.received.empty() || log_.received.back() != number) && log_.wrong.empty()) {
            checkpoint(100 + number);
            const vbus_result result = batch ? receive_batch() : receive();
            if (result == VBUS_AGAIN || result == VBUS_DOWN)
                sleep_unless([&] { return vbus_rx_wait(&end_, &message); });
        }
    }
    // By doorbells alone.
    template <typename Condition> void wait_until(Condition condition) {
        for (; !condition(end_); checkpoint(200))
            sleep_unless([&] {
                (void)vbus_poll_peer(&end_);
                return condition(end_) ? VBUS_OK : VBUS_AGAIN;
            });
    }

    vbus_result look_for_room() {
        const vbus_result result = vbus_tx_wait(&end_, 8);
        ring();
        return result;
    }
    void reset() {
        vbus_end_reset(&end_);
        ring();
    }
    void close() {
        vbus_end_close(&end_);
        ring();
    }
    void open() {
        vbus_end_open(&end_);
        ring();
    }
    // All that this side is. `step`: where its program is.
    void checkpoint(uint32_t step) {
        uint64_t hash = weak::mix(step, rung_);
        for (const uint32_t word : {end_.epoch, end_.peer_epoch, end_.head, end_.published, end_.tail,
                                    end_.peer_head, end_.peer_tail, end_.generation, seen_})
            hash = weak::mix(hash, word);
        hash = weak::mix(hash, end_.up + 2u * end_.doorbell + 4u * end_.congested +
                                   (end_.stats.violations ? 8u : 0u));
        for (const auto *numbers : {&log_.sent, &log_.received})
            for (const uint32_t number : *numbers)
                hash = weak::mix(hash, number + 1);
        for (const bool reset : log_.reset_before)
            hash = weak::mix(hash, reset);
        weak::checkpoint(weak::mix(hash, log_.wrong.size()));
    }

  private:
    static uint32_t life(uint32_t of_sender, uint32_t of_receiver) { return of_sender << 16 | of_receiver; }

    void ring() {
        if (vbus_take_doorbell(&end_))
            weak::ring(side_, rung_++);
    }

    template <typename Look> void sleep_unless(Look look) {
        const uint32_t before = weak::bells(!side_);
        const vbus_result result = look();
        ring();
        if (result == VBUS_AGAIN || result == VBUS_DOWN)
            weak::sleep(!side_, before);
    }

    void take(const vbus_message &message) {
        const auto *words = static_cast<const uint32_t *>(message.payload);
        const uint32_t number = vbus_load(&words[0], RELAXED), lives = vbus_load(&words[1], RELAXED);
        if (message.length != 8 || message.timestamp != number || message.type != 1)
            log_.wrong = "another record than was sent";
        if (lives != life(end_.peer_epoch, end_.epoch))
            log_.wrong = "a record of a former life";
        log_.received.push_back(number);
        log_.reset_before.push_back(seen_ != end_.generation);
        seen_ = end_.generation;
    }

    vbus_end end_;
    const unsigned side_;
    Log &log_;
    uint32_t rung_ = 0;
    uint32_t seen_;
};

// In order, and nothing missing unless a reset was told in between.
std::string in_order(const Log &sender, const Log &receiver) {
    if (!receiver.wrong.empty())
        return receiver.wrong;
    size_t at = 0;
    for (size_t i = 0; i < receiver.received.size(); i++) {
        const size_t from = at;
        while (at < sender.sent.size() && sender.sent[at] != receiver.received[i])
            at++;
        if (at == sender.sent.size())
            return "a record twice, out of order, or never sent";
        if (at != from && !receiver.reset_before[i])
            return "a record was lost, and no reset told";
        at++;
    }
    return "";
}

struct Case {
    Channel channel;
    Log logs[2];
    size_t states = 0, ends = 0;

    explicit Case(uint32_t start = 0, bool met = true) : channel(start, met) {}

    using Program = std::function<void(Actor &)>;
    // complete: all that was sent must have arrived, as nobody resets.
    std::string explore(Program rt, Program guest, bool complete) {
        const auto run = [this](unsigned side, const Program &program) {
            return [this, side, program] {
                Actor actor(channel.ends[side], side, logs[side]);
                program(actor);
            };
        };
        Explorer explorer(channel.memory, run(0, rt), run(1, guest),
                          [this, complete](Explorer &e, bool ended) {
                              e.replay(0);
                              e.replay(1);
                              if (!ended)
                                  return std::string("asleep for ever");
                              if (logs[0].stats.violations + logs[1].stats.violations)
                                  return std::string("a violation between correct ends");
                              for (unsigned s = 0; s < 2; s++) {
                                  if (const std::string wrong = in_order(logs[s], logs[!s]); !wrong.empty())
                                      return wrong;
                                  if (complete && logs[s].sent.size() != logs[!s].received.size())
                                      return std::string("a record was lost");
                              }
                              return std::string();
                          });
        const std::string wrong = explorer.run();
        states = explorer.states();
        ends = explorer.ends();
        return wrong;
    }
};

constexpr uint32_t starts[] = {0, 24, 40, 48, 0xffffffe0};

void send_numbers(Actor &a, uint32_t count) {
    for (uint32_t i = 1; i <= count; i++)
        a.send_waiting(i);
}
bool was_reset(const vbus_end &end) {
    return end.generation != 0;
}
bool is_up(const vbus_end &end) {
    return end.up;
}

std::string two_records(Case &c) {
    return c.explore([](Actor &a) { send_numbers(a, 2); }, [](Actor &a) { a.receive_until(2); }, true);
}
std::string full_ring(Case &c) {
    return c.explore([](Actor &a) { send_numbers(a, 3); }, [](Actor &a) { a.receive_until(3); }, true);
}
std::string both_directions(Case &c) {
    return c.explore(
        [](Actor &a) {
            a.send_waiting(1);
            a.receive_until(1);
            a.send_waiting(2);
        },
        [](Actor &a) {
            a.send_waiting(1);
            a.receive_until(2);
        },
        true);
}
std::string batches(Case &c) {
    return c.explore(
        [](Actor &a) {
            (void)a.put(1);
            (void)a.put(2);
            a.publish();
            a.send_waiting(3);
        },
        [](Actor &a) { a.receive_until(3, true); }, true);
}
// Nobody waits in these: a receiver that looked at the wrong moment may find nothing, but nothing wrong.
std::string sender_resets(Case &c) {
    return c.explore(
        [](Actor &a) {
            (void)a.send(1);
            a.reset();
            (void)a.send(2);
            (void)a.send(3);
        },
        [](Actor &a) {
            (void)a.receive();
            (void)a.receive();
        },
        false);
}
std::string receiver_resets(Case &c) {
    return c.explore(
        [](Actor &a) {
            (void)a.send(1);
            (void)a.send(2);
            (void)a.look_for_room();
            (void)a.send(3);
        },
        [](Actor &a) {
            (void)a.receive();
            a.reset();
            (void)a.receive();
        },
        false);
}
std::string receiver_reopens(Case &c) {
    return c.explore(
        [](Actor &a) {
            (void)a.look_for_room();
            (void)a.send(1);
        },
        [](Actor &a) {
            a.close();
            a.open();
            (void)a.receive();
        },
        false);
}
std::string both_reset(Case &c) {
    return c.explore(
        [](Actor &a) {
            a.reset();
            a.wait_until(is_up);
        },
        [](Actor &a) {
            a.reset();
            a.wait_until(is_up);
        },
        false);
}
// By doorbells alone both learn of it, and a record gets through.
std::string told_by_doorbells(Case &c) {
    return c.explore(
        [](Actor &a) {
            a.wait_until(was_reset);
            a.send_waiting(1);
        },
        [](Actor &a) {
            a.reset();
            a.receive_until(1);
        },
        true);
}
std::string first_meeting(Case &c) {
    return c.explore([](Actor &a) { a.send_waiting(1); },
                     [](Actor &a) {
                         a.open();
                         a.receive_until(1);
                     },
                     true);
}

struct Named {
    const char *name;
    std::string (*explore)(Case &);
    bool met = true;
    unsigned positions = 5; // of `starts`: where the end of the ring matters
};
constexpr Named cases[] = {
    {"two_records", two_records},
    {"full_ring", full_ring},
    {"both_directions", both_directions},
    {"batches", batches},
    {"sender_resets", sender_resets},
    {"receiver_resets", receiver_resets},
    {"receiver_reopens", receiver_reopens, true, 1},
    {"both_reset", both_reset, true, 1},
    {"told_by_doorbells", told_by_doorbells, true, 1},
    {"first_meeting", first_meeting, false, 1},
};

class WeakMemory : public testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(Cases, WeakMemory, testing::ValuesIn(cases),
                         [](const auto &i) { return std::string(i.param.name); });

TEST_P(WeakMemory, Holds) {
    size_t states = 0, ends = 0;
    for (unsigned i = 0; i < GetParam().positions; i++) {
        Case c(starts[i], GetParam().met);
        ASSERT_EQ(GetParam().explore(c), "") << "from position " << starts[i];
        states += c.states;
        ends += c.ends;
    }
    std::printf("%zu states, %zu different ends\n", states, ends);
    EXPECT_GT(ends, 1u);
}

// The orders that the ring asks for are needed: without any one of them something breaks.
TEST(WeakMemoryOrders, AreNeeded) {
    const struct {
        const char *what;
        int order, instead;
    } weaker[] = {
        {"sequentially consistent", __ATOMIC_SEQ_CST, __ATOMIC_ACQ_REL},
        {"release", __ATOMIC_RELEASE, __ATOMIC_RELAXED},
        {"acquire", __ATOMIC_ACQUIRE, __ATOMIC_RELAXED},
    };
    for (const auto &w : weaker) {
        weak::weakened = w.order;
        weak::weakened_to = w.instead;
        std::string found;
        for (const Named &named : {cases[0], cases[4], cases[5]}) {
            const int order = weak::weakened;
            weak::weakened = -1;
            Case c(0, named.met);
            weak::weakened = order;
            const std::string wrong = named.explore(c);
            if (!wrong.empty()) {
                found = std::string(named.name) + ": " + wrong;
                break;
            }
        }
        EXPECT_NE(found, "") << w.what;
        std::printf("without %s: %s\n", w.what, found.c_str());
    }
    weak::weakened = -1;
}

// The marks of what rang, and a guest that looks only at what is marked.
TEST(WeakMemoryMarks, NoChannelIsOverlooked) {
    alignas(64) static uint32_t memory[64];
    for (uint32_t &word : memory)
        word = 0;
    auto *header = reinterpret_cast<vbus_header *>(memory);
    header->guest.features = VBUS_FEATURE_RUNG;
    uint32_t *work = &memory[4]; // in place of heads
    constexpr uint32_t last[] = {2, 1};
    weak::first_data = weak::first_bell;
    Explorer explorer(
        memory,
        [&] {
            uint32_t rung[2] = {}, rings = 0;
            for (const unsigned channel : {0, 1, 0}) {
                const uint32_t value = channel == 0 && rings + rung[0] != 0 ? 2 : 1;
                vbus_store(&work[channel], value, SEQ_CST);
                if (vbus_mark_rung(memory, rung, channel))
                    weak::ring(0, rings++);
            }
        },
        [&] {
            uint32_t seen[2] = {};
            while (seen[0] != last[0] || seen[1] != last[1]) {
                const uint32_t before = weak::bells(0);
                const uint32_t marked = vbus_take_rung(memory, 0);
                for (unsigned channel = 0; channel < 2; channel++)
                    if (marked >> channel & 1)
                        seen[channel] = vbus_load(&work[channel], SEQ_CST);
                if (seen[0] != last[0] || seen[1] != last[1])
                    weak::sleep(0, before);
            }
        },
        [](Explorer &, bool ended) { return std::string(ended ? "" : "a channel is overlooked"); });
    EXPECT_EQ(explorer.run(), "");
    std::printf("%zu states\n", explorer.states());
    weak::first_data = 32;
}

} // namespace
