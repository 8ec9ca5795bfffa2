// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE /* program_invocation_short_name */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	exit(1);
}

unsigned long number(const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		die("'%s' is not a number from %lu to %lu", text, least, most);
	return value;
}

double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

void read_line(char *line, size_t size, const char *format, ...)
{
	char path[512];
	va_list arguments;
	FILE *file;

	va_start(arguments, format);
	vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	*line = 0;
	file = fopen(path, "r");
	if (!file)
		return;
	if (!fgets(line, size, file))
		*line = 0;
	line[strcspn(line, "\n")] = 0;
	fclose(file);
}
