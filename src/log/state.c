/*-------------------------------------------------------------------------
 *
 * state.c
 *	  Shared memory of the storage layer: slots, visibility, flush, wake-ups.
 *
 * The high watermark of a partition is the end of what is flushed and decided.  Two
 * queues in its slot say how far that is: `pending` holds appends that wait for
 * WAL to be flushed, `ranges` what SQL transactions wrote, in offset order.
 * log_advance() takes from both what is done.  Whoever learns of progress calls
 * it: the flusher after a flush, a backend after its commit or abort, and
 * whoever asks for the bounds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "log/internal.h"
#include "log/stop_point.h"

int			log_max_partitions = 10000;
int			log_max_producers = 20000;

LogShared  *log_shared = NULL;
LogPartition *log_slots = NULL;
LogRange   *log_ranges = NULL;
LogProducerEntry *log_producer_pool = NULL;

static HTAB *slot_hash = NULL;
static pg_atomic_uint64 *dirty_slots = NULL;

typedef struct SlotEntry
{
	LogKey		key;
	int32		slot;
} SlotEntry;

#define DIRTY_WORDS		((log_max_partitions + 63) / 64)

/* The same for each network worker: slots whose watermark has moved since it looked. */
#define ADVANCED_WORDS	(LOG_MAX_WORKERS * DIRTY_WORDS)
#define ADVANCED_WORD(worker, slot) (&advanced_slots[(worker) * DIRTY_WORDS + (slot) / 64])

static pg_atomic_uint64 *advanced_slots;

Size
log_shmem_size(void)
{
	Size		size;

	size = MAXALIGN(sizeof(LogShared));
	size = add_size(size, MAXALIGN(mul_size(log_max_partitions, sizeof(LogPartition))));
	size = add_size(size, MAXALIGN(mul_size(LOG_MAX_RANGES, sizeof(LogRange))));
	size = add_size(size, MAXALIGN(mul_size(DIRTY_WORDS, sizeof(pg_atomic_uint64))));
	size = add_size(size, MAXALIGN(mul_size(ADVANCED_WORDS, sizeof(pg_atomic_uint64))));
	size = add_size(size, hash_estimate_size(log_max_partitions, sizeof(SlotEntry)));
	size = add_size(size, log_producers_shmem_size());
	return size;
}

/* Called in shmem_request_hook. */
void
log_shmem_request(void)
{
	RequestAddinShmemSpace(log_shmem_size());
	RequestNamedLWLockTranche("pg_broker", 2);
	RequestNamedLWLockTranche("pg_broker_append", 1);
}

static bool
standbys_are_set(void)
{
	return SyncRepRequested() && SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0';
}

