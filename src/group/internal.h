/*-------------------------------------------------------------------------
 *
 * internal.h
 *	  The state of the group coordinator, and what its files call of each other.
 *
 * How a change happens
 *	  Offsets and groups of the consumer protocol change by records only: a
 *	  request emits a record, and the function that a replay would call applies
 *	  it at once (apply_*.c).  So a replay can't come to another state.
 *
 *	  A classic group changes in memory; a snapshot of it is emitted whenever an
 *	  answer is about to tell a new generation, member or assignment.
 *
 * Strings in the state are copies, owned by the struct that they are in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUP_INTERNAL_H
#define GROUP_INTERNAL_H

#include "group/group.h"
#include "wire/api_commit.h"
#include "wire/api_consumer_group.h"
#include "wire/api_group.h"
#include "wire/api_group_admin.h"
#include "wire/error.h"
#include "wire/record_group.h"

#define lengthof(array)	((int32_t) (sizeof(array) / sizeof((array)[0])))

/* ---------- memory.c: memory that is counted, strings, maps ---------- */

/* Never NULL.  Zeroed. */
extern void *group_alloc(GroupCoordinator *co, size_t size);
extern void *group_realloc(GroupCoordinator *co, void *p, size_t size); /* what is new is not zeroed */
extern void group_free(GroupCoordinator *co, void *p);	/* NULL is fine */

extern WireString group_copy(GroupCoordinator *co, WireString s);
extern WireBytes group_copy_bytes(GroupCoordinator *co, WireBytes b);
extern void group_free_string(GroupCoordinator *co, WireString *s); /* leaves null */
extern void group_free_bytes(GroupCoordinator *co, WireBytes *b);
extern void group_set_string(GroupCoordinator *co, WireString *s, WireString value);

extern int	group_compare(WireString a, WireString b);

static inline bool
group_bytes_equal(WireBytes a, WireBytes b)
{
	return wire_string_equal(wire_string_n(a.data, a.len), wire_string_n(b.data, b.len));
}

#define GROUP_EMPTY_STRING	wire_string_n("", 0)
#define GROUP_EMPTY_BYTES	((WireBytes) {"", 0})

/* What belongs to this call's records and answers; never NULL, zeroed. */
extern void *group_out_alloc(GroupCoordinator *co, size_t size);

#define group_out_array(co, type, n) \
	((type *) group_out_alloc((co), sizeof(type) * (size_t) ((n) > 0 ? (n) : 1)))

extern WireString group_out_string(GroupCoordinator *co, WireString s);
extern WireBytes group_out_bytes(GroupCoordinator *co, WireBytes b);

/* Sorted, each once; the array is new, the strings are not. */
extern WireString *group_out_sorted(GroupCoordinator *co, int32_t n, const WireString *strings,
									int32_t *n_sorted);
extern int	group_compare_strings(const void *a, const void *b);	/* for qsort and bsearch */

/*
 * A map from strings to structs whose first member is a GroupMapNode.  The key
 * is not copied: it belongs to the struct, and doesn't change meanwhile.
 */
typedef struct GroupMapNode
{
	struct GroupMapNode *next;
	uint32_t	hash;
	WireString	key;
} GroupMapNode;

typedef struct GroupMap
{
	GroupMapNode **buckets;
	uint32_t	n_buckets;		/* a power of 2, or 0 */
	int32_t		n;
} GroupMap;

/* The first call counts; before there is any map. */
extern void group_hash_seed(uint32_t seed);

extern void *group_map_find(const GroupMap *map, WireString key);
extern void group_map_add(GroupCoordinator *co, GroupMap *map, GroupMapNode *node, WireString key);
extern void group_map_remove(GroupMap *map, GroupMapNode *node);
extern void group_map_free(GroupCoordinator *co, GroupMap *map);	/* of an empty map */

/* Any node, or NULL. */
extern void *group_map_any(const GroupMap *map);

typedef struct GroupMapScan
{
	const GroupMap *map;
	uint32_t	bucket;
	GroupMapNode *next;
} GroupMapScan;

/* The node last returned may be removed meanwhile, but nothing added. */
extern void group_map_scan(GroupMapScan *scan, const GroupMap *map);
extern void *group_map_next(GroupMapScan *scan);

/* All nodes, sorted by key; in `out` memory. */
extern void **group_map_sorted(GroupCoordinator *co, const GroupMap *map);

/* ---------- timer.c ---------- */

