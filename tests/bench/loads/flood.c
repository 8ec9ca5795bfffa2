// SPDX-License-Identifier: GPL-2.0-only
/* flood ADDRESS COUNT: UDP packets of 1000 bytes to the discard port (RFC 863), as fast as they go. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	static const char packet[1000];
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (argc != 3 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) {
		fprintf(stderr, "usage: flood ADDRESS COUNT\n");
		return 2;
	}
	for (long i = strtol(argv[2], NULL, 0); i > 0; i--) {
		ssize_t sent = sendto(fd, packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to));

		if (sent < 0 && errno != ENOBUFS && errno != ECONNREFUSED) {
			fprintf(stderr, "flood: %s\n", strerror(errno));
			return 1;
		}
	}
	return 0;
}