/* Called in shmem_startup_hook, with AddinShmemInitLock held. */
void
log_shmem_init(void)
{
	HASHCTL		ctl;
	bool		found;
	LWLockPadded *locks = GetNamedLWLockTranche("pg_broker");
	LWLockPadded *append = GetNamedLWLockTranche("pg_broker_append");

	log_shared = ShmemInitStruct("pg_broker log", MAXALIGN(sizeof(LogShared)), &found);
	log_slots = ShmemInitStruct("pg_broker partitions",
								mul_size(log_max_partitions, sizeof(LogPartition)), &found);
	log_ranges = ShmemInitStruct("pg_broker ranges", LOG_MAX_RANGES * sizeof(LogRange), &found);
	dirty_slots = ShmemInitStruct("pg_broker dirty partitions",
								  DIRTY_WORDS * sizeof(pg_atomic_uint64), &found);

	advanced_slots = ShmemInitStruct("pg_broker advanced partitions",
									 ADVANCED_WORDS * sizeof(pg_atomic_uint64), &found);

	ctl.keysize = sizeof(LogKey);
	ctl.entrysize = sizeof(SlotEntry);
	slot_hash = ShmemInitHash("pg_broker partition hash", log_max_partitions, log_max_partitions,
							  &ctl, HASH_ELEM | HASH_BLOBS);

	if (!found)
	{
		memset(log_shared, 0, sizeof(LogShared));
		LWLockInitialize(&log_shared->slots_lock, locks[0].lock.tranche);
		LWLockInitialize(&log_shared->producers_lock, locks[0].lock.tranche);
		SpinLockInit(&log_shared->ranges_mutex);
		SpinLockInit(&log_shared->flush_mutex);
		pg_atomic_init_u64(&log_shared->start_lsn, InvalidXLogRecPtr);
		pg_atomic_init_u64(&log_shared->replicated_lsn, InvalidXLogRecPtr);
		pg_atomic_init_u32(&log_shared->replicates, standbys_are_set());
		pg_atomic_init_u32(&log_shared->grown, 0);
		pg_atomic_init_u64(&log_shared->wake_on_flush, 0);
		pg_atomic_init_u64(&log_shared->advanced, 0);
		pg_atomic_init_u64(&log_shared->advanced_unknown, 0);

		memset(log_slots, 0, mul_size(log_max_partitions, sizeof(LogPartition)));
		for (int i = 0; i < log_max_partitions; i++)
		{
			LogPartition *part = &log_slots[i];

			LWLockInitialize(&part->append_lock, append[0].lock.tranche);
			SpinLockInit(&part->mutex);
			pg_atomic_init_u32(&part->users, 0);
			pg_atomic_init_u32(&part->grown, 0);
			pg_atomic_init_u64(&part->wake_workers, 0);
			pg_atomic_init_u32(&part->sql_waiters, 0);
			ConditionVariableInit(&part->advanced);
			part->ranges_head = part->ranges_tail = LOG_NO_INDEX;
			part->producers_head = LOG_NO_INDEX;
		}

		for (int i = 0; i < LOG_MAX_RANGES; i++)
			log_ranges[i].next = i + 1 < LOG_MAX_RANGES ? i + 1 : LOG_NO_INDEX;
		log_shared->ranges_free = 0;

		for (int i = 0; i < DIRTY_WORDS; i++)
			pg_atomic_init_u64(&dirty_slots[i], 0);
		for (int i = 0; i < ADVANCED_WORDS; i++)
			pg_atomic_init_u64(&advanced_slots[i], 0);
	}

	log_producers_shmem_init(found);
}

static void wake_workers(uint64 mask);

/* ---------- slots ---------- */

static void wake_workers(uint64 mask);

/* Who waits for this partition, or has yet to look at it, must not wait for the next in its slot. */
static void
slot_wake(LogPartition *part)
{
	int			slot = LogSlotIndex(part);
	uint64		bit = UINT64CONST(1) << (slot % 64);
	uint64		workers = pg_atomic_exchange_u64(&part->wake_workers, 0);

	for (int worker = 0; worker < LOG_MAX_WORKERS; worker++)
	{
		if ((pg_atomic_read_u64(ADVANCED_WORD(worker, slot)) & bit) != 0)
			workers |= UINT64CONST(1) << worker;
	}
	if (workers == 0)
		return;
	pg_atomic_fetch_or_u64(&log_shared->advanced_unknown, workers);
	pg_atomic_fetch_or_u64(&log_shared->advanced, workers);
	wake_workers(workers);
}

/* Make a slot forget everything but its locks; caller holds slots_lock exclusively. */
static void
slot_clear(LogPartition *part)
{
	log_reset_visibility(part);
	log_producers_clear(part);
	slot_wake(part);
	SpinLockAcquire(&part->mutex);
	part->in_use = false;
	part->loaded = false;
	SpinLockRelease(&part->mutex);
}

static LogPartition *
slot_take_free(void)
{
	static int	hint = 0;

	for (int n = 0; n < log_max_partitions; n++)
	{
		int			i = (hint + n) % log_max_partitions;

		if (!log_slots[i].in_use)
		{
			hint = (i + 1) % log_max_partitions;
			return &log_slots[i];
		}
	}
	return NULL;
}

