// SPDX-License-Identifier: GPL-2.0-only
// A device tree in a buffer of exactly its capacity, read back by path.
#pragma once

#include "fake_physical.hpp"
#include "guest_dt.hpp"

#include <cstring>
#include <libfdt.h>

constexpr uint32_t device_tree_capacity = 256 * 1024;

inline const rtmux::GuestDtConfig plain_config = {
    .memory_base = 0x70400000,
    .memory_size = 0xb000000,
    .initrd_start = 0x7b000000,
    .initrd_end = 0x7b012345,
    .bootargs = "quiet",
    .bootargs_length = 5,
    .vbus_base = 0x701c0000,
    .vbus_size = 0x40000,
    .vbus_irq = 122,
    .clock_pa = 0x1000005c,
    .guest_may = [](uint32_t pa) { return pa >= 0x10000000 && pa < 0x10100000 && pa != 0x10003000; },
};

class Tree {
  public:
    explicit Tree(const Bytes &file, uint32_t capacity = device_tree_capacity)
        : length_(static_cast<uint32_t>(file.size())), capacity_(capacity),
          words_(std::make_unique<uint64_t[]>((capacity + 7) / 8)) {
        std::copy_n(file.begin(), std::min<size_t>(file.size(), capacity),
                    reinterpret_cast<uint8_t *>(words_.get()));
    }

    rtmux::GuestDtResult edit(const rtmux::GuestDtConfig &config) {
        return rtmux::edit_guest_dt(words_.get(), length_, capacity_, config);
    }

    // For changes by libfdt that make the tree longer.
    int make_room() {
        length_ = capacity_;
        return fdt_open_into(fdt(), fdt(), static_cast<int>(capacity_));
    }

    [[nodiscard]] void *fdt() const { return words_.get(); }
    [[nodiscard]] int at(const std::string &path) const { return fdt_path_offset(fdt(), path.c_str()); }
    [[nodiscard]] bool exists(const std::string &path) const { return at(path) >= 0; }
    [[nodiscard]] bool has(const std::string &path, const char *property) const {
        return fdt_getprop(fdt(), at(path), property, nullptr) != nullptr;
    }
    [[nodiscard]] std::string text(const std::string &path, const char *property) const {
        int length = 0;
        const void *value = fdt_getprop(fdt(), at(path), property, &length);
        if (value == nullptr || length < 1)
            return "(none)";
        const std::string all(static_cast<const char *>(value), static_cast<size_t>(length));
        return all.back() == 0 ? all.substr(0, all.size() - 1) : "(not terminated)";
    }
    [[nodiscard]] std::vector<uint32_t> cells(const std::string &path, const char *property) const {
        int length = 0;
        const auto *value = static_cast<const fdt32_t *>(fdt_getprop(fdt(), at(path), property, &length));
        std::vector<uint32_t> all;
        for (int i = 0; value != nullptr && i < length / 4; i++)
            all.push_back(fdt32_to_cpu(value[i]));
        return all;
    }
    // There, and not switched off.
    [[nodiscard]] bool enabled(const std::string &path) const {
        return exists(path) && (!has(path, "status") || text(path, "status") == "okay");
    }
    [[nodiscard]] uint32_t phandle(const std::string &path) const { return fdt_get_phandle(fdt(), at(path)); }

  private:
    uint32_t length_;
    uint32_t capacity_;
    std::unique_ptr<uint64_t[]> words_;
};
