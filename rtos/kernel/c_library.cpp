// SPDX-License-Identifier: BSD-3-Clause
// In an image without POSIX nobody uses newlib's per-thread state, and this stands for it.
struct _reent {
    char unused;
};

extern "C" {
[[gnu::weak]] constinit struct _reent rtos_c_library {};
}