/* Does a slot know nothing but what its pages tell, and does nobody look at it? */
static bool
slot_is_idle(LogPartition *part)
{
	bool		idle;

	if (pg_atomic_read_u32(&part->users) > 0 || pg_atomic_read_u32(&part->sql_waiters) > 0)
		return false;
	if (part->n_pending > 0)
		log_advance(part, log_durable_lsn());
	SpinLockAcquire(&part->mutex);
	idle = part->n_pending == 0 && part->ranges_head == LOG_NO_INDEX;
	SpinLockRelease(&part->mutex);
	return idle;
}

/*
 * Evict an idle slot, one of those that were not used for longest by the clock; network
 * workers that wait for its partition are woken to look again, so they go last.  The caller
 * holds slots_lock exclusively, so nobody can begin to use it.
 */
static LogPartition *
slot_evict(void)
{
	static int	hand = 0;

	for (int n = 0; n < 3 * log_max_partitions; n++)
	{
		LogPartition *part = &log_slots[hand];

		hand = (hand + 1) % log_max_partitions;
		if (part->recently_used)
			part->recently_used = false;
		else if ((n >= 2 * log_max_partitions || pg_atomic_read_u64(&part->wake_workers) == 0) &&
				 slot_is_idle(part))
		{
			hash_search(slot_hash, &part->key, HASH_REMOVE, NULL);
			slot_clear(part);
			return part;
		}
	}
	return NULL;
}

/* ---------- who uses a slot ---------- */

/* Slots that the current transaction has used: they are not evicted before it ends. */
static int *used_slots = NULL;
static int	n_used_slots = 0;
static int	max_used_slots = 0;
static uint64 *used_bits = NULL;

/* Caller holds slots_lock. */
static void
slot_use(LogPartition *part)
{
	int			slot = LogSlotIndex(part);
	uint64		bit = UINT64CONST(1) << (slot % 64);

	if (!part->recently_used)
		part->recently_used = true;
	if (used_bits == NULL)
		used_bits = MemoryContextAllocZero(TopMemoryContext, DIRTY_WORDS * sizeof(uint64));
	if (used_bits[slot / 64] & bit)
		return;
	if (n_used_slots == max_used_slots)
	{
		int			size = max_used_slots ? max_used_slots * 2 : 64;

		used_slots = used_slots ? repalloc(used_slots, size * sizeof(int)) :
			MemoryContextAlloc(TopMemoryContext, size * sizeof(int));
		max_used_slots = size;
	}
	used_slots[n_used_slots++] = slot;
	used_bits[slot / 64] |= bit;
	pg_atomic_fetch_add_u32(&part->users, 1);
}

/* The transaction ends. */
void
log_slots_release(void)
{
	while (n_used_slots > 0)
	{
		int			slot = used_slots[--n_used_slots];

		used_bits[slot / 64] &= ~(UINT64CONST(1) << (slot % 64));
		pg_atomic_fetch_sub_u32(&log_slots[slot].users, 1);
	}
}

/* Find the slot of a partition, or take a free one (not loaded). */
LogPartition *
log_slot_find(const LogKey *key)
{
	SlotEntry  *entry;
	LogPartition *part = NULL;
	bool		found;

	LWLockAcquire(&log_shared->slots_lock, LW_SHARED);
	entry = hash_search(slot_hash, key, HASH_FIND, NULL);
	if (entry)
	{
		part = &log_slots[entry->slot];
		slot_use(part);
	}
	LWLockRelease(&log_shared->slots_lock);
	if (part)
		return part;

	LWLockAcquire(&log_shared->slots_lock, LW_EXCLUSIVE);
	entry = hash_search(slot_hash, key, HASH_FIND, NULL);
	if (entry)
	{
		part = &log_slots[entry->slot];
		slot_use(part);
	}
	else
	{
		part = slot_take_free();
		if (part == NULL)
			part = slot_evict();
		if (part == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					 errmsg("more than %d partitions are in use at the same time", log_max_partitions),
					 errhint("Raise pg_broker.max_partitions and restart the server.")));
		slot_use(part);
		entry = hash_search(slot_hash, key, HASH_ENTER, &found);
		entry->slot = LogSlotIndex(part);

		SpinLockAcquire(&part->mutex);
		part->key = *key;
		part->in_use = true;
		part->loaded = false;
		part->loaded_in_recovery = false;
		part->torn = false;
		part->high_watermark = -1;	/* nothing is known */
		SpinLockRelease(&part->mutex);
	}
	LWLockRelease(&log_shared->slots_lock);
	return part;
}

