// SPDX-License-Identifier: BSD-3-Clause
// The guest's life: who may end it, and what comes then.
//
//   guest, executive, watchdog, RTOS ──► exec->run_guest() returns, in the idle thread
//                                             │ rtos_guest_ended(): count, report, policy
//                          restart ◄──────────┼──────────► down, until guest_start()
//                                             └──────────► reset of the board
//
// All that takes time is done in the idle thread, which is the guest's own: RT does not notice.
#include "life.hpp"

#include "report.hpp"

#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/timer.hpp>

namespace rtos {

namespace guest {

namespace {

constexpr uint32_t invalid = static_cast<uint32_t>(-22); // -EINVAL of Linux
constexpr uint32_t unknown = static_cast<uint32_t>(-38); // -ENOSYS
constexpr uint32_t nobody = RTMUX_CAUSES;

constexpr const char *cause_names[] = {"poweroff", "reboot", "panic", "violation",
                                       "watchdog", "stop",   "image"};
static_assert(sizeof(cause_names) / sizeof(cause_names[0]) == RTMUX_CAUSES);

void watchdog_expired(void *);

constinit Timer watchdog{watchdog_expired, nullptr};
constinit Report report;
constinit uint8_t policies[RTMUX_POLICIES];
constinit bool policy_known = false; // or the image's is still to be read
constinit Duration first_call{};     // of the guest to its watchdog
constinit Time began{};
constinit uint32_t lives = 0;
constinit uint32_t ends[RTMUX_CAUSES] = {};
constinit uint32_t last_cause = nobody;
// Somebody wants the running guest, or the one that boots, to end: why, and what then.
constinit volatile uint32_t wanted = nobody;
constinit const char *wanted_reason = nullptr;
// What applications said to come then, whatever it ends by: RTMUX_AFTER_*, DEFAULT if they said nothing.
constinit uint32_t wanted_then = RTMUX_AFTER_DEFAULT;

// IRQs masked, in all of these.
void read_policy() {
    if (policy_known)
        return;
    policy_known = true;
    const rtmux_guest_image &image = *executive().guest_image;
    for (unsigned cause = 0; cause < RTMUX_POLICIES; ++cause)
        policies[cause] = image.policy >> 4 * cause & 0xf;
    first_call = milliseconds(image.watchdog_ms);
}

uint32_t policy(uint32_t cause) {
    read_policy();
    if (policies[cause] != RTMUX_AFTER_DEFAULT)
        return policies[cause];
    return cause == RTMUX_CAUSE_REBOOT ? RTMUX_AFTER_RESTART : RTMUX_AFTER_DOWN;
}

void want_end(uint32_t cause, const char *reason) {
    if (wanted != nobody)
        return;
    wanted = cause;
    wanted_reason = reason;
    (void)executive().stop_guest(reason); // or it boots, and state_changed() will
}

void watchdog_expired(void *) {
    want_end(RTMUX_CAUSE_WATCHDOG, "it did not serve its watchdog in time");
}

uint32_t cause_of(const rtmux_guest_end &end) {
    switch (end.state) {
    case RTMUX_GUEST_OFF:
        return RTMUX_CAUSE_POWEROFF;
    case RTMUX_GUEST_RESTART:
        return RTMUX_CAUSE_REBOOT;
    case RTMUX_GUEST_STOPPED:
        return wanted;
    default:
        return end.began ? RTMUX_CAUSE_VIOLATION : RTMUX_CAUSE_IMAGE;
    }
}

uint32_t serve_watchdog(uint32_t ms) {
    const IrqLock lock;
    if (ms > RTMUX_WATCHDOG_MAX_MS)
        return invalid;
    if (ms == 0)
        watchdog.stop();
    else
        watchdog.start_after(milliseconds(ms));
    return 0;
}

uint32_t read_report(uint32_t *r) {
    uint32_t piece[RTMUX_REPORT_PIECE / 4] = {};
    const size_t length = report.read(r[0], piece, sizeof piece);
    __builtin_memcpy(&r[1], piece, sizeof piece);
    return static_cast<uint32_t>(length);
}

Status end_it(const char *reason, uint32_t then) {
    const IrqLock lock;
    if (port::guest_down)
        return Status::invalid;
    wanted_then = then;
    want_end(RTMUX_CAUSE_STOPPED, reason);
    return Status::ok;
}

} // namespace

} // namespace guest

using namespace guest;

// -- What the port calls.

extern "C" {

// A hypercall, in the idle thread, IRQs open.
uint32_t rtos_guest_call(uint32_t number, uint32_t *r) {
    if (r[1] != RTMUX_LIFE_MAGIC)
        return unknown;
    switch (number) {
    case RTMUX_REPORT:
        return read_report(r);
    case RTMUX_WATCHDOG:
        return serve_watchdog(r[0]);
    case RTMUX_PANIC: {
        const IrqLock lock;
        want_end(RTMUX_CAUSE_PANIC, "its kernel panicked");
        return 0;
    }
    default:
        return unknown;
    }
}

// IRQs masked.
void rtos_guest_changed(uint32_t state) {
    if (state != RTMUX_GUEST_RUNNING) {
        watchdog.stop();
        return;
    }
    read_policy();
    began = now();
    ++lives;
    if (first_call > Duration{})
        watchdog.start_after(first_call);
    if (wanted != nobody)
        (void)executive().stop_guest(wanted_reason);
}

// In the idle thread, IRQs open. True: boot it again.
bool rtos_guest_ended() {
    Facts facts{};
    executive().guest_end(&facts.end);
    uint32_t cause;
    {
        const IrqLock lock;
        cause = cause_of(facts.end);
        if (cause >= RTMUX_CAUSES)
            cause = RTMUX_CAUSE_STOPPED;
        ++ends[cause];
        last_cause = cause;
        facts.life = lives;
        facts.lasted = facts.end.began ? now() - began : Duration{};
    }
    facts.cause = cause_names[cause];
    report.make(facts);
    const IrqLock lock;
    // Who wanted an end while it came to another, or while the report was made, wanted this one.
    const uint32_t then = wanted_then != RTMUX_AFTER_DEFAULT ? wanted_then
                          : cause < RTMUX_POLICIES           ? policy(cause)
                                                             : uint32_t{RTMUX_AFTER_DOWN};
    wanted = nobody;
    wanted_then = RTMUX_AFTER_DEFAULT;
    if (then == RTMUX_AFTER_RESET)
        executive().reset_board();
    if (then == RTMUX_AFTER_RESTART)
        return true;
    port::guest_down = true;
    return false;
}

} // extern "C"

// -- What applications call.

Status guest_set_policy(uint32_t cause, uint32_t action) {
    if (cause >= RTMUX_POLICIES || action > RTMUX_AFTER_RESET)
        return Status::invalid;
    const IrqLock lock;
    read_policy();
    policies[cause] = static_cast<uint8_t>(action);
    return Status::ok;
}

uint32_t guest_policy(uint32_t cause) {
    const IrqLock lock;
    return cause < RTMUX_POLICIES ? policy(cause) : uint32_t{RTMUX_AFTER_DOWN};
}

Status guest_start() {
    const IrqLock lock;
    if (!port::guest_down)
        return Status::invalid;
    port::guest_down = false; // the idle thread looks at it, after this interrupt or thread
    return Status::ok;
}

Status guest_stop() {
    return end_it("the RTOS wants it to", RTMUX_AFTER_DOWN);
}

Status guest_restart() {
    return end_it("the RTOS wants to restart it", RTMUX_AFTER_RESTART);
}

Status guest_set_watchdog(Duration first) {
    if (first < Duration{} || first > milliseconds(RTMUX_WATCHDOG_MAX_MS))
        return Status::invalid;
    const IrqLock lock;
    read_policy();
    first_call = first;
    return Status::ok;
}

uint32_t guest_ends(uint32_t cause) {
    return cause < RTMUX_CAUSES ? ends[cause] : 0;
}

uint32_t guest_lives() {
    return lives;
}

uint32_t guest_last_cause() {
    return last_cause;
}

const char *guest_cause_name(uint32_t cause) {
    return cause < RTMUX_CAUSES ? cause_names[cause] : "?";
}

size_t guest_report(size_t offset, void *to, size_t size) {
    return report.read(offset, to, size);
}

} // namespace rtos
