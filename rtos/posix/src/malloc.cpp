// SPDX-License-Identifier: BSD-3-Clause
// newlib's malloc family on the kernel's heap: constant time, and no lock that a thread could hold too long.
#include <errno.h>
#include <malloc.h>
#include <reent.h>
#include <stdlib.h>
#include <string.h>

#include <rtos/heap.hpp>

using rtos::system_heap;

static void *or_enomem(_reent *r, void *piece) {
    if (!piece)
        r->_errno = ENOMEM;
    return piece;
}

extern "C" {

void *_malloc_r(_reent *r, size_t size) {
    return or_enomem(r, system_heap().allocate(size));
}

void _free_r(_reent *, void *piece) {
    (void)system_heap().free(piece);
}

void *_realloc_r(_reent *r, void *piece, size_t size) {
    if (piece && size == 0) {
        _free_r(r, piece);
        return nullptr;
    }
    return or_enomem(r, system_heap().reallocate(piece, size));
}

void *_calloc_r(_reent *r, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return or_enomem(r, nullptr);
    void *const piece = _malloc_r(r, bytes);
    return piece ? memset(piece, 0, bytes) : nullptr;
}

void *_memalign_r(_reent *r, size_t alignment, size_t size) {
    if (alignment == 0 || (alignment & (alignment - 1))) {
        r->_errno = EINVAL;
        return nullptr;
    }
    return or_enomem(r, system_heap().allocate_aligned(alignment, size));
}

size_t _malloc_usable_size_r(_reent *, void *piece) {
    return piece ? system_heap().usable_size(piece) : 0;
}

struct mallinfo _mallinfo_r(_reent *) {
    const rtos::Heap::Statistics s = system_heap().statistics();
    struct mallinfo m {};
    m.arena = s.total;
    m.uordblks = s.used;
    m.fordblks = s.total - s.used;
    return m;
}

void *malloc(size_t size) {
    return _malloc_r(_REENT, size);
}
void free(void *piece) {
    _free_r(_REENT, piece);
}
void *realloc(void *piece, size_t size) {
    return _realloc_r(_REENT, piece, size);
}
void *calloc(size_t count, size_t size) {
    return _calloc_r(_REENT, count, size);
}
void *memalign(size_t alignment, size_t size) {
    return _memalign_r(_REENT, alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return _memalign_r(_REENT, alignment, size);
}
int posix_memalign(void **piece, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *const p = system_heap().allocate_aligned(alignment, size);
    if (!p)
        return ENOMEM;
    *piece = p;
    return 0;
}
size_t malloc_usable_size(void *piece) {
    return _malloc_usable_size_r(_REENT, piece);
}
struct mallinfo mallinfo() {
    return _mallinfo_r(_REENT);
}

} // extern "C"
