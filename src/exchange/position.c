/*-------------------------------------------------------------------------
 *
 * position.c
 *	  Where groups are in partitions, shared by SQL sessions and the coordinator.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "exchange/call.h"
#include "exchange/position.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/dsa.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

int			position_max = 10000;

typedef struct PositionShared
{
	LWLock		lock;
	int			n;
	uint64		last_fence;
	uint64		last_consumed;
	dlist_head	dirty;
	dlist_head	idle;			/* who was used longest ago comes first */
} PositionShared;

static PositionShared *shared;
static HTAB *positions;

/* The coordinator's: positions that are busy. */
static Position **touched;
static int	n_touched;
static int	max_touched;

Size
position_shmem_size(void)
{
	return add_size(MAXALIGN(sizeof(PositionShared)), hash_estimate_size(position_max, sizeof(Position)));
}

void
position_shmem_init(void)
{
	HASHCTL		ctl = {0};
	bool		found;

	shared = ShmemInitStruct("pg_broker positions", sizeof(PositionShared), &found);
	if (!found)
	{
		memset(shared, 0, sizeof(PositionShared));
		LWLockInitialize(&shared->lock, GetNamedLWLockTranche("pg_broker_position")->lock.tranche);
		dlist_init(&shared->dirty);
		dlist_init(&shared->idle);
	}
	ctl.keysize = sizeof(PositionKey);
	ctl.entrysize = sizeof(Position);
	positions = ShmemInitHash("pg_broker table of positions", position_max, position_max, &ctl,
							  HASH_ELEM | HASH_BLOBS);
}

void
position_key(PositionKey *key, const char *group, int group_len, const void *topic_id, int32 partition)
{
	Assert(group_len <= POSITION_GROUP_MAX);
	memset(key, 0, sizeof(PositionKey));
	memcpy(key->group, group, group_len);
	memcpy(key->topic_id, topic_id, sizeof(key->topic_id));
	key->partition = partition;
}

static void
lock(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
}

static void
unlock(void)
{
	LWLockRelease(&shared->lock);
}

static int
me(void)
{
	return compat_my_proc_number() + 1;
}

/* ---------- with the lock held ---------- */

static Position *
find(const PositionKey *key)
{
	return hash_search(positions, key, HASH_FIND, NULL);
}

/* Keep it from being forgotten if it is needed, else let it go when others need its place. */
static void
update_idle(Position *p)
{
	bool		idle = false;

	if (p->pins == 0 && !p->busy && !p->dirty && p->untold == 0)
		idle = p->holder == 0 && p->consumer == 0;
	if (idle && !p->idle)
		dlist_push_tail(&shared->idle, &p->node);
	else if (!idle && p->idle)
		dlist_delete(&p->node);
	p->idle = idle;
}

static void
forget_oldest(void)
{
	Position   *p;

	if (dlist_is_empty(&shared->idle))
		return;
	p = dlist_container(Position, node, dlist_pop_head_node(&shared->idle));
	(void) hash_search(positions, &p->key, HASH_REMOVE, NULL);
	shared->n--;
}

static Position *
make(const PositionKey *key)
{
	bool		found;
	Position   *p;

	if (shared->n >= position_max)
		forget_oldest();
	if (shared->n >= position_max)
		return NULL;
	p = hash_search(positions, key, HASH_ENTER_NULL, &found);
	if (p == NULL)
		return NULL;
	memset((char *) p + sizeof(PositionKey), 0, sizeof(Position) - sizeof(PositionKey));
	p->offset = POSITION_NONE;
	p->fence = ++shared->last_fence;
	ConditionVariableInit(&p->changed);
	shared->n++;
	return p;
}

static void
raise_fence(Position *p)
{
	p->fence = ++shared->last_fence;
	p->known = false;
	p->told = false;
}

static void
free_metadata(PositionStored *stored)
{
	if (stored->metadata_len > 0)
		dsa_free(call_memory(), stored->metadata);
	stored->metadata_len = 0;
}

/* Is another transaction about to change it, or the coordinator? */
static bool
is_moving(const Position *p)
{
	return p->busy || (p->holder != 0 && p->holder != me());
}

