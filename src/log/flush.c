/*-------------------------------------------------------------------------
 *
 * flush.c
 *	  What is durable, and the requests to make more so.
 *
 * One process flushes WAL for all who wait: they ask by log_flush_request(), and the
 * flusher calls log_flush_done(), which takes along the partitions that were appended to.
 * With synchronous standbys, durable is what they have confirmed, too.
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

#include "log/internal.h"
#include "log/stop_point.h"

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

/* ---------- synchronous standbys ---------- */

bool
log_standbys_are_set(void)
{
	return SyncRepRequested() && SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0';
}

/*
 * As SyncRepWaitForLSN() sees it where synchronous_commit is the server's: a
 * session's own setting must not let consumers see what the standbys lack.
 */
void
log_replication_changed(void)
{
	bool		replicates = log_standbys_are_set();

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

/* ---------- the flusher ---------- */

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

/* The next flush has to look at this partition. */
void
log_set_dirty(LogPartition *part)
{
	int			slot = LogSlotIndex(part);
	uint64		bit = UINT64CONST(1) << (slot % 64);

	if ((pg_atomic_read_u64(&log_dirty_slots[slot / 64]) & bit) == 0)
		pg_atomic_fetch_or_u64(&log_dirty_slots[slot / 64], bit);
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

	for (int i = 0; i < LOG_SLOT_WORDS; i++)
	{
		uint64		bits;

		if (pg_atomic_read_u64(&log_dirty_slots[i]) == 0)
			continue;
		bits = pg_atomic_exchange_u64(&log_dirty_slots[i], 0);
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

	log_wake_workers(pg_atomic_exchange_u64(&log_shared->wake_on_flush, 0));
}

