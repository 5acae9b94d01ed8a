/*-------------------------------------------------------------------------
 *
 * cursor.h
 *	  The records of one partition after the other.
 *
 * A cursor is made once for a scan and opened for each range of offsets that
 * the scan reads.  Control batches and what the snapshot doesn't see never come
 * out of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef AM_CURSOR_H
#define AM_CURSOR_H

#include "utils/relcache.h"
#include "utils/snapshot.h"
#include "wire/record.h"

typedef struct AmCursor AmCursor;

/* Lives in CurrentMemoryContext.  InvalidSnapshot: follow the log to its high watermark. */
extern AmCursor *cursor_create(Relation rel, Snapshot snapshot, bool backward);

/*
 * Records outside of these times needn't be returned (but may be): batches whose records are
 * all older, and parts of the log whose records are all younger, are skipped.
 */
extern void cursor_set_times(AmCursor *c, int64 min_timestamp, int64 max_timestamp);

/*
 * Only the offsets of records are wanted: those of a batch without gaps are told by its
 * header.
 */
extern void cursor_set_offsets_only(AmCursor *c);

/* Records that can't be decoded end the batch silently, for ANALYZE. */
extern void cursor_set_quiet(AmCursor *c);

/* Read offsets lo to hi (exclusive).  `scan_end` is scan_end()'s; unused without a snapshot. */
extern void cursor_open(AmCursor *c, int32 partition, int64 lo, int64 hi, int64 scan_end);

/* The next record, valid until the next call; false at the end of the range. */
extern bool cursor_next(AmCursor *c, Record *record);

/* How many records the next batch has in the range; false at the end. */
extern bool cursor_count(AmCursor *c, int64 *n);

extern void cursor_close(AmCursor *c);

#endif							/* AM_CURSOR_H */
