// SPDX-License-Identifier: GPL-2.0-only
/* Channels that a process maps: libvbus, and what the device must refuse. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rtmux/vbus_user.h>

#include "../../../vbus/lib/vbus.h"

#define DEVICE "/dev/vbus/" ECHO_CHANNEL
#define ANSWER_MS 5000

static uint8_t out[0x10000], in[0x10000];

static struct vbus *open_channel(void)
{
	struct vbus *bus = vbus_open(ECHO_CHANNEL);

	expect(bus, "channel %s: errno %d", ECHO_CHANNEL, errno);
	return bus;
}

static void check_sizes(struct vbus *bus)
{
	size_t longest = vbus_max(bus);
	struct vbus_note note = {.type = 7, .flags = 0x8001, .timestamp = 1}, back;

	for (size_t size = 0; size <= longest; size += size < 70 ? 1 : size / 3) {
		ssize_t got;

		fill(out, size, size);
		expect(vbus_send(bus, out, size, &note, ANSWER_MS) == 0, "send of %zu bytes: errno %d", size, errno);
		got = vbus_recv(bus, in, sizeof(in), &back, ANSWER_MS);
		expect(got == (ssize_t)size && filled(in, size, size), "%zd bytes of %zu came back, errno %d", got, size, errno);
		expect(back.type == note.type && back.flags == note.flags && back.timestamp > 1, "another note came back");
	}
	expect(longest <= sizeof(out), "%zu bytes are too long for this program", longest);
	expect_error(vbus_send(bus, out, longest + 1, NULL, 0), EMSGSIZE);
	expect_error(vbus_recv(bus, in, sizeof(in), NULL, 0), EAGAIN);
	expect_error(vbus_recv(bus, in, sizeof(in), NULL, 30), EAGAIN);
	/* What does not fit the buffer stays. */
	fill(out, 100, 1);
	expect(vbus_send(bus, out, 100, NULL, ANSWER_MS) == 0, "send: errno %d", errno);
	expect_error(vbus_recv(bus, in, 99, NULL, ANSWER_MS), EMSGSIZE);
	expect(vbus_recv(bus, in, 100, NULL, 0) == 100 && filled(in, 100, 1), "the record did not stay");
}

static void check_batches(struct vbus *bus)
{
	for (uint32_t round = 0; round < 200; round++) {
		size_t length;
		const uint8_t *payload;
		uint32_t sent, got = 0;

		for (sent = 0; sent < 1 + round % 16; sent++) {
			uint8_t *room = vbus_reserve(bus, 256, ANSWER_MS);

			expect(room, "reserve: errno %d", errno);
			fill(room, 200 + sent, round + sent);
			expect(vbus_put(bus, 200 + sent, NULL) == 0, "put: errno %d", errno);
		}
		expect(vbus_flush(bus) == 0, "flush: errno %d", errno);
		while (got < sent) {
			payload = vbus_peek(bus, &length, NULL, ANSWER_MS);
			expect(payload, "%u of %u came back, errno %d", got, sent, errno);
			do {
				expect(length == 200 + got && filled(payload, length, round + got), "record %u is another one", got);
				got++;
				payload = vbus_next(bus, &length, NULL);
			} while (payload);
			expect(vbus_release(bus) == 0, "release: errno %d", errno);
		}
	}
	expect_error(vbus_release(bus), EINVAL);
	expect_error(vbus_put(bus, 1, NULL), EINVAL);
}

static sigjmp_buf back;

static void on_fault(int number)
{
	siglongjmp(back, number);
}

static bool faults(volatile uint32_t *word)
{
	if (sigsetjmp(back, 1))
		return true;
	*word = 0xdeadbeef;
	return false;
}

