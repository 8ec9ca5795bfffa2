# SPDX-License-Identifier: BSD-3-Clause
# add_rt_application(name [FLOATING_POINT | POSIX] source...): an RTOS image, name.elf, to be put into a board's image.
# Its sources may use the kernel's C++ interface (rtos/*.hpp), RT-Thread's, V-Bus and the shell.
# FLOATING_POINT: also VFP and NEON, wherever the compiler likes: ISRs and timers' handlers must not, so theirs are for
# a library of their own.
# POSIX: a hosted program, with all of newlib, POSIX threads, C++'s library and exceptions, and floating point.
function(add_rt_application name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FLOATING_POINT;POSIX" "" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
  if(arg_POSIX)
    target_link_libraries(${name} PRIVATE RtmuxRtos::posix)
  elseif(arg_FLOATING_POINT)
    target_link_libraries(${name} PRIVATE RtmuxRtos::floating_point)
  else()
    target_link_libraries(${name} PRIVATE RtmuxRtos::application)
  endif()
  rtos_link(${name})
endfunction()
