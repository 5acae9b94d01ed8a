/*-------------------------------------------------------------------------
 *
 * stop_point.c
 *	  Crashes, errors and pauses on demand, for tests.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/guc.h"

#include "log/stop_point.h"

#ifdef PG_BROKER_STOP_POINTS

bool		log_debug_skip_flush = false;

static char *stop_point = NULL;
static char *pause_point = NULL;
static char *error_point = NULL;

/* pg_advisory_lock(PAUSE_KEY) holds up who comes to the pause point. */
#define PAUSE_KEY	42

void
log_define_stop_points(void)
{
	DefineCustomStringVariable("pg_broker.stop_point",
							   "Names the point in the code at which a process kills itself.",
							   NULL, &stop_point, "", PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("pg_broker.pause_point",
							   "Names the point in the code at which a process waits for an advisory lock.",
							   NULL, &pause_point, "", PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("pg_broker.error_point",
							   "Names the point in the code at which an error is raised.",
							   NULL, &error_point, "", PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_broker.debug_skip_flush",
							 "Acknowledges records before they are flushed.",
							 NULL, &log_debug_skip_flush, false, PGC_SIGHUP, 0, NULL, NULL, NULL);
}

static void
pause_here(void)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, PAUSE_KEY, 1);
	(void) LockAcquire(&tag, ShareLock, false, false);
	LockRelease(&tag, ShareLock, false);
}

void
log_stop_point(const char *name)
{
	if (pause_point && strcmp(pause_point, name) == 0)
		pause_here();
	if (error_point && strcmp(error_point, name) == 0)
		elog(ERROR, "error point \"%s\"", name);
	if (stop_point && strcmp(stop_point, name) == 0)
	{
		write_stderr("pg_broker: stopped at \"%s\"\n", name);
		kill(getpid(), SIGKILL);
	}
}

#endif
