/*
 * pattern_test.c: regular expressions of clients, good, bad and hostile.
 */
#include "broker/pattern.h"
#include "check.h"

#include <time.h>

static bool
matches(const char *pattern, const char *text)
{
	int32_t		size;
	BrokerPattern *p = broker_pattern_compile(pattern, strlen(pattern), &size);
	bool		result = p && broker_pattern_matches(p, text, strlen(text));

	broker_pattern_free(p);
	return result;
}

static bool
is_refused(const char *pattern, size_t length)
{
	int32_t		size;
	BrokerPattern *p = broker_pattern_compile(pattern, length, &size);

	broker_pattern_free(p);
	return p == NULL;
}

static double
seconds(void)
{
	return (double) clock() / CLOCKS_PER_SEC;
}

static void
test_syntax(void)
{
	static const char *const bad[] = {"(", "[a", "a**", "\\", "(?=x)", "(a)\\1", "a{2,1}", "(?<n>", "*"};

	check(matches("orders", "orders") && !matches("orders", "orders2") && !matches("rder", "orders"),
		  "the whole name has to match");
	check(matches("^orders\\..*$", "orders.eu") && matches("orders[.](eu|us)", "orders.us"),
		  "ordinary patterns");
	check(matches("(?i)ORDERS", "orders") && matches("\\w+-\\d{2,3}", "a-12") && matches("", ""),
		  "classes, flags");
	for (int i = 0; i < (int) (sizeof(bad) / sizeof(bad[0])); i++)
		check(is_refused(bad[i], strlen(bad[i])), "refused: %s", bad[i]);
	check(is_refused("a\xff", 2), "text that is not UTF-8");
	check(!is_refused("a\0b", 3), "a zero byte is a character");
}

static void
test_hostile(void)
{
	static const char *const patterns[] = {"(a*)*b",
										   "(a|a)*b",
										   "(a+)+b",
										   "(.*)*(.*)*(.*)*x",
										   "(a|b|ab)*c",
										   ".*.*.*.*.*.*.*.*.*.*b",
										   "(a?){200}a{200}",
										   "(.*a){20}",
										   "[ab]*a[ab]{200}",
										   "((a{1,30}){1,30}){1,30}",
										   "(((x{100}){100}){100}){100}"};
	char		text[250];
	double		start = seconds();
	char	   *deep = malloc(4000);

	memset(text, 'a', sizeof(text));
	text[249] = '\0';
	for (int i = 0; i < (int) (sizeof(patterns) / sizeof(patterns[0])); i++)
		for (int n = 0; n < 10; n++)
			(void) matches(patterns[i], text);
	memset(deep, '(', 4000);
	(void) is_refused(deep, 4000);
	memset(deep, '*', 4000);
	deep[0] = 'a';
	(void) is_refused(deep, 4000);
	for (int i = 0; i < 4000; i++)
		deep[i] = "[^\\x00](?:"[i % 9];
	(void) is_refused(deep, 4000);
	check(seconds() - start < 10, "patterns that kill others take %.2f s of CPU time, under the sanitizers",
		  seconds() - start);
	check(is_refused("((a{1,30}){1,30}){1,30}", 23), "what would take too many steps is refused");
	free(deep);
}

int
main(void)
{
	test_syntax();
	test_hostile();
	return done();
}
