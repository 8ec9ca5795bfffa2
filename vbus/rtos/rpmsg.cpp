// SPDX-License-Identifier: BSD-3-Clause
#include "rpmsg.hpp"

#include <string.h>

namespace vbus::rpmsg {

using rtos::Time;

namespace {

constexpr uint32_t announcement_length = sizeof(vbus_rpmsg) + sizeof(vbus_rpmsg_announcement);

// What is checked and then used: the guest can change the ring meanwhile. Payloads begin at multiples of 8.
template <class T> T read_once(const uint8_t *from) {
    uint32_t words[sizeof(T) / 4];
    for (uint32_t i = 0; i < sizeof(T) / 4; i++)
        words[i] = vbus_load(reinterpret_cast<const uint32_t *>(from) + i, RELAXED);
    return __builtin_bit_cast(T, words);
}

class Locked {
  public:
    explicit Locked(rtos::Mutex &mutex) : mutex_(mutex) { (void)mutex_.lock(); }
    ~Locked() { (void)mutex_.unlock(); }

  private:
    rtos::Mutex &mutex_;
};

} // namespace

Status Endpoint::send(const void *data, uint32_t length, Time deadline) {
    return send_to(peer_, data, length, deadline);
}

Status Endpoint::send_to(uint32_t dst, const void *data, uint32_t length, Time deadline) {
    if (!bus_)
        return Status::invalid;
    if (generation_ != bus_->generation()) {
        generation_ = bus_->generation();
        return Status::reset;
    }
    return dst == VBUS_RPMSG_ANY ? Status::down : bus_->send(address_, dst, data, length, deadline);
}

void Endpoint::forget_reset() {
    if (bus_)
        generation_ = bus_->generation();
}

Status Bus::send(uint32_t src, uint32_t dst, const void *data, uint32_t length, Time deadline) {
    if (length > max_length())
        return Status::too_long;
    vbus_slot slot;
    const Status reserved =
        channel_->reserve(length + static_cast<uint32_t>(sizeof(vbus_rpmsg)), slot, deadline);
    if (reserved != Status::ok)
        return reserved;
    const vbus_rpmsg head = {.src = src, .dst = dst};
    auto *payload = static_cast<uint8_t *>(slot.payload);
    memcpy(payload, &head, sizeof head);
    if (length)
        memcpy(payload + sizeof head, data, length);
    return channel_->commit(slot, 0, 0);
}

rtos::Status Bus::start(Channel &channel, size_t stack_bytes) {
    if (channel.max_length() < announcement_length)
        return rtos::Status::invalid;
    channel_ = &channel;
    return thread_.start(stack_bytes);
}

rtos::Status Bus::add(Endpoint &endpoint) {
    if (!channel_)
        return rtos::Status::invalid;
    const Locked lock(mutex_);
    if (endpoint.address_ == VBUS_RPMSG_ANY)
        endpoint.address_ = next_address_++;
    for (const Endpoint *e = first_; e; e = e->next_)
        if (e->address_ == endpoint.address_)
            return rtos::Status::busy;
    if (announced_ && announce(endpoint, VBUS_RPMSG_CREATE) != Status::ok)
        return rtos::Status::full;
    endpoint.announced_ = announced_;
    endpoint.bus_ = this;
    endpoint.generation_ = generation_;
    endpoint.next_ = first_;
    first_ = &endpoint;
    return rtos::Status::ok;
}

void Bus::remove(Endpoint &endpoint) {
    const Locked lock(mutex_);
    for (Endpoint **e = &first_; *e; e = &(*e)->next_)
        if (*e == &endpoint) {
            *e = endpoint.next_;
            endpoint.bus_ = nullptr;
            if (endpoint.announced_)
                (void)announce(endpoint, VBUS_RPMSG_DESTROY);
            return;
        }
}

// ok also if there is nothing to announce.
Status Bus::announce(const Endpoint &endpoint, uint32_t flags) {
    if (!endpoint.name_ || endpoint.role_ != Role::service)
        return Status::ok;
    vbus_rpmsg_announcement announcement = {};
    strncpy(announcement.name, endpoint.name_, sizeof announcement.name - 1);
    announcement.address = endpoint.address_;
    announcement.flags = flags;
    return send(endpoint.address_, VBUS_RPMSG_NAME_SERVICE, &announcement, sizeof announcement, no_wait);
}

// What was added before the guest came. Whoever adds and removes meanwhile does not wait for the guest: the
// mutex is free while this does. False: the channel was reset.
bool Bus::announce_all() {
    for (;;) {
        Status sent = Status::ok;
        {
            const Locked lock(mutex_);
            for (Endpoint *e = first_; e && sent == Status::ok; e = e->next_)
                if (!e->announced_) {
                    sent = announce(*e, VBUS_RPMSG_CREATE);
                    e->announced_ = sent == Status::ok;
                }
            announced_ = sent == Status::ok;
        }
        if (sent == Status::ok)
            return true;
        if (sent == Status::reset || !wait_for_room(announcement_length))
            return false;
    }
}

// False: the channel was reset.
bool Bus::wait_for_room(uint32_t length) {
    vbus_slot slot;
    const Status reserved = channel_->reserve(length, slot, Time::never());
    if (reserved == Status::ok)
        channel_->cancel(slot);
    return reserved != Status::reset;
}

void Bus::forget_peers() {
    const Locked lock(mutex_);
    announced_ = false;
    generation_ = generation_ + 1;
    for (Endpoint *e = first_; e; e = e->next_) {
        e->peer_ = VBUS_RPMSG_ANY;
        e->announced_ = false;
    }
}

void Bus::run(void *self) {
    for (;;) {
        static_cast<Bus *>(self)->serve();
        static_cast<Bus *>(self)->forget_peers();
    }
}

// One life of the channel: until it is reset.
void Bus::serve() {
    // The guest's side is there when a record fits; announcing is the first that is sent.
    while (!wait_for_room(0))
        ; // of a reset before
    if (!announce_all())
        return;
    for (;;) {
        vbus_message message;
        switch (channel_->peek(message)) {
        case Status::ok:
            receive(static_cast<const uint8_t *>(message.payload), message.length);
            if (channel_->release(message) == Status::reset)
                return;
            break;
        case Status::reset:
            return;
        default:
            break;
        }
    }
}

void Bus::receive(const uint8_t *data, uint32_t length) {
    if (length < sizeof(vbus_rpmsg)) {
        dropped_++;
        return;
    }
    const auto head = read_once<vbus_rpmsg>(data);
    data += sizeof head;
    length -= static_cast<uint32_t>(sizeof head);
    const Locked lock(mutex_);
    if (head.dst == VBUS_RPMSG_NAME_SERVICE) {
        hear(data, length);
        return;
    }
    for (Endpoint *e = first_; e; e = e->next_)
        if (e->address_ == head.dst) {
            if (e->role_ == Role::service)
                e->peer_ = head.src;
            e->handler_(e->argument_, *e, data, length, head.src);
            return;
        }
    dropped_++;
}

// The guest announces a service.
void Bus::hear(const uint8_t *data, uint32_t length) {
    if (length != sizeof(vbus_rpmsg_announcement)) {
        dropped_++;
        return;
    }
    const auto announcement = read_once<vbus_rpmsg_announcement>(data);
    if (announcement.name[0] == 0 || announcement.name[sizeof announcement.name - 1] != 0 ||
        announcement.flags > VBUS_RPMSG_DESTROY) {
        dropped_++;
        return;
    }
    for (Endpoint *e = first_; e; e = e->next_) {
        if (e->role_ != Role::client || !e->name_ || strcmp(e->name_, announcement.name) != 0)
            continue;
        if (announcement.flags == VBUS_RPMSG_DESTROY && e->peer_ == announcement.address)
            e->peer_ = VBUS_RPMSG_ANY;
        else if (announcement.flags == VBUS_RPMSG_CREATE && e->peer_ == VBUS_RPMSG_ANY)
            e->peer_ = announcement.address;
    }
}

} // namespace vbus::rpmsg
