/*-------------------------------------------------------------------------
 *
 * log.h
 *	  The storage of topics: one relation per topic, one log per partition.
 *
 * This is everything the upper layers (am, broker, net) may know of the
 * storage.  A log is a sequence of Kafka record batches (format v2), stored
 * byte for byte; offsets are assigned here.  Nothing here knows of tuples, of
 * the protocol or of sockets.
 *
 * Conventions
 *	  - `rel` is open and locked by the caller: at least AccessShareLock to
 *		read, RowExclusiveLock to append, ShareUpdateExclusiveLock to free
 *		space or add partitions.  The caller is in a transaction (a worker
 *		wraps each turn in one), so pins and locks go away with an error.
 *	  - A LogPartition points into shared memory and stays valid while the
 *		lock on `rel` is held; get it again in the next transaction.
 *	  - Functions ereport(ERROR) on I/O errors and misuse; what a client can
 *		cause is returned as a LogResult.
 *	  - Offsets and timestamps are Kafka's: int64, timestamps in milliseconds
 *		since 1970.  Ends are exclusive.
 *
 * Lock order: relation lock, relation extension lock, the partition's append
 * LWLock, buffer content locks (root, then directory, then data pages in
 * stream order), the partition's spinlock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOG_H
#define LOG_H

#include "access/xlogdefs.h"
#include "storage/block.h"
#include "storage/buf.h"
#include "compat.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"
#include "utils/uuid.h"

typedef struct LogPartition LogPartition;

/* A topic has at most this many partitions. */
#define LOG_MAX_PARTITIONS		100000

/* ---------- shared memory and start-up (pg_broker.c) ---------- */

extern int	log_max_partitions;		/* GUC pg_broker.max_partitions */
extern int	log_max_producers;		/* GUC pg_broker.max_producers */
extern int	log_wal_reserve_mb;		/* GUC pg_broker.wal_reserve */

extern void log_shmem_request(void);	/* the space, and LWLock tranches */
extern void log_shmem_init(void);
extern void log_init(void);				/* per process: transaction callbacks */

/* ---------- topics ---------- */

typedef struct LogTopicInfo
{
	pg_uuid_t	topic_id;
	int32		n_partitions;
} LogTopicInfo;

/*
 * Create the file `node` of a new, empty topic with its metapage and partition
 * roots; it goes away if the transaction aborts.  `next_offsets` may be NULL (all
 * zero) or hold n_partitions entries.
 */
extern void log_create(const RelFileNode *node, char persistence, const pg_uuid_t *topic_id,
					   int32 n_partitions, const int64 *next_offsets);

/*
 * Create the file `node` that is about to replace the file of `rel` (TRUNCATE):
 * same topic id, same partition count, empty, next offsets kept.  The caller holds
 * AccessExclusiveLock.
 */
extern void log_create_successor(Relation rel, const RelFileNode *node);

/* Empty the file of `rel` in place, next offsets kept (TRUNCATE of a file of this transaction). */
extern void log_reset(Relation rel);

extern void log_add_partitions(Relation rel, int32 n_partitions);	/* new total */
extern void log_topic_info(Relation rel, LogTopicInfo *info);	/* cached in the relcache */
extern pg_uuid_t log_new_topic_id(void);

/* ---------- partitions ---------- */

/* Find or load the state of a partition; NULL if the topic has no such one. */
extern LogPartition *log_open(Relation rel, int32 partition);

/*
 * A transaction keeps the partitions that it has opened until it ends.  One that goes through
 * many of them lets go of all that it has, between two.
 */
extern void log_slots_release(void);

typedef struct LogBounds
{
	int64		log_start;			/* first offset that can be read */
	int64		high_watermark;		/* end of what Kafka consumers may read */
	int64		last_stable;		/* end of what read_committed may read */
	int64		end_offset;			/* next offset to be assigned */
	int64		flushed;			/* end of what is on disk */
	int64		size_bytes;			/* bytes of the extents in use */
	int64		first_timestamp;	/* of the oldest extent, -1 when empty */
	int64		max_timestamp;		/* -1 when empty */
	int32		n_undecided;		/* SQL transactions that are committing */
	int32		leader_epoch;
} LogBounds;

extern void log_bounds(Relation rel, LogPartition *part, LogBounds *bounds);

/*
 * Where a leader epoch ends (OffsetForLeaderEpoch): *found is the largest epoch not
 * above the one asked for, *end_offset the start of the next or the high watermark.
 * Both -1 if the epoch is above the current one.
 */
