// SPDX-License-Identifier: BSD-3-Clause
#include "bus.hpp"

#include <rtos/irq_lock.hpp>
#include <string.h>

namespace vbus {

constinit Bus bus;

static uint32_t take(uint32_t &used, uint32_t bytes, uint32_t alignment) {
    const uint32_t offset = (used + alignment - 1) & ~(alignment - 1);
    used = offset + bytes;
    return offset;
}

Status Bus::start(const rtmux_exec &exec) {
    if (exec.vbus_size < 2 * VBUS_PAGE || exec.vbus_size % VBUS_PAGE)
        return Status::invalid;
    memory_ = exec.vbus;
    size_ = exec.vbus_size;
    notify_ = exec.notify_guest;
    used_ = VBUS_PAGE;
    epoch_ = vbus_next_epoch(vbus_word(&vbus_header_of(memory_)->epoch));
    memset(memory_, 0, VBUS_PAGE); // the reserved words
    vbus_format(memory_, size_, rtos::port::counter_hz, epoch_);
    return Status::ok;
}

static vbus_ring_place place(const Ring &ring, uint32_t offset) {
    vbus_ring_place result = vbus_ring_at(offset, ring.bytes);
    result.high = ring.high ? ring.high : result.high;
    result.low = ring.low ? ring.low : result.low;
    return result;
}

// What a process may be given lies on pages of its own.
void Bus::lay_out(vbus_channel &entry, const Options &options, uint32_t &used) const {
    const uint32_t unit = options.flags == VBUS_CHANNEL_MMAP ? VBUS_PAGE : sizeof(vbus_side);
    entry.control = take(used, sizeof(vbus_side), unit);
    entry.guest_control = take(used, sizeof(vbus_side), unit);
    entry.to_guest = place(options.to_guest, take(used, options.to_guest.bytes, unit));
    entry.to_rt = place(options.to_rt, take(used, options.to_rt.bytes, unit));
    (void)take(used, 0, unit);
}

Channel *Bus::create(const Options &options) {
    vbus_channel entry = {};
    const size_t length = strlen(options.name);
    if (length >= VBUS_NAME_SIZE || count_ == max_channels || find(options.name) ||
        options.to_guest.bytes > size_ || options.to_rt.bytes > size_)
        return nullptr;
    memcpy(entry.name, options.name, length);
    entry.priority = options.priority;
    entry.flags = options.flags;
    uint32_t used = used_;
    lay_out(entry, options, used);
    if (used > size_ || !vbus_valid_channel(&entry, size_))
        return nullptr;
    used_ = used;

    Channel &channel = channels_[count_];
    channel.entry_ = entry;
    channel.index_ = count_;
    memset(memory_ + entry.guest_control, 0, sizeof(vbus_side)); // no guest is there
    vbus_open_channel(&channel.end_, memory_, &entry, VBUS_RT);
    (void)vbus_take_doorbell(&channel.end_);
    const rtos::IrqLock lock;
    vbus_add_channel(memory_, count_, &entry);
    count_++;  // from now on doorbell() looks at it
    notify_(); // the guest finds one more than it knows
    return &channel;
}

Channel *Bus::find(const char *name) {
    for (uint32_t i = 0; i < count_; i++)
        if (strncmp(channels_[i].name(), name, VBUS_NAME_SIZE) == 0)
            return &channels_[i];
    return nullptr;
}

void Bus::doorbell(uint32_t index) {
    if (index < count_) {
        channels_[index].doorbell();
    } else if (index == VBUS_DOORBELL_HEADER && memory_) {
        (void)rtos::defer(look_after_);
    } else {
        counters_.unknown_doorbells++;
    }
}

void Bus::guest_state(uint32_t state) {
    if (state == RTMUX_GUEST_RUNNING || !memory_)
        return; // its driver attaches with the first doorbell
    guest_gone_ = true;
    (void)rtos::defer(look_after_);
}

// Does the region still say what we wrote?
bool Bus::intact() {
    const vbus_header *header = vbus_header_of(memory_);
    bool same = vbus_word(&header->magic) == VBUS_MAGIC && vbus_word(&header->version) == VBUS_VERSION &&
                vbus_word(&header->size) == size_ && vbus_word(&header->epoch) == epoch_ &&
                vbus_word(&header->channel_count) == count_ &&
                vbus_word(&header->clock_hz) == rtos::port::counter_hz &&
                vbus_word(&header->rt.features) == VBUS_FEATURES;
    for (uint32_t i = 0; i < count_ && same; i++) {
        vbus_channel copy;
        same = vbus_read_channel(memory_, size_, i, &copy) &&
               memcmp(&copy, &channels_[i].entry_, sizeof copy) == 0;
    }
    return same;
}

// In the system thread, soon after a doorbell for the header or a change of the guest's state: what takes
// longer than IRQs may be masked. The guest runs on only when this is done.
void Bus::look_after(void *self) {
    Bus &b = *static_cast<Bus *>(self);
    if (b.guest_gone_) {
        b.guest_gone_ = false;
        b.format(); // nobody knows what it did to all this before it went
    } else if (!b.intact()) {
        b.counters_.repairs++;
        b.format();
    }
    vbus_header *header = vbus_header_of(b.memory_);
    if (vbus_word(&header->guest.state) == VBUS_STATE_RUNNING)
        vbus_set(&header->rt.state, VBUS_STATE_RUNNING);
}

void Bus::format() {
    {
        const rtos::IrqLock lock;
        epoch_ = vbus_next_epoch(epoch_);
        rung_[0] = rung_[1] = 0;
        vbus_format(memory_, size_, rtos::port::counter_hz, epoch_);
    }
    for (uint32_t i = 0; i < count_; i++) {
        Channel &channel = channels_[i];
        const rtos::IrqLock lock;
        vbus_add_channel(memory_, i, &channel.entry_);
        vbus_clear_guest(memory_, &channel.entry_);
        (void)vbus_poll_peer(&channel.end_); // sees the guest leave
        vbus_end_reset(&channel.end_);
        (void)vbus_take_doorbell(&channel.end_);
        channel.wake_all(lock);
    }
    notify_();
}

void Bus::restart() {
    vbus_set(&vbus_header_of(memory_)->rt.state, VBUS_STATE_STOPPING);
    for (uint32_t i = 0; i < count_; i++) {
        const rtos::IrqLock lock;
        vbus_end_close(&channels_[i].end_);
    }
    vbus_set(&vbus_header_of(memory_)->rt.state, VBUS_STATE_RESET);
    format();
}

Status start(const rtmux_exec &exec) {
    return bus.start(exec);
}
Channel *create(const Options &options) {
    return bus.create(options);
}
Channel *open(const char *name) {
    return bus.find(name);
}
Channel *channel(uint32_t index) {
    return bus.at(index);
}
void restart() {
    bus.restart();
}
const Counters &counters() {
    return bus.counters();
}
void doorbell(uint32_t channel) {
    bus.doorbell(channel);
}
void guest_state(uint32_t state) {
    bus.guest_state(state);
}

} // namespace vbus
