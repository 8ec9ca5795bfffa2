// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ring.h>
#include <rtmux/abi/rtos.h>
#include <rtos/semaphore.hpp>
#include <rtos/time.hpp>

// The RTOS's end of V-Bus (docs/vbus.md). At boot, in thread context or before the scheduler:
//
//   vbus::start(*exec);                        // format the region that exec->vbus points to
//   exec->ops->doorbell = vbus::doorbell;      // Linux -> RT
//   exec->ops->guest_state = ... vbus::guest_state(state) ...
//   vbus::Channel *demo = vbus::create({.name = "demo"});
//
// Nothing here waits for Linux except recv and peek, up to the deadline they are given.
namespace vbus {

enum class [[nodiscard]] Status{
    ok,
    timeout,  // nothing came before the deadline
    full,     // no room for the record now
    down,     // no guest is attached to the channel
    reset,    // the channel was reset: records under way are lost, and this call did nothing.
              // Told once, to the first call after it; the next one goes on
    too_long, // longer than a quarter of the ring, or than the buffer
    invalid,  // recv in an ISR or under an IrqLock
};

struct Message {
    uint16_t type;
    uint16_t flags;
    uint32_t length;    // of the payload
    uint64_t timestamp; // what the guest wrote
};

struct Options {
    const char *name;      // 1 to 15 of [a-z0-9_-]
    uint32_t priority = 0; // 0 is the most urgent
    uint32_t to_guest_bytes = 0x10000;
    uint32_t to_rt_bytes = 0x10000;
};

// One thread (or ISR) at a time sends, one thread at a time receives. All functions have a cost
// that depends on nothing but the length copied; IRQs are masked for constant stretches only.
class Channel {
  public:
    // Copy a record into the ring, stamped with the RT clock. Any context; never blocks.
    // full, down, reset, too_long.
    Status send(uint16_t type, uint16_t flags, const void *payload, uint32_t length);
    // Wait for a record and copy it out. Thread context. timeout, reset, invalid; too_long: the
    // record did not fit and is dropped, message.length says how long it was.
    Status recv(Message &message, void *buffer, uint32_t capacity, rtos::Time deadline = rtos::Time::never());

    // The same without a copy: build the payload in slot.payload (slot.length may shrink), commit.
    Status reserve(uint32_t length, vbus_slot &slot);
    Status commit(const vbus_slot &slot, uint16_t type, uint16_t flags);
    // Use message.payload in place, release. The guest can change the payload meanwhile.
    Status peek(vbus_message &message, rtos::Time deadline = rtos::Time::never());
    Status release(const vbus_message &message);

    const char *name() const { return entry_.name; }
    uint32_t max_length() const { return vbus_max_length(end_.tx_size); }
    // Any context; a field may be ahead of another.
    const vbus_stats &stats() const { return end_.stats; }

  private:
    friend Channel *create(const Options &options);
    friend void doorbell();
    friend void guest_state(uint32_t state);

    template <typename Step> vbus_result locked(Step step);
    bool saw_reset();
    void wake();

    vbus_channel entry_ = {};
    vbus_end end_ = {};
    rtos::Semaphore arrived_; // binary
    uint32_t generation_ = 0; // as last reported
};

inline constexpr uint32_t max_channels = 8;

// Format the region, once. invalid: not whole pages, or none.
Status start(const rtmux_exec &exec);
// Add a channel; it lasts. nullptr: a bad name or size, a name in use, or no room.
Channel *create(const Options &options);
// The channel of that name, or nullptr.
Channel *open(const char *name);

// The guest rang: take over its state and wake receivers. IRQs masked.
void doorbell();
// The guest came or went (RTMUX_GUEST_*): what it left in the rings is void. IRQs masked.
void guest_state(uint32_t state);

} // namespace vbus
