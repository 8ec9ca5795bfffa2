// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtmux/vbus_rpmsg.h>
#include <rtos/mutex.hpp>
#include <rtos/thread.hpp>
#include <vbus.hpp>

// rpmsg on a channel with VBUS_CHANNEL_RPMSG: Linux's rpmsg_char, rpmsg_ctrl and rpmsg_tty at the other end.
//
//   static constinit vbus::rpmsg::Bus bus{"rpmsg", 12};
//   static constinit vbus::rpmsg::Endpoint echo{"rpmsg-raw", vbus::rpmsg::Role::service, on_message};
//   bus.start(*vbus::create({.name = "rpmsg", .flags = VBUS_CHANNEL_RPMSG}), 4096);
//   bus.add(echo);
namespace vbus::rpmsg {

class Bus;

// service: announced to the guest, which sends first. client: bound to the guest's service of that name, when
// the guest has announced it. Without a name: neither; the addresses are agreed on.
enum class Role : uint8_t { service, client };

class Endpoint {
  public:
    // A message from src, in the bus's thread. data is the ring's memory, gone at the return; the guest
    // can change it meanwhile. While it runs, no other endpoint of the bus receives.
    using Handler = void (*)(void *argument, Endpoint &endpoint, const uint8_t *data, uint32_t length,
                             uint32_t src);

    constexpr Endpoint(const char *name, Role role, Handler handler, void *argument = nullptr,
                       uint32_t address = VBUS_RPMSG_ANY)
        : name_(name), handler_(handler), argument_(argument), address_(address), role_(role) {}

    // To the peer: of a client the guest's service, of a service the one heard of last. down: there is
    // none yet. reset, once: the channel was reset since the last send, and the peer is forgotten.
    // Otherwise as Channel::send, so an ISR may send without a deadline.
    Status send(const void *data, uint32_t length, rtos::Time deadline = no_wait);
    Status send_to(uint32_t dst, const void *data, uint32_t length, rtos::Time deadline = no_wait);

    // A reset that was not told yet is of no interest to whoever sends next. Any context.
    void forget_reset();

    uint32_t address() const { return address_; }
    uint32_t peer() const { return peer_; } // VBUS_RPMSG_ANY: none
    const char *name() const { return name_; }

  private:
    friend class Bus;

    const char *const name_;
    const Handler handler_;
    void *const argument_;
    Bus *bus_ = nullptr;
    Endpoint *next_ = nullptr;
    uint32_t address_;
    volatile uint32_t peer_ = VBUS_RPMSG_ANY;
    uint32_t generation_ = 0;
    const Role role_;
    bool announced_ = false; // or there is nothing to announce
};

class Bus {
  public:
    constexpr Bus(const char *name, unsigned priority) : thread_(name, priority, run, this) {}

    // Thread context, all three; none waits for the guest, unless a handler does that runs. start: with a
    // thread that receives, for good; invalid: an announcement is too long for the channel. add: invalid (no
    // channel), busy (the address is taken), full (no room to announce it: try again). remove: not before a
    // handler that runs has returned, unless it is its own; without room the guest is not told.
    rtos::Status start(Channel &channel, size_t stack_bytes);
    rtos::Status add(Endpoint &endpoint);
    void remove(Endpoint &endpoint);

    uint32_t max_length() const { return channel_->max_length() - static_cast<uint32_t>(sizeof(vbus_rpmsg)); }
    // Changes with each reset.
    uint32_t generation() const { return generation_; }
    // Messages to nobody, and announcements that are none.
    uint32_t dropped() const { return dropped_; }

  private:
    friend class Endpoint;

    static void run(void *self);
    void serve();
    Status announce(const Endpoint &endpoint, uint32_t flags);
    bool announce_all();
    bool wait_for_room(uint32_t length);
    void forget_peers();
    void receive(const uint8_t *data, uint32_t length);
    void hear(const uint8_t *data, uint32_t length);
    Status send(uint32_t src, uint32_t dst, const void *data, uint32_t length, rtos::Time deadline);

    rtos::Thread thread_;
    rtos::Mutex mutex_; // held while a handler runs
    Channel *channel_ = nullptr;
    Endpoint *first_ = nullptr;
    uint32_t next_address_ = VBUS_RPMSG_RESERVED;
    volatile uint32_t generation_ = 0;
    uint32_t dropped_ = 0;
    bool announced_ = false; // what is added from now on is announced at once
};

} // namespace vbus::rpmsg
