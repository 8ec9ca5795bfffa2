// SPDX-License-Identifier: BSD-3-Clause
/*
 * Services of the RT side, as the rpmsg bus shows them below /sys/class/vbus/<channel>,
 * and endpoints of our own to talk to them.
 */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/rpmsg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define APPEAR_MS 2000 /* after a start of the module the RT side has yet to announce */

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%.*s", (int)size - 1, from);
}

/* The last part of the first path that matches; "" if none does. */
static void first_match(char *found, size_t size, const char *pattern)
{
	glob_t paths;

	*found = 0;
	if (glob(pattern, 0, NULL, &paths) == 0) {
		copy(found, size, strrchr(paths.gl_pathv[0], '/') + 1);
		globfree(&paths);
	}
}

size_t find_services(struct service *services, size_t most)
{
	char text[64], pattern[512];
	size_t count = 0;
	glob_t paths;

	if (glob("/sys/class/vbus/*/*/dst", 0, NULL, &paths))
		return 0;
	for (size_t i = 0; i < paths.gl_pathc && count < most; i++) {
		char *path = paths.gl_pathv[i], *channel = path + strlen("/sys/class/vbus/");
		struct service *service = &services[count];

		*strrchr(path, '/') = 0;
		read_line(service->name, sizeof(service->name), "%s/name", path);
		read_line(text, sizeof(text), "%s/dst", path);
		service->address = strtoul(text, NULL, 0);
		if (!strcmp(service->name, "rpmsg_ctrl") || !strcmp(service->name, "rpmsg_ns"))
			continue;
		snprintf(pattern, sizeof(pattern), "%s/rpmsg/rpmsg*", path);
		first_match(service->device, sizeof(service->device), pattern);
		if (!*service->device) {
			snprintf(pattern, sizeof(pattern), "%s/tty/tty*", path);
			first_match(service->device, sizeof(service->device), pattern);
		}
		*strchr(channel, '/') = 0;
		copy(service->channel, sizeof(service->channel), channel);
		count++;
	}
	globfree(&paths);
	return count;
}

bool find_service(const char *name, struct service *service)
{
	static struct service all[256];

	for (int waited = 0; waited <= APPEAR_MS; waited += 20) {
		size_t count = find_services(all, sizeof(all) / sizeof(*all));

		for (size_t i = 0; i < count; i++) {
			if (!strcmp(all[i].name, name)) {
				*service = all[i];
				return true;
			}
		}
		usleep(20000);
	}
	return false;
}

/* The device that rpmsg_ctrl made for the endpoint of that name. */
static int open_made(const char *control, const char *name)
{
	char pattern[128], text[64], device[64];
	glob_t paths;
	int fd = -1;

	snprintf(pattern, sizeof(pattern), "/sys/class/rpmsg/%s/rpmsg*/name", control);
	if (glob(pattern, 0, NULL, &paths))
		return -1;
	for (size_t i = 0; i < paths.gl_pathc && fd < 0; i++) {
		read_line(text, sizeof(text), "%s", paths.gl_pathv[i]);
		if (strcmp(text, name))
			continue;
		*strrchr(paths.gl_pathv[i], '/') = 0;
		snprintf(device, sizeof(device), "/dev/%s", strrchr(paths.gl_pathv[i], '/') + 1);
		fd = open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	}
	globfree(&paths);
	return fd;
}

/* RPMSG_DESTROY_EPT_IOCTL on what this returns removes the endpoint's device. */
int open_endpoint(const struct service *service)
{
	struct rpmsg_endpoint_info info = {.src = 0xffffffff, .dst = service->address};
	char pattern[128], control[32], path[64];
	int fd, endpoint;

	snprintf(pattern, sizeof(pattern), "/sys/class/vbus/%s/*/rpmsg/rpmsg_ctrl*", service->channel);
	first_match(control, sizeof(control), pattern);
	snprintf(path, sizeof(path), "/dev/%s", control);
	fd = *control ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		die("channel %s has no control device: is the module rpmsg_ctrl loaded?", service->channel);
	snprintf(info.name, sizeof(info.name), "vbus-%d", (int)getpid());
	if (ioctl(fd, RPMSG_CREATE_EPT_IOCTL, &info))
		die("no endpoint for service %s: %s", service->name, strerror(errno));
	close(fd);
	endpoint = open_made(control, info.name);
	if (endpoint < 0)
		die("no device for service %s: %s", service->name, strerror(errno));
	return endpoint;
}
