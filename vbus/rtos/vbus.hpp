// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ring.h>
#include <rtmux/abi/rtos.h>
#include <rtos/thread.hpp>
#include <rtos/time.hpp>
#include <rtos/wait_queue.hpp>

// The RTOS's end of V-Bus (docs/vbus.md); <vbus.h> is the same in C. At boot, in thread context:
//
//   vbus::start(*exec);                        // format the region that exec->vbus points to
//   exec->ops->doorbell = vbus::doorbell;      // Linux -> RT
//   exec->ops->guest_state = ... vbus::guest_state(state) ...
//   vbus::Channel *demo = vbus::create({.name = "demo"});
//
// Nothing here waits for Linux but what is given a deadline.
namespace vbus {

enum class [[nodiscard]] Status{
    ok,
    timeout,  // nothing came, or no room was made, before the deadline
    full,     // no room for the record now
    down,     // no guest is attached to the channel
    reset,    // the channel was reset: records under way may be lost, and this call did nothing.
              // Told to all who wait, and once to the first call of each direction after it; then go on
    too_long, // longer than a quarter of the ring, or than the buffer
    busy,     // somebody else is between reserve and commit
    invalid,  // to wait in an ISR, under an IrqLock or with the scheduler locked
    interrupted,
};

struct Message {
    uint16_t type;
    uint16_t flags;
    uint32_t length;    // of the payload
    uint64_t timestamp; // what the guest wrote
};

struct Ring {
    uint32_t bytes = 0x4000; // power of two, from 64
    uint32_t high = 0;       // watermarks; 0: bytes, and half of it
    uint32_t low = 0;
};

struct Options {
    const char *name;       // 1 to 15 of [a-z0-9_-]
    uint32_t priority = 16; // 0 is the most urgent
    uint32_t flags = 0;     // VBUS_CHANNEL_*
    Ring to_guest = {};
    Ring to_rt = {};
};

// A deadline that has always passed: do not wait. Then a call is allowed in any context, ISRs included.
inline constexpr rtos::Time no_wait{};

// Any number of threads may receive: a record goes to one of them. One thread or ISR at a time sends; another
// one that comes between its reserve and commit is told busy, or waits. All functions have a cost that
// depends on nothing but the length copied, IRQs are masked for constant stretches only.
class Channel {
  public:
    // Copy a record into the ring, stamped with the RT clock; wait for room, for the guest to be
    // there, and for the ring to drain to its low watermark until the deadline.
    // full, down, busy (without a deadline), timeout, reset, too_long, invalid, interrupted.
    Status send(uint16_t type, uint16_t flags, const void *payload, uint32_t length,
                rtos::Time deadline = no_wait);
    // Wait for a record and copy it out. timeout, reset, invalid, interrupted; too_long: the
    // record did not fit and is dropped, message.length says how long it was.
    Status recv(Message &message, void *buffer, uint32_t capacity, rtos::Time deadline = rtos::Time::never());

    // The same without a copy: build the payload in slot.payload (slot.length may shrink), commit, or
    // give the slot back. A batch: put instead of commit, then publish; the guest sees all of it at once.
    Status reserve(uint32_t length, vbus_slot &slot, rtos::Time deadline = no_wait);
    Status commit(const vbus_slot &slot, uint16_t type, uint16_t flags);
    Status put(const vbus_slot &slot, uint16_t type, uint16_t flags);
    void publish();
    void cancel(const vbus_slot &slot);
    // Use message.payload in place, release. The guest can change the payload meanwhile. A batch:
    // next makes of message the record behind it (timeout: there is none), release the last one.
    // release: busy if another receiver had the record, too, and was first.
    Status peek(vbus_message &message, rtos::Time deadline = rtos::Time::never());
    Status next(vbus_message &message);
    Status release(const vbus_message &message);

    // Called when a record has come, or the channel was reset, in the doorbell's interrupt: IRQs masked.
    // It may receive and send without waiting. Called again only for what comes after the channel was
    // found empty. Null: nobody. Any context.
    using Arrival = void (*)(void *argument, Channel &channel);
    void on_arrival(Arrival arrival, void *argument);

    // The same when there is room again, or the channel was reset, after writable() was false.
    void on_room(Arrival room, void *argument);

    // For poll: would recv, or a send of any length that can wait, return at once? Those in the queue
    // are woken when it may have become so. Any context.
    bool readable();
    bool writable();
    bool up() const { return end_.up; }

    const char *name() const { return entry_.name; }
    uint32_t flags() const { return entry_.flags; }
    uint32_t index() const { return index_; }
    uint32_t max_length() const { return vbus_max_length(end_.tx_size); }
    uint32_t max_received() const { return vbus_max_length(end_.rx_size); }
    // Room that the guest has given back and nothing was put into, in bytes. Any context.
    uint32_t credit() const { return end_.tx_size - vbus_tx_used(&end_); }
    // Any context; a field may be ahead of another.
    const vbus_stats &stats() const { return end_.stats; }

    void *user = nullptr; // the one interface above's that opened it

  private:
    friend class Bus;

    void ring();
    void doorbell();
    void wake_all(const rtos::IrqLock &lock);
    void changed();
    bool told(uint32_t &generation, uint32_t entered, rtos::WaitQueue &waiters);
    bool send_short(uint16_t type, uint16_t flags, const void *payload, uint32_t length);
    vbus_result try_reserve(uint32_t length, vbus_slot &slot, bool waits);

    vbus_channel entry_ = {};
    vbus_end end_ = {};
    rtos::WaitQueue readers_, writers_;
    Arrival arrival_ = nullptr;
    void *argument_ = nullptr;
    Arrival room_ = nullptr;
    void *room_argument_ = nullptr;
    uint32_t index_ = 0;
    uint32_t told_receiver_ = 0, told_sender_ = 0; // the generation, as last reported
    bool awaits_room_ = false;                     // writable() has said no
    bool reserved_ = false;                        // somebody is between reserve and commit
};

inline constexpr uint32_t max_channels = 16;

// Format the region, once. invalid: not whole pages, or none.
Status start(const rtmux_exec &exec);
// Add a channel; it lasts. nullptr: a bad name or size, a name in use, or no room. Thread context, one
// thread at a time.
Channel *create(const Options &options);
// The channel of that name, or nullptr; number index of those there are. Any context.
Channel *open(const char *name);
Channel *channel(uint32_t index);
// Start the RT side anew: every channel is closed, and opened again in a region formatted anew; what
// was under way is lost, and reported as such to both sides. Thread context.
void restart();

// What the guest did to the bus as a whole. Any context.
struct Counters {
    uint32_t unknown_doorbells; // for channels that are not there
    uint32_t repairs;           // the header or the directory was overwritten, and formatted again
};
const Counters &counters();

// The guest rang for a channel, as it says: take over its state and wake who waits. IRQs masked.
void doorbell(uint32_t channel);
// The guest came or went (RTMUX_GUEST_*): what it left in the rings is void. IRQs masked.
void guest_state(uint32_t state);

} // namespace vbus