typedef enum GroupTimerKind
{
	GROUP_TIMER_CLASSIC_SESSION,	/* owner: ClassicMember */
	GROUP_TIMER_CLASSIC_PENDING,	/* ClassicPending */
	GROUP_TIMER_CLASSIC_JOIN,	/* Group */
	GROUP_TIMER_CLASSIC_SYNC,	/* Group */
	GROUP_TIMER_CONSUMER_SESSION,	/* ConsumerMember */
	GROUP_TIMER_CONSUMER_REBALANCE, /* ConsumerMember */
	GROUP_TIMER_CONSUMER_JOIN,	/* ConsumerMember that speaks the classic protocol */
	GROUP_TIMER_CONSUMER_SYNC,	/* likewise */
	GROUP_TIMER_RETENTION		/* none */
} GroupTimerKind;

typedef struct GroupTimer
{
	int64_t		when;
	int32_t		position;		/* in the heap, from 1; 0: not set */
	GroupTimerKind kind;
	void	   *owner;
} GroupTimer;

extern void group_timer_set(GroupCoordinator *co, GroupTimer *timer, GroupTimerKind kind, void *owner,
							int64_t when);
extern void group_timer_stop(GroupCoordinator *co, GroupTimer *timer);

static inline bool
group_timer_is_set(const GroupTimer *timer)
{
	return timer->position > 0;
}

/* ---------- partitions ---------- */

/* Of a topic, in ascending order. */
typedef struct GroupTopicPartitions
{
	WireUuid	topic_id;
	int32_t		n;
	int32_t    *partitions;
	int32_t    *epochs;			/* NULL, or when each was assigned */
} GroupTopicPartitions;

/* In ascending order of topic ids, none of them empty. */
typedef struct GroupPartitions
{
	int32_t		n;
	GroupTopicPartitions *topics;
} GroupPartitions;

