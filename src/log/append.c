/*-------------------------------------------------------------------------
 *
 * append.c
 *	  Appending a batch to a partition.
 *
 * Order of things: make room (a new extent, a place in the transaction index), pin
 * the pages, take the append lock, see that nothing moved, give offsets, write
 * pages and WAL, publish the new end.  Under the append lock nothing waits for I/O,
 * but for batches beyond 32 pages, whose later pages are pinned as it goes.
 *
 * WAL is PostgreSQL's own.  A change of few pages is one generic WAL record, which
 * holds deltas of the tail page and images of new pages (its redo function takes up
 * to four pages).  Larger ones are records of full-page images, up to 32 pages
 * each.  A batch that is cut by a crash between two records is dropped by log_load().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "miscadmin.h"
#include "storage/smgr.h"

#include "log/internal.h"
#include "log/stop_point.h"
#include "wire/batch.h"

#define CHUNK_PAGES		32

StaticAssertDecl(CHUNK_PAGES <= XLR_MAX_BLOCK_ID, "a chunk fits a WAL record");

/* ---------- writing pages ---------- */

/*
 * The delta of a tail page, in the form of generic WAL (generic_xlog.c): for each
 * fragment its offset, length and bytes.
 */
static void
register_fragment(uint8 block_id, Page page, OffsetNumber *header, const void *from, Size len)
{
	header[0] = (OffsetNumber) ((const char *) from - (const char *) page);
	header[1] = (OffsetNumber) len;
	XLogRegisterBufData(block_id, (char *) header, 2 * sizeof(OffsetNumber));
	XLogRegisterBufData(block_id, (char *) from, len);
}

/* Write the part of a batch that belongs into one page; returns its length. */
uint32
log_fill_page(Page page, const LogBatchPlace *place, uint64 at, const char *data, uint32 len)
{
	uint32		offset = at % LOG_PAGE_DATA_SIZE;
	uint32		n = Min(LOG_PAGE_DATA_SIZE - offset, len);
	LogStamp   *stamp;

	if (offset == 0)
	{
		if (n < LOG_PAGE_DATA_SIZE)
			log_page_init(page, LOG_PAGE_DATA, place->partition, at);
		else
		{
			/* All of the contents is written below: don't clear it first. */
			memset(page, 0, LOG_CONTENT_START);
			((PageHeader) page)->pd_special = BLCKSZ - sizeof(LogStamp);
			((PageHeader) page)->pd_upper = BLCKSZ - sizeof(LogStamp);
			PageSetPageSizeAndVersion(page, BLCKSZ, PG_PAGE_LAYOUT_VERSION);
			stamp = LogPageStamp(page);
			memset(stamp, 0, sizeof(LogStamp));
			stamp->kind = LOG_PAGE_DATA;
			stamp->partition = place->partition;
			stamp->position = at;
		}
		stamp = LogPageStamp(page);
		stamp->first_offset = place->next_offset;
	}
	stamp = LogPageStamp(page);
	if (at == place->position && stamp->first_batch == 0)
	{
		stamp->first_batch = LOG_CONTENT_START + offset;
		stamp->first_offset = place->base_offset;
	}
	stamp->max_timestamp = place->max_timestamp;
	memcpy(LogPageContent(page) + offset, data, n);
	((PageHeader) page)->pd_lower = LOG_CONTENT_START + offset + n;
	return n;
}

