// SPDX-License-Identifier: GPL-2.0-only
// The fuzzer's bytes decide what the guest does: its registers, its tables, the instructions that trap, its
// hypercalls and returns. The judge is the simulation of the unit test.
#include "../unit/guest/simulated/hostile_guest.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

struct Input {
    const uint8_t *at, *end;

    uint32_t operator()(uint32_t bound) {
        uint32_t value = 0;
        for (uint32_t range = 1; range && range < bound && at != end; range <<= 8)
            value = value << 8 | *at++;
        return value % bound;
    }
};

// The guest's first tables are always the same, so that every byte of input is an act.
struct Acts {
    Input *input;
    std::minstd_rand *tables;

    uint32_t operator()(uint32_t bound) {
        return tables ? static_cast<uint32_t>((*tables)() % bound) : (*input)(bound);
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input input{data, data + size};
    try {
        std::minstd_rand tables{1};
        rtmux::simulation::HostileGuest guest{Acts{&input, &tables}};
        guest.decide(Acts{&input, nullptr});
        while (input.at != input.end)
            guest.step();
    } catch (const rtmux::simulation::Stopped &) {
    } catch (const rtmux::test::Failure &f) {
        std::fprintf(stderr, "%s\n", f.what());
        std::abort();
    }
    return 0;
}
