// SPDX-License-Identifier: GPL-2.0-only
// What must hold in the kernel whenever IRQs are open.
#pragma once

#include <string>

namespace rtos {

class Inspector {
  public:
    // Empty if all is well, or what is wrong.
    static std::string check();
};

} // namespace rtos
