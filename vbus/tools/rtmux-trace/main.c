// SPDX-License-Identifier: BSD-3-Clause
/* rtmux-trace: the executive's trace, from Linux. Protocol: rtmux/vbus_trace.h; what it writes: rtmux/abi/trace.h. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rtmux/abi/trace.h>
#include <rtmux/vbus_trace.h>

#include "../common/tool.h"

static const char usage_text[] =
	"usage: rtmux-trace -o FILE [-l] [-s SECONDS | COMMAND [ARGUMENT]...]\n"
	"       rtmux-trace on | off | state\n"
	"Record what the executive does for a second, for SECONDS, or while COMMAND runs.\n"
	"\n"
	"  -o, --output FILE    written; on a host: tools/rtmux trace --from FILE OUTPUT\n"
	"  -l, --last           do not read meanwhile, which is itself work to be seen: only the last 8192 events\n"
	"  -s, --seconds N      1 to 86400\n"
	"\n"
	"Events that were overwritten before they were read are counted, and stand in the file as lost. It needs\n"
	"an executive that was built with RTMUX_TRACE. Exit status: COMMAND's; 1: no trace; 2: a wrong option.\n";

static const struct option options[] = {
	{"output", required_argument, NULL, 'o'}, {"last", no_argument, NULL, 'l'},
	{"seconds", required_argument, NULL, 's'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
};

static struct {
	struct vbus_trace_answer head;
	struct rtmux_trace_record record[VBUS_TRACE_MAX_RECORDS];
} answer;
static struct port *port;
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void ask(uint32_t type)
{
	struct vbus_trace_request request = {.type = type};
	ssize_t length = -1;

	if (port_send(port, &request, sizeof(request), ANSWER_TIMEOUT_MS) == 0)
		do
			length = port_recv(port, &answer, sizeof(answer), ANSWER_TIMEOUT_MS);
		while (length < 0 && errno == EINTR);
	if (length < 0)
		die("the RT side gave no answer: %s", strerror(errno));
	if (length < (ssize_t)sizeof(answer.head) || answer.head.type != type ||
	    answer.head.count != (length - sizeof(answer.head)) / sizeof(*answer.record))
		die("the RT side gave another answer than was asked for");
	if (answer.head.version == 0)
		die("this executive was built without a trace: use the preset realview-pb-a8-trace, or RTMUX_TRACE");
	if (answer.head.version != RTMUX_TRACE_VERSION)
		die("the trace is of version %" PRIu32 ", not %u", answer.head.version, RTMUX_TRACE_VERSION);
}

static void put(FILE *file, const char *path, const void *data, size_t size)
{
	if (size && fwrite(data, size, 1, file) != 1)
		die("%s: %s", path, strerror(errno));
}

/* What there is, but not more than what the ring holds: new events come while this runs. How many. */
static uint32_t read_some(FILE *file, const char *path)
{
	uint32_t count = 0;

	do {
		ask(VBUS_TRACE_READ);
		put(file, path, answer.record, answer.head.count * sizeof(*answer.record));
		count += answer.head.count;
	} while (answer.head.count == VBUS_TRACE_MAX_RECORDS && count < RTMUX_TRACE_RECORDS);
	return count;
}

static pid_t start(char **command)
{
	pid_t child = fork();

	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child == 0) {
		execvp(*command, command);
		fprintf(stderr, "rtmux-trace: %s: %s\n", *command, strerror(errno));
		_exit(127);
	}
	return child;
}

/* True: the child, or the time, has ended; *status is the child's. */
static bool ended(pid_t child, double deadline, int *status)
{
	int result;

	if (!child)
		return interrupted || now_us() >= deadline;
	if (waitpid(child, &result, WNOHANG) != child)
		return false;
	*status = WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
	return true;
}

static int record(const char *path, bool last, unsigned long seconds, char **command)
{
	static struct rtmux_trace head = {.magic = RTMUX_TRACE_MAGIC, .version = RTMUX_TRACE_VERSION};
	FILE *file = fopen(path, "w");
	int status = 0;
	double deadline;
	pid_t child;
	size_t head_size = offsetof(struct rtmux_trace, record);

	if (!file)
		die("%s: %s", path, strerror(errno));
	put(file, path, &head, head_size);
	ask(VBUS_TRACE_ON);
	child = *command ? start(command) : 0;
	deadline = now_us() + seconds * 1e6;
	while (!ended(child, deadline, &status)) {
		if (last || read_some(file, path) < RTMUX_TRACE_RECORDS / 4)
			usleep(last ? 10000 : 2000);
	}
	ask(VBUS_TRACE_OFF);
	while (read_some(file, path))
		;
	head.next = (ftell(file) - (long)head_size) / (long)sizeof(struct rtmux_trace_record);
	head.clock_hz = answer.head.clock_hz;
	rewind(file);
	put(file, path, &head, head_size);
	if (fclose(file))
		die("%s: %s", path, strerror(errno));
	printf("%" PRIu32 " records in %s, %" PRIu32 " events lost\n", head.next, path, answer.head.lost);
	return status;
}

static int state(const char *command)
{
	ask(!strcmp(command, "on") ? VBUS_TRACE_ON : !strcmp(command, "off") ? VBUS_TRACE_OFF : VBUS_TRACE_STATE);
	printf("trace %s, %" PRIu32 " records wait, %" PRIu32 " events lost\n", answer.head.enabled ? "on" : "off",
	       answer.head.waiting, answer.head.lost);
	return 0;
}

static void __attribute__((noreturn)) usage(void)
{
	fputs("usage: rtmux-trace -o FILE [-l] [-s SECONDS | COMMAND...], or on, off, state; --help says more\n", stderr);
	exit(2);
}

int main(int count, char **arguments)
{
	struct sigaction action = {.sa_handler = interrupt};
	const char *path = NULL, *word;
	unsigned long seconds = 0;
	bool last = false, only;
	int option;

	while ((option = getopt_long(count, arguments, "+o:ls:h", options, NULL)) != -1) {
		if (option == 'o') {
			path = optarg;
		} else if (option == 'l') {
			last = true;
		} else if (option == 's') {
			seconds = number(optarg, 1, 86400);
		} else if (option == 'h') {
			fputs(usage_text, stdout);
			return 0;
		} else {
			usage();
		}
	}
	word = arguments[optind];
	only = !path && optind == count - 1 && !last && !seconds;
	if (only && strcmp(word, "on") && strcmp(word, "off") && strcmp(word, "state"))
		usage();
	if (!only && (!path || (word && seconds)))
		usage();
	sigaction(SIGINT, &action, NULL);
	port = port_open(VBUS_TRACE_SERVICE);
	if (only)
		return state(word);
	return record(path, last, seconds ? seconds : 1, arguments + optind);
}
