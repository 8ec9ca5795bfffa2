// SPDX-License-Identifier: GPL-2.0-only
// A peer that rewrites the shared memory between any two loads of it. To be included before the
// ring, which then loads through it: one translation unit per program. Unit test and fuzzer share it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include <rtmux/vbus.h>

namespace test {

struct Hostile {
    uint8_t *memory = nullptr; // nullptr: no interference
    uint32_t size = 0;
    std::function<uint32_t()> next; // the source of its choices
    std::function<void()> behave;   // do what a correct peer would do to be up
    vbus_side *line = nullptr;      // the peer's
    const vbus_side *victim = nullptr;
    uint32_t *rx = nullptr; // the ring it sends on
    uint32_t rx_size = 0;
    unsigned loads = 0; // since the last reset to 0
    std::function<void()> on_load;

    // Values that pass a careless check, and values that do not.
    uint32_t plausible() {
        switch (next() % 8) {
        case 0:
            return victim->head + 8 * (next() % 16);
        case 1:
            return victim->tail + 8 * (next() % 16);
        case 2:
            return victim->tail + rx_size + next() % 16 - 8;
        case 3:
            return victim->epoch + next() % 3 - 1;
        case 4:
            return next() % (rx_size / 2);
        case 5:
            return VBUS_SKIP;
        case 6:
            return 0xffffffe0 + next() % 32;
        default:
            return next();
        }
    }

