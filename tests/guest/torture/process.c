// SPDX-License-Identifier: GPL-2.0-only
/* Many address spaces at once, and many after one another. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "torture.h"

/* More live processes than there are ASIDs: each has other contents at the
 * same addresses, and all are switched to in turn.
 */
enum { LIVE = 300, OWN_PAGES = 4 };

struct member {
	unsigned int number;
	int from, to;
	uint32_t *memory;
};

static void answer(void *arg)
{
	struct member *m = arg;
	uint32_t token;

	for (unsigned int i = 0; i < OWN_PAGES; i++)
		m->memory[i * 1024] = m->number * 16 + i;
	while (read(m->from, &token, sizeof(token)) == sizeof(token)) {
		for (unsigned int i = 0; i < OWN_PAGES; i++)
			if (m->memory[i * 1024] != m->number * 16 + i)
				fail("process %u sees %x in page %u", m->number,
				     (unsigned int)m->memory[i * 1024], i);
		token += m->number;
		CHECK(write(m->to, &token, sizeof(token)) == sizeof(token));
	}
}

void many_processes(unsigned int iterations)
{
	static int to[LIVE], from[LIVE];
	static pid_t pid[LIVE];
	uint32_t *memory = pages(OWN_PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE);

	for (unsigned int i = 0; i < LIVE; i++) {
		int down[2], up[2];
		struct member m;

		CHECK(pipe2(down, O_CLOEXEC) == 0 && pipe2(up, O_CLOEXEC) == 0);
		m = (struct member){ i, down[0], up[1], memory };
		to[i] = down[1];
		from[i] = up[0];
		pid[i] = fork();
		if (pid[i] == 0) {
			for (unsigned int k = 0; k <= i; k++) { /* or no end of file would be seen */
				close(to[k]);
				close(from[k]);
			}
			alarm(600);
			answer(&m);
			_exit(0);
		}
		CHECK(pid[i] > 0);
		close(down[0]);
		close(up[1]);
	}
	for (unsigned int n = 0; n < iterations; n++)
		for (unsigned int i = 0; i < LIVE; i++) {
			unsigned int which = n & 1 ? random_below(LIVE) : i;
			uint32_t token = n;

			CHECK(write(to[which], &token, sizeof(token)) == sizeof(token));
			CHECK(read(from[which], &token, sizeof(token)) == sizeof(token));
			CHECK(token == n + which);
		}
	for (unsigned int i = 0; i < LIVE; i++) {
		close(to[i]);
		finish(pid[i]);
	}
}

/* exec with arguments and environment that must arrive */
int exec_storm_child(int argc, char **argv)
{
	const char *env = getenv("STORM");
	unsigned long sum = 0;

	if (argc != 4 || !env)
		return 1;
	for (const char *c = argv[3]; *c; c++)
		sum += (unsigned char)*c;
	return sum == strtoul(argv[2], NULL, 0) && strlen(env) == strlen(argv[3]) ? 0 : 1;
}

static void execute(void *arg)
{
	static char text[40000], env[40010] = "STORM=", sum[16];
	unsigned long total = 0;
	unsigned int length = random_below(sizeof(text) - 1);
	char *args[] = { "torture", EXEC_STORM_ARGUMENT, sum, text, NULL }, *environment[] = { env, NULL };

	(void)arg;
	for (unsigned int i = 0; i < length; i++) {
		text[i] = (char)('a' + random_below(26));
		total += (unsigned char)text[i];
	}
	strcat(env, text);
	snprintf(sum, sizeof(sum), "%lu", total);
	execve("/proc/self/exe", args, environment);
	fail("execve: %m");
}

void exec_storm(unsigned int iterations)
{
	pid_t pid[4];

	for (unsigned int n = 0; n < iterations; n += 4) {
		for (unsigned int i = 0; i < 4; i++) {
			pid[i] = start(execute, NULL);
			random_below(2);
		}
		for (unsigned int i = 0; i < 4; i++)
			finish(pid[i]);
	}
}

/* A tree of processes; what the leaves write must come out at the root. */
struct node {
	unsigned int depth;
	int out;
};

static void grow(void *arg)
{
	struct node me = *(struct node *)arg, below = { me.depth - 1, -1 };
	unsigned char block[512];
	uint32_t sum = 1, part;
	pid_t child[2];
	int ends[2];

	if (me.depth > 0) {
		CHECK(pipe(ends) == 0);
		below.out = ends[1];
		for (unsigned int i = 0; i < 2; i++) {
			child[i] = start(grow, &below);
			random_below(3);
		}
		close(ends[1]);
		for (unsigned int i = 0; i < 2; i++) {
			CHECK(read(ends[0], &part, sizeof(part)) == sizeof(part));
			sum += part;
		}
		for (unsigned int i = 0; i < 2; i++)
			finish(child[i]);
	} else {
		/* A leaf fills and drains a pipe of its own */
		CHECK(pipe(ends) == 0);
		for (unsigned int i = 0; i < 64; i++) {
			memset(block, (int)i, sizeof(block));
			CHECK(write(ends[1], block, sizeof(block)) == (ssize_t)sizeof(block));
		}
		for (unsigned int i = 0; i < 64; i++) {
			CHECK(read(ends[0], block, sizeof(block)) == (ssize_t)sizeof(block));
			CHECK(block[0] == i && block[511] == i);
		}
	}
	CHECK(write(me.out, &sum, sizeof(sum)) == sizeof(sum));
}

void pipe_storm(unsigned int iterations)
{
	for (unsigned int n = 0; n < iterations; n++) {
		int ends[2];
		uint32_t sum;
		struct node root = { 4, -1 };

		CHECK(pipe(ends) == 0);
		root.out = ends[1];
		finish(start(grow, &root));
		CHECK(read(ends[0], &sum, sizeof(sum)) == sizeof(sum));
		CHECK(sum == 31);
		close(ends[0]);
		close(ends[1]);
	}
}
