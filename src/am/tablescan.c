/*-------------------------------------------------------------------------
 *
 * tablescan.c
 *	  The access method's plain scan, which COPY TO, ANALYZE and whoever else
 *	  doesn't go through the planner uses; and the look-up of a single row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/tablescan.h"
#include "log/log.h"

#include "optimizer/cost.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* In a ParallelTableScanDesc. */
typedef struct ParallelLogScan
{
	ParallelTableScanDescData base;
	AmSharedScan shared;		/* must be last */
} ParallelLogScan;

/* Dirty and other special snapshots have no meaning here: they follow the log. */
static Snapshot
scan_snapshot(Snapshot snapshot)
{
	return snapshot != NULL && IsMVCCSnapshot(snapshot) ? snapshot : InvalidSnapshot;
}

static void
start(AmTableScan *ts)
{
	if (ts->base.rs_parallel != NULL)
		scan_start_shared(ts->scan, &((ParallelLogScan *) ts->base.rs_parallel)->shared);
	else
		scan_start(ts->scan, &ts->ranges);
}

TableScanDesc
am_scan_begin(Relation rel, Snapshot snapshot, int nkeys, struct ScanKeyData *key,
			  ParallelTableScanDesc pscan, uint32 flags)
{
	AmTableScan *ts = palloc0(sizeof(AmTableScan));
	MemoryContext old_cxt;

	if (nkeys != 0)
		elog(ERROR, "a scan of a topic takes no scan keys");

	RelationIncrementReferenceCount(rel);
	ts->base.rs_rd = rel;
	ts->base.rs_snapshot = snapshot;
	ts->base.rs_flags = flags;
	ts->base.rs_parallel = pscan;
	ts->cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker scan", ALLOCSET_DEFAULT_SIZES);

	old_cxt = MemoryContextSwitchTo(ts->cxt);
	ts->scan = scan_create(rel, scan_snapshot(snapshot), false, NULL, true);
	if (pscan == NULL)
		range_add_all(&ts->ranges, rel, scan_snapshot(snapshot));
	MemoryContextSwitchTo(old_cxt);
	start(ts);

	if (flags & SO_TYPE_SEQSCAN)
		pgstat_count_heap_scan(rel);
	return &ts->base;
}

void
am_scan_end(TableScanDesc scan)
{
	AmTableScan *ts = (AmTableScan *) scan;

	scan_stop(ts->scan);
	MemoryContextDelete(ts->cxt);
	RelationDecrementReferenceCount(scan->rs_rd);
	if (scan->rs_flags & SO_TEMP_SNAPSHOT)
		UnregisterSnapshot(scan->rs_snapshot);
	pfree(ts);
}

void
am_scan_rescan(TableScanDesc scan, struct ScanKeyData *key, bool set_params, bool allow_strat,
			   bool allow_sync, bool allow_pagemode)
{
	start((AmTableScan *) scan);
}

bool
am_scan_getnextslot(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot)
{
	AmTableScan *ts = (AmTableScan *) scan;

	if (!ScanDirectionIsForward(direction))
		am_refuse("reading a plain scan backwards", "Use ORDER BY log_offset DESC.");
	if (!scan_next(ts->scan, slot))
		return false;
	pgstat_count_heap_getnext(scan->rs_rd);
	return true;
}

/* ---------- parallel ---------- */

/*
 * The size is asked for first and the contents later.  If partitions were added
 * in between, the scan does without them, as if it had begun before.
 */
static Oid	estimated_relid = InvalidOid;
static int32 estimated_partitions;

static int32
scan_partitions(Relation rel)
{
	LogTopicInfo info;

	log_topic_info(rel, &info);
	return info.n_partitions;
}

static Size
parallel_size(int32 n_partitions)
{
	return offsetof(ParallelLogScan, shared) +
		shared_scan_size(n_partitions, max_parallel_workers_per_gather + 1);
}

Size
am_parallelscan_estimate(Relation rel)
{
	estimated_relid = RelationGetRelid(rel);
	estimated_partitions = scan_partitions(rel);
	return parallel_size(estimated_partitions);
}

Size
am_parallelscan_initialize(Relation rel, ParallelTableScanDesc pscan)
{
	ParallelLogScan *p = (ParallelLogScan *) pscan;
	AmRangeList ranges = {0};
	int32		n = scan_partitions(rel);

	if (estimated_relid == RelationGetRelid(rel))
		n = Min(n, estimated_partitions);
	for (int32 i = 0; i < n; i++)
		(void) range_add_partition(&ranges, rel, i, 0, PG_INT64_MAX, GetActiveSnapshot());

	compat_set_parallel_relation(&p->base, rel);
	p->base.phs_syncscan = false;
	shared_scan_init(&p->shared, &ranges, max_parallel_workers_per_gather + 1);
	return parallel_size(n);
}

void
am_parallelscan_reinitialize(Relation rel, ParallelTableScanDesc pscan)
{
	shared_scan_restart(&((ParallelLogScan *) pscan)->shared);
}

/* ---------- a single row, by its ctid ---------- */

/*
 * Asked for when an UPDATE ... FROM a topic meets a row that somebody else has
 * just updated, and its join has to be looked at again.
 */
bool
am_fetch_row_version(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot)
{
	int32		partition = row_tid_partition(tid);
	LogPartition *part = partition < 0 ? NULL : log_open(rel, partition);
	LogBounds	bounds;
	AmRangeList ranges = {0};
	MemoryContext cxt,
				old_cxt;
	AmScan	   *scan;
	int64		offset;
	bool		found;

	if (part == NULL)
		am_refuse("looking a row up by its ctid", "Use partition and log_offset.");
	log_bounds(rel, part, &bounds);
	if (!row_from_tid(tid, bounds.log_start, bounds.end_offset, &offset))
		am_refuse("looking a row up by its ctid", "Use partition and log_offset.");

	if (snapshot == NULL || !IsMVCCSnapshot(snapshot))
		snapshot = GetActiveSnapshot();
	cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker row", ALLOCSET_SMALL_SIZES);
	old_cxt = MemoryContextSwitchTo(cxt);
	(void) range_add_partition(&ranges, rel, partition, offset, offset + 1, snapshot);
	scan = scan_create(rel, snapshot, false, NULL, true);
	scan_start(scan, &ranges);
	found = scan_next(scan, slot);
	if (found)
		ExecMaterializeSlot(slot);
	scan_stop(scan);
	MemoryContextSwitchTo(old_cxt);
	MemoryContextDelete(cxt);
	return found;
}