/* Write and log one chunk of a batch; the pages are pinned. */
static XLogRecPtr
write_chunk(const LogBatchPlace *place, Buffer *buffers, int n_pages, uint64 at, const char *data, uint32 len)
{
	bool		generic = n_pages <= MAX_GENERIC_XLOG_PAGES;
	OffsetNumber headers[3][2];
	XLogRecPtr	lsn;

	if (!generic)
		XLogEnsureRecordSpace(n_pages - 1, 0);

	for (int i = 0; i < n_pages; i++)
		LockBuffer(buffers[i], BUFFER_LOCK_EXCLUSIVE);

	START_CRIT_SECTION();
	XLogBeginInsert();
	for (int i = 0; i < n_pages; i++)
	{
		Page		page = BufferGetPage(buffers[i]);
		uint32		offset = at % LOG_PAGE_DATA_SIZE;
		uint32		n = log_fill_page(page, place, at, data, len);

		MarkBufferDirty(buffers[i]);
		if (offset == 0 || !generic)
			XLogRegisterBuffer(i, buffers[i], REGBUF_FORCE_IMAGE | REGBUF_STANDARD);
		else
		{
			Assert(i == 0);
			XLogRegisterBuffer(i, buffers[i], REGBUF_STANDARD);
			register_fragment(i, page, headers[0], &((PageHeader) page)->pd_lower, sizeof(LocationIndex));
			register_fragment(i, page, headers[1], LogPageContent(page) + offset, n);
			register_fragment(i, page, headers[2], LogPageStamp(page), sizeof(LogStamp));
		}
		at += n;
		data += n;
		len -= n;
	}
	Assert(len == 0);
	lsn = generic ? XLogInsert(RM_GENERIC_ID, 0) : XLogInsert(RM_XLOG_ID, XLOG_FPI);
	for (int i = 0; i < n_pages; i++)
		PageSetLSN(BufferGetPage(buffers[i]), lsn);
	END_CRIT_SECTION();

	for (int i = 0; i < n_pages; i++)
		LockBuffer(buffers[i], BUFFER_LOCK_UNLOCK);
	return lsn;
}

/* Has nobody begun to write the page at a position of the extent that lies there? */
static bool
is_unwritten(LogPartition *part, BlockNumber data_block, uint64 extent_position, uint64 at)
{
	bool		result;

	SpinLockAcquire(&part->mutex);
	result = part->has_extent && part->data_block == data_block &&
		part->extent_position == extent_position && part->write_limit <= at;
	SpinLockRelease(&part->mutex);
	return result;
}

/*
 * Pin a page behind the log's end, which need not be read.  Without the append lock
 * others may have come first: have written the page, or even have freed the extent,
 * and the page was written out and evicted.  Then what we have in the buffer now is a
 * page of zeros that passes for the real one, and is put right before anybody sees it.
 */
static Buffer
pin_new_page(Relation rel, LogPartition *part, BlockNumber data_block, uint64 extent_position, uint64 at)
{
	BlockNumber block = log_position_block(data_block, extent_position, at);
	Buffer		buffer = ReadBufferExtended(rel, MAIN_FORKNUM, block, RBM_ZERO_AND_LOCK, NULL);
	Page		page = BufferGetPage(buffer);

	if (PageIsNew(page) && !LWLockHeldByMe(&part->append_lock) &&
		!is_unwritten(part, data_block, extent_position, at))
		smgrread(RelationGetSmgr(rel), MAIN_FORKNUM, block, page);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return buffer;
}

/* Pin the pages of [at, end), CHUNK_PAGES at most. */
static int
pin_chunk(Relation rel, LogPartition *part, BlockNumber data_block, uint64 extent_position, uint64 at,
		  uint64 end, Buffer *buffers)
{
	int			n = 0;

	while (at < end && n < CHUNK_PAGES)
	{
		if (at % LOG_PAGE_DATA_SIZE == 0)
			buffers[n++] = pin_new_page(rel, part, data_block, extent_position, at);
		else
			buffers[n++] = log_read_buffer(rel, log_position_block(data_block, extent_position, at));
		at = log_page_position(at) + LOG_PAGE_DATA_SIZE;
	}
	return n;
}

static void
unpin(Buffer *buffers, int n)
{
	for (int i = 0; i < n; i++)
		ReleaseBuffer(buffers[i]);
}

