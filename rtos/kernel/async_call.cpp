// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/async_call.hpp>

#include <rtos/irq_lock.hpp>

namespace rtos {

bool AsyncCall::cancel() {
    const IrqMask masked;
    const bool was = linked();
    unlink();
    return was;
}

bool CallQueue::put(AsyncCall &call) {
    if (call.linked())
        return false;
    calls_.insert_before(call);
    return true;
}

void CallQueue::run() {
    while (!empty()) {
        AsyncCall &call = static_cast<AsyncCall &>(*calls_.next());
        call.unlink();
        const AsyncCall::Function function = call.function_;
        void *const argument = call.argument_;
        port::irq_enable();
        function(argument);
        port::irq_save();
    }
}

void CallQueue::clear() {
    while (!empty())
        calls_.next()->unlink();
}

} // namespace rtos