/* ---------- sessions ---------- */

Position *
position_pin(const PositionKey *key)
{
	Position   *p;

	lock();
	p = find(key);
	if (p == NULL)
		p = make(key);
	if (p)
	{
		p->pins++;
		update_idle(p);
	}
	unlock();
	if (p == NULL)
		ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
						errmsg("more than %d partitions are consumed at the same time", position_max),
						errhint("Raise pg_broker.max_consumed_partitions and restart the server.")));
	return p;
}

void
position_unpin(Position *p)
{
	lock();
	p->pins--;
	update_idle(p);
	unlock();
}

/* With the lock held, and again on return. */
static void
wait_for_change(Position *p)
{
	ConditionVariablePrepareToSleep(&p->changed);
	while (is_moving(p))
	{
		unlock();
		ConditionVariableSleep(&p->changed, PG_WAIT_EXTENSION);
		lock();
	}
	ConditionVariableCancelSleep();
}

static void
get_state(const Position *p, PositionState *state)
{
	state->known = p->known;
	state->claimed = p->claimed;
	state->kind = p->kind;
	state->owner = p->owner;
	state->offset = p->offset;
	state->fence = p->fence;
	state->taken = is_moving(p) || (p->consumer != 0 && p->consumer != me());
	state->consumed = p->consumed;
}

void
position_look(Position *p, PositionState *state)
{
	lock();
	if (is_moving(p))
		wait_for_change(p);
	get_state(p, state);
	unlock();
}

void
position_peek(Position *p, PositionState *state)
{
	LWLockAcquire(&shared->lock, LW_SHARED);
	get_state(p, state);
	unlock();
}

PositionHold
position_hold(Position *p, uint64 fence, int64 low, int64 high, int64 *offset)
{
	PositionHold result = POSITION_HELD;

	lock();
	/* With another fence there is nothing to wait for. */
	while (p->fence == fence && is_moving(p))
		wait_for_change(p);
	*offset = p->offset;
	if (p->fence != fence)
		result = POSITION_FENCED;
	else if (p->offset > high)
		result = POSITION_PASSED;
	else if (p->offset < low && p->offset != POSITION_NONE)
		result = POSITION_BEFORE;
	else
	{
		p->holder = me();
		update_idle(p);
	}
	unlock();
	return result;
}

void
position_set_next(Position *p, const PositionValue *value)
{
	uint64		metadata = 0;

	if (value->metadata_len > 0)
	{
		metadata = dsa_allocate(call_memory(), value->metadata_len);
		memcpy(dsa_get_address(call_memory(), metadata), value->metadata, value->metadata_len);
	}
	lock();
	free_metadata(&p->next);
	p->next.offset = value->offset;
	p->next.commit_ms = value->commit_ms;
	p->next.leader_epoch = value->leader_epoch;
	p->next.metadata = metadata;
	p->next.metadata_len = Max(value->metadata_len, 0);
	unlock();
}

void
position_release(Position *p, bool committed, XLogRecPtr lsn, bool reset)
{
	bool		wake = false;

	lock();
	p->holder = 0;
	if (committed)
	{
		free_metadata(&p->last);
		p->last = p->next;
		p->next.metadata_len = 0;
		p->offset = p->last.offset;
		p->lsn = lsn;
		if (reset)
			p->fence = ++shared->last_fence; /* and the offset is known as before */
		if (!p->dirty)
		{
			wake = dlist_is_empty(&shared->dirty);
			p->dirty = true;
			update_idle(p);
			dlist_push_tail(&shared->dirty, &p->node);
		}
	}
	else
	{
		free_metadata(&p->next);
		update_idle(p);
	}
	unlock();
	ConditionVariableBroadcast(&p->changed);
	if (wake)
		call_wake_coordinator();
}

bool
position_consume(Position *p, PositionState *state)
{
	bool		taken;

	lock();
	taken = p->known && !is_moving(p) && (p->consumer == 0 || p->consumer == me());
	if (taken)
	{
		p->consumer = me();
		p->consumed = ++shared->last_consumed;
		update_idle(p);
		get_state(p, state);
	}
	unlock();
	return taken;
}

