/*-------------------------------------------------------------------------
 *
 * state.h
 *	  The shared state of partitions (internal to the storage layer).
 *
 * A fixed array of slots caches what the pages say about the partitions in use.
 * The truth about a log is its pages; about a transaction, the procarray and the
 * commit log.  A slot is found by the relation's file, so a TRUNCATE or its
 * rollback needs no care here: it is another file.  A slot that no transaction
 * uses, and that has nothing to wait for, may be evicted for another partition.
 *
 * append_lock protects the log's tail: who holds it exclusively may append, roll
 * extents and load the slot.  `mutex` protects what readers look at; fields marked
 * (A) change only under both, so that the append_lock's holder may read them
 * without the mutex.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOG_STATE_H
#define LOG_STATE_H

#include "access/transam.h"
#include "port/atomics.h"
#include "storage/block.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"
#include "storage/spin.h"

#include "log/format.h"
#include "log/log.h"

typedef struct LogKey
{
	RelFileNode node;
	int32		partition;
} LogKey;

/* What an append left to be flushed: when WAL is flushed to lsn, all before end is on disk. */
typedef struct LogPending
{
	XLogRecPtr	lsn;
	int64		end_offset;
	uint64		end_position;
} LogPending;

#define LOG_MAX_PENDING		16

#define LOG_NO_INDEX		(-1)

struct LogPartition
{
	LWLock		append_lock;
	slock_t		mutex;
	bool		in_use;
	bool		loaded;			/* (A) false: the pages must be looked at again */
	bool		loaded_in_recovery; /* (A) */
	bool		torn;			/* (A) an append began and did not end: wipe what it left */
	bool		room_is_there;	/* the file is as long as the newest extent */
	bool		recently_used;	/* for the choice of a slot to evict */
	LogKey		key;			/* fixed while in_use */
	pg_atomic_uint32 users;		/* transactions that may have a pointer to it */

	int64		log_start;		/* (A) */
	int64		end_offset;		/* (A) next to be given */
	uint64		end_position;	/* (A) */
	uint64		write_limit;	/* (A) an append may have written to pages before it */
	int32		leader_epoch;	/* (A) newest epoch in the root; -1: none */

	/* the active extent, if has_extent */
	bool		has_extent;		/* (A) */
	uint64		extent_number;	/* (A) */
	BlockNumber data_block;		/* (A) of its first data page */
	uint64		extent_position;	/* (A) where it starts in the stream */
	uint64		extent_limit;	/* (A) where its room ends */
	int64		extent_min_ts;	/* (A) of the batches' maximum timestamps */
	int64		extent_max_ts;	/* (A) */
	int64		extent_record_min;	/* (A) least time of a record; -1: not known */
	int64		extent_first_ts;	/* (A) of its first batch; segment.ms counts from it */
	int64		max_timestamp;	/* (A) over the log's extents */
	int64		first_timestamp;	/* (A) minimum timestamp of the oldest extent */
	uint64		size_blocks;	/* (A) */

	BlockNumber txn_last;		/* (A) last page of the transaction index, or Invalid */
	uint32		txn_last_number;	/* (A) its number */
	int64		aborted_first;	/* (A) bounds of the aborted ranges; none if first > last */
	int64		aborted_last;

	/* visibility */
	int			n_pending;
	LogPending	pending[LOG_MAX_PENDING];
	int64		flushed_offset;
	uint64		flushed_position;
	int64		decided_offset; /* all before it is flushed and decided */
	int64		high_watermark;
	uint64		watermark_position; /* of high_watermark, if watermark_position_known */
	bool		watermark_position_known;
	int32		ranges_head;	/* undecided and just decided ranges, in offset order */
	int32		ranges_tail;
	int32		n_undecided;
	int32		n_prepared;		/* ranges of prepared transactions, which no backend owns */

	int32		producers_head; /* list of this partition's producers */
	int32		n_producers;

