/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  A scan over ranges of offsets, of some or all partitions.
 *
 * The end of each partition is fixed when the scan begins; parallel workers are
 * given the leader's, and take pieces of the ranges from a shared counter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_SCAN_H
#define AM_SCAN_H

#include "am/cursor.h"
#include "am/row.h"
#include "port/atomics.h"

typedef struct AmRange
{
	int32		partition;
	int64		lo;
	int64		hi;				/* exclusive */
	int64		scan_end;		/* scan_end()'s */
} AmRange;

typedef struct AmRangeList
{
	int			n;
	int			max;
	AmRange    *ranges;
} AmRangeList;

/* For parallel scans, in dynamic shared memory. */
typedef struct AmSharedScan
{
	pg_atomic_uint32 next;
	int32		n_pieces;
	int64		min_timestamp;	/* as for cursor_set_times() */
	int64		max_timestamp;
	AmRange		pieces[FLEXIBLE_ARRAY_MEMBER];
} AmSharedScan;

typedef struct AmScan
{
	Relation	rel;
	AmCursor   *cursor;
	AmRow	   *row;
	AmRangeList todo;			/* of this process, when not parallel */
	int			next;
	AmSharedScan *shared;
	bool		backward;
	bool		open;			/* the cursor is in `partition` */
	int32		partition;
	int64		n_counted;		/* rows without columns that are still to be returned */
} AmScan;

/* scan_end.c: where the scan stops reading what no SQL transaction wrote */
extern int64 scan_end(Relation rel, int32 partition);

/* One partition, as far as this scan can see it; false if there is no such one. */
extern bool range_add_partition(AmRangeList *list, Relation rel, int32 partition, int64 lo, int64 hi,
								Snapshot snapshot);

/* All of them. */
extern void range_add_all(AmRangeList *list, Relation rel, Snapshot snapshot);

/* In CurrentMemoryContext.  `columns` as for row_create(). */
extern AmScan *scan_create(Relation rel, Snapshot snapshot, bool backward, const Bitmapset *columns,
						   bool all);

/* (Re)start with these ranges; they are read in this order. */
extern void scan_start(AmScan *scan, const AmRangeList *ranges);
extern void scan_start_shared(AmScan *scan, AmSharedScan *shared);
extern void scan_stop(AmScan *scan);

extern bool scan_next(AmScan *scan, TupleTableSlot *slot);

/* The next row for someone who looks at no column of it. */
extern bool scan_next_empty(AmScan *scan, TupleTableSlot *slot);

/* How much shared memory, and its contents, when the ranges are cut for so many processes. */
extern Size shared_scan_size(int n_ranges, int n_processes);
extern void shared_scan_init(AmSharedScan *shared, const AmRangeList *ranges, int n_processes);
extern void shared_scan_restart(AmSharedScan *shared);

#endif							/* AM_SCAN_H */
