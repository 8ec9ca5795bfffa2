// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

#include <rtos/irq_lock.hpp>
#include <rtos/wait_queue.hpp>

namespace rtos {

// A bounded queue of words. A message for a waiting receiver is handed to it directly, and so is
// room to a waiting sender: nobody can come in between.
class Mailbox {
  public:
    using Message = uintptr_t;

    // slots: memory for capacity messages, at least 1; outlives the mailbox.
    constexpr Mailbox(Message *slots, uint32_t capacity, WaitOrder order = WaitOrder::priority)
        : slots_(slots), end_(slots + capacity), in_(slots), out_(slots), capacity_(capacity),
          receivers_(order), senders_(order) {}
    ~Mailbox() { close(); }

    // Append a message, or wait for room until the deadline. Thread context. timeout, would_block,
    // interrupted, deleted.
    Status send(Message message, Time deadline = Time::never());
    // Append a message if there is room. Any context. full.
    Status try_send(Message message) {
        {
            const IrqMask masked;
            if (receivers_.empty()) [[likely]] {
                if (count_ == capacity_)
                    return Status::full;
                append(message);
                return Status::ok;
            }
        }
        return hand_over(message);
    }
    // The same, before all others: the next to be received. Any context. full.
    Status try_send_urgent(Message message);

    // Take the first message, or wait for one until the deadline. Thread context. timeout,
    // would_block, interrupted, deleted.
    Status receive(Message &message, Time deadline = Time::never());
    // Take the first message if there is one. Any context. empty.
    Status try_receive(Message &message) {
        {
            const IrqMask masked;
            if (count_ == 0)
                return Status::empty;
            if (senders_.empty()) [[likely]] {
                message = take();
                return Status::ok;
            }
        }
        return take_and_admit(message);
    }

    // Drop all messages; waits end with result (RT-Thread: RT_IPC_CMD_RESET). Thread context.
    void reset(Status result = Status::interrupted);
    // Nobody must begin to use it any more; waits end with deleted. Thread context.
    void close();

    uint32_t count() const { return count_; }
    uint32_t capacity() const { return capacity_; }
    WaitQueue &receivers() { return receivers_; }
    WaitQueue &senders() { return senders_; }

  private:
    friend struct RtThreadView;

    Status hand_over(Message message);
    Status take_and_admit(Message &message);
    // IRQs masked; there is room, there is a message.
    void append(Message message) {
        Message *const in = in_;
        *in = message;
        in_ = in + 1 == end_ ? slots_ : in + 1;
        count_ = count_ + 1;
    }
    Message take() {
        Message *const out = out_;
        out_ = out + 1 == end_ ? slots_ : out + 1;
        count_ = count_ - 1;
        return *out;
    }

    Message *const slots_;
    Message *const end_;
    Message *in_;
    Message *out_;
    volatile uint32_t count_ = 0;
    const uint32_t capacity_;
    WaitQueue receivers_; // their data: where the message goes (Message *)
    WaitQueue senders_;   // their data: the message (const Message *)
};

} // namespace rtos
