/*-------------------------------------------------------------------------
 *
 * fetch_session.h
 *	  Fetch sessions (KIP-227): a client names its partitions once, and later
 *	  requests and answers carry only what has changed.
 *
 * Sessions belong to the process.  Their number and that of the partitions in
 * all of them are limited; a client that gets none just sends full requests.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_FETCH_SESSION_H
#define BROKER_FETCH_SESSION_H

#include "datatype/timestamp.h"
#include "lib/ilist.h"
#include "wire/bytes.h"

/* What a client wants of a partition, and what it was last told. */
typedef struct FetchPartition
{
	dlist_node	node;			/* in the session's order of service */
	WireString	topic;			/* its name, or the bytes of its id */
	bool		by_id;
	int32		partition;
	int32		current_leader_epoch;
	int32		max_bytes;
	int64		fetch_offset;

	int64		high_watermark; /* -1: tell again, whatever it is */
	int64		log_start;
} FetchPartition;

typedef struct FetchSession FetchSession;

/* Numbers that clients send instead of an id or an epoch */
#define FETCH_NO_SESSION		0
#define FETCH_FIRST_EPOCH		0	/* open a session */
#define FETCH_FINAL_EPOCH		(-1)	/* close it, if there is one */

/*
 * A new session with copies of n partitions, or NULL if there is no room.
 * *id gets its number; its next request has epoch 1.
 */
extern FetchSession *fetch_session_create(Oid role, FetchPartition *const *partitions, int n,
										  TimestampTz now, int32 *id);

/* NULL if there is no such session of this role. */
extern FetchSession *fetch_session_find(int32 id, Oid role, TimestampTz now);

extern void fetch_session_remove(FetchSession *session);

/* Does it call topics by their ids?  (That can't change.) */
extern bool fetch_session_by_id(const FetchSession *session);

/* The epoch that its next request must have. */
extern int32 fetch_session_epoch(const FetchSession *session);
extern void fetch_session_advance(FetchSession *session);

/* Add a partition or change what is wanted of it; false: there is no room. */
extern bool fetch_session_set(FetchSession *session, const FetchPartition *partition);
extern void fetch_session_forget(FetchSession *session, WireString topic, int32 partition);

extern int	fetch_session_size(const FetchSession *session);

/* All partitions, in their order of service, into an array of that size. */
extern void fetch_session_list(FetchSession *session, FetchPartition **partitions);

/* It got records: the others come first next time. */
extern void fetch_session_served(FetchSession *session, FetchPartition *partition);

#endif							/* BROKER_FETCH_SESSION_H */
