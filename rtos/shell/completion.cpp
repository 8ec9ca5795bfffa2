// SPDX-License-Identifier: BSD-3-Clause
#include "completion.hpp"

namespace rtos::shell {

void Candidates::add(const char *name) {
    const size_t length = __builtin_strlen(name);
    if (length < length_ || length > longest || __builtin_memcmp(name, word_, length_) != 0)
        return;
    if (list_) {
        static constexpr char spaces[] = "                ";
        if (count_ > 0 && count_ % columns == 0)
            list_->write("\n", 1);
        list_->write(name, length);
        if (length < column)
            list_->write(spaces, column - length);
        else
            list_->write(spaces, 1);
    }
    if (count_++ == 0) {
        common_length_ = length;
        __builtin_memcpy(common_, name, length);
    }
    size_t same = 0;
    while (same < common_length_ && same < length && common_[same] == name[same])
        ++same;
    common_length_ = same;
    common_[same] = 0;
}

void Candidates::end_list() {
    if (list_ && count_ > 0)
        list_->write("\n", 1);
}

} // namespace rtos::shell