/* Write a batch at the log's end; returns the LSN after it.  The first chunk is pinned. */
static XLogRecPtr
write_batch(Relation rel, LogPartition *part, const LogBatchPlace *place, const char *data, uint32 len,
			Buffer *buffers, int n_pages)
{
	uint64		at = place->position;
	uint64		end = at + len;
	XLogRecPtr	lsn;

	for (;;)
	{
		uint64		chunk_end = Min(end, log_page_position(at) + (uint64) n_pages * LOG_PAGE_DATA_SIZE);

		lsn = write_chunk(place, buffers, n_pages, at, data, chunk_end - at);
		unpin(buffers, n_pages);
		data += chunk_end - at;
		at = chunk_end;
		if (at == end)
			return lsn;
		LOG_STOP_POINT("append-mid-batch");

		n_pages = pin_chunk(rel, part, part->data_block, part->extent_position, at, end, buffers);
	}
}

/* ---------- append ---------- */

static bool
must_roll(LogPartition *part, const LogAppend *append, int64 max_ts, int32 epoch)
{
	uint64		used;

	if (!part->has_extent || part->end_position + append->length > part->extent_limit)
		return true;
	/* A new leader epoch begins with an extent: rolling one notes it in the root. */
	if (part->leader_epoch != epoch)
		return true;
	used = part->end_position - part->extent_position;
	if (used == 0)
		return false;
	if (append->segment_bytes > 0 && used + append->length > append->segment_bytes)
		return true;
	return append->segment_ms > 0 && part->extent_first_ts >= 0 &&
		max_ts - part->extent_first_ts > append->segment_ms;
}

