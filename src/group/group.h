/*-------------------------------------------------------------------------
 *
 * group.h
 *	  The group coordinator as a state machine, without processes or storage.
 *
 * A GroupCoordinator holds all groups (of the classic protocol and of the
 * consumer protocol of KIP-848), their members and committed offsets.  It
 * gets decoded requests, the time and what topics there are, and produces
 * answers and records.  It is plain C: no server, no clock, no files, so that
 * it can be tested event by event.
 *
 * Records
 *	  Everything that has to survive is told by records in the format of
 *	  Kafka's topic __consumer_offsets.  group_replay() of all records, in
 *	  their order or what compaction left of them, and then group_loaded()
 *	  build the same state again.  The records of one call that belong to one
 *	  group must be appended together, and stay in order.
 *
 * Answers
 *	  A request is answered by an entry in co->answers, in this call or, for
 *	  JoinGroup and SyncGroup, in a later one.  An answer must not leave before
 *	  the record number `after` (1 is the first) is safely stored: an answer
 *	  tells nothing that a crash could take back.  A record that can't be
 *	  stored is no case that can be handled here: whoever runs this throws the
 *	  coordinator away and loads another one.
 *
 * Memory
 *	  What requests add is bounded by settings->max_memory: past it new members
 *	  and offsets are refused.  If malloc fails `no_memory` is called, which
 *	  must not return.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUP_GROUP_H
#define GROUP_GROUP_H

#include "wire/message.h"

typedef struct GroupCoordinator GroupCoordinator;

typedef enum GroupMigration
{
	GROUP_MIGRATION_DISABLED,
	GROUP_MIGRATION_UPGRADE,
	GROUP_MIGRATION_DOWNGRADE,
	GROUP_MIGRATION_BIDIRECTIONAL
} GroupMigration;

/* Kafka's names, in comments, and defaults (group_settings_init). */
typedef struct GroupSettings
{
	int32_t		initial_rebalance_delay_ms; /* group.initial.rebalance.delay.ms */
	int32_t		min_session_timeout_ms; /* group.min.session.timeout.ms */
	int32_t		max_session_timeout_ms; /* group.max.session.timeout.ms */
	int32_t		max_size;		/* group.max.size */
	int32_t		new_member_join_timeout_ms; /* group.new.member.join.timeout.ms */
	int32_t		consumer_session_timeout_ms;	/* group.consumer.session.timeout.ms */
	int32_t		consumer_heartbeat_interval_ms; /* group.consumer.heartbeat.interval.ms */
	int32_t		consumer_max_size;	/* group.consumer.max.size */
	int32_t		consumer_assignment_interval_ms;	/* group.consumer.assignment.interval.ms */
	GroupMigration migration;	/* group.consumer.migration.policy */
	int64_t		offsets_retention_ms;	/* offsets.retention.minutes */
	int64_t		offsets_retention_check_interval_ms;	/* offsets.retention.check.interval.ms */
	int32_t		offset_metadata_max_bytes;	/* offset.metadata.max.bytes */
	int64_t		max_memory;		/* ours: bytes that groups may take */
} GroupSettings;

extern void group_settings_init(GroupSettings *settings);

/* What a role may do with a group. */
typedef enum GroupRight
{
	GROUP_USE,					/* be a member, commit and reset offsets */
	GROUP_DESCRIBE,				/* see it, its members and offsets */
	GROUP_DELETE				/* delete it and its offsets */
} GroupRight;

typedef struct GroupCallbacks
{
	void	   *arg;

	/* malloc failed.  Must not return. */
	void		(*no_memory) (void *arg);

	/* n bytes that nobody can guess, for member ids. */
	void		(*random) (void *arg, uint8_t *bytes, size_t n);

	/*
	 * Which of the n topics match a pattern?  In time proportional to what there
	 * is to match.  0 or a Kafka error code; with n 0 the pattern is only checked.
	 * NULL: patterns are refused.
	 */
	int16_t		(*match) (void *arg, WireString pattern, int32_t n, const WireString *topics, bool *matches);

	/* Is the group's state known?  0 or a Kafka error code.  NULL: always. */
	int16_t		(*served) (void *arg, WireString group);

	/*
	 * May `who` do this with a group that `owner` (0: nobody) was the first to use?  With a
	 * topic: read its records, or only see it?  0 or a Kafka error code.  NULL: everybody may
	 * do everything.
	 */
	int16_t		(*may) (void *arg, uint32_t who, WireString group, uint32_t owner, GroupRight right);
	int16_t		(*may_topic) (void *arg, uint32_t who, const WireUuid *topic_id, bool read);

	/* A fence was raised, see group_fence().  Can be NULL. */
	void		(*fenced) (void *arg, WireString group, const WireUuid *topic_id, int32_t partition,
						   uint64_t fence);

	/*
	 * An offset with a fence is going to be changed; false: SQL is just about to commit another one,
	 * so that the client has to come again.  Can be NULL.
	 */
	bool		(*begin_change) (void *arg, WireString group, const WireUuid *topic_id, int32_t partition);

	/* Is no transaction just about to commit an offset with a fence?  Can be NULL. */
	bool		(*is_settled) (void *arg, WireString group, const WireUuid *topic_id, int32_t partition);
} GroupCallbacks;