/*
 * The slot of a partition for who waits without a lock on the relation; NULL if there is
 * none.  It counts as one of sql_waiters, and so keeps the slot from being evicted.
 */
LogPartition *
log_slot_wait_for(const LogKey *key)
{
	SlotEntry  *entry;
	LogPartition *part = NULL;

	LWLockAcquire(&log_shared->slots_lock, LW_SHARED);
	entry = hash_search(slot_hash, key, HASH_FIND, NULL);
	if (entry)
	{
		part = &log_slots[entry->slot];
		pg_atomic_fetch_add_u32(&part->sql_waiters, 1);
	}
	LWLockRelease(&log_shared->slots_lock);
	return part;
}

/* A new file of this name is made: whatever is known by it is of an older one. */
void
log_slots_forget(const RelFileNode *node)
{
	LWLockAcquire(&log_shared->slots_lock, LW_EXCLUSIVE);
	for (int i = 0; i < log_max_partitions; i++)
	{
		LogPartition *part = &log_slots[i];

		if (part->in_use && memcmp(&part->key.node, node, sizeof(RelFileNode)) == 0)
		{
			hash_search(slot_hash, &part->key, HASH_REMOVE, NULL);
			slot_clear(part);
		}
	}
	LWLockRelease(&log_shared->slots_lock);
}

/* ---------- ranges of SQL transactions ---------- */

int32
log_range_alloc(void)
{
	int32		range;

	SpinLockAcquire(&log_shared->ranges_mutex);
	range = log_shared->ranges_free;
	if (range != LOG_NO_INDEX)
		log_shared->ranges_free = log_ranges[range].next;
	SpinLockRelease(&log_shared->ranges_mutex);

	if (range == LOG_NO_INDEX)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("too many partitions are being written by committing transactions"),
				 errhint("Write to fewer partitions in one transaction, or retry.")));
	return range;
}

void
log_range_free(int32 range)
{
	SpinLockAcquire(&log_shared->ranges_mutex);
	log_ranges[range].next = log_shared->ranges_free;
	log_shared->ranges_free = range;
	SpinLockRelease(&log_shared->ranges_mutex);
}

void
log_reset_visibility(LogPartition *part)
{
	int32		range;

	SpinLockAcquire(&part->mutex);
	range = part->ranges_head;
	part->ranges_head = part->ranges_tail = LOG_NO_INDEX;
	part->n_pending = 0;
	part->n_undecided = 0;
	part->n_prepared = 0;
	SpinLockRelease(&part->mutex);

	while (range != LOG_NO_INDEX)
	{
		int32		next = log_ranges[range].next;

		log_range_free(range);
		range = next;
	}
}

/* ---------- progress ---------- */

/*
 * The log's tail moved: its end counts once WAL is flushed to lsn.  Called with the
 * append lock and the mutex held, after end_offset and end_position were set.
 */
void
log_mark_pending(LogPartition *part, XLogRecPtr lsn)
{
	LogPending *pending;

	/*
	 * When the queue is full the newest entry takes the append along: the others
	 * still go forward with each flush.
	 */
	if (part->n_pending < LOG_MAX_PENDING)
		part->n_pending++;
	pending = &part->pending[part->n_pending - 1];
	pending->lsn = lsn;
	pending->end_offset = part->end_offset;
	pending->end_position = part->end_position;
}

static void
wake_workers(uint64 mask)
{
	while (mask != 0)
	{
		int			worker = pg_rightmost_one_pos64(mask);
		Latch	   *latch;

		mask &= mask - 1;
		latch = log_shared->worker_latches[worker];
		if (latch)
			SetLatch(latch);
	}
}

