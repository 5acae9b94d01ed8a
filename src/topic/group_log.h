/*-------------------------------------------------------------------------
 *
 * group_log.h
 *	  Records of consumer groups are appended to __consumer_offsets.
 *
 * Both who owns the groups' state and transactions that commit offsets do it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TOPIC_GROUP_LOG_H
#define TOPIC_GROUP_LOG_H

#include "access/xlogdefs.h"
#include "utils/relcache.h"
#include "wire/bytes.h"

/* InvalidOid: nobody has used a group yet. */
extern Oid	group_log_relid(void);

/* A batch is begun, filled with records of one partition, and appended; a process has one at a time. */
extern void group_log_begin(void);

/* value.len -1: a tombstone */
extern void group_log_add(int64 timestamp_ms, WireBytes key, WireBytes value);

/*
 * transactional: as records of the current transaction, which has an xid.  Returns where WAL has to be
 * flushed to before others are told.
 */
extern XLogRecPtr group_log_append(Relation rel, int32 partition, bool transactional);

#endif							/* TOPIC_GROUP_LOG_H */
