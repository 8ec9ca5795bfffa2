// SPDX-License-Identifier: GPL-2.0-only
//
// libFuzzer over the shadow page tables: the input is what a guest does, the judge is that of
// the property test (tests/unit/mmu/scenario.hpp). The guest's first tables are always the
// same, so that every byte of input is an act.
#include "scenario.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

struct Input {
    const uint8_t *at, *end;
    bool setting_up = true;
    std::minstd_rand tables{1};

    bool empty() const { return at == end; }
    uint32_t operator()(uint32_t bound) {
        if (setting_up)
            return static_cast<uint32_t>(tables() % bound);
        uint32_t value = 0;
        for (uint32_t range = 1; range && range < bound && at != end; range <<= 8)
            value = value << 8 | *at++;
        return value % bound;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace rtmux::test;
    Input input{data, data + size};
    const Options options{
        {0x001, 0x100, 0x700, 0x701, 0xbf0, 0xc00, 0xfe8, 0xfff}, {0, 9, 11, 15, 255}, 5, true, true};
    auto next = [&input](uint32_t bound) { return input(bound); };
    try {
        Scenario scenario{options, next};
        input.setting_up = false;
        while (!input.empty())
            scenario.step();
    } catch (const Failure &f) {
        std::fprintf(stderr, "%s\n", f.what());
        std::abort();
    }
    return 0;
}
