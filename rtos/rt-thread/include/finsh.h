/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands for the shell: entries of the section FSymTab. */
#ifndef FINSH_H__
#define FINSH_H__

#include <rttypes.h>

typedef long (*syscall_func)(void);

struct finsh_syscall {
	const char *name; /* of a command "__cmd_" + what one types */
	const char *desc;
	syscall_func func; /* of a command: int (int argc, char **argv), or (void) */
};

extern const struct finsh_syscall __fsymtab_start[];
extern const struct finsh_syscall __fsymtab_end[];

#ifdef __cplusplus
#define FINSH_SYSCALL(function) reinterpret_cast<syscall_func>(reinterpret_cast<void (*)(void)>(&function))
#else
#define FINSH_SYSCALL(function) ((syscall_func)(void (*)(void))&function)
#endif

#define FINSH_FUNCTION_EXPORT_CMD(function, cmd, description) \
	rt_used rt_align(sizeof(void *)) const struct finsh_syscall __fsym_##cmd rt_section("FSymTab") = { \
		#cmd, #description, FINSH_SYSCALL(function) \
	};

#define FINSH_FUNCTION_EXPORT(name, desc) FINSH_FUNCTION_EXPORT_CMD(name, name, desc)
#define FINSH_FUNCTION_EXPORT_ALIAS(name, alias, desc) FINSH_FUNCTION_EXPORT_CMD(name, alias, desc)

#define FINSH_MSH_EXPORT_1(command, desc) FINSH_FUNCTION_EXPORT_CMD(command, __cmd_##command, desc)
#define FINSH_MSH_EXPORT_2(command, desc, options) FINSH_MSH_EXPORT_1(command, desc)
#define FINSH_MSH_EXPORT_OF(a, b, c, macro, ...) macro
/* MSH_CMD_EXPORT(command, description [, table of options]) */
#define MSH_CMD_EXPORT(...) \
	FINSH_MSH_EXPORT_OF(__VA_ARGS__, FINSH_MSH_EXPORT_2, FINSH_MSH_EXPORT_1, unused)(__VA_ARGS__)
#define FINSH_ALIAS_EXPORT_1(function, alias, desc) FINSH_FUNCTION_EXPORT_CMD(function, __cmd_##alias, desc)
#define FINSH_ALIAS_EXPORT_2(function, alias, desc, options) FINSH_ALIAS_EXPORT_1(function, alias, desc)
#define FINSH_ALIAS_EXPORT_OF(a, b, c, d, macro, ...) macro
#define MSH_CMD_EXPORT_ALIAS(...) \
	FINSH_ALIAS_EXPORT_OF(__VA_ARGS__, FINSH_ALIAS_EXPORT_2, FINSH_ALIAS_EXPORT_1, unused)(__VA_ARGS__)

#endif
