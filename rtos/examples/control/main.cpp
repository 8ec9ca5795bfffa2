// SPDX-License-Identifier: BSD-3-Clause
// A PI controller every millisecond, and how late it ever was.
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

using namespace rtos;

static constexpr Duration period = milliseconds(1);
static constexpr float seconds_per_period = 0.001f;

// What is controlled: heat stored in a mass, with a loss to its surroundings.
class Plant {
  public:
    float measure() const { return temperature_; }
    void drive(float power) { temperature_ += seconds_per_period * (power - 0.5f * temperature_); }

  private:
    float temperature_ = 0;
};

class Controller {
  public:
    float step(float error) {
        integral_ += error * seconds_per_period;
        return 8.0f * error + 6.0f * integral_;
    }

  private:
    float integral_ = 0;
};

// Ticks from the timer's expiry, at the hardware, to the loop's first instruction.
struct Jitter {
    uint32_t count, missed, minimum, maximum;
    uint64_t sum;

    void add(uint32_t ticks) {
        minimum = count == 0 || ticks < minimum ? ticks : minimum;
        maximum = ticks > maximum ? ticks : maximum;
        sum += ticks;
        ++count;
    }
};

static constinit Semaphore due;
static constinit volatile uint32_t expiry = 0;
static constinit Jitter jitter{};
static constinit float output = 0;

static constinit Timer timer{[](void *) {
                                 expiry = timer_interrupt().expiry;
                                 (void)due.release();
                             },
                             nullptr};

static void loop(void *) {
    static constexpr float set_point = 40.0f;
    Plant plant;
    Controller controller;
    timer.start(now() + period, period);
    for (;;) {
        (void)due.take();
        const auto began = static_cast<uint32_t>(now().ticks);
        {
            const IrqLock lock;
            jitter.add(began - expiry);
            jitter.missed += due.count(); // periods that ended before this one began
        }
        const float measured = plant.measure();
        plant.drive(controller.step(set_point - measured));
        output = measured;
    }
}

static constinit Thread control{"control", 1, loop};

static uint32_t nanoseconds(uint64_t ticks) {
    return static_cast<uint32_t>(Duration{static_cast<int64_t>(ticks)}.nanoseconds());
}

int main() {
    if (control.start(4096) != Status::ok)
        return 1;
    for (Time next = now();;) {
        next = next + seconds(1);
        (void)Thread::sleep_until(next);
        Jitter j;
        {
            const IrqLock lock;
            j = jitter;
        }
        const auto millidegrees = static_cast<int32_t>(output * 1000);
        log("control: %u periods, %u missed; jitter ns min %u avg %u max %u; output %d.%03d", j.count,
            j.missed, nanoseconds(j.minimum), nanoseconds(j.sum / j.count), nanoseconds(j.maximum),
            millidegrees / 1000, millidegrees % 1000);
    }
}
