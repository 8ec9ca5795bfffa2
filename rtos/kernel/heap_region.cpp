// SPDX-License-Identifier: BSD-3-Clause
// A heap's regions: how memory comes in, and what there is of it.
#include "heap_block.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

using namespace heap;

// Lay out the lists at low, and raise it.
Status Heap::begin(uint8_t *&low, const uint8_t *high, size_t limit) {
    const size_t lists = (list_of(limit) / lists_per_class + 1) * lists_per_class;
    // One class more, always empty: list_from() of the largest size leads there.
    const size_t bytes = lists * sizeof(Block *) + lists / lists_per_class + 1;
    const size_t room = (bytes + alignment - 1) & ~(alignment - 1);
    if (room + 2 * Block::header + Block::smallest > static_cast<size_t>(high - low) ||
        std::bit_width(limit / alignment) > 32)
        return Status::invalid;
    __builtin_memset(low, 0, room);
    lists_ = reinterpret_cast<Block **>(low);
    second_ = low + lists * sizeof(Block *);
    limit_ = limit;
    low += room;
    return Status::ok;
}

Status Heap::add(void *memory, size_t size, size_t limit) {
    const uintptr_t start = reinterpret_cast<uintptr_t>(memory);
    const size_t skipped = -start & (alignment - 1);
    if (size < skipped + Region::room + 2 * Block::header + Block::smallest)
        return Status::invalid;
    uint8_t *low = static_cast<uint8_t *>(memory) + skipped;
    uint8_t *const high = low + ((size - skipped) & ~(alignment - 1));
    const size_t total = static_cast<size_t>(high - low);
    Block *const end = reinterpret_cast<Block *>(high - Block::header);

    const IrqMask masked;
    Region *r = regions_;
    while (r && r->end->piece() != low)
        r = r->next;
    Block *b;
    if (r) {
        if (static_cast<size_t>(high - r->low) > limit_)
            return Status::invalid;
        b = r->end; // its header is the new memory's
        b->state = total - Block::header;
        statistics_.used -= total;
    } else {
        r = reinterpret_cast<Region *>(low);
        low += Region::room;
        if (regions_ ? total > limit_ : begin(low, high, total > limit ? total : limit) != Status::ok)
            return Status::invalid;
        *r = {regions_, low, end};
        regions_ = r;
        b = reinterpret_cast<Block *>(low);
        b->before = nullptr;
        b->state = static_cast<size_t>(high - low) - 2 * Block::header;
        statistics_.used -= b->size() + Block::header;
    }
    r->end = end;
    end->before = b;
    end->state = Block::used;
    statistics_.total += total;
    statistics_.used += total;
    if (statistics_.used > statistics_.maximum)
        statistics_.maximum = statistics_.used;
    release(b);
    return Status::ok;
}

bool Heap::contains(const void *address) const {
    const IrqMask masked;
    return region_of(address) != nullptr;
}

Heap::Statistics Heap::statistics() const {
    const IrqMask masked;
    return statistics_;
}

size_t Heap::largest() const {
    const IrqMask masked;
    if (!first_)
        return 0;
    const unsigned c = static_cast<unsigned>(std::bit_width(first_)) - 1;
    const unsigned list =
        c * lists_per_class + static_cast<unsigned>(std::bit_width(uint32_t{second_[c]})) - 1;
    return lists_[list]->size();
}

bool Heap::verify() const {
    const IrqMask masked;
    size_t listed = 0;
    for (size_t list = 0; limit_ && list <= list_of(limit_); ++list) {
        const bool marked = second_[list / lists_per_class] >> list % lists_per_class & 1;
        if (marked != (lists_[list] != nullptr) || (marked && !(first_ >> list / lists_per_class & 1)))
            return false;
        const Block *previous = nullptr;
        for (const Block *b = lists_[list]; b; previous = b, b = b->next, ++listed)
            if (!region_of(b) || !b->free() || list_of(b->size()) != list || b->previous != previous)
                return false;
    }
    size_t available = 0;
    for (const Region *r = regions_; r; r = r->next) {
        const Block *before = nullptr;
        for (const Block *b = reinterpret_cast<Block *>(r->low); b != r->end; before = b, b = b->behind()) {
            if (!sound(b) || b->before != before || (before && before->free() && b->free()))
                return false;
            if (b->free()) {
                --listed;
                available += Block::header + b->size();
            }
        }
    }
    return listed == 0 && available == statistics_.total - statistics_.used;
}

} // namespace rtos
