/*-------------------------------------------------------------------------
 *
 * wakeup.c
 *	  Who is told that something has happened: network workers, SQL readers, the controller.
 *
 * Whoever waits leaves a mark, looks once more, and sleeps on its latch; whoever moves something
 * takes the marks and sets the latches.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/ipc.h"
#include "storage/latch.h"

#include "log/internal.h"

/* The word of log_advanced_slots with the bit of a slot. */
#define ADVANCED_WORD(worker, slot) (&log_advanced_slots[(worker) * LOG_SLOT_WORDS + (slot) / 64])

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

void
log_wake_on_advance(LogPartition *part, int worker)
{
	pg_atomic_fetch_or_u64(&part->wake_workers, UINT64CONST(1) << worker);
}

void
log_wake_workers(uint64 mask)
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

/* The watermark has moved. */
void
log_wake_readers(LogPartition *part)
{
	/* Who waits has left its mark before it looked at the watermark. */
	pg_memory_barrier();
	if (pg_atomic_read_u64(&part->wake_workers) != 0)
	{
		uint64		workers = pg_atomic_exchange_u64(&part->wake_workers, 0);

		note_advanced(part, workers);
		log_wake_workers(workers);
	}
	if (pg_atomic_read_u32(&part->sql_waiters) != 0)
	{
		ConditionVariableBroadcast(&part->advanced);
		ConditionVariableBroadcast(&log_shared->any_advanced);
	}
}

/* Who waits for this partition, or has yet to look at it, must not wait for the next in its slot. */
void
log_wake_slot(LogPartition *part)
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
	log_wake_workers(workers);
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
	for (int word = 0; word < LOG_SLOT_WORDS; word++)
	{
		pg_atomic_uint64 *place = &log_advanced_slots[worker * LOG_SLOT_WORDS + word];
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

/* ---------- the controller ---------- */

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
