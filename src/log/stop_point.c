/*-------------------------------------------------------------------------
 *
 * stop_point.c
 *	  Crashes on demand, for tests.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "utils/guc.h"

#include "log/stop_point.h"

#ifdef PG_BROKER_STOP_POINTS

bool		log_debug_skip_flush = false;

static char *stop_point = NULL;

void
log_define_stop_points(void)
{
	DefineCustomStringVariable("pg_broker.stop_point",
							   "Names the point in the code at which a process kills itself.",
							   NULL, &stop_point, "", PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_broker.debug_skip_flush",
							 "Acknowledges records before they are flushed.",
							 NULL, &log_debug_skip_flush, false, PGC_SIGHUP, 0, NULL, NULL, NULL);
}

void
log_stop_point(const char *name)
{
	if (stop_point && strcmp(stop_point, name) == 0)
	{
		write_stderr("pg_broker: stopped at \"%s\"\n", name);
		kill(getpid(), SIGKILL);
	}
}

#endif
