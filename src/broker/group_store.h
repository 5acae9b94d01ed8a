/*-------------------------------------------------------------------------
 *
 * group_store.h
 *	  What the group coordinator lives on: the topic __consumer_offsets, where
 *	  its records are, and what topics there are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_GROUP_STORE_H
#define BROKER_GROUP_STORE_H

#include "access/xlogdefs.h"
#include "group/group.h"

/* ---------- group_store.c: the topic __consumer_offsets ---------- */

/*
 * Replay all that is stored.  In a transaction.  Groups in a partition that can't be read are not
 * served: broker_group_served() is 0 or COORDINATOR_NOT_AVAILABLE.
 */
extern void broker_group_store_load(GroupCoordinator *co, int64 now_ms);
extern int16 broker_group_served(WireString group);

/* Does the topic exist?  To be created in a transaction before the first record. */
extern bool broker_group_store_exists(void);
extern void broker_group_store_create(void);

/*
 * Append records, those of a partition as one batch.  Returns the position of WAL that must be
 * flushed.  What it raises means that the state is not stored: the process has to end.
 */
extern XLogRecPtr broker_group_store_append(const GroupRecord *records, int32 n, int64 now_ms);

/* ---------- group_topics.c: what topics there are ---------- */

/* Tell the coordinator all of them.  In a transaction. */
extern void broker_group_topics_load(GroupCoordinator *co, int64 now_ms);

/* Tell it what has changed.  In a transaction. */
extern void broker_group_topics_update(GroupCoordinator *co, int64 now_ms);

/* ---------- group_access.c: who may do what, for GroupCallbacks ---------- */

/* In a transaction.  0 or a Kafka error code; may raise errors. */
extern int16 broker_group_may(uint32 who, WireString group, uint32 owner, GroupRight right);
extern int16 broker_group_may_topic(uint32 who, const WireUuid *topic_id, bool read);

/* ---------- group_match.c: the callback `match` of GroupCallbacks ---------- */

extern int16 broker_group_match(WireString pattern, int32 n, const WireString *topics, bool *matches);

#endif							/* BROKER_GROUP_STORE_H */