extern void log_epoch_end(Relation rel, LogPartition *part, int32 epoch, int32 *found, int64 *end_offset);

/* Set the next offset of a partition to at least `offset` (pg_restore). */
extern void log_advance_next_offset(Relation rel, LogPartition *part, int64 offset);

/* ---------- append ---------- */

typedef enum LogResult
{
	LOG_OK = 0,
	LOG_DUPLICATE,				/* a retry of a stored batch: base_offset, lsn are the original's */
	LOG_OUT_OF_ORDER_SEQUENCE,
	LOG_INVALID_PRODUCER_EPOCH
} LogResult;

typedef struct LogAppend
{
	/* in */
	char	   *batch;			/* one whole record batch, already validated; its
								 * base offset and leader epoch are set in place */
	uint32		length;
	bool		transactional;	/* part of the current SQL transaction: visible
								 * when it has committed.  Call in pre-commit,
								 * with an xid assigned. */
	int64		explicit_offset;	/* -1, or the base offset to give (restore);
									 * must not be below the next offset */
	int64		min_timestamp;	/* of the batch's records; 0 or -1: not known */
	int64		segment_ms;		/* begin a new extent when the active one is */
	int64		segment_bytes;	/* older or larger; 0: no limit */
	int64		retention_bytes;	/* a log that is larger loses its head before it
									 * gets a new extent; -1 or 0: no limit */
	/* out */
	int64		base_offset;
	int64		last_offset;
	XLogRecPtr	lsn;			/* acknowledge when WAL is flushed to here */
	int64		log_start;
} LogAppend;

extern LogResult log_append(Relation rel, LogPartition *part, LogAppend *append);

/* ---------- flush and wake-up ---------- */

/*
 * The flusher process sleeps until log_flush_target() moves, flushes WAL, and
 * calls log_flush_done(), which raises the high watermarks and wakes those who
 * wait.  Whoever appends outside a SQL transaction calls log_flush_request().
 */
extern void log_flusher_attach(void);		/* MyLatch becomes the flusher's */
extern void log_flush_request(XLogRecPtr lsn);
extern XLogRecPtr log_flush_target(void);

/* The end of the newest WAL record: flush to here to have all that was written so far on disk. */
extern XLogRecPtr log_insert_end(void);
extern void log_flush_done(void);

/* WAL is on disk up to here: what a record's lsn is compared with before it is acknowledged. */
extern XLogRecPtr log_flushed_lsn(void);

/*
 * The same, and at the synchronous standbys if there are any: what acks=all and the
 * high watermark wait for.  The sync waiter process tells with log_replicated() what
 * the standbys have confirmed.
 */
extern XLogRecPtr log_durable_lsn(void);
extern bool log_replicates(void);	/* are there synchronous standbys to wait for? */
extern XLogRecPtr log_replicated_lsn(void);
extern void log_replicated(XLogRecPtr lsn);

/* From the flusher, when the settings have been read again. */
extern void log_replication_changed(void);

/*
 * Network worker `worker` (0..63) wants its latch set (a) after the next flush,
 * (b) when the high watermark of a partition passes `offset`.  Registered
 * interest is used up by one wake-up; register, then look again, then sleep.
 */
extern void log_worker_attach(int worker);	/* MyLatch becomes this worker's */
extern void log_worker_detach(int worker);
extern void log_wake_on_flush(int worker);
extern void log_wake_on_advance(LogPartition *part, int worker);

typedef struct LogAdvanced
{
	RelFileNode node;			/* the topic's file */
	int32		partition;
} LogAdvanced;

/*
 * The partitions for which there has been (b) for this worker since it last asked, at
 * most max of them: ask again until there are none.  *all: it could be any partition.
 */
extern int	log_take_advanced(int worker, LogAdvanced *advanced, int max, bool *all);

/*
 * A backend waits until the high watermark passes `offset` or the timeout ends, without a
 * lock on the relation that has the file `node`.
 */
extern bool log_wait_advance(const RelFileNode *node, int32 partition, int64 offset, long timeout_ms);

/*
 * The same for partitions 0 to n - 1, with an offset for each.  The wait also ends when
 * log_wake_waiting() is called after log_wakes() was.
 */
extern bool log_wait_any(const RelFileNode *node, const int64 *offsets, int32 n, uint64 wakes,
						 long timeout_ms);
extern uint64 log_wakes(void);
extern void log_wake_waiting(void);

/* ---------- read, as Kafka's consumers do ---------- */

