/*-------------------------------------------------------------------------
 *
 * statement_wait.h
 *	  Waiting for records before a statement has a snapshot.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_STATEMENT_WAIT_H
#define AM_STATEMENT_WAIT_H

#include "datatype/timestamp.h"
#include "nodes/primnodes.h"

#define STATEMENT_MAX_ARGS	8

/* A function of schema broker that waits; its last argument says how long, as an interval. */
typedef struct StatementWait
{
	const char *function;
	int			n_args;

	/* Is there reason to wait?  The arguments are to be remembered for wait(). */
	bool		(*wants) (const FuncExpr *call, const Datum *args);
	void		(*wait) (TimestampTz deadline);
} StatementWait;

/* At start-up; it stays where it is. */
extern void statement_wait_register(const StatementWait *function);

/*
 * Until when may the call wait that is going on?  If its statement has waited for it
 * already, until then.
 */
extern TimestampTz statement_deadline(const StatementWait *function, const Interval *max_wait);

#endif							/* AM_STATEMENT_WAIT_H */
