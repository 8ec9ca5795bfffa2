// SPDX-License-Identifier: GPL-2.0-only
//
// From the expiry of a timer to the first instruction of the thread that waits for it, whoever the
// thread belongs to: the RTOS, or a Linux.
#pragma once

#include "trackers.hpp"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab {

// A place in a program's text that is known by its offset in the page and the bytes there: neither moves when
// the program is loaded elsewhere, and every process that runs the file shares it.
class Signature {
  public:
    static constexpr uint32_t page = 4096;

    // "OFFSET:HEXBYTES"; throws std::invalid_argument
    explicit Signature(const std::string &text) {
        size_t colon;
        offset = static_cast<uint32_t>(std::stoul(text, &colon, 0));
        for (size_t at = colon + 1; at + 1 < text.size(); at += 2)
            bytes.push_back(static_cast<char>(std::stoul(text.substr(at, 2), nullptr, 16)));
        if (text.size() < colon + 3 || text[colon] != ':' || offset + bytes.size() > page)
            throw std::invalid_argument("signature");
    }
    // memory: what is at va, readable to the end of va's page
    bool matches(uint32_t va, const void *memory) const {
        return va % page == offset && std::memcmp(memory, bytes.data(), bytes.size()) == 0;
    }

  private:
    uint32_t offset;
    std::string bytes;
};

class WakeUp {
  public:
    struct Record {
        Histogram instructions, modelled_ns;
        uint64_t ambiguous = 0; // had an earlier expiry served for somebody, perhaps for them
    };

    // The timer's line was raised: expiry.
    void expired(const Clocks &now) { expiry = now; }
    // The thread goes to sleep: who was woken before was another one.
    void sleeps() { is_served = another = false; }
    // The handler of the interrupt begins to wake somebody.
    void served() {
        another = is_served && (another || from.instructions != expiry.instructions);
        is_served = true;
        from = expiry;
    }
    // Perhaps the thread's first instruction: at_thread() tells.
    void candidate(const Clocks &now) { first = now; }
    // The thread runs, since the last candidate.
    void at_thread() {
        if (!is_served)
            return;
        is_served = false;
        made.instructions.add(first.instructions - from.instructions);
        made.modelled_ns.add(first.modelled_ns - from.modelled_ns);
        made.ambiguous += another;
    }

    void clear() { made = {}; }
    const Record &record() const { return made; }

  private:
    Clocks expiry{}, from{}, first{};
    bool is_served = false;
    bool another = false; // the one before was served, and its thread has not run
    Record made;
};

// What QEMU writes with "-trace gic_set_irq": a line for each change of an interrupt's. Its timers run
// between two blocks of instructions, at the very instruction that they expire at; so whoever looks before
// each block sees a change exactly when it comes.
class IrqLog {
  public:
    // text: where QEMU's log appears as it is written, zero behind that
    explicit IrqLog(const volatile char *text_ = nullptr) : text{text_} {}

    // risen(irq) for each line that rose since the last look
    template <typename Risen> void look(Risen risen) {
        if (!text)
            return;
        while (*text) {
            const char c = *text++;
            if (c != '\n') {
                line += c;
                continue;
            }
            unsigned irq, level;
            const size_t at = line.find("gic_set_irq irq ");
            if (at != line.npos &&
                std::sscanf(line.c_str() + at, "gic_set_irq irq %u level %u", &irq, &level) == 2 && level)
                risen(irq);
            line.clear();
        }
    }

  private:
    const volatile char *text;
    std::string line;
};

} // namespace lab