/*
 * Where bytes of whole batches lie: a run inside one extent.  Valid until
 * retention frees the extent; log_slice_copy notices that.
 */
typedef struct LogSlice
{
	RelFileNode node;			/* the file: TRUNCATE makes another, with the same positions */
	int32		partition;
	BlockNumber block;			/* page of the first byte */
	uint64		position;		/* of the first byte, in the partition's stream */
	uint32		length;
} LogSlice;

typedef struct LogSliceInfo
{
	int			n_slices;
	uint32		bytes;			/* sum of their lengths */
	int64		next_offset;	/* where to go on */
} LogSliceInfo;

/*
 * Find whole batches from the one that holds `offset` (or the first after it)
 * up to `end_offset` (a bound from LogBounds) in at most max_bytes; with
 * `at_least_one` the first batch is taken whatever its size.  Ranges of aborted
 * SQL transactions are left out.  false: offset is not in [log_start, end].
 */
extern bool log_find_slices(Relation rel, LogPartition *part, int64 offset, int64 end_offset,
							uint32 max_bytes, bool at_least_one,
							LogSlice *slices, int max_slices, LogSliceInfo *info);

/*
 * Copy `len` bytes that start `skip` bytes into the slice.  false: the extent
 * was freed meanwhile.
 */
extern bool log_slice_copy(Relation rel, const LogSlice *slice, uint32 skip, char *dst, uint32 len);

/*
 * Pages that hold parts of slices, to be sent as they lie there.  First they are pinned,
 * then all of them are locked together and looked at, for no longer than a system call takes.
 */
#define LOG_MAX_PINS 64

typedef struct LogPin
{
	Buffer		buffer;
	int32		partition;		/* whose page it should be, and which */
	uint64		page_position;
	char	   *data;			/* in the page */
	uint32		length;
} LogPin;

typedef struct LogPins
{
	int			n;
	int			n_locked;
	LogPin		pages[LOG_MAX_PINS];
} LogPins;

/*
 * Pin the pages of `len` bytes that start `skip` bytes into the slice, or as many as there are
 * places for; *pinned: bytes.  false: the extent was freed meanwhile.
 */
extern bool log_pins_add(LogPins *pins, Relation rel, const LogSlice *slice, uint32 skip, uint32 len,
						 uint32 *pinned);

/*
 * Lock the pages and return how many of them, from the first on, are what they should be.  It may be
 * less because somebody is writing one; but 0 only if the first one's extent was freed.
 */
extern int	log_pins_lock(LogPins *pins);
extern void log_pins_release(LogPins *pins);

/* Have these bytes read from disk, if need be, without waiting for it. */
extern void log_slice_prefetch(Relation rel, const LogSlice *slice, uint32 skip, uint32 len);

/* ---------- read, batch by batch ---------- */

typedef struct LogReader LogReader;

/*
 * Reads the batches of a partition in order (or backwards), from the one that holds
 * start_offset (or the first after it), up to end_offset (exclusive, by base offset;
 * INT64_MAX for all).  With a snapshot it follows MVCC: ranges of SQL transactions
 * that the snapshot doesn't see are skipped, and so are batches of no SQL transaction
 * from scan_end on (see log_scan_end).  With InvalidSnapshot it follows the log up to
 * the high watermark and ignores scan_end.  Allocated in CurrentMemoryContext.
 */
extern LogReader *log_reader_begin(Relation rel, int32 partition, int64 start_offset,
								   int64 end_offset, Snapshot snapshot, int64 scan_end,
								   bool backward);

/*
 * The next whole batch, or NULL.  The memory is the reader's, writable, until
 * the next call.
 */
extern char *log_reader_next(LogReader *reader, uint32 *length);

/*
 * Only records up to this time are wanted: extents that are known to have none are passed
 * over.  Right after log_reader_begin.
 */
extern void log_reader_set_max_time(LogReader *reader, int64 max_time);

/*
 * In two steps: the header of the next batch (BATCH_HEADER_SIZE bytes) or NULL; and, if
 * it is wanted, the whole batch, or NULL if retention has freed it since.
 */
extern const char *log_reader_next_header(LogReader *reader);
extern char *log_reader_batch(LogReader *reader);
extern void log_reader_end(LogReader *reader);

/* The end that SELECT uses for records of no SQL transaction, fixed once per scan. */
extern int64 log_scan_end(Relation rel, int32 partition);

