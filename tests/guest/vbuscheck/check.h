/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of vbuscheck share: see main.c. */
#ifndef VBUSCHECK_H
#define VBUSCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ECHO_SERVICE "rpmsg-raw" /* sends back what it gets */
#define ECHO_CHANNEL "stream"    /* the same, for libvbus */

void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...);
#define expect(condition, ...)                                                                     \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail(__VA_ARGS__);                                                         \
	} while (0)
/* A call that must fail, and how. */
#define expect_error(call, error)                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		expect((long)(call) == -1 && errno == (error), #call ": errno %d instead of %d", errno, error); \
	} while (0)

double now(void); /* seconds */
/* Bytes that depend on what and where, to be told from others. */
void fill(uint8_t *data, size_t size, uint32_t seed);
bool filled(const uint8_t *data, size_t size, uint32_t seed);

/* rpmsg.c: an endpoint of our own for a service, as OpenAMP's programs make it; -1 while there is none */
int make_endpoint(const char *service, int flags);
void destroy_endpoint(int fd);
/* the one that rpmsg_char made for the service rpmsg-raw by itself */
int open_service(const char *service, int flags);

int check_rpmsg(int count, char **arguments);
int check_epipe(int count, char **arguments);
int check_map(int count, char **arguments);
int check_geometry(int count, char **arguments);
int check_full(int count, char **arguments);
int check_traffic(int count, char **arguments);
int check_restarts(int count, char **arguments);
int peer_echo(int count, char **arguments);
int peer_sink(int count, char **arguments);
int peer_mapsink(int count, char **arguments);

#endif
