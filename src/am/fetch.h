/*-------------------------------------------------------------------------
 *
 * fetch.h
 *	  What broker.fetch() and its waiting share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_FETCH_H
#define AM_FETCH_H

#include "datatype/timestamp.h"
#include "fmgr.h"

typedef struct FetchArgs
{
	const char *name;			/* for errors */
	Oid			relid;
	int32		partition;
	int64		offset;
} FetchArgs;

extern Datum am_sql_fetch(PG_FUNCTION_ARGS);

/* fetch.c: the topic of that name, which the current user may read, into *args. */
extern void fetch_topic(text *name, FetchArgs *args);

/*
 * fetch.c: wait until the partition has a record at or after the offset that a
 * consumer may read, or until the deadline.
 */
extern void fetch_wait(const FetchArgs *args, TimestampTz deadline);

/*
 * fetch_wait.c: until when may this call wait?  If the statement has waited
 * before it took its snapshot, until then.
 */
extern TimestampTz fetch_deadline(const FetchArgs *args, const Interval *max_wait);

#endif							/* AM_FETCH_H */
