// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <rtos/wait_queue.hpp>

namespace rtos {

// A bounded queue of messages of up to a fixed size, each of a level: the highest level first,
// then the oldest. All operations are constant-time but for the copy of the message.
//
// Messages of up to copied_masked bytes are copied with IRQs masked, straight to a waiting receiver.
// Longer ones are copied with IRQs open: a thread terminated meanwhile takes the message's place in the
// queue with it.
class MessageQueue {
  public:
    static constexpr unsigned levels = 32; // 31 is the highest
    static constexpr size_t copied_masked = 256;
    static constexpr size_t longest = UINT16_MAX;

    // What stands before each message in the queue's memory.
    struct Header {
        Header *next;
        uint16_t length;
        uint8_t level;

        uint8_t *data() { return reinterpret_cast<uint8_t *>(this + 1); }
    };

    // Bytes that a message of up to maximum bytes takes in the queue's memory.
    static constexpr size_t slot_size(size_t maximum) {
        return sizeof(Header) + (maximum + alignof(Header) - 1) / alignof(Header) * alignof(Header);
    }

    // memory: capacity times slot_size(maximum) bytes, aligned like Header; outlives the queue.
    // maximum: up to longest.
    constexpr MessageQueue(void *memory, size_t maximum, uint32_t capacity,
                           WaitOrder order = WaitOrder::priority)
        : memory_(static_cast<uint8_t *>(memory)), maximum_(static_cast<uint32_t>(maximum)),
          capacity_(capacity), receivers_(order), senders_(order) {}
    ~MessageQueue() { close(); }

    // Append a message behind those of its level, or wait for room until the deadline. Thread context.
    // invalid: longer than the maximum, or no such level; timeout, would_block, interrupted, deleted.
    // (POSIX: mq_timedsend on the monotonic clock.)
    Status send(const void *message, size_t length, Time deadline = Time::never(), unsigned level = 0);
    // Append a message if there is room. Any context. invalid, full.
    Status try_send(const void *message, size_t length, unsigned level = 0);
    // The same, before all others. Any context. invalid, full.
    Status try_send_urgent(const void *message, size_t length);

    // Take the first message, or wait for one until the deadline; of one that is longer than room the
    // rest is lost. length: the bytes written. level: its level, if not null. Thread context.
    // timeout, would_block, interrupted, deleted. (POSIX: mq_timedreceive on the monotonic clock.)
    Status receive(void *buffer, size_t room, size_t &length, Time deadline = Time::never(),
                   unsigned *level = nullptr);
    // Take the first message if there is one. Any context. empty.
    Status try_receive(void *buffer, size_t room, size_t &length, unsigned *level = nullptr);

    // Call notify once, when the next message comes to the empty queue and no receiver waits: by the
    // sender, as in an ISR. Null: no more. Any context. (POSIX: mq_notify.)
    using Notify = void (*)(void *argument);
    void on_arrival(Notify notify, void *argument);

    // Drop all messages; waits end with result (RT-Thread: RT_IPC_CMD_RESET). Thread context.
    void reset(Status result = Status::interrupted);
    // Nobody must begin to use it any more; waits end with deleted. Thread context.
    void close();

    uint32_t count() const { return count_; }
    uint32_t capacity() const { return capacity_; }
    size_t maximum() const { return maximum_; }
    WaitQueue &receivers() { return receivers_; }
    WaitQueue &senders() { return senders_; }

  private:
    friend struct RtThreadView;

    struct Outgoing;
    struct Incoming;

    bool acceptable(size_t length, unsigned level) const;
    Status post(const void *message, size_t length, unsigned level);
    Status post_noticed(const void *message, size_t length, unsigned place);
    Status post_long(const void *message, size_t length, unsigned place);
    Status receive_slowly(void *buffer, size_t room, size_t &length, unsigned *level);
    // IRQs masked in the rest.
    Header *vacant() const;
    void occupy();
    void release(Header *slot);
    void link(Header *slot, size_t length, unsigned place);
    void announce();
    void unlink_first();
    void admit();

    uint8_t *const memory_;
    Header *head_ = nullptr;
    Header *free_ = nullptr; // places given back
    uint32_t occupied_ = 0;  // a bit for each level that has messages, the top bit for level 0
    Header *last_[levels]{}; // of each of them
    volatile uint32_t count_ = 0;
    uint32_t fresh_ = 0; // places never used yet: from this one on
    const uint32_t maximum_;
    const uint32_t capacity_;
    WaitQueue receivers_; // their data: an Incoming
    WaitQueue senders_;   // their data: an Outgoing
    Notify notify_ = nullptr;
    void *notify_argument_ = nullptr;
};

} // namespace rtos
