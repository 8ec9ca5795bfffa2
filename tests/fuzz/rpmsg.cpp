// SPDX-License-Identifier: GPL-2.0-only
// Any records from Linux on an rpmsg channel of the RTOS: each is a message for an endpoint that is there, a
// proper announcement, or dropped and counted. The RTOS lives through all inputs.
#include "rpmsg.hpp"
#include "rtos_fixture.hpp"

using namespace test;
using vbus::rpmsg::Bus;
using vbus::rpmsg::Endpoint;
using vbus::rpmsg::Role;

namespace {

uint32_t messages, bytes;
void count(void *, Endpoint &, const uint8_t *data, uint32_t length, uint32_t) {
    messages++;
    for (uint32_t i = 0; i < length; i++) // all of it is there
        bytes += data[i];
}

struct Session : Rtos {
    void TestBody() override {}
    using Rtos::as_guest;
    using Rtos::channel;
    using Rtos::SetUp;
    using Rtos::SetUpTestSuite;
};

Bus bus("rpmsg", 5);
Endpoint service("service", Role::service, count, nullptr, 7),
    client("client", Role::client, count, nullptr, 8);
vbus::Channel *there;
Guest guest;

void require(bool condition) {
    if (!condition)
        __builtin_trap();
}

int one_input(const uint8_t *data, size_t size) {
    const uint8_t *at = data, *const end = data + size;
    while (at != end) {
        const size_t wanted = *at++ % 64;
        const size_t length = wanted < static_cast<size_t>(end - at) ? wanted : static_cast<size_t>(end - at);
        const uint32_t before = messages + bus.dropped();
        guest.send(std::string(reinterpret_cast<const char *>(at), length));
        uint32_t head[2] = {};
        std::memcpy(head, at, length < sizeof head ? length : sizeof head);
        const uint32_t settled = messages + bus.dropped() - before;
        require(settled == 1 || (settled == 0 && head[1] == VBUS_RPMSG_NAME_SERVICE));
        at += length;
    }
    require(there->stats().violations == 0);
    return 0;
}

} // namespace

// Its memory hangs on the stack of a thread that the leak checker does not know.
extern "C" const char *__asan_default_options() {
    return "detect_leaks=0";
}

// The fuzzer runs in the guest's place, in the machine: it ends the process itself.
extern "C" int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *, size_t));
int main(int argc, char **argv) {
    static Session session;
    Session::SetUpTestSuite();
    session.SetUp();
    there = Session::channel("rpmsg", VBUS_CHANNEL_RPMSG);
    Session::as_guest([&] {
        require(bus.start(*there, stack) == rtos::Status::ok);
        require(bus.add(service) == rtos::Status::ok && bus.add(client) == rtos::Status::ok);
        guest.attach("rpmsg");
        LLVMFuzzerRunDriver(&argc, &argv, one_input);
    });
}
