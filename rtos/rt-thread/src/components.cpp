// SPDX-License-Identifier: BSD-3-Clause
// INIT_*_EXPORT: what runs in the main thread before main().
#include <rtthread.h>

extern "C" {

extern const init_fn_t __rt_init_start[];
extern const init_fn_t __rt_init_end[];

// The port's main thread calls it, if it is in the image.
void rtos_before_main(void) {
    for (const init_fn_t *fn = __rt_init_start; fn != __rt_init_end; ++fn)
        (void)(*fn)();
}
}