static inline int
group_uuid_compare(const WireUuid *a, const WireUuid *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

/* ---------- topics ---------- */

typedef struct GroupTopic
{
	GroupMapNode by_name;
	GroupMapNode by_id;
	WireUuid	id;
	WireString	name;
	int32_t		n_partitions;
} GroupTopic;

extern void group_topic_free(GroupCoordinator *co, GroupTopic *topic);
extern void group_hidden_free(GroupCoordinator *co);
extern bool group_topic_is_hidden(const GroupCoordinator *co, WireString name);
extern GroupTopic *group_topic_by_name(const GroupCoordinator *co, WireString name);
extern GroupTopic *group_topic_by_id(const GroupCoordinator *co, const WireUuid *id);

/* ---------- offsets ---------- */

typedef struct OffsetEntry
{
	int32_t		partition;
	int32_t		leader_epoch;
	bool		committed;		/* else only the fence counts */
	int64_t		offset;
	WireString	metadata;
	int64_t		commit_ms;
	int64_t		expire_ms;		/* -1: by the group's rules */
	WireUuid	topic_id;		/* zero: unknown */
	uint64_t	fence;			/* 0: nobody asked */
	bool		owner_known;
	uint64_t	owner;			/* serial of the classic member that has it; 0: none */
	uint64_t	next_owner;
} OffsetEntry;

typedef struct OffsetTopic
{
	GroupMapNode node;
	WireString	name;
	bool		by_sql;			/* claimed: see group_claim_offsets */
	WireUuid	claim_id;
	int64_t		claim_ms;
	int32_t		n;
	int32_t		cap;
	OffsetEntry *entries;		/* in ascending order of partitions */
} OffsetTopic;

/* ---------- classic groups ---------- */

typedef enum ClassicState
{
	CLASSIC_EMPTY,
	CLASSIC_PREPARING,			/* PreparingRebalance: members are joining */
	CLASSIC_COMPLETING,			/* CompletingRebalance: the leader has to assign */
	CLASSIC_STABLE
} ClassicState;

#define CLASSIC_N_STATES	(CLASSIC_STABLE + 1)

typedef struct ClassicProtocol
{
	WireString	name;
	WireBytes	metadata;
} ClassicProtocol;

/* An answer that a member waits for. */
typedef struct GroupWaiting
{
	bool		is;
	uint64_t	token;
	int16_t		api_version;
} GroupWaiting;

typedef struct ClassicMember
{
	GroupMapNode node;
	GroupMapNode static_node;
	struct Group *group;
	struct ClassicMember *prev; /* in order of joining */
	struct ClassicMember *next;
	WireString	id;
	WireString	instance_id;	/* null: dynamic */
	WireString	client_id;
	WireString	client_host;
	int32_t		rebalance_timeout_ms;
	int32_t		session_timeout_ms;
	int32_t		n_protocols;
	ClassicProtocol *protocols;
	WireBytes	assignment;
	uint64_t	serial;			/* no two members share one */
	bool		is_new;			/* has joined in this rebalance */
	bool		must_sync;		/* was told a generation and hasn't asked for its assignment */
	GroupWaiting join;
	GroupWaiting sync;
	GroupTimer	session;
} ClassicMember;

/* A member id that was given out, and has not joined yet. */
typedef struct ClassicPending
{
	GroupMapNode node;
	struct Group *group;
	WireString	id;
	GroupTimer	session;
} ClassicPending;

typedef struct ClassicVote
{
	GroupMapNode node;
	WireString	name;
	int32_t		members;		/* that support the protocol */
	int32_t		votes;
} ClassicVote;

typedef struct ClassicGroup
{
	ClassicState state;
	bool		initial;		/* PREPARING that began with an empty group */
	bool		new_member_added;	/* since the initial delay was last extended */
	int32_t		initial_delay_ms;	/* of the timer that runs */
	int32_t		initial_left_ms;	/* by which it can still be extended */
	int32_t		generation;
	int64_t		state_ms;		/* when the state changed; -1: unknown */
	WireString	protocol_type;	/* null: none */
	WireString	protocol_name;	/* null: none */
	ClassicMember *leader;
	ClassicMember *first;
	ClassicMember *last;
	int32_t		n_joining;		/* members that wait for the answer to JoinGroup */
	int32_t		n_must_sync;
	bool		owners_known;	/* of all entries, see OffsetEntry */
	GroupMap	members;
	GroupMap	statics;
	GroupMap	pending;
	GroupMap	votes;
	GroupTimer	join_timer;
	GroupTimer	sync_timer;
} ClassicGroup;

/* ---------- groups of the consumer protocol ---------- */

/* Numbers are those of the records. */
typedef enum ConsumerState
{
	CONSUMER_STABLE = 0,
	CONSUMER_UNREVOKED = 1,		/* must give up partitions first */
	CONSUMER_UNRELEASED = 2,	/* waits for partitions that others have */
	CONSUMER_UNKNOWN = 127
} ConsumerState;

/* What a record says about a member. */
typedef struct ConsumerMember
{
	GroupMapNode node;
	GroupMapNode static_node;
	struct Group *group;
	WireString	id;

	/* of ConsumerGroupMemberMetadata */
	bool		known;			/* by a record of this or of the current assignment */
	WireString	instance_id;	/* null: dynamic */
	WireString	rack_id;		/* can be null */
	WireString	client_id;
	WireString	client_host;
	int32_t		n_names;
	WireString *names;			/* subscribed topics, sorted, each once */
	WireString	regex;			/* empty: none */
	WireString	assignor;		/* null: none preferred */
	int32_t		rebalance_timeout_ms;
	bool		classic;		/* speaks the classic protocol */
	int32_t		session_timeout_ms; /* if so */
	int32_t		n_protocols;
	ClassicProtocol *protocols;

	/* of ConsumerGroupCurrentMemberAssignment */
	int32_t		epoch;
	int32_t		previous_epoch;
	ConsumerState state;
	GroupPartitions assigned;
	GroupPartitions pending;	/* to be revoked */

	/* of ConsumerGroupTargetAssignmentMember */
	bool		has_target;
	GroupPartitions target;

	GroupTimer	session;
	GroupTimer	rebalance;
	GroupTimer	join;
	GroupTimer	sync;
} ConsumerMember;

/* Who has the partitions of a topic: the epoch of that member, see consumer_state.c. */
typedef struct ConsumerOwners
{
	GroupMapNode node;
	WireUuid	topic_id;
	int32_t		n;
	int32_t    *epochs;
} ConsumerOwners;

typedef struct ConsumerRegex
{
	GroupMapNode node;
	WireString	pattern;
	int32_t		n;
	WireString *topics;			/* that match, sorted */
	int64_t		version;
	int64_t		resolved_ms;
} ConsumerRegex;

typedef struct ConsumerGroup
{
	int32_t		epoch;
	int64_t		metadata_hash;
	int32_t		assignment_epoch;
	int64_t		assignment_ms;
	bool		has_old_metadata;	/* a record of the type that Kafka 4.0 wrote */
	bool		topics_changed; /* since the hash was last computed */
	bool		names_changed;	/* topics came or went since the patterns were last matched */
	int32_t		n_known;		/* members that are known */
	int32_t		n_classic;		/* of those */
	GroupMap	members;
	GroupMap	statics;
	GroupMap	owners;
	GroupMap	regexes;
} ConsumerGroup;

/* ---------- groups ---------- */

typedef struct Group
{
	GroupMapNode node;
	GroupCoordinator *co;
	WireString	id;
	GroupKind	kind;
	uint64_t	members_after;	/* last record about its members */
	uint64_t	offsets_after;	/* last record about its offsets */
	int32_t		n_committed;
	GroupMap	offsets;		/* OffsetTopic by name */
	ClassicGroup classic;		/* unless kind is CONSUMER */
	ConsumerGroup consumer;
} Group;

struct GroupCoordinator
{
	GroupSettings settings;
	GroupCallbacks call;
	int64_t		now;			/* of this call */
	int64_t		memory;
	GroupMap	groups;
	GroupMap	topics;			/* by name */
	GroupMap	topic_ids;
	GroupMap	hidden;			/* topics that exist and are not known, by name */
	GroupMap	owners;			/* GroupOwner by group */
	uint32_t	who;			/* of this call */
	int64_t		topics_version; /* raised when topics come or go */
	uint64_t	serial;			/* of members and fences */
	bool		loaded;

	GroupTimer **heap;			/* [0] is not used */
	int32_t		n_timers;
	int32_t		cap_timers;
	GroupTimer	retention;

	/* what comes out */
	WireArena	out;
	WireWriter	writer;
	GroupRecord *records;
	int32_t		n_records;
	int32_t		cap_records;
	uint64_t	last_record;
	uint64_t	last_deletion;	/* the record, likewise */
	GroupAnswer *answers;
	int32_t		n_answers;
	int32_t		cap_answers;
};

/* ---------- coordinator.c ---------- */

extern Group *group_find(const GroupCoordinator *co, WireString id);
extern Group *group_make(GroupCoordinator *co, WireString id, GroupKind kind);

/* Forget it, with its members and offsets.  No records. */
extern void group_remove(Group *group);

/* Forget all but its offsets: an empty classic group that was never joined. */
extern void group_become_empty(Group *group);

extern void group_answer_to(GroupCoordinator *co, uint64_t token, int api_key, int api_version,
							void *response, uint64_t after);
extern void group_answer(GroupCoordinator *co, const GroupRequest *req, void *response, uint64_t after);

#define GROUP_NEW(co, type) \
	((type *) group_new_message((co), &wire_##type, 1))
#define GROUP_NEW_ARRAY(co, type, n) \
	((type *) group_new_message((co), &wire_##type, (n)))

extern void *group_new_message(GroupCoordinator *co, const WireStruct *s, int32_t n);

/* Is there room for what a request adds? */
extern bool group_has_room(const GroupCoordinator *co);

/* A new member id: prefix, '-' and a random UUID; in `out` memory. */
extern WireString group_new_member_id(GroupCoordinator *co, WireString prefix);

/* ---------- record.c ---------- */

/* The protocol type in the record of a group whose consumers are SQL sessions. */
#define GROUP_SQL_PROTOCOL	"sql"

/* value NULL: a tombstone.  Returns the record's number. */
extern uint64_t group_emit_for(GroupCoordinator *co, WireString group, WireGroupRecordType type,
							   const void *key, const void *value);
extern uint64_t group_emit(Group *group, WireGroupRecordType type, const void *key, const void *value);

/* ---------- access.c: owners of groups, and who may what ---------- */

/* The first record of a new group tells its owner, too. */
extern void group_emit_owner(GroupCoordinator *co, WireString group);

/* The group is gone, and so is its owner. */
extern void group_forget_owner(GroupCoordinator *co, WireString group);
extern void group_apply_owner(GroupCoordinator *co, WireString group, const GroupOwnerValue *value);
extern void group_new_owner(GroupCoordinator *co, WireString group);
extern void group_drop_stale_owners(GroupCoordinator *co);
extern void group_free_owners(GroupCoordinator *co);
extern void group_unload_owners(GroupCoordinator *co, bool (*which) (void *arg, WireString group), void *arg);

/* 0 or an error, for a topic that `who` names or would be shown. */
extern int16_t group_check_topic(const GroupCoordinator *co, uint32_t who, const GroupTopic *topic,
								 bool read);

/* ---------- classic_*.c ---------- */

typedef enum ClassicEvent
{
	CLASSIC_JOIN_NEW,			/* a member that is not in the group joins */
	CLASSIC_JOIN_AGAIN,			/* a member joins with the metadata that it had */
	CLASSIC_JOIN_LEADER,		/* likewise, and it is the leader */
	CLASSIC_JOIN_CHANGED,		/* a member joins with other metadata */
	CLASSIC_JOIN_STATIC,		/* a static member's new process joins */
	CLASSIC_SYNC,				/* a member wants its assignment */
	CLASSIC_SYNC_LEADER,		/* the leader brings the assignments */
	CLASSIC_HEARTBEAT,
	CLASSIC_COMMIT,				/* a member commits offsets */
	CLASSIC_COMMIT_SIMPLE,		/* somebody commits offsets without being a member */
	CLASSIC_MEMBER_GONE,		/* a member left or timed out: is already removed */
	CLASSIC_JOIN_TIMEOUT,
	CLASSIC_SYNC_TIMEOUT,
	CLASSIC_DELETE,
	CLASSIC_DELETE_OFFSETS
} ClassicEvent;

#define CLASSIC_N_EVENTS	(CLASSIC_DELETE_OFFSETS + 1)

typedef enum ClassicAction
{
	CLASSIC_IGNORE,
	CLASSIC_REFUSE,				/* answer the error */
	CLASSIC_ALLOW,
	CLASSIC_WAIT,				/* answer later */
	CLASSIC_REBALANCE,			/* all members have to join again */
	CLASSIC_MAYBE_COMPLETE,		/* is this the last member that was waited for? */
	CLASSIC_COMPLETE_JOIN,		/* don't wait any longer */
	CLASSIC_TELL_GENERATION,	/* the current one: nothing changes */
	CLASSIC_REPLACE,			/* take the old member's place */
	CLASSIC_TELL_ASSIGNMENT,
	CLASSIC_TAKE_ASSIGNMENT,
	CLASSIC_DROP_UNSYNCED,		/* members that don't ask for their assignment, and rebalance */
	CLASSIC_IF_CONSUMER			/* allowed if the protocol type is that of consumers */
} ClassicAction;

typedef struct ClassicRule
{
	ClassicAction action;
	int16_t		error;
} ClassicRule;

/* The state machine. */
extern const ClassicRule classic_rules[CLASSIC_N_STATES][CLASSIC_N_EVENTS];
extern const char *const classic_state_names[CLASSIC_N_STATES];
extern const char *const classic_event_names[CLASSIC_N_EVENTS];

static inline ClassicRule
classic_rule(const Group *group, ClassicEvent event)
{
	return classic_rules[group->classic.state][event];
}

extern void classic_join(GroupCoordinator *co, const GroupRequest *req);
extern void classic_sync(GroupCoordinator *co, const GroupRequest *req);
extern void classic_heartbeat(GroupCoordinator *co, const GroupRequest *req);
extern void classic_leave(GroupCoordinator *co, const GroupRequest *req);

/* Members. */
extern ClassicMember *classic_add(Group *group, WireString id, WireString instance_id, WireString client_id,
								  WireString client_host);
extern void classic_set_protocols(ClassicMember *member, int32_t n,
								  const JoinGroupRequestJoinGroupRequestProtocol *protocols);
extern void classic_drop(ClassicMember *member);	/* without an answer to what it waits for */
extern void classic_drop_pending(ClassicPending *pending);
extern void classic_free(Group *group); /* all of the classic part */
extern WireBytes classic_metadata(const ClassicMember *member, WireString protocol);
extern ClassicMember *classic_by_instance(const Group *group, WireString instance_id);
extern bool classic_supports(const Group *group, WireString type, int32_t n,
							 const JoinGroupRequestJoinGroupRequestProtocol *protocols);
extern WireString classic_choose_protocol(const Group *group);
extern int32_t classic_rebalance_timeout(const Group *group);

/* 0, UNKNOWN_MEMBER_ID or FENCED_INSTANCE_ID */
extern int16_t classic_check_member(const Group *group, WireString id, WireString instance_id,
									ClassicMember **member);

/* Phases. */
extern void classic_set_state(Group *group, ClassicState state);
extern void classic_keep_alive(ClassicMember *member);
extern void classic_answer_join(ClassicMember *member, int16_t error);
extern void classic_answer_sync(ClassicMember *member, int16_t error);
extern void classic_fail_all(Group *group, int16_t error);	/* who waits is told the error */
extern void classic_act(Group *group, ClassicRule rule);	/* REBALANCE and the like */
extern void classic_member_gone(Group *group);
extern void classic_emit(Group *group);
extern void classic_emit_empty(Group *group);
extern void classic_take_assignment(Group *group, const SyncGroupRequest *request);
extern void classic_learn_owners(Group *group);
extern void classic_update_owners(Group *group);
extern void classic_loaded(Group *group);
extern void classic_apply(Group *group, const GroupMetadataValue *value);
extern void classic_session_timeout(ClassicMember *member);
extern void classic_pending_timeout(ClassicPending *pending);
extern void classic_join_timeout(Group *group);
extern void classic_sync_timeout(Group *group);

static inline bool
classic_is_consumer(const Group *group)
{
	return wire_string_is(group->classic.protocol_type, "consumer");
}

/* Does a classic group of consumers read this topic (or may it, if unknown)? */
extern bool classic_subscribes(Group *group, WireString topic);

/* ---------- embedded.c: the consumers' protocol inside the classic one ---------- */

typedef struct EmbeddedPartitions
{
	WireString	topic;
	int32_t		n;
	int32_t    *partitions;
} EmbeddedPartitions;

typedef struct EmbeddedSubscription
{
	int16_t		version;
	int32_t		n_topics;
	WireString *topics;
	int32_t		n_owned;
	EmbeddedPartitions *owned;
	WireString	rack_id;		/* can be null */
} EmbeddedSubscription;

typedef struct EmbeddedAssignment
{
	int16_t		version;
	int32_t		n;
	EmbeddedPartitions *topics;
	WireBytes	user_data;
} EmbeddedAssignment;

/* False if malformed.  Results are in `out` memory and point into the bytes. */
extern bool group_read_subscription(GroupCoordinator *co, WireBytes bytes,
									EmbeddedSubscription *subscription);
extern bool group_read_assignment(GroupCoordinator *co, WireBytes bytes, EmbeddedAssignment *assignment);

/* In `out` memory. */
extern WireBytes group_write_assignment(GroupCoordinator *co, int16_t version,
										const GroupPartitions *partitions);

/* ---------- offsets.c, offset_store.c ---------- */

extern void offset_commit(GroupCoordinator *co, const GroupRequest *req);
extern void offset_fetch(GroupCoordinator *co, const GroupRequest *req);
extern void offset_delete(GroupCoordinator *co, const GroupRequest *req);

extern OffsetEntry *offset_find(const Group *group, WireString topic, int32_t partition);
extern OffsetEntry *offset_make(Group *group, WireString topic, int32_t partition);
extern void offset_apply(Group *group, WireString topic, int32_t partition, const OffsetCommitValue *value);
extern void offset_apply_claim(Group *group, WireString topic, const OffsetClaimValue *value);
extern void offset_emit(Group *group, WireString topic, int32_t partition, const OffsetCommitValue *value);
extern void offset_emit_claim(Group *group, WireString topic, const OffsetClaimValue *value);
extern void offset_emit_delete_all(Group *group);
extern void offset_free(Group *group);
extern void offset_raise_fence(Group *group, OffsetTopic *topic, OffsetEntry *entry);
extern void offset_fence_partition(Group *group, const WireUuid *topic_id, int32_t partition);
extern void offset_fence_all(Group *group);

/* Before an offset is changed.  false: SQL is just about to do so. */
extern bool offset_begin_change(Group *group, WireString topic, int32_t partition);
extern bool offset_begin_change_all(Group *group);
extern bool offset_is_settled(const Group *group, WireString topic, const OffsetEntry *entry);
extern void offset_topic_gone(Group *group, WireString name, const WireUuid *id);
extern void offset_drop_stale(Group *group);
extern void offset_retention(GroupCoordinator *co);

/* ---------- admin.c ---------- */

extern void admin_list(GroupCoordinator *co, const GroupRequest *req);
extern void admin_describe(GroupCoordinator *co, const GroupRequest *req);
extern void admin_delete(GroupCoordinator *co, const GroupRequest *req);

/* Tombstones of an empty group's own records. */
extern void group_emit_tombstones(Group *group);

#endif							/* GROUP_INTERNAL_H */
