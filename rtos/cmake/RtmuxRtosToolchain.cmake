# SPDX-License-Identifier: BSD-3-Clause
# Toolchain of applications: the compiler, and where find_package(RtmuxRtos) finds this.
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
set(RtmuxRtos_DIR ${CMAKE_CURRENT_LIST_DIR})
