// SPDX-License-Identifier: BSD-3-Clause
#include "heap_block.hpp"

#include <rtos/assert.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>

namespace rtos {

using namespace heap;

// A request in whole granules; 0: more than there can be.
static size_t rounded(size_t size) {
    if (size > PTRDIFF_MAX)
        return 0;
    return size == 0 ? Heap::alignment : (size + Heap::alignment - 1) & ~(Heap::alignment - 1);
}

bool Heap::faulty(Fault fault, const void *address) const {
    static constexpr const char *names[] = {"double free", "foreign address", "corruption"};
    if (report_)
        report_(*this, fault, address);
    else
        log("heap %s: %s at %08x", name_, names[static_cast<unsigned>(fault)],
            reinterpret_cast<uintptr_t>(address));
    return false;
}

// -- Blocks. IRQs masked in all of it.

const Heap::Region *Heap::region_of(const void *address) const {
    const uintptr_t a = reinterpret_cast<uintptr_t>(address);
    const Region *r = regions_;
    while (r && a - reinterpret_cast<uintptr_t>(r->low) >=
                    reinterpret_cast<uintptr_t>(r->end) - reinterpret_cast<uintptr_t>(r->low))
        r = r->next;
    return r;
}

bool Heap::may_be_block(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) % alignment == 0 && region_of(address);
}

// The header of b, which is or was a block, agrees with its neighbours': a write beyond the end of a piece is
// noticed here.
bool Heap::sound(const Block *b) const {
    const Region *const r = region_of(b);
    if (!r)
        return false;
    const uint8_t *const low = r->low;
    const uint8_t *const high = reinterpret_cast<const uint8_t *>(r->end);
    const uint8_t *const self = reinterpret_cast<const uint8_t *>(b);
    const uint8_t *const before = reinterpret_cast<const uint8_t *>(b->before);
    if (b->size() % alignment != 0 || b->size() > static_cast<size_t>(high - self) - Block::header ||
        b->behind()->before != b)
        return false;
    if (!before)
        return self == low;
    return before >= low && before < self && reinterpret_cast<uintptr_t>(before) % alignment == 0 &&
           b->before->behind() == b;
}

void Heap::insert(Block *b) {
    const unsigned list = list_of(b->size());
    Block *const next = lists_[list];
    b->next = next;
    b->previous = nullptr;
    if (next)
        next->previous = b;
    lists_[list] = b;
    const unsigned c = list / lists_per_class;
    second_[c] = static_cast<uint8_t>(second_[c] | 1u << list % lists_per_class);
    first_ |= 1u << c;
}

// Take a free block out of its list. False: it is corrupted and stays where it is.
bool Heap::remove(Block *b) {
    const unsigned list = list_of(b->size());
    Block *const next = b->next;
    Block *const previous = b->previous;
    if ((next && !(may_be_block(next) && next->previous == b)) ||
        !(previous ? may_be_block(previous) && previous->next == b : lists_[list] == b))
        return faulty(Fault::corruption, b->piece());
    if (next)
        next->previous = previous;
    if (previous) {
        previous->next = next;
        return true;
    }
    lists_[list] = next;
    if (!next) {
        const unsigned c = list / lists_per_class;
        second_[c] = static_cast<uint8_t>(second_[c] & ~(1u << list % lists_per_class));
        if (second_[c] == 0)
            first_ &= ~(1u << c);
    }
    return true;
}

// The list to take a block of at least this many bytes from, whose first one fits; none: there is none.
static constexpr unsigned none = ~0u;

unsigned Heap::find(size_t bytes) const {
    unsigned list = list_from(bytes);
    unsigned c = list / lists_per_class;
    uint32_t lists = second_[c] & 0xffu << list % lists_per_class;
    if (!lists) {
        const uint32_t classes = first_ & (~uint32_t{1} << c);
        if (!classes) {
            // In the list of its own size not all are large enough, but the first one may be.
            list = list_of(bytes);
            return lists_[list] && lists_[list]->size() >= bytes ? list : none;
        }
        c = static_cast<unsigned>(std::countr_zero(classes));
        lists = second_[c];
    }
    return c * lists_per_class + static_cast<unsigned>(std::countr_zero(lists));
}

Heap::Block *Heap::take(size_t bytes) {
    if (bytes - 1 >= limit_) // 0 as well
        return nullptr;
    for (unsigned list; (list = find(bytes)) != none;) {
        Block *const b = lists_[list];
        if (b->free() && sound(b) && list_of(b->size()) == list && remove(b)) [[likely]]
            return b;
        // What this list holds is lost, but the heap goes on.
        (void)faulty(Fault::corruption, b->piece());
        lists_[list] = nullptr;
        const unsigned c = list / lists_per_class;
        second_[c] = static_cast<uint8_t>(second_[c] & ~(1u << list % lists_per_class));
        if (second_[c] == 0)
            first_ &= ~(1u << c);
    }
    return nullptr;
}

