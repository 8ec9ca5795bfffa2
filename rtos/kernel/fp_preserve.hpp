// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/irq_lock.hpp>

#ifdef __arm__
#include <rtos/thread.hpp>

#include "scheduler.hpp"
#endif

namespace rtos {

// Keeps the running thread's VFP and NEON registers over a function that was not called by the code that uses
// them.
class [[maybe_unused]] FpPreserve {
  public:
#ifdef __arm__
    FpPreserve() {
        port::fp_copy_out(Scheduler::context_of(Thread::current()).fp, saved_);
    }
    ~FpPreserve() {
        port::fp_copy_in(saved_, Scheduler::context_of(Thread::current()).fp);
    }

  private:
    port::FpRegisters saved_;
#endif
};

} // namespace rtos