/* Tell the workers which partition it is that they waited for. */
static void
note_advanced(LogPartition *part, uint64 workers)
{
	int			slot = LogSlotIndex(part);
	uint64		bit = UINT64CONST(1) << (slot % 64);

	for (uint64 mask = workers; mask != 0; mask &= mask - 1)
		pg_atomic_fetch_or_u64(ADVANCED_WORD(pg_rightmost_one_pos64(mask), slot), bit);
	pg_atomic_fetch_or_u64(&log_shared->advanced, workers);
}

/* Take what is durable and decided; wake those who wait for the watermark. */
void
log_advance(LogPartition *part, XLogRecPtr durable)
{
	int32		done = LOG_NO_INDEX;
	int			n;
	int64		end;
	bool		moved;

	SpinLockAcquire(&part->mutex);

	for (n = 0; n < part->n_pending && part->pending[n].lsn <= durable; n++)
	{
		part->flushed_offset = part->pending[n].end_offset;
		part->flushed_position = part->pending[n].end_position;
	}
	if (n > 0)
	{
		part->n_pending -= n;
		memmove(part->pending, part->pending + n, part->n_pending * sizeof(LogPending));
	}

	end = part->flushed_offset;
	moved = false;
	while (part->ranges_head != LOG_NO_INDEX)
	{
		int32		index = part->ranges_head;
		LogRange   *range = &log_ranges[index];

		if (range->first >= end)
			break;
		if (range->state == LOG_RANGE_UNDECIDED ||
			(range->state == LOG_RANGE_COMMITTED && range->commit_lsn > durable))
		{
			end = range->first;
			break;
		}
		if (range->state == LOG_RANGE_ABORTED)
		{
			/* The watermark never ends in an aborted range: consumers could not reach it. */
			if (range->first > part->decided_offset)
			{
				part->high_watermark = range->first;
				part->watermark_position_known = false;
				moved = true;
			}
			if (part->decided_offset < range->last + 1)
				part->decided_offset = range->last + 1;
			if (part->aborted_first > part->aborted_last)
				part->aborted_first = range->first;
			part->aborted_last = range->last;
		}
		part->ranges_head = range->next;
		if (part->ranges_head == LOG_NO_INDEX)
			part->ranges_tail = LOG_NO_INDEX;
		part->n_undecided--;
		range->next = done;
		done = index;
	}

	if (end > part->decided_offset)
	{
		part->decided_offset = end;
		part->high_watermark = end;
		part->watermark_position_known = (end == part->flushed_offset);
		part->watermark_position = part->flushed_position;
		moved = true;
	}

	SpinLockRelease(&part->mutex);

	while (done != LOG_NO_INDEX)
	{
		int32		next = log_ranges[done].next;

		log_range_free(done);
		done = next;
	}

	if (moved)
	{
		/* Who waits has left its mark before it looked at the watermark. */
		pg_memory_barrier();
		if (pg_atomic_read_u64(&part->wake_workers) != 0)
		{
			uint64		workers = pg_atomic_exchange_u64(&part->wake_workers, 0);

			note_advanced(part, workers);
			wake_workers(workers);
		}
		if (pg_atomic_read_u32(&part->sql_waiters) != 0)
			ConditionVariableBroadcast(&part->advanced);
	}
}

/* Bring the watermark up to date, before it is told. */
void
log_refresh(LogPartition *part)
{
	if (RecoveryInProgress())
		return;
	if (part->n_prepared > 0)
		log_settle_prepared(part);
	log_advance(part, log_durable_lsn());
}

/* The next flush has to look at this partition. */
void
log_set_dirty(LogPartition *part)
{
	int			slot = LogSlotIndex(part);
	uint64		bit = UINT64CONST(1) << (slot % 64);

	if ((pg_atomic_read_u64(&dirty_slots[slot / 64]) & bit) == 0)
		pg_atomic_fetch_or_u64(&dirty_slots[slot / 64], bit);
}

/* ---------- growth ---------- */

