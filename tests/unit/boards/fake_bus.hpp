// SPDX-License-Identifier: GPL-2.0-only
// A register block for drivers that remembers every access, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <vector>

namespace fake {

struct Access {
    enum Kind { read, write, barrier } kind;
    char bus;
    uint32_t offset = 0, value = 0;
    bool operator==(const Access &) const = default;
};

inline std::ostream &operator<<(std::ostream &out, const Access &a) {
    if (a.kind == Access::barrier)
        return out << a.bus << " barrier";
    return out << a.bus << (a.kind == Access::read ? " read" : " write") << std::hex << " [" << a.offset
               << "] " << a.value << std::dec;
}

inline std::vector<Access> history;

// Registers hold what was written, unless a hook says otherwise.
template <char name> struct Bus {
    static inline std::map<uint32_t, uint32_t> registers;
    static inline std::function<void(uint32_t offset, uint32_t value)> on_write;

    static inline std::function<void(uint32_t offset)> on_read; // before it

    static uint32_t read(uint32_t offset) {
        if (on_read)
            on_read(offset);
        history.push_back({Access::read, name, offset, registers[offset]});
        return registers[offset];
    }
    static void write(uint32_t offset, uint32_t value) {
        history.push_back({Access::write, name, offset, value});
        registers[offset] = value;
        if (on_write)
            on_write(offset, value);
    }
    static void barrier() { history.push_back({Access::barrier, name}); }
    static void clear() {
        registers.clear();
        on_write = nullptr;
        on_read = nullptr;
    }
};

template <char name = 'a'> Access rd(uint32_t offset, uint32_t value) {
    return {Access::read, name, offset, value};
}
template <char name = 'a'> Access wr(uint32_t offset, uint32_t value) {
    return {Access::write, name, offset, value};
}
template <char name = 'a'> Access barrier() {
    return {Access::barrier, name};
}

// What was done since the last call.
inline std::vector<Access> taken() {
    std::vector<Access> h;
    h.swap(history);
    return h;
}

} // namespace fake
