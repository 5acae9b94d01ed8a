/*-------------------------------------------------------------------------
 *
 * report.c
 *	  Keeps clients from filling the log: so many lines in so much time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "net/report.h"
#include "utils/timestamp.h"

#define WINDOW_MS	10000
#define MAX_LINES	10

static TimestampTz window_start;
static int	lines;
static int	suppressed;

bool
net_may_report(void)
{
	TimestampTz now = GetCurrentTimestamp();

	if (TimestampDifferenceExceeds(window_start, now, WINDOW_MS))
	{
		if (suppressed > 0)
			ereport(LOG,
					(errmsg("%d messages about Kafka clients were left out of the log", suppressed)));
		window_start = now;
		lines = 0;
		suppressed = 0;
	}
	if (lines >= MAX_LINES)
	{
		suppressed++;
		return false;
	}
	lines++;
	return true;
}