static void
controller_detach(int code, Datum arg)
{
	log_shared->controller_latch = NULL;
}

void
log_controller_attach(void)
{
	log_shared->controller_latch = MyLatch;
	before_shmem_exit(controller_detach, (Datum) 0);
}

/* The partition has begun a new extent: the controller may have older ones to free. */
void
log_note_growth(LogPartition *part)
{
	Latch	   *latch;

	pg_atomic_write_u32(&part->grown, 1);
	if (pg_atomic_exchange_u32(&log_shared->grown, 1) != 0)
		return;					/* it knows, and has yet to look */
	latch = log_shared->controller_latch;
	if (latch)
		SetLatch(latch);
}

bool
log_has_grown(void)
{
	return pg_atomic_read_u32(&log_shared->grown) != 0;
}

int
log_take_grown(Oid *relids, int max)
{
	int			n = 0;

	pg_atomic_exchange_u32(&log_shared->grown, 0);
	for (int i = 0; i < log_max_partitions; i++)
	{
		LogPartition *part = &log_slots[i];
		RelFileNode node;
		bool		mine;

		if (pg_atomic_read_u32(&part->grown) == 0)
			continue;
		if (n == max)
		{
			pg_atomic_write_u32(&log_shared->grown, 1); /* the rest is for the next call */
			break;
		}
		pg_atomic_write_u32(&part->grown, 0);
		SpinLockAcquire(&part->mutex);
		mine = part->in_use && compat_node_database(part->key.node) == MyDatabaseId;
		node = part->key.node;
		SpinLockRelease(&part->mutex);
		relids[n] = mine ? compat_node_relid(node) : InvalidOid;
		if (OidIsValid(relids[n]))
			n++;
	}
	return n;
}

/* ---------- flush ---------- */

static void
flusher_detach(int code, Datum arg)
{
	SpinLockAcquire(&log_shared->flush_mutex);
	log_shared->flusher_latch = NULL;
	SpinLockRelease(&log_shared->flush_mutex);
}

void
log_flusher_attach(void)
{
	SpinLockAcquire(&log_shared->flush_mutex);
	log_shared->flusher_latch = MyLatch;
	SpinLockRelease(&log_shared->flush_mutex);
	before_shmem_exit(flusher_detach, (Datum) 0);
}

/*
 * GetXLogInsertRecPtr() tells where the next record will begin.  At the start of a WAL
 * page that is behind the page's header, which nobody has written yet: a flush to
 * there would fail.
 */
XLogRecPtr
log_insert_end(void)
{
	XLogRecPtr	lsn = GetXLogInsertRecPtr();

	if (XLogSegmentOffset(lsn, wal_segment_size) == SizeOfXLogLongPHD)
		return lsn - SizeOfXLogLongPHD;
	if (lsn % XLOG_BLCKSZ == SizeOfXLogShortPHD)
		return lsn - SizeOfXLogShortPHD;
	return lsn;
}

XLogRecPtr
log_flushed_lsn(void)
{
#ifdef PG_BROKER_STOP_POINTS
	if (log_debug_skip_flush)
		return log_insert_end();
#endif
	return GetFlushRecPtr(NULL);
}

/*
 * As SyncRepWaitForLSN() sees it where synchronous_commit is the server's: a
 * session's own setting must not let consumers see what the standbys lack.
 */
void
log_replication_changed(void)
{
	bool		replicates = standbys_are_set();

	if (replicates == log_replicates())
		return;
	pg_atomic_write_u32(&log_shared->replicates, replicates);
	log_flush_done();			/* nobody waits for standbys any more */
}

bool
log_replicates(void)
{
	return pg_atomic_read_u32(&log_shared->replicates) != 0;
}

XLogRecPtr
log_replicated_lsn(void)
{
	return pg_atomic_read_u64(&log_shared->replicated_lsn);
}

XLogRecPtr
log_durable_lsn(void)
{
	XLogRecPtr	flushed = log_flushed_lsn();

	return log_replicates() ? Min(flushed, log_replicated_lsn()) : flushed;
}

