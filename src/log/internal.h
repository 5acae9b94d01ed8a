/*-------------------------------------------------------------------------
 *
 * internal.h
 *	  What the files of the storage layer offer one another.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOG_INTERNAL_H
#define LOG_INTERNAL_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "log/state.h"

/* ---------- page.c: pages and their WAL ---------- */

extern void log_page_init(Page page, LogPageKind kind, int32 partition, uint64 position);
extern BlockNumber log_slice_block(const LogSlice *slice, uint32 skip);
extern bool log_page_is(Page page, LogPageKind kind, int32 partition, uint64 position);
extern void log_page_set_length(Page page, Size length);

/*
 * A change of up to LOG_CHANGE_MAX metadata pages that is atomic in WAL.  Pin the
 * pages, add them (this locks them) in lock order, modify them between begin and
 * end.  Full images are logged: such changes are rare, and pd_lower keeps them small.
 */
#define LOG_CHANGE_MAX	4

typedef struct LogChange
{
	int			n;
	Buffer		buffers[LOG_CHANGE_MAX];
} LogChange;

extern Page log_change_add(LogChange *change, Buffer buffer);
extern void log_change_begin(void);
extern XLogRecPtr log_change_end(LogChange *change);	/* unlocks and unpins */

extern Buffer log_read_buffer(Relation rel, BlockNumber block);
extern Buffer log_new_buffer(Relation rel, BlockNumber block);	/* pinned, not read */
extern void log_corrupted(Relation rel, BlockNumber block, const char *what) pg_attribute_noreturn();

/* ---------- file.c: metapage and free space ---------- */

extern void log_read_meta(Relation rel, LogMeta *meta);
extern BlockNumber log_root_block(Relation rel, int32 partition);	/* Invalid: no such partition */
extern void log_lock_space(Relation rel);
extern void log_unlock_space(Relation rel);
extern void log_ensure_blocks(Relation rel, BlockNumber n_blocks);	/* space lock held */
extern BlockNumber log_space_take(LogMeta *meta, uint32 n_blocks);
extern bool log_space_give(LogMeta *meta, BlockNumber block, uint32 n_blocks);
extern void log_store_meta(Page page, const LogMeta *meta);

/* ---------- directory.c: roots, leaves, extents ---------- */

extern int32 log_current_epoch(void);
extern void log_read_root(Relation rel, int32 partition, LogRoot *root);
extern void log_store_root(Page page, const LogRoot *root);
extern bool log_read_extent(Relation rel, int32 partition, const LogRoot *root, uint64 number,
							LogExtent *extent);
extern void log_roll(Relation rel, LogPartition *part, uint32 need_bytes, int64 max_bytes,
					 bool had_extent, uint64 seen_extent);
extern bool log_first_extent(Relation rel, int32 partition, const LogRoot *root, LogExtent *extent);
extern uint64 log_generation(Relation rel, int32 partition);
extern bool log_find_extent(Relation rel, int32 partition, LogRoot *root, int64 offset,
							uint64 *number, LogExtent *extent);

/* ---------- stream.c: reading a partition's bytes ---------- */

/* Reads the data pages of one extent through a private copy of one page at a time. */
typedef struct LogStream
{
	Relation	rel;
	int32		partition;
	BlockNumber data_block;		/* of start_position */
	uint64		start_position;
	uint64		limit;			/* end of the extent's room, or of what is used */
	BufferAccessStrategy strategy;
	uint64		page_position;	/* of the copy */
	bool		page_valid;
	uint32		page_used;		/* bytes of stream in it */
	PGAlignedBlock page;
} LogStream;

/* The log's end, by which its newest extent is read. */
typedef struct LogTail
{
	bool		has_extent;
	uint64		extent_position;
	uint64		end_position;
} LogTail;

/* Read it before the root and under the mutex, together with the end offset that goes with it. */
static inline void
log_get_tail(const LogPartition *part, LogTail *tail)
{
	tail->has_extent = part->has_extent;
	tail->extent_position = part->extent_position;
	tail->end_position = part->end_position;
}

