// SPDX-License-Identifier: BSD-3-Clause
// Completion of a word. Candidates are never stored: whoever knows them adds them twice, to be counted
// and to be listed.
#pragma once

#include <stddef.h>

#include "stream.hpp"

namespace rtos::shell {

class Candidates {
  public:
    static constexpr size_t longest = 31;

    // word: what has been typed of it. list: null, or where to write those that begin with it.
    Candidates(const char *word, size_t length, Output *list = nullptr)
        : word_(word), length_(length), list_(list) {}

    void add(const char *name);

    unsigned count() const { return count_; }
    // What all of them begin with, of which the first length characters have been typed.
    const char *common() const { return common_; }
    size_t common_length() const { return common_length_; }
    // After the last one that is to be listed.
    void end_list();

  private:
    static constexpr size_t column = 16, columns = 4;

    const char *word_;
    size_t length_;
    Output *list_;
    unsigned count_ = 0;
    size_t common_length_ = 0;
    char common_[longest + 1] = {};
};

// Knows the words that are possible somewhere.
class Completer {
  public:
    // before: the line up to the word. Adds the same ones if called twice.
    virtual void candidates(const char *before, size_t length, Candidates &to) = 0;

  protected:
    ~Completer() = default;
};

} // namespace rtos::shell