LogResult
log_append(Relation rel, LogPartition *part, LogAppend *append)
{
	Buffer		buffers[CHUNK_PAGES];
	Buffer		txn_buffer = InvalidBuffer;
	FullTransactionId xid = InvalidFullTransactionId;
	LogBatchPlace place;
	int64		max_ts = batch_max_timestamp(append->batch);
	bool		idempotent = batch_has_producer(append->batch) &&
		batch_base_sequence(append->batch) != BATCH_NO_SEQUENCE;
	int32		epoch;
	int			n_pages;
	XLogRecPtr	lsn;

	Assert(append->length == batch_total_size(append->batch));

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot write to a topic during recovery")));
	log_check_reserve();
	epoch = log_current_epoch();
	if (append->transactional)
	{
		xid = GetTopFullTransactionId();
		log_range_reserve();
	}

	for (;;)
	{
		BlockNumber data_block,
					txn_block;
		uint64		extent_position;
		uint64		extent_number;
		uint64		position;
		bool		has_extent,
					roll;

		/* Look at the tail. */
		SpinLockAcquire(&part->mutex);
		has_extent = part->has_extent;
		extent_number = part->extent_number;
		data_block = part->data_block;
		extent_position = part->extent_position;
		position = part->end_position;
		txn_block = part->txn_last;
		roll = must_roll(part, append, max_ts, epoch);
		SpinLockRelease(&part->mutex);

		if (roll)
		{
			if (append->retention_bytes > 0)
				log_make_room(rel, part, append->retention_bytes);
			log_roll(rel, part, append->length, append->segment_bytes, has_extent, extent_number);
			log_note_growth(part);
			continue;
		}
		if (append->transactional && txn_block == InvalidBlockNumber)
		{
			log_txn_reserve(rel, part);
			continue;
		}

		LOG_STOP_POINT("append-looked");
		n_pages = pin_chunk(rel, part, data_block, extent_position, position, position + append->length,
							buffers);
		if (append->transactional)
			txn_buffer = log_read_buffer(rel, txn_block);

		LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
		if (part->torn)
			log_load(rel, part);
		if (part->end_position == position && part->data_block == data_block && part->has_extent &&
			!must_roll(part, append, max_ts, epoch) &&
			(!append->transactional || log_txn_has_room(part, txn_buffer)))
			break;				/* as we saw it */

		roll = append->transactional && !log_txn_has_room(part, txn_buffer);
		LWLockRelease(&part->append_lock);
		unpin(buffers, n_pages);
		if (append->transactional)
			ReleaseBuffer(txn_buffer);
		if (roll)
			log_txn_reserve(rel, part);
	}

	append->log_start = part->log_start;
	if (idempotent)
	{
		LogResult	result = log_producer_check(part, append);

		if (result != LOG_OK)
		{
			LWLockRelease(&part->append_lock);
			unpin(buffers, n_pages);
			if (append->transactional)
				ReleaseBuffer(txn_buffer);
			return result;
		}
	}

	append->base_offset = part->end_offset;
	if (append->explicit_offset >= 0)
	{
		if (append->explicit_offset < part->end_offset)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("log_offset %lld is already taken in partition %d of topic table \"%s\"",
							(long long) append->explicit_offset, part->key.partition,
							RelationGetRelationName(rel)),
					 errdetail("The next offset is %lld.", (long long) part->end_offset)));
		append->base_offset = append->explicit_offset;
	}
	if (append->base_offset > PG_INT64_MAX - 1 - batch_last_offset_delta(append->batch))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("partition %d of topic table \"%s\" has no offsets left",
						part->key.partition, RelationGetRelationName(rel))));
	batch_set_base_offset(append->batch, append->base_offset);
	batch_set_leader_epoch(append->batch, part->leader_epoch);
	append->last_offset = batch_last_offset(append->batch);

	if (append->transactional)
	{
		/* If the data can't be written after this, the next append takes the entry back. */
		part->torn = true;
		log_txn_record(part, txn_buffer, append->base_offset, append->last_offset, xid);
		ReleaseBuffer(txn_buffer);
		LOG_STOP_POINT("append-indexed");
	}

	place.position = part->end_position;
	place.base_offset = append->base_offset;
	place.next_offset = append->last_offset + 1;
	place.max_timestamp = Max(part->extent_max_ts, max_ts);
	place.partition = part->key.partition;
	part->torn = true;
	SpinLockAcquire(&part->mutex);
	part->write_limit = part->end_position + append->length;
	SpinLockRelease(&part->mutex);
	lsn = write_batch(rel, part, &place, append->batch, append->length, buffers, n_pages);
	append->lsn = lsn;
	LOG_STOP_POINT("append-written");

	if (idempotent)
		log_producer_update(part, append->batch, lsn);

	SpinLockAcquire(&part->mutex);
	part->end_offset = place.next_offset;
	part->end_position += append->length;
	part->extent_max_ts = place.max_timestamp;
	part->extent_min_ts = Min(part->extent_min_ts, max_ts);
	part->extent_record_min = append->min_timestamp <= 0 ? -1 :
		Min(part->extent_record_min, append->min_timestamp);
	if (part->extent_first_ts < 0)
		part->extent_first_ts = max_ts;
	if (part->first_timestamp < 0)
		part->first_timestamp = max_ts;
	part->max_timestamp = Max(part->max_timestamp, max_ts);
	part->torn = false;
	if (append->transactional)
		log_range_remember(part, append->base_offset, append->last_offset, xid);
	log_mark_pending(part, lsn);
	SpinLockRelease(&part->mutex);
	log_set_dirty(part);

	LWLockRelease(&part->append_lock);
	return LOG_OK;
}

/* The next offset is at least that from now on (restore of a dump). */
void
log_advance_next_offset(Relation rel, LogPartition *part, int64 offset)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogChange	change = {0};
	Buffer		buffer;
	Page		page;
	XLogRecPtr	lsn;

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot write to a topic during recovery")));
	log_lock_space(rel);
	buffer = log_read_buffer(rel, log_root_block(rel, part->key.partition));
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (part->torn)
		log_load(rel, part);
	if (offset > part->end_offset)
	{
		log_read_root(rel, part->key.partition, root);
		root->min_next_offset = offset;
		if (!part->has_extent)
			root->log_start = offset;
		page = log_change_add(&change, buffer);
		log_change_begin();
		log_store_root(page, root);
		lsn = log_change_end(&change);

		SpinLockAcquire(&part->mutex);
		part->end_offset = offset;
		part->log_start = root->log_start;
		log_mark_pending(part, lsn);
		SpinLockRelease(&part->mutex);
		log_set_dirty(part);
		LWLockRelease(&part->append_lock);
		log_flush_request(lsn);
	}
	else
	{
		LWLockRelease(&part->append_lock);
		ReleaseBuffer(buffer);
	}
	log_unlock_space(rel);
	pfree(root);
}
