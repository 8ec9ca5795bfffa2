// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos {

// A link of a circular, doubly linked, intrusive list; also the list's head.
// Every operation but iteration is constant-time. Unlinked: points to itself.
class Link {
  public:
    constexpr Link() : next_(this), prev_(this) {}
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    bool linked() const { return next_ != this; }
    Link *next() const { return next_; }
    Link *prev() const { return prev_; }

    // Insert node before this link: before a head means at the tail.
    void insert_before(Link &node) {
        node.next_ = this;
        node.prev_ = prev_;
        prev_->next_ = &node;
        prev_ = &node;
    }

    void insert_after(Link &node) { next_->insert_before(node); }

    void unlink() {
        remove();
        next_ = prev_ = this;
    }

    // Unlink, and leave this link as it was: to be inserted elsewhere, or reset, at once.
    void remove() {
        Link *const next = next_;
        Link *const prev = prev_;
        prev->next_ = next;
        next->prev_ = prev;
    }
    void reset() { next_ = prev_ = this; }

  private:
    Link *next_;
    Link *prev_;
};

} // namespace rtos
