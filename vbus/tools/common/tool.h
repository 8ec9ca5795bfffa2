/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs vbus and rtlog share. */
#ifndef VBUS_TOOL_H
#define VBUS_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_RECORD 0x40000
#define ANSWER_TIMEOUT_MS 5000

/* util.c */
void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...);
unsigned long number(const char *text, unsigned long least, unsigned long most);
double now_us(void);
/* The first line of a file of sysfs, "" if there is none. */
void read_line(char *line, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* service.c: services that the RT side announces on RPMSG channels */
struct service {
	char channel[16];
	char name[32];
	uint32_t address; /* the RT side's */
	char device[32];  /* that a driver made of it: rpmsg0, ttyRPMSG0; "" if none */
};
size_t find_services(struct service *services, size_t most);
bool find_service(const char *name, struct service *service);
int open_endpoint(const struct service *service);

/* port.c: something to send to and receive from, by its name: a service, or a MMAP channel */
struct port;
struct port *port_open(const char *name);
void port_close(struct port *port);
/* 0 and less: as read and write; ETIMEDOUT when the time is over. */
int port_send(struct port *port, const void *data, size_t length, int timeout);
ssize_t port_recv(struct port *port, void *data, size_t size, int timeout);

#endif
