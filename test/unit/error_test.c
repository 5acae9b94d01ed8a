/*
 * Error codes: the table is complete, and Kafka's.
 */
#include "check.h"
#include "golden.h"
#include "wire/error.h"

static void
as_kafka(void)
{
	int			n;
	char	  **lines = golden_lines("golden/errors.txt", &n);
	int			bad = 0;

	for (int i = 0; i < n; i++)
		fails(bad, strcmp(kafka_error_name(atoi(lines[i])), strchr(lines[i], ',') + 1) == 0, "%s", lines[i]);
	check(bad == 0 && n == KAFKA_ERROR_MAX + 2, "codes and names are those of Kafka's classes");
	golden_free_lines(lines, n);
}

int
main(void)
{
	int			bad = 0;

	for (int code = -1; code <= KAFKA_ERROR_MAX; code++)
		fails(bad, strlen(kafka_error_message(code)) > 5, "%d has no message", code);
	check(bad == 0, "each code has a message");
	check(KAFKA_UNKNOWN_SERVER_ERROR == -1 && KAFKA_NONE == 0 && KAFKA_INVALID_RECORD == 87 &&
		  KAFKA_TRANSACTION_ABORTABLE == 120 && KAFKA_CONTROLLER_ID_NOT_REGISTERED == 136,
		  "codes are Kafka's");
	check(strcmp(kafka_error_name(1000), "UNKNOWN_SERVER_ERROR") == 0 &&
		  strcmp(kafka_error_name(-2), "UNKNOWN_SERVER_ERROR") == 0, "other codes are unknown");
	as_kafka();
	return done();
}
