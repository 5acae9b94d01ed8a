/*-------------------------------------------------------------------------
 *
 * state.c
 *	  Shared memory of the storage layer, and the slots of partitions in it.
 *
 * A slot is found by the relation's file and the partition's number.  Who uses one keeps it
 * until its transaction ends; an idle one is evicted when another partition needs it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "log/internal.h"

int			log_max_partitions = 10000;
int			log_max_producers = 20000;

LogShared  *log_shared = NULL;
LogPartition *log_slots = NULL;
LogRange   *log_ranges = NULL;
LogProducerEntry *log_producer_pool = NULL;

pg_atomic_uint64 *log_dirty_slots = NULL;
pg_atomic_uint64 *log_advanced_slots = NULL;

static HTAB *slot_hash = NULL;

typedef struct SlotEntry
{
	LogKey		key;
	int32		slot;
} SlotEntry;

#define ADVANCED_WORDS	(LOG_MAX_WORKERS * LOG_SLOT_WORDS)

static Size
shmem_size(void)
{
	Size		size;

	size = MAXALIGN(sizeof(LogShared));
	size = add_size(size, MAXALIGN(mul_size(log_max_partitions, sizeof(LogPartition))));
	size = add_size(size, MAXALIGN(mul_size(LOG_MAX_RANGES, sizeof(LogRange))));
	size = add_size(size, MAXALIGN(mul_size(LOG_SLOT_WORDS, sizeof(pg_atomic_uint64))));
	size = add_size(size, MAXALIGN(mul_size(ADVANCED_WORDS, sizeof(pg_atomic_uint64))));
	size = add_size(size, hash_estimate_size(log_max_partitions, sizeof(SlotEntry)));
	size = add_size(size, log_producers_shmem_size());
	return size;
}

/* Called in shmem_request_hook. */
void
log_shmem_request(void)
{
	RequestAddinShmemSpace(shmem_size());
	RequestNamedLWLockTranche("pg_broker", 2);
	RequestNamedLWLockTranche("pg_broker_append", 1);
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
	log_dirty_slots = ShmemInitStruct("pg_broker dirty partitions",
									  LOG_SLOT_WORDS * sizeof(pg_atomic_uint64), &found);
	log_advanced_slots = ShmemInitStruct("pg_broker advanced partitions",
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
		pg_atomic_init_u32(&log_shared->replicates, log_standbys_are_set());
		pg_atomic_init_u32(&log_shared->grown, 0);
		pg_atomic_init_u64(&log_shared->wake_on_flush, 0);
		pg_atomic_init_u64(&log_shared->advanced, 0);
		pg_atomic_init_u64(&log_shared->wakes, 0);
		ConditionVariableInit(&log_shared->any_advanced);
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

		for (int i = 0; i < LOG_SLOT_WORDS; i++)
			pg_atomic_init_u64(&log_dirty_slots[i], 0);
		for (int i = 0; i < ADVANCED_WORDS; i++)
			pg_atomic_init_u64(&log_advanced_slots[i], 0);
	}

	log_producers_shmem_init(found);
}

/* ---------- slots ---------- */

/* Make a slot forget everything but its locks; caller holds slots_lock exclusively. */
static void
slot_clear(LogPartition *part)
{
	log_reset_visibility(part);
	log_producers_clear(part);
	log_wake_slot(part);
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
		used_bits = MemoryContextAllocZero(TopMemoryContext, LOG_SLOT_WORDS * sizeof(uint64));
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
