/*-------------------------------------------------------------------------
 *
 * coordinator.h
 *	  The parts of the coordinator process.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_COORDINATOR_H
#define NET_COORDINATOR_H

#include "access/xlogdefs.h"
#include "group/group.h"

/* The name that every client and tool knows. */
#define NET_OFFSETS_TOPIC	"__consumer_offsets"

/* Its number among those that wait for flushes; network workers have lower ones. */
#define NET_COORDINATOR_NUMBER	63

/* ---------- group_store.c: the topic __consumer_offsets ---------- */

/* Replay all that is stored.  In a transaction. */
extern void net_group_store_load(GroupCoordinator *co, int64 now_ms);

/*
 * Append records, those of a partition as one batch; creates the topic if need be.
 * Returns the position of WAL that must be flushed.  Ends the transaction it is called in and
 * leaves another.  What it raises means that the state is not stored: the process has to end.
 */
extern XLogRecPtr net_group_store_append(const GroupRecord *records, int32 n, int64 now_ms);

/* ---------- group_topics.c: what topics there are ---------- */

/* Tell the coordinator all of them.  false: one is locked by DDL.  In a transaction. */
extern bool net_group_topics_load(GroupCoordinator *co, int64 now_ms);

/* Tell it what has changed.  In a transaction. */
extern void net_group_topics_update(GroupCoordinator *co, int64 now_ms);

#endif							/* NET_COORDINATOR_H */