void
position_consume_end(Position *p)
{
	lock();
	if (p->consumer == me())
		p->consumer = 0;
	update_idle(p);
	unlock();
}

/* ---------- coordinator ---------- */

static void
touch(Position *p)
{
	if (p->busy)
		return;
	if (n_touched == max_touched)
	{
		max_touched = Max(64, max_touched * 2);
		touched = touched ? repalloc(touched, max_touched * sizeof(Position *))
						  : MemoryContextAlloc(TopMemoryContext, max_touched * sizeof(Position *));
	}
	touched[n_touched++] = p;
	p->busy = true;
	update_idle(p);
}

void
position_restart(void (*tell)(void *arg, const PositionKey *key), void *arg)
{
	HASH_SEQ_STATUS scan;
	Position   *p;

	lock();
	hash_seq_init(&scan, positions);
	while ((p = hash_seq_search(&scan)) != NULL)
	{
		if (p->busy)
			raise_fence(p);
		p->busy = false;
		p->known = false;
		p->untold = 0;
		update_idle(p);
		ConditionVariableBroadcast(&p->changed);
		tell(arg, &p->key);
	}
	n_touched = 0;
	unlock();
}

void
position_tell(const PositionKey *key, const PositionState *state)
{
	Position   *p;

	lock();
	p = find(key);
	if (p)
	{
		touch(p);
		p->told = true;
		p->kind = state->kind;
		p->claimed = state->claimed;
		p->owner = state->owner;
		if (!p->dirty && p->untold == 0 && p->holder == 0)
			p->offset = state->offset;
	}
	unlock();
}

static bool
is_settled(const Position *p)
{
	return p == NULL || (p->holder == 0 && !p->dirty && p->untold == 0);
}

bool
position_is_settled(const PositionKey *key)
{
	bool		settled;

	LWLockAcquire(&shared->lock, LW_SHARED);
	settled = is_settled(find(key));
	LWLockRelease(&shared->lock);
	return settled;
}

bool
position_begin_change(const PositionKey *key)
{
	Position   *p;
	bool		settled;

	lock();
	p = find(key);
	settled = is_settled(p);
	if (p && settled)
	{
		touch(p);
		raise_fence(p);
		ConditionVariableBroadcast(&p->changed);
	}
	unlock();
	return settled;
}

void
position_fence(const PositionKey *key)
{
	Position   *p;

	lock();
	p = find(key);
	if (p)
	{
		raise_fence(p);
		ConditionVariableBroadcast(&p->changed);
	}
	unlock();
}

void
position_stored(void)
{
	if (n_touched == 0)
		return;
	lock();
	for (int i = 0; i < n_touched; i++)
	{
		Position   *p = touched[i];

		p->busy = false;
		p->known = p->told;
		p->told = false;
		update_idle(p);
		ConditionVariableBroadcast(&p->changed);
	}
	n_touched = 0;
	unlock();
}

bool
position_take_committed(PositionKey *key, PositionValue *value, XLogRecPtr *lsn)
{
	Position   *p = NULL;

	lock();
	if (!dlist_is_empty(&shared->dirty))
	{
		p = dlist_container(Position, node, dlist_pop_head_node(&shared->dirty));
		*key = p->key;
		*lsn = p->lsn;
		value->offset = p->last.offset;
		value->commit_ms = p->last.commit_ms;
		value->leader_epoch = p->last.leader_epoch;
		value->metadata_len = p->last.metadata_len;
		value->metadata = NULL;
		if (p->last.metadata_len > 0)
		{
			value->metadata = palloc(p->last.metadata_len);
			memcpy(value->metadata, dsa_get_address(call_memory(), p->last.metadata), p->last.metadata_len);
		}
		free_metadata(&p->last);
		p->dirty = false;
		p->untold++;
		update_idle(p);
	}
	unlock();
	return p != NULL;
}

void
position_told(const PositionKey *key)
{
	Position   *p;

	lock();
	p = find(key);
	if (p && p->untold > 0)
		p->untold--;
	if (p)
		update_idle(p);
	unlock();
}
