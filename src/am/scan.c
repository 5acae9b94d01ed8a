/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  A scan over ranges of offsets, of some or all partitions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/scan.h"
#include "log/log.h"

#include "storage/predicate.h"
#include "utils/rel.h"

/* A process of a parallel scan takes about this many pieces, at least this large. */
#define SCAN_PIECES_PER_PROCESS 16
#define SCAN_MIN_PIECE 50000

static void
range_add(AmRangeList *list, int32 partition, int64 lo, int64 hi, int64 scan_end)
{
	AmRange    *r;

	if (list->n == list->max)
	{
		list->max = Max(8, list->max * 2);
		if (list->ranges == NULL)
			list->ranges = palloc(list->max * sizeof(AmRange));
		else
			list->ranges = repalloc_huge(list->ranges, list->max * sizeof(AmRange));
	}
	r = &list->ranges[list->n++];
	r->partition = partition;
	r->lo = lo;
	r->hi = hi;
	r->scan_end = scan_end;
}

/*
 * The end is taken after the snapshot, so that all that the snapshot sees lies
 * before it.
 */
bool
range_add_partition(AmRangeList *list, Relation rel, int32 partition, int64 lo, int64 hi, Snapshot snapshot)
{
	LogPartition *part = log_open(rel, partition);
	LogBounds	bounds;
	int64		end;

	if (part == NULL)
		return false;
	end = snapshot == InvalidSnapshot ? 0 : scan_end(rel, partition);
	log_bounds(rel, part, &bounds);
	lo = Max(lo, bounds.log_start);
	hi = Min(hi, bounds.end_offset);
	if (lo < hi)
		range_add(list, partition, lo, hi, end);
	return true;
}

void
range_add_all(AmRangeList *list, Relation rel, Snapshot snapshot)
{
	LogTopicInfo info;

	log_topic_info(rel, &info);
	for (int32 p = 0; p < info.n_partitions; p++)
		(void) range_add_partition(list, rel, p, 0, PG_INT64_MAX, snapshot);
}

AmScan *
scan_create(Relation rel, Snapshot snapshot, bool backward, const Bitmapset *columns, bool all)
{
	AmScan	   *scan = palloc0(sizeof(AmScan));

	scan->rel = rel;
	scan->backward = backward;
	scan->cursor = cursor_create(rel, snapshot, backward);
	scan->row = row_create(RelationGetDescr(rel), columns, all);
	if (row_wants_offset_only(scan->row))
		cursor_set_offsets_only(scan->cursor);
	if (snapshot != InvalidSnapshot)
		PredicateLockRelation(rel, snapshot);
	return scan;
}

void
scan_stop(AmScan *scan)
{
	cursor_close(scan->cursor);
	scan->open = false;
	scan->n_counted = 0;
}

void
scan_start(AmScan *scan, const AmRangeList *ranges)
{
	scan_stop(scan);
	scan->todo = *ranges;
	scan->next = 0;
	scan->shared = NULL;
}

void
scan_start_shared(AmScan *scan, AmSharedScan *shared)
{
	scan_stop(scan);
	scan->shared = shared;
}

/* Open the next range; false when there is none. */
static bool
next_range(AmScan *scan)
{
	const AmRange *r;

	if (scan->shared != NULL)
	{
		uint32		i = pg_atomic_fetch_add_u32(&scan->shared->next, 1);

		if (i >= (uint32) scan->shared->n_pieces)
		{
			/* Don't let the counter run on: it must not wrap around. */
			pg_atomic_write_u32(&scan->shared->next, scan->shared->n_pieces);
			return false;
		}
		r = &scan->shared->pieces[i];
	}
	else
	{
		if (scan->next >= scan->todo.n)
			return false;
		r = &scan->todo.ranges[scan->next++];
	}
	cursor_open(scan->cursor, r->partition, r->lo, r->hi, r->scan_end);
	scan->partition = r->partition;
	return true;
}

bool
scan_next(AmScan *scan, TupleTableSlot *slot)
{
	Record		record;

	for (;;)
	{
		if (scan->open)
		{
			if (cursor_next(scan->cursor, &record))
			{
				row_store(scan->row, scan->partition, &record, slot);
				return true;
			}
			cursor_close(scan->cursor);
		}
		scan->open = next_range(scan);
		if (!scan->open)
		{
			ExecClearTuple(slot);
			return false;
		}
	}
}

bool
scan_next_empty(AmScan *scan, TupleTableSlot *slot)
{
	while (scan->n_counted == 0)
	{
		if (scan->open && cursor_count(scan->cursor, &scan->n_counted))
			continue;
		cursor_close(scan->cursor);
		scan->n_counted = 0;
		scan->open = next_range(scan);
		if (!scan->open)
		{
			ExecClearTuple(slot);
			return false;
		}
	}
	scan->n_counted--;
	if (TTS_EMPTY(slot))
		ExecStoreAllNullTuple(slot);
	return true;
}

/* ---------- parallel ---------- */

static int
max_pieces(int n_ranges, int n_processes)
{
	return n_ranges + n_processes * SCAN_PIECES_PER_PROCESS;
}

Size
shared_scan_size(int n_ranges, int n_processes)
{
	return offsetof(AmSharedScan, pieces) + (Size) max_pieces(n_ranges, n_processes) * sizeof(AmRange);
}

void
shared_scan_init(AmSharedScan *shared, const AmRangeList *ranges, int n_processes)
{
	double		total = 0;
	int64		piece;
	int			n = 0;

	for (int i = 0; i < ranges->n; i++)
		total += ranges->ranges[i].hi - ranges->ranges[i].lo;
	piece = Max(SCAN_MIN_PIECE, (int64) (total / (n_processes * SCAN_PIECES_PER_PROCESS)) + 1);

	for (int i = 0; i < ranges->n; i++)
	{
		AmRange		r = ranges->ranges[i];
		int64		end = r.hi;

		for (; r.lo < end; r.lo = r.hi)
		{
			r.hi = end - r.lo > piece ? r.lo + piece : end;
			Assert(n < max_pieces(ranges->n, n_processes));
			shared->pieces[n++] = r;
		}
	}
	shared->n_pieces = n;
	shared->min_timestamp = PG_INT64_MIN;
	shared->max_timestamp = PG_INT64_MAX;
	pg_atomic_init_u32(&shared->next, 0);
}

void
shared_scan_restart(AmSharedScan *shared)
{
	pg_atomic_write_u32(&shared->next, 0);
}
