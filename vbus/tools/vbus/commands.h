/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the program vbus; arguments[0] is their name. */
#ifndef VBUS_COMMANDS_H
#define VBUS_COMMANDS_H

#include "../common/tool.h"

void __attribute__((noreturn)) usage(void);

int command_list(int count, char **arguments);
int command_info(int count, char **arguments);
int command_send(int count, char **arguments);
int command_recv(int count, char **arguments);
int command_echo(int count, char **arguments);
int command_stats(int count, char **arguments);
int command_bench(int count, char **arguments);

#endif