    void act() {
        loads++;
        if (on_load)
            on_load();
        if (!memory)
            return;
        switch (next() % 16) {
        case 0:
            reinterpret_cast<uint32_t *>(line)[next() % 6] = plausible();
            break;
        case 1:
            line->head = plausible();
            break;
        case 2:
            line->tail = plausible();
            break;
        case 3:
            rx[next() % (rx_size / 4)] = plausible();
            break;
        case 4:
            rx[victim->tail % rx_size / 4] = plausible();
            break;
        case 5:
            reinterpret_cast<uint32_t *>(memory)[next() % (size / 4)] = plausible();
            break;
        case 6:
        case 7:
        case 8:
            behave();
            break;
        default:
            break;
        }
    }
};

inline Hostile hostile; // there is one, as the loads find it by name

inline uint32_t hostile_load(const uint32_t *word) {
    hostile.act();
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

// Stores can be kept back, to be made one by one between the loads of the other side.
struct Store {
    uint32_t *word;
    uint32_t value;
    void make() const { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
};
inline std::vector<Store> *kept_back = nullptr;

inline void hostile_store(uint32_t *word, uint32_t value) {
    if (kept_back)
        kept_back->push_back({word, value});
    else
        Store{word, value}.make();
}

} // namespace test

#define vbus_load(word, order) test::hostile_load(word)
#define vbus_store(word, value, order) test::hostile_store(word, value)
#include <region.h>

namespace test {

// Drives one end through `steps` random operations beside the hostile peer. Returns nullptr, or
// what went wrong. ASan watches the accesses: both rings are at the end of a block of their own.
inline const char *drive(std::function<uint32_t()> next, unsigned steps, vbus_stats &stats) {
    const uint32_t ring = 64u << next() % 4, rt_first = next() % 2;
    const uint32_t size = VBUS_PAGE + 128 + 2 * ring;
    const std::unique_ptr<uint8_t, decltype(&std::free)> block(
        static_cast<uint8_t *>(std::aligned_alloc(64, size)), &std::free);
    uint8_t *memory = block.get();
    std::memset(memory, 0, size);
    vbus_format(memory, size, 24'000'000, 1);
    vbus_channel channel = {}, copy;
    std::memcpy(channel.name, "demo", 5);
    channel.control = VBUS_PAGE;
    channel.guest_control = VBUS_PAGE + 64;
    channel.to_guest = vbus_ring_at(VBUS_PAGE + 128 + (rt_first ? ring : 0), ring);
    channel.to_rt = vbus_ring_at(VBUS_PAGE + 128 + (rt_first ? 0 : ring), ring);
    vbus_add_channel(memory, 0, &channel);

    vbus_end end = {};
    const bool guest = next() % 2; // the peer can be either side
    vbus_open_channel(&end, memory, &channel, guest ? VBUS_GUEST : VBUS_RT);
    auto *lines = reinterpret_cast<vbus_side *>(memory + channel.control);
    vbus_side &peer = lines[!guest];
    hostile = Hostile{};
    hostile.memory = memory;
    hostile.size = size;
    hostile.next = next;
    hostile.line = &peer;
    hostile.victim = &lines[guest];
    hostile.rx = reinterpret_cast<uint32_t *>(memory + (guest ? channel.to_guest : channel.to_rt).offset);
    hostile.rx_size = ring;
    hostile.behave = [&] { // one record at the victim's tail, everything consumed
        peer.epoch = end.peer_epoch ? end.peer_epoch : 1;
        peer.peer_epoch = end.epoch;
        peer.tail = end.head;
        const uint32_t length = next() % (ring / 4 + 1), gap = vbus_gap(end.tail, ring);
        const bool skip = gap < vbus_record_size(length);
        hostile.rx[end.tail % ring / 4] = skip ? VBUS_SKIP : length;
        if (skip)
            hostile.rx[0] = length;
        peer.head = end.tail + vbus_record_size(length) + (skip ? gap : 0);
    };
    struct Off {
        ~Off() { hostile = Hostile{}; }
    } off;

    const auto inside = [](const void *base, const void *payload, uint32_t length, uint32_t ring_size) {
        const auto offset = static_cast<const uint8_t *>(payload) - static_cast<const uint8_t *>(base);
        return offset >= 16 && offset % 8 == 0 && offset + length <= ring_size;
    };
    vbus_slot slot = {};
    vbus_message message = {};
    bool reserved = false, peeked = false;
    for (unsigned step = 0; step < steps; step++) {
        const vbus_stats before = end.stats;
        const uint32_t generation = end.generation;
        hostile.loads = 0;
        switch (next() % 8) {
        case 0:
        case 1:
            reserved = vbus_tx_begin(&end, next() % (ring / 4 + 2), &slot) == VBUS_OK;
            if (reserved && !inside(end.tx, slot.payload, slot.length, ring))
                return "slot outside the ring";
            break;
        case 2:
            if (!reserved)
                break;
            std::memset(slot.payload, 0x5a, slot.length);
            if (vbus_tx_put(&end, &slot, 1, 2, 3) == VBUS_OK && next() % 2)
                vbus_tx_publish(&end);
            reserved = false;
            break;
        case 3:
        case 4:
            peeked = vbus_rx_begin(&end, &message) == VBUS_OK;
            if (peeked && !inside(end.rx, message.payload, message.length, ring))
                return "message outside the ring";
            break;
        case 5:
            if (!peeked)
                break;
            for (uint32_t i = 0; i < message.length; i++)
                (void)static_cast<const volatile uint8_t *>(message.payload)[i];
            if (next() % 2 && vbus_rx_next(&end, &message) == VBUS_OK &&
                !inside(end.rx, message.payload, message.length, ring))
                return "the next message outside the ring";
            (void)vbus_rx_release(&end, &message);
            peeked = false;
            break;
        case 6:
            (void)vbus_tx_wait(&end, next() % (ring / 4 + 2));
            (void)vbus_rx_wait(&end, &message);
            peeked = false;
            break;
        default:
            (void)vbus_poll_peer(&end);
            if (hostile.loads > 6)
                break;
            if (vbus_read_channel(memory, size, next() % (VBUS_MAX_CHANNELS + 1), &copy) &&
                !vbus_valid_channel(&copy, size))
                return "an unchecked channel";
            hostile.loads = 0;
        }
        if (hostile.loads > 24)
            return "more loads than a constant";
        if (end.stats.violations > before.violations && end.generation == generation)
            return "a violation without a reset";
        if (end.head % 8 || end.tail % 8)
            return "a position between records";
    }
    stats = end.stats;
    return nullptr;
}

} // namespace test
