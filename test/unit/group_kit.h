/*
 * group_kit.h: a group coordinator for tests, with everything that it produced.
 *
 * Every answer is encoded and decoded, as a client would get it.  Every record
 * is kept, so that a test can load another coordinator from them.
 */
#ifndef GROUP_KIT_H
#define GROUP_KIT_H

#include "group/group.h"
#include "wire/api_commit.h"
#include "wire/api_consumer_group.h"
#include "wire/api_group.h"
#include "wire/api_group_admin.h"
#include "wire/error.h"

typedef struct KitRecord
{
	char	   *group;
	WireBytes	key;
	WireBytes	value;
} KitRecord;

typedef struct KitAnswer
{
	uint64_t	token;
	int			api;
	int			version;
	uint64_t	after;
	void	   *response;
} KitAnswer;

typedef struct Kit
{
	GroupCoordinator *co;
	GroupSettings settings;
	int64_t		now;
	uint64_t	token;
	uint64_t	random;
	const char *client;
	uint32_t	who;			/* the role that asks; 0: nobody in particular */
	WireArena	arena;			/* of all responses, until kit_end */
	int			n_records;
	KitRecord  *records;
	int			n_answers;
	KitAnswer  *answers;
	int			n_fenced;
	int			n_changes;		/* of offsets with a fence */
	bool		sql_commits;	/* offsets with a fence are just being committed by SQL */
	bool		same_topics;	/* a restart finds the topics that there are, not the first ones */
} Kit;

extern void kit_begin(Kit *kit);	/* with the topics t (6 partitions), u (2) and v (1) */
extern void kit_end(Kit *kit);

/* Another coordinator, from the records so far; the present one is gone, unless keep. */
extern void kit_restart(Kit *kit);
extern GroupCoordinator *kit_load(Kit *kit, bool compacted);

/* A restart that finds one topic, and can't see what it is. */
extern GroupCoordinator *kit_load_hidden(Kit *kit, const char *hidden);

/* Take over what the coordinator has produced.  False if an answer was early: before its record exists. */
extern bool kit_collect(Kit *kit);

/* Returns the token. */
extern uint64_t kit_send(Kit *kit, int api, int version, const void *message);

/* NULL: none yet. */
extern void *kit_answer(Kit *kit, uint64_t token);
extern const KitAnswer *kit_find(Kit *kit, uint64_t token);

/* Let the time go on, timer by timer. */
extern void kit_wait(Kit *kit, int64_t ms);

extern WireUuid kit_topic_id(int number);	/* t 1, u 2, v 3 */

/* ---------- requests in short ---------- */

/* metadata is that of every protocol; protocols: "range,roundrobin" */
extern uint64_t kit_join(Kit *kit, const char *group, const char *member, const char *instance, int version,
						 const char *protocols, WireBytes metadata);
extern uint64_t kit_sync(Kit *kit, const char *group, const char *member, int generation, int n,
						 const SyncGroupRequestSyncGroupRequestAssignment *assignments);
extern int	kit_heartbeat(Kit *kit, const char *group, const char *member, int generation);
extern int	kit_leave(Kit *kit, const char *group, const char *member);
extern int	kit_commit(Kit *kit, const char *group, const char *member, int generation, const char *topic,
					   int partition, int64_t offset);
/* topics NULL and n -1: all */
extern OffsetFetchResponseOffsetFetchResponseGroup *
kit_fetch_group(Kit *kit, int version, const char *group, int n,
				OffsetFetchRequestOffsetFetchRequestTopics *topics, bool stable);
extern int64_t kit_fetch(Kit *kit, const char *group, const char *topic, int partition);	/* -1: none */
extern const char *kit_state(Kit *kit, const char *group);	/* "Dead" if there is none */
extern int	kit_delete(Kit *kit, const char *group);

/* A consumer's subscription, and an assignment of one topic's partitions; in the kit's arena. */
extern WireBytes kit_subscription(Kit *kit, const char *topic);
extern WireBytes kit_assignment(Kit *kit, const char *topic, int n, const int *partitions);

/* A member of the consumer protocol. */
typedef struct KitMember
{
	const char *group;
	char		id[40];
	const char *instance;
	int			epoch;
	const char *topics;			/* "t,u" */
	const char *regex;
	const char *assignor;
	int			n;				/* what it has */
	struct
	{
		int			topic;
		int			partition;
	}			has[64];
} KitMember;

/* Returns the error; takes over epoch and assignment, giving up what it should. */
extern int	kit_beat(Kit *kit, KitMember *member);
extern int	kit_beat_raw(Kit *kit, const KitMember *member, int epoch, ConsumerGroupHeartbeatResponse **r);
extern bool kit_has(const KitMember *member, int topic, int partition);

#endif							/* GROUP_KIT_H */
