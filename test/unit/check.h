/*
 * check.h: the little that a plain C test needs to speak TAP.
 *
 * Each check() is one test of the output; done() prints the plan.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int	check_count;
static int	check_failures;

__attribute__((format(printf, 4, 5), unused))
static bool
check_at(bool ok, const char *file, int line, const char *format,...)
{
	va_list		args;

	printf("%sok %d - ", ok ? "" : "not ", ++check_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	if (!ok)
	{
		check_failures++;
		printf("# failed at %s:%d\n", file, line);
	}
	return ok;
}

#define check(ok, ...)	check_at(ok, __FILE__, __LINE__, __VA_ARGS__)

/* Many comparisons, one line of output: count failures, then check(). */
#define fails(var, ok, ...) \
	do { \
		if (!(ok)) \
		{ \
			if (var++ < 10) \
			{ \
				printf("# %s:%d: ", __FILE__, __LINE__); \
				printf(__VA_ARGS__); \
				printf("\n"); \
			} \
		} \
	} while (0)

__attribute__((unused))
static int
done(void)
{
	printf("1..%d\n", check_count);
	return check_failures != 0;
}

/* A small generator of pseudo-random numbers (xorshift), the same everywhere. */
__attribute__((unused))
static uint64_t
random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif							/* CHECK_H */