/* A second process opens the device; this is what it gets while we have it, and what can be mapped. */
static void check_device(void)
{
	struct sigaction action = {.sa_handler = on_fault};
	struct vbus_user_info info;
	int fd = open(DEVICE, O_RDWR);
	void *map;

	expect(fd >= 0, "%s: errno %d", DEVICE, errno);
	expect_error(open(DEVICE, O_RDWR), EBUSY);
	expect(ioctl(fd, VBUS_IOC_INFO, &info) == 0, "VBUS_IOC_INFO: errno %d", errno);
	expect_error(ioctl(fd, 0x1234, 0), ENOTTY);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	/* What the RT side writes cannot be written here, nor later made writable. */
	for (int i = 0; i < 2; i++) {
		uint32_t offset = i ? info.channel.to_guest.offset : info.channel.control;

		expect_error(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset), EACCES);
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, offset);
		expect(map != MAP_FAILED, "not mapped: errno %d", errno);
		expect(faults(map), "a word of the RT side was written");
		expect_error(mprotect(map, 4096, PROT_READ | PROT_WRITE), EACCES);
		munmap(map, 4096);
	}
	expect_error(mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EACCES);
	expect_error(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, info.channel.guest_control), EINVAL);
	expect_error(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0), EACCES);
	expect_error(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, info.size), ENXIO);
	expect_error(mmap(NULL, info.size + 4096, PROT_READ, MAP_SHARED, fd, 0), ENXIO);
	expect_error(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0x7ffff000), ENXIO);
	/* Rubbish in our own line, and everywhere in our ring: our channel's affair, which ends with us. */
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.channel.guest_control);
	expect(map != MAP_FAILED && !faults(map), "our own line cannot be written");
	memset(map, 0xa5, 4096);
	ioctl(fd, VBUS_IOC_DOORBELL);
	munmap(map, 4096);
	map = mmap(NULL, info.channel.to_rt.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.channel.to_rt.offset);
	expect(map != MAP_FAILED, "our own ring is not mapped");
	memset(map, 0xff, info.channel.to_rt.size);
	ioctl(fd, VBUS_IOC_DOORBELL);
	munmap(map, info.channel.to_rt.size); /* a mapping keeps the device open */
	close(fd);
}

/* Whoever ends without closing leaves a channel that the next one can use. */
static void check_death(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct vbus *bus = open_channel();

		for (int i = 0; i < 10; i++)
			vbus_send(bus, out, 1000, NULL, 0);
		kill(getpid(), SIGKILL);
	}
	waitpid(child, &status, 0);
	expect(WIFSIGNALED(status), "the process did not die");
}

int check_map(int count, char **arguments)
{
	struct vbus *bus;

	(void)count, (void)arguments;
	for (int life = 0; life < 3; life++) {
		bus = open_channel();
		expect_error((long)(vbus_open(ECHO_CHANNEL) ? 0 : -1), EBUSY);
		check_sizes(bus);
		check_batches(bus);
		vbus_close(bus);
		if (life == 0)
			check_device();
		if (life == 1)
			check_death();
	}
	return 0;
}

/* The other side echoes, so if we do not read, it waits for room, and then its ring to us is full too. */
int check_full(int count, char **arguments)
{
	struct vbus *bus = open_channel();
	uint32_t sent = 0, got = 0;
	struct vbus_counters counters;
	int idle = 0;

	(void)count, (void)arguments;
	while (idle < 20) {
		fill(out, 1000, sent);
		if (vbus_send(bus, out, 1000, NULL, 0) == 0) {
			sent++;
			idle = 0;
		} else {
			expect(errno == EAGAIN || errno == ENOTCONN, "a full ring: errno %d", errno);
			usleep(2000);
			idle++;
		}
	}
	expect(sent > 20, "%u records fill the rings", sent);
	expect(vbus_wait(bus, POLLOUT, 50) == 0, "a full ring is writable");
	expect_error(vbus_send(bus, out, 1000, NULL, 50), EAGAIN);
	while (got < sent) {
		expect(vbus_recv(bus, in, sizeof(in), NULL, ANSWER_MS) == 1000, "%u of %u came back, errno %d", got, sent, errno);
		expect(filled(in, 1000, got), "record %u is another one", got);
		got++;
	}
	expect(vbus_wait(bus, POLLOUT, ANSWER_MS) == POLLOUT, "no room afterwards");
	vbus_count(bus, &counters);
	expect(counters.tx_records == sent && counters.rx_records == got && counters.tx_full > 0 && !counters.violations,
	       "the counters say something else");
	vbus_close(bus);
	return 0;
}