/*
 * Start offset of the first batch whose running maximum timestamp is >= ts, -1 if none:
 * every record with a timestamp >= ts is at or after it.
 */
extern int64 log_find_time(Relation rel, LogPartition *part, int64 ts);

/*
 * Base offset of the batch with the largest timestamp (-1 when empty).  After DeleteRecords every
 * batch may have to be looked at: false is returned after so many, and the next call with the
 * same search, which is all zero at first, goes on.
 */
typedef struct LogMaxSearch
{
	int64		offset;			/* the result, when true is returned */
	bool		looks;			/* batch by batch: what it has found so far */
	int64		next;
	int64		max_timestamp;
} LogMaxSearch;

extern bool log_find_max_time(Relation rel, LogPartition *part, LogMaxSearch *search, int n_batches);

/* ---------- retention ---------- */

/* Raise the log start (DeleteRecords); never past the high watermark. Returns the new start. */
extern int64 log_delete_records(Relation rel, LogPartition *part, int64 before_offset);

typedef struct LogRetention
{
	int64		retention_ms;	/* -1: no limit */
	int64		retention_bytes;	/* -1: no limit */
	int64		segment_ms;
	int64		segment_bytes;
	int64		now_ms;
} LogRetention;

/* Free extents at the head of the partition; returns how many. Rolls the active extent when due. */
extern int	log_apply_retention(Relation rel, LogPartition *part, const LogRetention *policy);

/* VACUUM: settle transactions, give back the tail of the file.  Raises nothing. */
typedef struct LogVacuumStats
{
	BlockNumber pages_removed;
	BlockNumber pages;
	int64		records;
	TransactionId frozen_xid;	/* new relfrozenxid, Invalid: unchanged */
} LogVacuumStats;
extern void log_vacuum(Relation rel, LogVacuumStats *stats);

/*
 * The controller is woken when appends have begun new extents, so that it can apply
 * retention to where there is something new.  log_take_grown gives the tables (of this
 * database) that have them since the last call; one may be there more than once.  It
 * is called in a transaction.
 */
extern void log_controller_attach(void);	/* MyLatch becomes the controller's */
extern bool log_has_grown(void);
extern int	log_take_grown(Oid *relids, int max);

/* ---------- compaction ---------- */

/*
 * What can be compacted: extents that are closed and below the high watermark.  Whoever
 * compacts holds ShareUpdateExclusiveLock on `rel`.
 */
typedef struct LogCleanable
{
	int64		first_dirty;	/* what lies before has been compacted */
	int64		end;			/* where what can be compacted ends */
	int64		clean_bytes;
	int64		dirty_bytes;	/* of [first_dirty, end) */
	int64		dirty_timestamp;	/* least timestamp in there; -1: nothing is */
} LogCleanable;

/* Extents with records later than `newest_ms` are not among it, nor what follows them. */
extern void log_cleanable(Relation rel, LogPartition *part, int64 newest_ms, LogCleanable *cleanable);

typedef enum LogVerdict
{
	LOG_KEEP,
	LOG_DROP,
	LOG_REPLACE					/* by another batch with the same offsets */
} LogVerdict;

typedef LogVerdict (*LogFilter) (void *arg, const char *batch, uint32 length,
								 const char **replacement, uint32 *replacement_length);

typedef struct LogRewriteStats
{
	int64		bytes_read;
	int64		bytes_written;	/* of stream */
	int64		extents_replaced;
} LogRewriteStats;

/*
 * Pass some extents from the one that holds `offset` on through a filter, and put what it
 * leaves in their place.  Returns where to go on; that is done when it reaches
 * end_offset.  -1: there is no place to note more free space, try again later.  Batches of
 * aborted transactions and below the log start are dropped unasked.  Memory is taken for one
 * extent's batches at least, and some megabytes, in CurrentMemoryContext.
 */
extern int64 log_rewrite(Relation rel, LogPartition *part, int64 offset, int64 end_offset,
						 LogFilter filter, void *arg, LogRewriteStats *stats);

/* All before this offset has been compacted. */
extern void log_set_clean(Relation rel, LogPartition *part, int64 offset);

/* ---------- idempotent producers ---------- */

typedef struct LogProducer
{
	int64		producer_id;
	int16		epoch;
	int32		last_sequence;
	int64		last_timestamp;
	int64		last_offset;
} LogProducer;

/* A palloc'd array of the producers that a partition knows (DescribeProducers). */
extern LogProducer *log_producers(Relation rel, LogPartition *part, int *n);

#endif							/* LOG_H */
