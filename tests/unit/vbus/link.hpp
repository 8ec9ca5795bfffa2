// SPDX-License-Identifier: GPL-2.0-only
// A region with one channel and both of its ends.
#pragma once

#include "ring_api.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace test {

// A block of the heap of just the size, so that ASan sees the first byte outside it.
struct FreeAligned {
    void operator()(uint8_t *memory) const { std::free(memory); }
};

struct End : vbus_end {
    const ring_api *api;

    explicit End(const ring_api &a) : vbus_end{}, api(&a) {}

    vbus_result send(const std::string &payload, uint16_t type = 1, uint16_t flags = 0, uint64_t stamp = 0) {
        vbus_slot slot;
        const auto length = static_cast<uint32_t>(payload.size());
        const vbus_result result = api->tx_begin(this, length, &slot);
        if (result != VBUS_OK)
            return result;
        std::memcpy(slot.payload, payload.data(), length);
        return api->tx_commit(this, &slot, type, flags, stamp);
    }

    vbus_result recv(std::string &payload, vbus_message &message) {
        const vbus_result result = api->rx_begin(this, &message);
        if (result != VBUS_OK)
            return result;
        payload.assign(static_cast<const char *>(message.payload), message.length);
        return api->rx_release(this, &message);
    }
    vbus_result recv(std::string &payload) {
        vbus_message message;
        return recv(payload, message);
    }
    vbus_result poll() { return api->poll_peer(this); }
};

struct Link {
    uint32_t size;
    std::unique_ptr<uint8_t, FreeAligned> memory;
    vbus_channel channel{};
    End rt, guest;

    // The ring to the RT side ends with the region.
    explicit Link(uint32_t to_guest = 4096, uint32_t to_rt = 4096, const ring_api &rt_api = ring_cpp,
                  const ring_api &guest_api = ring_c)
        : size(VBUS_PAGE + 128 + to_guest + to_rt),
          memory(static_cast<uint8_t *>(std::aligned_alloc(64, size))), rt(rt_api), guest(guest_api) {
        std::memset(memory.get(), 0, size);
        std::memcpy(channel.name, "demo", 5);
        channel.control = VBUS_PAGE;
        channel.guest_control = VBUS_PAGE + 64;
        channel.to_guest = vbus_ring_at(VBUS_PAGE + 128, to_guest);
        channel.to_rt = vbus_ring_at(VBUS_PAGE + 128 + to_guest, to_rt);
        vbus_format(memory.get(), size, 24'000'000, 1);
        vbus_add_channel(memory.get(), 0, &channel);
        rt_api.open(&rt, memory.get(), &channel, VBUS_RT);
    }

    void open_guest() { guest.api->open(&guest, memory.get(), &channel, VBUS_GUEST); }

    // Let both look at each other until both are up.
    bool meet() {
        for (int i = 0; i < 4; i++) {
            (void)rt.poll();
            (void)guest.poll();
        }
        return rt.up && guest.up;
    }

    bool attach() {
        open_guest();
        return meet();
    }

    // Move both ends to a position of the index, as if so much had gone through.
    static void set_position(End &from, End &to, uint32_t position) {
        from.head = from.published = from.peer_tail = from.mine->head = position;
        to.tail = to.peer_head = to.mine->tail = position;
        to.mine->head_event = position;
        from.mine->tail_event = position - 1;
    }
};

} // namespace test