extern uint64 log_extent_end(const LogExtent *extent, const LogTail *tail);
extern void log_stream_init(LogStream *stream, Relation rel, int32 partition, const LogExtent *extent);
extern bool log_stream_load(LogStream *stream, uint64 position);
extern uint32 log_stream_read(LogStream *stream, uint64 position, char *dst, uint32 len);
extern bool log_stream_header(LogStream *stream, uint64 position, char *header);
extern bool log_stream_find(LogStream *stream, int64 offset, uint64 end_position, uint64 *position);

#define log_stream_stamp(stream) LogPageStamp((stream)->page.data)

static inline uint64
log_page_position(uint64 position)
{
	return position - position % LOG_PAGE_DATA_SIZE;
}

static inline BlockNumber
log_position_block(BlockNumber data_block, uint64 start_position, uint64 position)
{
	return data_block + (BlockNumber) ((position - start_position) / LOG_PAGE_DATA_SIZE);
}

/* ---------- reserve.c ---------- */

extern void log_check_reserve(void);

/* ---------- append.c ---------- */

/* What the pages of a batch are stamped with. */
typedef struct LogBatchPlace
{
	uint64		position;
	int64		base_offset;
	int64		next_offset;
	int64		max_timestamp;	/* of the extent, with this batch */
	int32		partition;
} LogBatchPlace;

extern uint32 log_fill_page(Page page, const LogBatchPlace *place, uint64 at, const char *data, uint32 len);

/* ---------- retention.c ---------- */
extern void log_make_room(Relation rel, LogPartition *part, int64 retention_bytes);

/* ---------- rewrite.c ---------- */

extern void log_give_pending(Relation rel, LogPartition *part);

/* ---------- load.c ---------- */

extern void log_load(Relation rel, LogPartition *part);	/* append lock held exclusively */

/* ---------- txn.c: the transaction index ---------- */

typedef enum LogFate
{
	LOG_FATE_VISIBLE,
	LOG_FATE_HIDDEN,			/* aborted, or not seen by the snapshot */
	LOG_FATE_UNDECIDED
} LogFate;

typedef struct LogHole
{
	int64		first;
	int64		last;
	LogFate		fate;
} LogHole;

/* All ranges of SQL transactions in the index, with their fate; palloc'd, in offset order. */
extern LogHole *log_txn_ranges(Relation rel, int32 partition, Snapshot snapshot, int *n);
extern bool log_txn_load(Relation rel, LogPartition *tail, const LogRoot *root, LogPartition *queue);
extern void log_txn_reserve(Relation rel, LogPartition *part);
extern bool log_txn_has_room(LogPartition *part, Buffer buffer);
extern void log_txn_record(LogPartition *part, Buffer buffer, int64 first, int64 last,
						   FullTransactionId xid);
extern void log_range_reserve(void);
extern void log_range_queue(LogPartition *part, int32 index, int64 first, int64 last, FullTransactionId xid);
extern void log_range_remember(LogPartition *part, int64 first, int64 last, FullTransactionId xid);
extern void log_txn_vacuum(Relation rel, LogPartition *part, TransactionId oldest, TransactionId *min_xid);

/* ---------- prepared.c ---------- */

extern void log_prepared_queue(LogPartition *part, const LogTxnEntry *entry, bool undecided);
extern void log_settle_prepared(LogPartition *part);
extern void log_prepared_init(void);

/* ---------- producer.c ---------- */

extern void log_producers_clear(LogPartition *part);
extern void log_producers_expire(LogPartition *part, int64 now_ms);
extern LogResult log_producer_check(LogPartition *part, LogAppend *append);
extern void log_producer_update(LogPartition *part, const char *batch, XLogRecPtr lsn);
extern void log_producer_load(LogPartition *part, const LogProducerState *state, XLogRecPtr lsn);

#endif							/* LOG_INTERNAL_H */
