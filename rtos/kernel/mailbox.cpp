// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/mailbox.hpp>

namespace rtos {

// The calls below repeat what try_send and try_receive found out: IRQs were open meanwhile.

static Mailbox::Message &message_of(Thread &waiter) {
    return *static_cast<Mailbox::Message *>(WaitQueue::data_of(waiter));
}

Status Mailbox::hand_over(Message message) {
    const IrqLock lock;
    if (Thread *const receiver = receivers_.first()) {
        message_of(*receiver) = message;
        receivers_.wake(*receiver);
        return Status::ok;
    }
    if (count_ == capacity_)
        return Status::full;
    append(message);
    return Status::ok;
}

Status Mailbox::take_and_admit(Message &message) {
    const IrqLock lock;
    if (count_ == 0)
        return Status::empty;
    message = take();
    if (Thread *const sender = senders_.first()) {
        append(message_of(*sender));
        senders_.wake(*sender);
    }
    return Status::ok;
}

Status Mailbox::send(Message message, Time deadline) {
    if (const Status s = try_send(message); s != Status::full)
        return s;
    const IrqLock lock;
    if (count_ < capacity_)
        return hand_over(message);
    return senders_.wait(lock, deadline, &message);
}

Status Mailbox::receive(Message &message, Time deadline) {
    if (const Status s = try_receive(message); s != Status::empty)
        return s;
    const IrqLock lock;
    if (count_ > 0)
        return take_and_admit(message);
    return receivers_.wait(lock, deadline, &message);
}

Status Mailbox::try_send_urgent(Message message) {
    const IrqLock lock;
    if (!receivers_.empty())
        return hand_over(message);
    if (count_ == capacity_)
        return Status::full;
    out_ = (out_ == slots_ ? end_ : out_) - 1;
    *out_ = message;
    count_ = count_ + 1;
    return Status::ok;
}

void Mailbox::reset(Status result) {
    const IrqLock lock;
    in_ = out_ = slots_;
    count_ = 0;
    receivers_.wake_all(lock, result);
    senders_.wake_all(lock, result);
}

void Mailbox::close() {
    reset(Status::deleted);
}

} // namespace rtos
