// SPDX-License-Identifier: BSD-3-Clause
// A thread that keeps values in VFP and NEON registers while others, and the guest, use them too:
// each round filters the same input, so a register that a switch lost changes the checksum.
#include "demo.hpp"

#include <arm_neon.h>

#include <rtos/thread.hpp>

namespace demo {

using namespace rtos;

static constexpr unsigned samples = 4096; // long enough for several preemptions by control
static constexpr unsigned lanes = 4;

static constinit volatile uint32_t rounds;
static constinit volatile uint32_t checksum;
static constinit volatile uint32_t mismatches;

static uint32_t next_random(uint32_t &state) { // xorshift32, G. Marsaglia 2003
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// Four first-order low-pass filters side by side, y += (x - y) / 8, and one of double precision.
static uint32_t filter_round() {
    uint32_t random = 1;
    uint32_t sum = 0;
    float32x4_t y = vdupq_n_f32(0);
    double slow = 0;
    for (unsigned i = 0; i < samples; ++i) {
        float x[lanes];
        for (float &lane : x)
            lane = static_cast<float>(next_random(random) >> 8);
        y = vmlaq_n_f32(y, vsubq_f32(vld1q_f32(x), y), 0.125f);
        slow += (static_cast<double>(x[0]) - slow) * 0.0625;
    }
    uint32_t bits[lanes];
    vst1q_u32(bits, vreinterpretq_u32_f32(y));
    for (const uint32_t word : bits)
        sum = (sum << 1 | sum >> 31) ^ word;
    return sum ^ static_cast<uint32_t>(slow);
}

static void filter(void *) {
    checksum = filter_round();
    for (;;) {
        rounds = rounds + 1;
        (void)Thread::sleep_for(milliseconds(100));
        if (filter_round() != checksum)
            mismatches = mismatches + 1;
    }
}

static constinit Thread thread{"filter", 20, filter};

Status start_filter() {
    return thread.start(4096);
}

FilterResult filter_result() {
    return {rounds, checksum, mismatches};
}

} // namespace demo