extern GroupCoordinator *group_create(const GroupSettings *settings, const GroupCallbacks *callbacks);
extern void group_destroy(GroupCoordinator *co);

/* The new settings count from the next event on. */
extern void group_settings_change(GroupCoordinator *co, const GroupSettings *settings);

/* ---------- what comes out ---------- */

typedef struct GroupRecord
{
	WireString	group;			/* its group: decides on the partition */
	WireBytes	key;
	WireBytes	value;			/* len -1: a tombstone */
} GroupRecord;

typedef struct GroupAnswer
{
	uint64_t	token;			/* of the request */
	int16_t		api_key;
	int16_t		api_version;
	uint64_t	after;			/* record that must be stored first; 0: none */
	void	   *response;		/* e.g. a JoinGroupResponse */
} GroupAnswer;

/* Read, store and send them, then clear; everything is gone with the next group_clear(). */
extern const GroupRecord *group_records(const GroupCoordinator *co, int32_t *n);
extern const GroupAnswer *group_answers(const GroupCoordinator *co, int32_t *n);

/* Number of the last record produced, since the coordinator was created. */
extern uint64_t group_last_record(const GroupCoordinator *co);
extern void group_clear(GroupCoordinator *co);

/* ---------- what goes in ---------- */

typedef struct GroupRequest
{
	uint64_t	token;			/* whatever names the requester */
	int16_t		api_key;
	int16_t		api_version;
	WireString	client_id;		/* null is taken for empty */
	WireString	client_host;
	uint32_t	who;			/* the role that asks; 0: nobody in particular, who may everything */
	const void *message;		/* decoded, e.g. a JoinGroupRequest */
} GroupRequest;

/* Is this one of the APIs that group_request() handles? */
extern bool group_handles(int api_key);

extern void group_request(GroupCoordinator *co, const GroupRequest *req, int64_t now_ms);

/* When group_tick() has something to do, or INT64_MAX. */
extern int64_t group_next_deadline(const GroupCoordinator *co);
extern void group_tick(GroupCoordinator *co, int64_t now_ms);

/* ---------- privileges ---------- */

/*
 * Whoever uses a group first owns it, as long as it exists.  0, or a Kafka error code; for what
 * is not a request, which checks by itself.
 */
extern int16_t group_check(const GroupCoordinator *co, uint32_t who, WireString group, GroupRight right);

/* 0: nobody. */
extern uint32_t group_owner(const GroupCoordinator *co, WireString group);

/* A group that the next calls make belongs to this role. */
extern void group_act_as(GroupCoordinator *co, uint32_t who);

/* ---------- topics ---------- */

/*
 * A topic exists, with so many partitions.  Tell all of them before
 * group_loaded(), and then every change.  A name that had another id is
 * another topic: what groups committed for the old one is deleted.
 */
extern void group_topic_set(GroupCoordinator *co, const WireUuid *id, WireString name, int32_t n_partitions,
							int64_t now_ms);
extern void group_topic_drop(GroupCoordinator *co, const WireUuid *id, int64_t now_ms);

/* The name of the topic with this id; null if there is none. */
extern WireString group_topic_name(const GroupCoordinator *co, const WireUuid *id);

/*
 * There is a topic of this name, but nothing is known of it, as it is locked or damaged: what
 * groups committed for it stays until it is told, or found out to be gone.
 */
extern void group_topic_hide(GroupCoordinator *co, WireString name);
extern void group_topic_unhide(GroupCoordinator *co, WireString name, int64_t now_ms);

/* ---------- loading ---------- */

