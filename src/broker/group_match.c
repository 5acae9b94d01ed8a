/*-------------------------------------------------------------------------
 *
 * group_match.c
 *	  Which topics match a member's regular expression?
 *
 * It is evaluated in the coordinator, which nobody may hold up.  Matching takes
 * at most (length of all names) x (size of the compiled pattern) steps; a pattern
 * that could take too many is refused as if it were wrong.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/group_store.h"
#include "broker/pattern.h"
#include "wire/error.h"

/* Of bytes: of the pattern, which is compiled in time proportional to it. */
#define MAX_LENGTH		4096

/* A few tenths of a second, if a client does its worst. */
#define MAX_STEPS		INT64CONST(100000000)

int16
broker_group_match(WireString pattern, int32 n, const WireString *topics, bool *matches)
{
	BrokerPattern *compiled;
	int32		size;
	int64		length = 0;

	if (pattern.len > MAX_LENGTH)
		return KAFKA_INVALID_REGULAR_EXPRESSION;
	compiled = broker_pattern_compile(pattern.data, pattern.len, &size);
	if (compiled == NULL)
		return KAFKA_INVALID_REGULAR_EXPRESSION;
	for (int i = 0; i < n; i++)
		length += topics[i].len;
	if (length * size > MAX_STEPS)
	{
		broker_pattern_free(compiled);
		return KAFKA_INVALID_REGULAR_EXPRESSION;
	}
	for (int i = 0; i < n; i++)
		matches[i] = broker_pattern_matches(compiled, topics[i].data, topics[i].len);
	broker_pattern_free(compiled);
	return KAFKA_NONE;
}
