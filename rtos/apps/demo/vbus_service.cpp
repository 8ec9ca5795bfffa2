// SPDX-License-Identifier: BSD-3-Clause
#include "demo.hpp"

namespace demo {

rtos::Status start_vbus_service() { return rtos::Status::ok; }

} // namespace demo
