/*
 * Error codes: the table is complete.
 */
#include "check.h"
#include "wire/error.h"

int
main(void)
{
	int			bad = 0;
	int			found;

	for (int code = -1; code <= KAFKA_ERROR_MAX; code++)
	{
		fails(bad, kafka_error_by_name(kafka_error_name(code), &found) && found == code,
			  "%d has no name of its own",
			  code);
		fails(bad, strlen(kafka_error_message(code)) > 5, "%d has no message", code);
	}
	check(bad == 0, "each code has a name and a message");
	check(KAFKA_UNKNOWN_SERVER_ERROR == -1 && KAFKA_NONE == 0 && KAFKA_INVALID_RECORD == 87 &&
		  KAFKA_TRANSACTION_ABORTABLE == 120 && KAFKA_CONTROLLER_ID_NOT_REGISTERED == 136,
		  "codes are Kafka's");
	check(strcmp(kafka_error_name(1000), "UNKNOWN_SERVER_ERROR") == 0 &&
		  strcmp(kafka_error_name(-2), "UNKNOWN_SERVER_ERROR") == 0 && !kafka_error_by_name("NOPE", &found),
		  "other codes and names are unknown");
	return done();
}
