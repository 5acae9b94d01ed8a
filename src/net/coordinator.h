/*-------------------------------------------------------------------------
 *
 * coordinator.h
 *	  The parts of the coordinator process.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NET_COORDINATOR_H
#define NET_COORDINATOR_H

#include "group/group.h"

/* Its number among those that wait for flushes; network workers have lower ones. */
#define NET_COORDINATOR_NUMBER	63

/* ---------- sql_calls.c: offsets that SQL sessions commit ---------- */

struct Call;

/* The state machine's callbacks. */
extern void net_sql_fenced(void *arg, WireString group, const WireUuid *topic_id, int32 partition,
						   uint64 fence);
extern bool net_sql_begin_change(void *arg, WireString group, const WireUuid *topic_id, int32 partition);
extern bool net_sql_is_settled(void *arg, WireString group, const WireUuid *topic_id, int32 partition);

/* When all groups are loaded. */
extern void net_sql_restart(GroupCoordinator *co);

/* Begin a turn: take what sessions have committed. */
extern void net_sql_settle(GroupCoordinator *co);

/* false: it is a Kafka request. */
extern bool net_sql_serve(GroupCoordinator *co, const struct Call *call, const char *message, uint32 length,
						  uint64 token, int64 now_ms);

/* This turn's records are appended: tell sessions. */
extern void net_sql_reply(void);

#endif							/* NET_COORDINATOR_H */