void
log_replicated(XLogRecPtr lsn)
{
	pg_atomic_write_u64(&log_shared->replicated_lsn, lsn);
	log_flush_done();
}

void
log_flush_request(XLogRecPtr lsn)
{
	Latch	   *latch = NULL;

	SpinLockAcquire(&log_shared->flush_mutex);
	if (lsn > log_shared->flush_target)
	{
		log_shared->flush_target = lsn;
		latch = log_shared->flusher_latch;
	}
	SpinLockRelease(&log_shared->flush_mutex);

	if (latch)
		SetLatch(latch);
}

XLogRecPtr
log_flush_target(void)
{
	XLogRecPtr	lsn;

	SpinLockAcquire(&log_shared->flush_mutex);
	lsn = log_shared->flush_target;
	SpinLockRelease(&log_shared->flush_mutex);
	return lsn;
}

void
log_flush_done(void)
{
	XLogRecPtr	durable = log_durable_lsn();

	for (int i = 0; i < DIRTY_WORDS; i++)
	{
		uint64		bits;

		if (pg_atomic_read_u64(&dirty_slots[i]) == 0)
			continue;
		bits = pg_atomic_exchange_u64(&dirty_slots[i], 0);
		while (bits != 0)
		{
			LogPartition *part = &log_slots[i * 64 + pg_rightmost_one_pos64(bits)];

			bits &= bits - 1;
			log_advance(part, durable);
			/* The rest is durable another time; who appended asked for that. */
			if (part->n_pending > 0 || part->ranges_head != LOG_NO_INDEX)
				log_set_dirty(part);
		}
	}

	wake_workers(pg_atomic_exchange_u64(&log_shared->wake_on_flush, 0));
}

/* ---------- network workers ---------- */

void
log_worker_attach(int worker)
{
	Assert(worker >= 0 && worker < LOG_MAX_WORKERS);
	log_shared->worker_latches[worker] = MyLatch;
}

void
log_worker_detach(int worker)
{
	log_shared->worker_latches[worker] = NULL;
}

void
log_wake_on_flush(int worker)
{
	pg_atomic_fetch_or_u64(&log_shared->wake_on_flush, UINT64CONST(1) << worker);
}

/* Take the bit of a worker out of a mask. */
static bool
take_bit(pg_atomic_uint64 *mask, int worker)
{
	uint64		bit = UINT64CONST(1) << worker;

	return (pg_atomic_read_u64(mask) & bit) != 0 && (pg_atomic_fetch_and_u64(mask, ~bit) & bit) != 0;
}

int
log_take_advanced(int worker, LogAdvanced *advanced, int max, bool *all)
{
	int			n = 0;

	*all = false;
	if (!take_bit(&log_shared->advanced, worker))
		return 0;
	*all = take_bit(&log_shared->advanced_unknown, worker);
	for (int word = 0; word < DIRTY_WORDS; word++)
	{
		pg_atomic_uint64 *place = &advanced_slots[worker * DIRTY_WORDS + word];
		uint64		bits = pg_atomic_read_u64(place);

		if (bits == 0)
			continue;
		for (bits = pg_atomic_exchange_u64(place, 0); bits != 0 && n < max; bits &= bits - 1)
		{
			LogPartition *part = &log_slots[word * 64 + pg_rightmost_one_pos64(bits)];

			SpinLockAcquire(&part->mutex);
			advanced[n].node = part->key.node;
			advanced[n].partition = part->key.partition;
			n++;
			SpinLockRelease(&part->mutex);
		}
		if (bits != 0)
		{
			/* No more fit: they are for the next call. */
			pg_atomic_fetch_or_u64(place, bits);
			pg_atomic_fetch_or_u64(&log_shared->advanced, UINT64CONST(1) << worker);
			break;
		}
	}
	return n;
}

void
log_wake_on_advance(LogPartition *part, int worker)
{
	pg_atomic_fetch_or_u64(&part->wake_workers, UINT64CONST(1) << worker);
}
