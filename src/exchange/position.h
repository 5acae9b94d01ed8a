/*-------------------------------------------------------------------------
 *
 * position.h
 *	  Where groups are in partitions, shared by SQL sessions and the coordinator.
 *
 * A position is the offset that a group has committed for a partition of a topic, with
 * what is about to become of it.  It is here while somebody needs it: a session
 * pins it, the coordinator tells the offset, and from then on both change it by the
 * rules below.  What is stored in __consumer_offsets is the truth; this says
 * who may append to it next.
 *
 * Sessions
 *	  A transaction that wants to commit an offset notes the fence when it says so.  In
 *	  pre-commit it holds the position: only if the fence is the same and the
 *	  offset is not past the first record that it processed.  Another one that comes then
 *	  waits until the first has ended.  A hold is given up by the transaction's end, which
 *	  runs in every case but a crash, and that empties this table.
 *
 * The coordinator
 *	  It changes offsets on its own, too: commits and resets of Kafka's clients, deletions.
 *	  Never while a session holds the position, nor before it has taken what the
 *	  last one has left.  What it changes is `busy` until the record of
 *	  that is appended: so the records of a position are appended in the order of
 *	  its changes.  Each change raises the fence, and so does a rebalance that takes the
 *	  partition from its consumer; that one waits for nothing.
 *
 * All fields are guarded by one lock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef EXCHANGE_POSITION_H
#define EXCHANGE_POSITION_H

#include "access/xlogdefs.h"
#include "lib/ilist.h"
#include "storage/condition_variable.h"

/* Groups with longer names can't be used by SQL. */
#define POSITION_GROUP_MAX 255

#define POSITION_NONE (-1) /* the group has committed nothing here */

typedef struct PositionKey
{
	char		group[POSITION_GROUP_MAX + 1]; /* padded with zeros */
	uint8		topic_id[16];
	int32		partition;
} PositionKey;

/* What a transaction commits. */
typedef struct PositionValue
{
	int64		offset;
	int64		commit_ms;
	int32		leader_epoch;
	int32		metadata_len;
	char	   *metadata;
} PositionValue;

/* The same in shared memory. */
typedef struct PositionStored
{
	int64		offset;
	int64		commit_ms;
	int32		leader_epoch;
	int32		metadata_len;
	uint64		metadata;		/* dsa_pointer; none if metadata_len is 0 */
} PositionStored;

typedef struct Position
{
	PositionKey	key;			/* must be first (hash key) */
	bool		known;			/* the coordinator has told the next four */
	bool		claimed;		/* committed by SQL: the group's members may not */
	uint8		kind;			/* GroupKind */
	Oid			owner;			/* of the group; InvalidOid: nobody */
	int64		offset;			/* or POSITION_NONE */

	uint64		fence;
	bool		busy;			/* the coordinator is just storing something */
	int			holder;			/* proc of who is about to end, + 1; 0: nobody */
	int			consumer;		/* proc of who consumes in an open transaction, + 1; 0: nobody */
	uint64		consumed;		/* when it was last consumed, in a count of such events */
	int			pins;

	PositionStored next;		/* what the holder commits */

	/* What the last holder has committed, for the coordinator. */
	bool		dirty;			/* it has not taken that yet */
	int			untold;			/* it has taken so much and waits for its flush */
	XLogRecPtr	lsn;
	PositionStored last;

	bool		told;			/* known when it is no longer busy */
	dlist_node	node;			/* in the list of dirty ones, or else of idle ones */
	bool		idle;
	ConditionVariable changed;	/* no longer held, or no longer busy */
} Position;

extern int position_max; /* GUC pg_broker.max_consumed_partitions */

extern Size position_shmem_size(void);
extern void position_shmem_init(void);

extern void position_key(PositionKey *key, const char *group, int group_len, const void *topic_id,
						 int32 partition);

/* ---------- sessions ---------- */

/* Find or make the position; ERROR when there are too many.  It stays until it is unpinned. */
extern Position *position_pin(const PositionKey *key);
extern void position_unpin(Position *p);

/* What a session may know of a position. */
typedef struct PositionState
{
	bool		known;
	bool		claimed;
	uint8		kind;
	Oid			owner;
	int64		offset;
	uint64		fence;
	bool		taken;			/* another session consumes it, or it is just changing */
	uint64		consumed;		/* when it was last consumed, in a count of such events */
} PositionState;

/* As it is when no transaction is just ending with it: waits for that. */
extern void position_look(Position *p, PositionState *state);

/* As it is now. */
extern void position_peek(Position *p, PositionState *state);

typedef enum PositionHold
{
	POSITION_HELD,
	POSITION_FENCED,			/* the fence is another */
	POSITION_BEFORE,			/* the offset is before `low` */
	POSITION_PASSED				/* the offset is past `high` */
} PositionHold;

/*
 * Hold it for the end of this transaction, if it has the fence, and no offset or one from `low` to
 * `high`.  *offset: what it is.
 */
extern PositionHold position_hold(Position *p, uint64 fence, int64 low, int64 high, int64 *offset);

/* While it is held: what the transaction commits. */
extern void position_set_next(Position *p, const PositionValue *value);

/*
 * The transaction that holds it has ended.  `reset`: what it committed is no progress of a consumer,
 * so that other transactions must not go on.  Raises no error.
 */
extern void position_release(Position *p, bool committed, XLogRecPtr lsn, bool reset);

/* Take it for consuming, if nobody has it and nobody is about to change it. */
extern bool position_consume(Position *p, PositionState *state);
extern void position_consume_end(Position *p);

/* ---------- coordinator ---------- */

/* After a start: forget what a predecessor was about to do, and call this for each position. */
extern void position_restart(void (*tell)(void *arg, const PositionKey *key), void *arg);

/* Tell all but the fence; known as soon as position_stored() is called. */
extern void position_tell(const PositionKey *key, const PositionState *state);

/* Nobody is about to change it, and the coordinator knows what was committed? */
extern bool position_is_settled(const PositionKey *key);

/* The coordinator is going to change it; false: it is not settled. */
extern bool position_begin_change(const PositionKey *key);

/* Its consumer may have lost it. */
extern void position_fence(const PositionKey *key);

/* All records are appended. */
extern void position_stored(void);

/*
 * The next offset that a session has committed, with palloc'd metadata; false: there is none.  From now on
 * it is untold until position_told().
 */
extern bool position_take_committed(PositionKey *key, PositionValue *value, XLogRecPtr *lsn);
extern void position_told(const PositionKey *key);

#endif /* EXCHANGE_POSITION_H */