typedef enum GroupReplayResult
{
	GROUP_REPLAYED,
	GROUP_REPLAY_UNKNOWN,		/* of a type or version that we don't know: nothing was done */
	GROUP_REPLAY_CORRUPT		/* likewise */
} GroupReplayResult;

/* value.len -1: a tombstone */
extern GroupReplayResult group_replay(GroupCoordinator *co, WireBytes key, WireBytes value, int64_t now_ms);

/* Forget groups, not all of whose records could be replayed. */
extern void group_unload(GroupCoordinator *co, bool (*which) (void *arg, WireString group), void *arg);

/*
 * All records were replayed and all topics told.  Timers start in full: a
 * restart is no rebalance.  Offsets of topics that are gone are deleted.
 */
extern void group_loaded(GroupCoordinator *co, int64_t now_ms);

/* ---------- offsets and kinds, for who commits offsets with SQL ---------- */

typedef enum GroupKind
{
	GROUP_KIND_NONE,			/* there is no such group */
	GROUP_KIND_CLASSIC,
	GROUP_KIND_CONSUMER,
	GROUP_KIND_SQL
} GroupKind;

extern GroupKind group_kind(const GroupCoordinator *co, WireString group);

/* There is such a group from now on; one without members and offsets is forgotten in time. */
extern void group_ensure(GroupCoordinator *co, WireString group, int64_t now_ms);
extern bool group_has_members(const GroupCoordinator *co, WireString group);

/*
 * The group's consumers are SQL sessions, and clients can't join it; or no
 * longer.  A Kafka error code if it has members, or is of another kind.
 * Creates the group.
 */
extern int16_t group_set_sql(GroupCoordinator *co, WireString group, bool sql, int64_t now_ms);

/*
 * From now on a group's offsets for a topic are committed by SQL, until they
 * are released: OffsetCommit by its members is refused with an error that
 * clients don't retry, and they don't expire.
 */
extern int16_t group_claim_offsets(GroupCoordinator *co, WireString group, WireString topic, bool sql,
								   int64_t now_ms);

/* Release all topics' offsets. */
extern void group_release_offsets(GroupCoordinator *co, WireString group, int64_t now_ms);
extern bool group_is_claimed(const GroupCoordinator *co, WireString group, WireString topic);

/*
 * A number that differs whenever, since it was last asked for, the partition
 * may have been taken from its consumer, or its offset was reset or deleted.
 */
extern uint64_t group_fence(GroupCoordinator *co, WireString group, WireString topic, int32_t partition);

typedef struct GroupOffset
{
	int64_t		offset;
	int32_t		leader_epoch;
	WireString	metadata;
	int64_t		commit_ms;
} GroupOffset;

/* False if there is none. */
extern bool group_offset(const GroupCoordinator *co, WireString group, WireString topic, int32_t partition,
						 GroupOffset *offset);

/*
 * A SQL transaction has committed an offset, whatever the group's state, and its record
 * with it.
 */
extern void group_committed(GroupCoordinator *co, WireString group, const WireUuid *topic_id,
							int32_t partition, const GroupOffset *offset);

/*
 * Does the member (of this generation or epoch, unless it is -1) have the partition?  A Kafka error
 * code: UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION or STALE_MEMBER_EPOCH; FENCED_MEMBER_EPOCH if another has it.
 */
extern int16_t group_check_member(GroupCoordinator *co, WireString group, WireString member_id,
								  int32_t generation, WireString topic, int32_t partition);

/* ---------- looking ---------- */

/*
 * All groups that the role may see, or their members or offsets, as rows for views: the number of rows
 * int32, and for each
 *
 *	GROUPS		group, kind, state, protocol type and protocol as strings; generation or epoch, number
 *				of members, owner int32
 *	MEMBERS		group, member, instance (nullable), client, host as strings; number of topics int32, and
 *				of each: name, number of partitions int32, partitions int32
 *	OFFSETS		group, topic as strings; partition int32, offset int64, metadata string, time of the
 *				commit int64, committed by SQL int8
 */
typedef enum GroupShow
{
	GROUP_SHOW_GROUPS,
	GROUP_SHOW_MEMBERS,
	GROUP_SHOW_OFFSETS
} GroupShow;

extern void group_show(GroupCoordinator *co, GroupShow what, uint32_t who, WireWriter *w);

/*
 * The state as text, one line a fact, in an order that depends on nothing
 * else; malloc'd.  Without what a restart may forget (timers, who waits).
 */
extern char *group_dump(GroupCoordinator *co);

#endif							/* GROUP_GROUP_H */