	pg_atomic_uint32 grown;		/* has a new extent since retention looked */
	pg_atomic_uint64 wake_workers;	/* network workers that wait for the watermark */
	pg_atomic_uint32 sql_waiters;
	ConditionVariable advanced;
};

/* A range of offsets that a SQL transaction wrote. */
typedef enum LogRangeState
{
	LOG_RANGE_UNDECIDED,
	LOG_RANGE_COMMITTED,
	LOG_RANGE_ABORTED
} LogRangeState;

typedef struct LogRange
{
	int32		next;
	LogRangeState state;
	bool		prepared;
	int64		first;
	int64		last;
	FullTransactionId xid;
	XLogRecPtr	commit_lsn;		/* counts when this is flushed */
} LogRange;

typedef struct LogProducerEntry
{
	int32		next;			/* in the partition's list, or the free list */
	LogProducerState state;
	XLogRecPtr	last_lsn;		/* of its newest batch */
} LogProducerEntry;

#define LOG_MAX_WORKERS		64
#define LOG_MAX_RANGES		65536

typedef struct LogShared
{
	LWLock		slots_lock;		/* the hash of slots, and in_use */
	LWLock		producers_lock; /* the hash of producers, and their free list */
	slock_t		ranges_mutex;	/* free list of ranges */
	int32		ranges_free;
	int32		producers_free;

	slock_t		flush_mutex;
	XLogRecPtr	flush_target;
	struct Latch *flusher_latch;
	struct Latch *controller_latch;
	pg_atomic_uint32 grown;		/* some partition has */
	pg_atomic_uint32 replicates;	/* there are synchronous standbys */
	pg_atomic_uint64 start_lsn; /* WAL's end when the first partition was loaded */
	pg_atomic_uint64 replicated_lsn;	/* confirmed by them */
	pg_atomic_uint64 advanced;	/* network workers for which a watermark has moved */
	pg_atomic_uint64 advanced_unknown;	/* ... but of a partition that is gone */
	pg_atomic_uint64 wake_on_flush; /* network workers that wait for a flush */
	ConditionVariable any_advanced; /* some partition with sql_waiters has */
	pg_atomic_uint64 wakes;		/* calls of log_wake_waiting() */
	struct Latch *worker_latches[LOG_MAX_WORKERS];
} LogShared;

extern LogShared *log_shared;
extern LogPartition *log_slots;
extern LogRange *log_ranges;
extern LogProducerEntry *log_producer_pool;

/* Sets of slots, a bit for each. */
#define LOG_SLOT_WORDS	((log_max_partitions + 63) / 64)

extern pg_atomic_uint64 *log_dirty_slots;	/* the next flush has to look at them */
extern pg_atomic_uint64 *log_advanced_slots;	/* a set for each network worker: their watermark has moved */

#define LogSlotIndex(part) ((int) ((part) - log_slots))

/* state.c */
extern LogPartition *log_slot_find(const LogKey *key);
extern LogPartition *log_slot_wait_for(const LogKey *key);
extern void log_slots_forget(const RelFileNode *node);

/* visibility.c */
extern void log_mark_pending(LogPartition *part, XLogRecPtr lsn);
extern void log_advance(LogPartition *part, XLogRecPtr flushed);
extern void log_refresh(LogPartition *part);
extern int32 log_range_alloc(void);
extern void log_range_free(int32 range);
extern void log_reset_visibility(LogPartition *part);

/* flush.c */
extern bool log_standbys_are_set(void);
extern void log_set_dirty(LogPartition *part);

/* wakeup.c */
extern void log_wake_workers(uint64 mask);
extern void log_wake_readers(LogPartition *part);
extern void log_wake_slot(LogPartition *part);
extern void log_note_growth(LogPartition *part);

/* producer.c */
extern Size log_producers_shmem_size(void);
extern void log_producers_shmem_init(bool found);

#endif							/* LOG_STATE_H */
