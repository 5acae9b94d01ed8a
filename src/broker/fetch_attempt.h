/*-------------------------------------------------------------------------
 *
 * fetch_attempt.h
 *	  One look at all partitions of a Fetch request.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_FETCH_ATTEMPT_H
#define BROKER_FETCH_ATTEMPT_H

#include "broker/fetch_session.h"
#include "broker/request.h"
#include "log/log.h"

#define FETCH_READ_COMMITTED 1	/* isolation level */

typedef struct FetchResult
{
	FetchPartition *wanted;
	int16		error;
	bool		known;			/* the partition exists, and may be read */
	Oid			relid;
	RelFileNode node;			/* the topic's file */
	int64		high_watermark;
	int64		last_stable;
	int64		log_start;
	uint32		bytes;
	int			n_slices;
	LogSlice   *slices;
} FetchResult;

typedef struct FetchAttempt
{
	int32		max_bytes;		/* of all records together */
	bool		watch;			/* ask to be woken by what arrives from now on */
	int			n;
	FetchResult *results;
	int			next;			/* the first that has not been looked at */
	int			n_known;
	bool		failed;			/* a partition that exists has an error */
	uint32		bytes;
} FetchAttempt;

/* Everything is palloc'd. */
extern void fetch_attempt_begin(FetchAttempt *attempt, FetchPartition *const *wanted, int n,
								int32 max_bytes, bool watch);

/* Look at all partitions in turn, within the budget, as request and session allow. */
extern void fetch_attempt_look(BrokerRequest *req, FetchAttempt *attempt);

/* How many results, from the next one on, are of the same topic? */
extern int	fetch_attempt_run(const FetchAttempt *attempt);

/* Errors that clients expect in the answer to a fetch; they give up on others. */
extern int16 fetch_presentable_error(int16 error);

#endif							/* BROKER_FETCH_ATTEMPT_H */
