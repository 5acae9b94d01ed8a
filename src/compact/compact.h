/*-------------------------------------------------------------------------
 *
 * compact.h
 *	  Compaction of a partition's log: of each key the last record stays.
 *
 * It goes in steps, so that whoever runs it can do other things in between, and end
 * the transaction.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COMPACT_COMPACT_H
#define COMPACT_COMPACT_H

#include "utils/relcache.h"
#include "wire/config_def.h"

/* GUC pg_broker.log_cleaner_dedupe_buffer_size, in kB */
extern int	compact_dedupe_buffer_kb;

typedef struct Compaction Compaction;

/*
 * Is there something to compact?  NULL if not.  With `force`, whatever can be, is; else by the
 * topic's min.cleanable.dirty.ratio and max.compaction.lag.ms.  The caller holds
 * ShareUpdateExclusiveLock on `rel`, here and at each step.  Memory is taken in
 * CurrentMemoryContext, and given back by compact_end() or with the context.
 */
extern Compaction *compact_begin(Relation rel, int32 partition, const TopicConfig *config, int64 now_ms,
								 bool force);

/* Do some of it; false: it is done, or has to wait until the next time. */
extern bool compact_step(Compaction *c, Relation rel);

typedef struct CompactStats
{
	int64		bytes_read;
	int64		bytes_written;
	int64		extents_replaced;
} CompactStats;

extern void compact_end(Compaction *c, CompactStats *stats);	/* stats may be NULL */

#endif							/* COMPACT_COMPACT_H */
