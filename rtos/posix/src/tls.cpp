// SPDX-License-Identifier: BSD-3-Clause
#include "tls.hpp"

#include <stdint.h>
#include <string.h>

#include "thread_control.hpp"

extern "C" {
// rtos.ld: the initial values, and the size with those that are zero.
extern const uint8_t __tls_start[];
extern const uint8_t __tls_data_end[];
extern const uint8_t __tls_size[];
}

// The linker puts the variables behind two words of the run-time library's, at the next multiple of their own
// alignment. This makes that tls_alignment in every program.
asm(".section .tdata.first, \"awT\", %progbits\n\t"
    ".balign 16\n\t"
    ".space 16\n\t"
    ".previous");

namespace rtos::posix {

// The Arm TLS ABI (variant 1).
static constexpr size_t head = tls_alignment;
static_assert(tls_alignment == 16, "the same above");

size_t tls_size() {
    return head + reinterpret_cast<uintptr_t>(__tls_size);
}

void *make_tls(void *memory) {
    uint8_t *const variables = static_cast<uint8_t *>(memory) + head;
    const size_t initialized = static_cast<size_t>(__tls_data_end - __tls_start);
    memcpy(variables, __tls_start, initialized);
    memset(variables + initialized, 0, reinterpret_cast<uintptr_t>(__tls_size) - initialized);
    return memory;
}

// Changes r0 and ip alone (Run-time ABI for the Arm Architecture, 5.3.5).
extern "C" [[gnu::naked]] void *__aeabi_read_tp() {
    asm volatile("movw r0, #:lower16:_impure_ptr\n\t"
                 "movt r0, #:upper16:_impure_ptr\n\t"
                 "ldr r0, [r0]\n\t"
                 "ldr r0, [r0, %0]\n\t"
                 "bx lr" ::"i"(offsetof(CLibrary, thread_pointer)));
}

} // namespace rtos::posix
