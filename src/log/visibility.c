/*-------------------------------------------------------------------------
 *
 * visibility.c
 *	  How far a partition may be read.
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

#include "access/xlog.h"

#include "log/internal.h"

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
		log_wake_readers(part);
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
