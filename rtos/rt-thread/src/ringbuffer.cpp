// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <ipc/ringbuffer.h>

static rt_uint32_t size_of(const rt_ringbuffer &rb) {
    return static_cast<rt_uint32_t>(rb.buffer_size);
}

// One side's place: index and mirror bit in one word, so that the other side never sees half of a step.
struct Place {
    rt_uint32_t index;
    rt_uint32_t mirror;

    explicit Place(rt_uint32_t word) : index(word >> 1), mirror(word & 1) {}
    rt_uint32_t word() const { return index << 1 | mirror; }
    void advance(rt_uint32_t n, rt_uint32_t size) {
        index += n;
        if (index >= size) {
            index -= size;
            mirror ^= 1;
        }
    }
};

static rt_uint32_t length(const rt_ringbuffer &rb) {
    const Place read(rb.read_word);
    const Place write(rb.write_word);
    return write.index + (write.mirror != read.mirror ? size_of(rb) : 0) - read.index;
}

// What was copied is in the buffer, or out of it, before the place says so.
static void advance(volatile rt_uint32_t &word, rt_uint32_t n, const rt_ringbuffer &rb) {
    Place place(word);
    place.advance(n, size_of(rb));
    __atomic_signal_fence(__ATOMIC_RELEASE);
    word = place.word();
}

static void copy_in(rt_ringbuffer &rb, const rt_uint8_t *from, rt_uint32_t n) {
    const rt_uint32_t index = Place(rb.write_word).index;
    const rt_uint32_t to_end = size_of(rb) - index;
    const rt_uint32_t first = n < to_end ? n : to_end;
    rt_memcpy(rb.buffer_ptr + index, from, first);
    rt_memcpy(rb.buffer_ptr, from + first, n - first);
}

extern "C" {

void rt_ringbuffer_init(rt_ringbuffer *rb, rt_uint8_t *pool, rt_int32_t size) {
    RT_REQUIRE(rb && pool && size > 0, );
    rb->buffer_ptr = pool;
    rb->buffer_size = RT_ALIGN_DOWN(size, RT_ALIGN_SIZE);
    rt_ringbuffer_reset(rb);
}

void rt_ringbuffer_reset(rt_ringbuffer *rb) {
    RT_REQUIRE(rb, );
    rb->read_word = 0;
    rb->write_word = 0;
}

rt_size_t rt_ringbuffer_data_len(rt_ringbuffer *rb) {
    RT_REQUIRE(rb, 0);
    return length(*rb);
}

rt_ringbuffer_state rt_ringbuffer_status(rt_ringbuffer *rb) {
    const rt_size_t used = rt_ringbuffer_data_len(rb);
    return used == 0              ? RT_RINGBUFFER_EMPTY
           : used == size_of(*rb) ? RT_RINGBUFFER_FULL
                                  : RT_RINGBUFFER_HALFFULL;
}

rt_size_t rt_ringbuffer_put(rt_ringbuffer *rb, const rt_uint8_t *ptr, rt_uint32_t length_wanted) {
    RT_REQUIRE(rb && (ptr || length_wanted == 0), 0);
    const rt_uint32_t room = size_of(*rb) - length(*rb);
    const rt_uint32_t n = length_wanted < room ? length_wanted : room;
    if (n != 0) {
        copy_in(*rb, ptr, n);
        advance(rb->write_word, n, *rb);
    }
    return n;
}

rt_size_t rt_ringbuffer_put_force(rt_ringbuffer *rb, const rt_uint8_t *ptr, rt_uint32_t length_wanted) {
    RT_REQUIRE(rb && (ptr || length_wanted == 0), 0);
    const rt_uint32_t size = size_of(*rb);
    if (length_wanted > size) { // the end of it is all that will stay
        ptr += length_wanted - size;
        length_wanted = size;
    }
    const rt_uint32_t room = size - length(*rb);
    if (length_wanted > room)
        advance(rb->read_word, length_wanted - room, *rb);
    return rt_ringbuffer_put(rb, ptr, length_wanted);
}

rt_size_t rt_ringbuffer_putchar(rt_ringbuffer *rb, const rt_uint8_t ch) {
    return rt_ringbuffer_put(rb, &ch, 1);
}

rt_size_t rt_ringbuffer_putchar_force(rt_ringbuffer *rb, const rt_uint8_t ch) {
    return rt_ringbuffer_put_force(rb, &ch, 1);
}

rt_size_t rt_ringbuffer_get(rt_ringbuffer *rb, rt_uint8_t *ptr, rt_uint32_t length_wanted) {
    RT_REQUIRE(rb && (ptr || length_wanted == 0), 0);
    const rt_uint32_t used = length(*rb);
    const rt_uint32_t n = length_wanted < used ? length_wanted : used;
    if (n == 0)
        return 0;
    const rt_uint32_t index = Place(rb->read_word).index;
    const rt_uint32_t to_end = size_of(*rb) - index;
    const rt_uint32_t first = n < to_end ? n : to_end;
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
    rt_memcpy(ptr, rb->buffer_ptr + index, first);
    rt_memcpy(ptr + first, rb->buffer_ptr, n - first);
    advance(rb->read_word, n, *rb);
    return n;
}

rt_size_t rt_ringbuffer_getchar(rt_ringbuffer *rb, rt_uint8_t *ch) {
    return rt_ringbuffer_get(rb, ch, 1);
}

rt_size_t rt_ringbuffer_peek(rt_ringbuffer *rb, rt_uint8_t **ptr) {
    RT_REQUIRE(rb && ptr, 0);
    *ptr = nullptr;
    const rt_uint32_t used = length(*rb);
    if (used == 0)
        return 0;
    const rt_uint32_t index = Place(rb->read_word).index;
    *ptr = rb->buffer_ptr + index;
    const rt_uint32_t to_end = size_of(*rb) - index;
    const rt_uint32_t n = used < to_end ? used : to_end;
    advance(rb->read_word, n, *rb);
    return n;
}

rt_ringbuffer *rt_ringbuffer_create(rt_uint32_t length_wanted) {
    RT_REQUIRE(length_wanted >= RT_ALIGN_SIZE && length_wanted < RT_UINT32_MAX / 2, nullptr);
    const rt_uint32_t size = RT_ALIGN_DOWN(length_wanted, RT_ALIGN_SIZE);
    auto *const rb = static_cast<rt_ringbuffer *>(rt_malloc(sizeof(rt_ringbuffer) + size));
    if (rb)
        rt_ringbuffer_init(rb, reinterpret_cast<rt_uint8_t *>(rb + 1), static_cast<rt_int32_t>(size));
    return rb;
}

void rt_ringbuffer_destroy(rt_ringbuffer *rb) {
    RT_REQUIRE(rb, );
    rt_free(rb);
}
}
