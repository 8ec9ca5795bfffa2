// SPDX-License-Identifier: GPL-2.0-only
#include "options.hpp"

#include <algorithm>
#include <stdexcept>

namespace lab {

namespace {

uint32_t number(const std::string &text, size_t *used = nullptr) {
    return static_cast<uint32_t>(std::stoul(text, used, 0));
}

Range range(const std::string &text) {
    size_t dash;
    const uint32_t first = number(text, &dash);
    return {first, number(text.substr(dash + 1))};
}

std::vector<Signature> signatures(const std::string &text) {
    std::vector<Signature> all;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('+', at), text.size());
        all.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

} // namespace

void Options::set(const std::string &name, const std::string &value) {
    if (name == "vectors") {
        vectors = number(value);
    } else if (name == "isr") {
        for (size_t at = 0, used; at < value.size(); at += used + 1)
            isr.push_back(number(value.substr(at), &used));
    } else if (name == "thread") {
        thread = range(value);
    } else if (name == "window") {
        window = range(value);
    } else if (name == "anchor") {
        size_t colon;
        anchor_va = number(value, &colon);
        anchor_pa = number(value.substr(colon + 1));
    } else if (name == "control") {
        control = value;
    } else if (name == "irq-log") {
        irq_log = value;
    } else if (name == "irq") {
        irq = number(value);
    } else if (name == "linux-irq") {
        linux_irq = number(value);
    } else if (name == "wakes") {
        wakes = number(value);
    } else if (name == "sleeps") {
        sleeps = signatures(value);
    } else if (name == "woken") {
        woken = signatures(value);
    } else if (name == "waiter") {
        waiter = signatures(value);
    } else {
        throw std::invalid_argument("unknown option");
    }
}

} // namespace lab
