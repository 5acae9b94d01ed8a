/*-------------------------------------------------------------------------
 *
 * stop_point.h
 *	  Crashes, errors and pauses on demand, for tests; nothing in an ordinary build.
 *
 * Built with -DPG_BROKER_STOP_POINTS, a process that reaches the point named by the
 * setting pg_broker.stop_point kills itself, which restarts the server; at the one
 * named by pg_broker.pause_point, which must hold no LWLock, it waits as long as another
 * session holds pg_advisory_lock(42); at the one named by pg_broker.error_point an error is
 * raised.  The setting pg_broker.debug_skip_flush makes the broker acknowledge what is not
 * flushed: a crash test that doesn't notice is no test.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOG_STOP_POINT_H
#define LOG_STOP_POINT_H

#ifdef PG_BROKER_STOP_POINTS
extern bool log_debug_skip_flush;

extern void log_stop_point(const char *name);
extern void log_define_stop_points(void);

#define LOG_STOP_POINT(name)	log_stop_point(name)
#else
#define LOG_STOP_POINT(name)	((void) 0)
#endif

#endif							/* LOG_STOP_POINT_H */