// Cut b to this many bytes. The rest as a free block in no list, or null if it is too small to be one.
Heap::Block *Heap::split(Block *b, size_t bytes) {
    const size_t rest = b->size() - bytes;
    if (rest < Block::header + Block::smallest)
        return nullptr;
    b->behind()->before = reinterpret_cast<Block *>(b->piece() + bytes);
    b->state -= rest;
    Block *const r = b->behind();
    r->before = b;
    r->state = rest - Block::header;
    return r;
}

// A block that is marked as free enters the lists, as one with free neighbours.
void Heap::release(Block *b) {
    Block *const behind = b->behind();
    if (behind->free() && sound(behind) && remove(behind))
        b->state += Block::header + behind->size();
    Block *const before = b->before;
    if (before && before->free() && remove(before)) {
        before->state += Block::header + b->size();
        b = before;
    }
    b->behind()->before = b;
    insert(b);
}

void *Heap::give_out(Block *b) {
    b->state |= Block::used;
    statistics_.used += Block::header + b->size();
    if (statistics_.used > statistics_.maximum)
        statistics_.maximum = statistics_.used;
    return b->piece();
}

// This is a piece that may be freed; if not it is reported.
bool Heap::allocated(void *piece) const {
    if (!may_be_block(Block::of(piece)))
        return faulty(Fault::foreign, piece);
    if (Block::of(piece)->free())
        return faulty(Fault::double_free, piece);
    return sound(Block::of(piece)) || faulty(Fault::corruption, piece);
}

// -- Pieces. Each operation is several calls, and the heap's links are inconsistent between some of them.

bool Heap::grown(size_t bytes) {
    // Beside the piece a region has its own room and two headers, and the first one the lists.
    constexpr size_t room = Region::room + 2 * Block::header + alignment;
    constexpr size_t lists = 30 * (lists_per_class * sizeof(Block *) + 1);
    return bytes != 0 && grow_ && grow_(*this, bytes + room + (lists_ ? 0 : lists));
}

void *Heap::allocate(size_t size) {
    const size_t bytes = rounded(size);
    port::probe_stack();
    do {
        const IrqMask masked;
        if (Block *const b = take(bytes)) {
            if (Block *const rest = split(b, bytes))
                insert(rest); // behind it is none that is free
            return give_out(b);
        }
    } while (grown(bytes));
    return nullptr;
}

void *Heap::allocate_aligned(size_t align, size_t size) {
    const bool power = align != 0 && (align & (align - 1)) == 0; // has_single_bit is a library call
    RTOS_ASSERT(power);
    if (!power)
        return nullptr;
    if (align <= alignment)
        return allocate(size);
    const size_t bytes = rounded(size);
    // Room before the piece: nothing, or what makes a free block.
    const size_t room = bytes + align + Block::smallest;
    if (bytes == 0 || room < align)
        return nullptr;
    port::probe_stack();
    do {
        const IrqMask masked;
        Block *b = take(room);
        if (!b)
            continue;
        size_t gap = -reinterpret_cast<uintptr_t>(b->piece()) & (align - 1);
        if (gap != 0) {
            if (gap < Block::header + Block::smallest)
                gap += align;
            Block *const aligned = split(b, gap - Block::header);
            insert(b);
            b = aligned;
        }
        if (Block *const rest = split(b, bytes))
            insert(rest);
        return give_out(b);
    } while (grown(room));
    return nullptr;
}

Status Heap::free(void *piece) {
    if (!piece)
        return Status::ok;
    port::probe_stack();
    const IrqMask masked;
    const bool valid = allocated(piece);
    RTOS_ASSERT(valid);
    if (!valid)
        return Status::invalid;
    Block *const b = Block::of(piece);
    b->state &= ~Block::used;
    statistics_.used -= Block::header + b->size();
    release(b);
    return Status::ok;
}

void *Heap::reallocate(void *piece, size_t size) {
    if (!piece)
        return allocate(size);
    const size_t bytes = rounded(size);
    if (bytes == 0)
        return nullptr;
    size_t before;
    port::probe_stack();
    {
        const IrqMask masked;
        const bool valid = allocated(piece);
        RTOS_ASSERT(valid);
        if (!valid)
            return nullptr;
        Block *const b = Block::of(piece);
        Block *const behind = b->behind();
        before = b->size();
        if (before < bytes && behind->free() && before + Block::header + behind->size() >= bytes &&
            sound(behind) && remove(behind)) {
            b->state += Block::header + behind->size();
            b->behind()->before = b;
        }
        if (b->size() >= bytes) {
            if (Block *const rest = split(b, bytes))
                release(rest);
            statistics_.used -= Block::header + before;
            return give_out(b);
        }
    }
    void *const moved = allocate(size);
    if (moved) {
        __builtin_memcpy(moved, piece, before);
        (void)free(piece);
    }
    return moved;
}

size_t Heap::usable_size(const void *piece) {
    return Block::of(const_cast<void *>(piece))->size();
}

} // namespace rtos
