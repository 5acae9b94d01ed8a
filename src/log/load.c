/*-------------------------------------------------------------------------
 *
 * load.c
 *	  Opening a partition: from its pages to its slot in shared memory.
 *
 * What must be looked at is the root, the newest extent's summary, the batch
 * headers of that extent, and the transaction index: nothing grows with the log.
 * The log ends with its last whole batch.  A crash (or an error in mid-batch) may
 * leave bytes behind it; they are wiped before anything is appended, since later
 * appends could otherwise be taken for the beginning of what is left of them.
 *
 * A slot may be loaded again while others read it: after an error in mid-append, and
 * on a standby each time.  So everything is worked out in a copy, and published
 * at once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xloginsert.h"
#include "miscadmin.h"

#include "log/internal.h"
#include "wire/batch.h"

/* On a standby, replay may change the pages between two looks; no more often than that. */
#define MAX_ATTEMPTS	1000

/* Wipe what is left of a batch that was cut off behind the end of the log. */
static void
wipe_tail(Relation rel, LogPartition *tail, LogStream *stream)
{
	uint64		position = tail->end_position;
	uint32		offset = position % LOG_PAGE_DATA_SIZE;

	stream->limit = tail->extent_limit;
	stream->page_valid = false;

	if (offset != 0 && log_stream_load(stream, position) && stream->page_used > offset)
	{
		Buffer		buffer = log_read_buffer(rel, log_position_block(tail->data_block,
																  tail->extent_position, position));
		LogChange	change = {0};
		Page		page = log_change_add(&change, buffer);
		LogStamp   *stamp = LogPageStamp(page);

		log_change_begin();
		if (stamp->first_batch >= LOG_CONTENT_START + offset)
		{
			stamp->first_batch = 0;
			stamp->first_offset = tail->end_offset;
		}
		stamp->max_timestamp = tail->extent_max_ts;
		log_page_set_length(page, offset);
		log_change_end(&change);
	}

	for (position = log_page_position(position + LOG_PAGE_DATA_SIZE - 1);
		 log_stream_load(stream, position);
		 position += LOG_PAGE_DATA_SIZE)
	{
		Buffer		buffer = log_read_buffer(rel, log_position_block(tail->data_block,
																  tail->extent_position, position));
		LogChange	change = {0};
		Page		page = log_change_add(&change, buffer);

		log_change_begin();
		log_page_init(page, LOG_PAGE_FREE, -1, 0);
		log_change_end(&change);
	}
}

static bool
load_summary(Relation rel, LogPartition *part, const LogExtent *extent, XLogRecPtr lsn)
{
	for (int i = 0; i < extent->n_summary; i++)
	{
		Buffer		buffer = log_read_buffer(rel, extent->start_block + i);
		Page		page = BufferGetPage(buffer);
		LogSummaryPage *content = (LogSummaryPage *) LogPageContent(page);
		bool		valid;

		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		valid = log_page_is(page, LOG_PAGE_SUMMARY, part->key.partition, extent->start_position) &&
			content->n_producers <= LOG_SUMMARY_PRODUCERS;
		for (uint32 p = 0; valid && p < content->n_producers; p++)
			log_producer_load(part, &content->producers[p], lsn);
		UnlockReleaseBuffer(buffer);
		if (!valid)
			return false;
	}
	return true;
}

/* Follow the batches of the newest extent; the producers go to `part`. */
static void
walk_tail(LogPartition *part, LogPartition *tail, LogStream *stream, XLogRecPtr lsn)
{
	char		header[BATCH_HEADER_SIZE];

	while (log_stream_header(stream, tail->end_position, header))
	{
		int64		size = batch_total_size(header);
		uint64		last = tail->end_position + size - 1;
		int64		ts = batch_max_timestamp(header);

		/* Is all of it there?  Pages are written in order, so its last byte tells. */
		if (batch_base_offset(header) < tail->end_offset || !log_stream_load(stream, last) ||
			last - stream->page_position >= stream->page_used)
			break;

		if (batch_has_producer(header) && batch_base_sequence(header) != BATCH_NO_SEQUENCE &&
			!RecoveryInProgress())
			log_producer_update(part, header, lsn);
		tail->end_offset = batch_next_offset(header);
		tail->extent_min_ts = Min(tail->extent_min_ts, ts);
		tail->extent_max_ts = Max(tail->extent_max_ts, ts);
		if (tail->extent_first_ts < 0)
			tail->extent_first_ts = ts;
		tail->end_position += size;
	}
	tail->max_timestamp = Max(tail->max_timestamp, tail->extent_max_ts);
}

/* On a standby, the batches that were there last time still are: go on behind them. */
static void
continue_from(LogPartition *part, LogPartition *tail)
{
	if (!part->has_extent || part->extent_position != tail->extent_position)
		return;
	tail->end_offset = part->end_offset;
	tail->end_position = part->end_position;
	tail->extent_min_ts = part->extent_min_ts;
	tail->extent_max_ts = part->extent_max_ts;
	tail->extent_first_ts = part->extent_first_ts;
}

/* Work out what the pages say; returns what is wrong with them, or NULL. */
static const char *
load_pages(Relation rel, LogPartition *part, LogPartition *tail, bool fresh, XLogRecPtr lsn)
{
	int32		partition = part->key.partition;
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogStream  *stream = palloc0(sizeof(LogStream));
	LogExtent	extent;
	const char *wrong = NULL;

	memset(tail, 0, sizeof(LogPartition));
	tail->key = part->key;
	log_producers_clear(part);
	log_read_root(rel, partition, root);

	tail->log_start = root->log_start;
	tail->end_offset = root->min_next_offset;
	tail->end_position = root->next_position;
	tail->leader_epoch = root->n_epochs > 0 ? root->epochs[root->n_epochs - 1].epoch : -1;
	tail->has_extent = root->end_extent > root->first_extent;
	tail->size_blocks = root->size_blocks;
	tail->max_timestamp = -1;
	tail->first_timestamp = -1;
	tail->extent_min_ts = PG_INT64_MAX;
	tail->extent_max_ts = -1;
	tail->extent_first_ts = -1;

	if (tail->has_extent)
	{
		uint64		number = root->end_extent - 1;

		if (!log_read_extent(rel, partition, root, number, &extent))
			wrong = "a partition's newest extent is missing";
		else
		{
			log_stream_init(stream, rel, partition, &extent);
			tail->extent_number = number;
			tail->data_block = extent.start_block + extent.n_summary;
			tail->extent_position = extent.start_position;
			tail->extent_limit = stream->limit;
			tail->end_offset = extent.base_offset;
			tail->end_position = extent.start_position;
			tail->max_timestamp = extent.running_max;
			if (RecoveryInProgress() && part->loaded && part->loaded_in_recovery)
				continue_from(part, tail);

			/* A standby has no use for the producers. */
			if (!RecoveryInProgress() && !load_summary(rel, part, &extent, lsn))
				wrong = "an extent's summary is not there";
			else
			{
				walk_tail(part, tail, stream, lsn);
				if (!RecoveryInProgress())
					wipe_tail(rel, tail, stream);
			}
		}

		/* The oldest extent tells where the log's time begins. */
		if (number == root->first_extent)
			tail->first_timestamp = tail->extent_first_ts < 0 ? -1 : tail->extent_min_ts;
		else if (log_first_extent(rel, partition, root, &extent))
			tail->first_timestamp = extent.min_timestamp;
	}
	tail->end_offset = Max(tail->end_offset, root->min_next_offset);
	tail->write_limit = tail->end_position;

	if (wrong == NULL && !log_txn_load(rel, tail, root, fresh ? part : NULL))
		wrong = "a page of the transaction index is missing";
	pfree(stream);
	pfree(root);
	return wrong;
}

/*
 * After a restart the standbys may not have all of it yet: consumers wait until they do.
 * What was written since the first partition was loaded is in the partitions' queues, and
 * a slot is not evicted before that is durable.
 */
static void
hold_back(LogPartition *part)
{
	XLogRecPtr	lsn = GetFlushRecPtr(NULL);
	uint64		start_lsn = InvalidXLogRecPtr;
	int32		aborted = LOG_NO_INDEX;

	if (!pg_atomic_compare_exchange_u64(&log_shared->start_lsn, &start_lsn, lsn))
		lsn = start_lsn;
	if (log_replicated_lsn() >= lsn || part->end_offset == part->log_start)
		return;

	/* The aborted ranges behind the watermark, as one: it must not stop in them later. */
	if (part->high_watermark < part->decided_offset)
		aborted = log_range_alloc();

	SpinLockAcquire(&part->mutex);
	if (aborted != LOG_NO_INDEX)
	{
		LogRange   *range = &log_ranges[aborted];

		memset(range, 0, sizeof(LogRange));
		range->state = LOG_RANGE_ABORTED;
		range->first = part->high_watermark;
		range->last = part->decided_offset - 1;
		range->next = part->ranges_head;
		part->ranges_head = aborted;
		if (part->ranges_tail == LOG_NO_INDEX)
			part->ranges_tail = aborted;
		part->n_undecided++;
	}
	part->flushed_offset = part->decided_offset = part->high_watermark = part->log_start;
	log_mark_pending(part, lsn);
	SpinLockRelease(&part->mutex);
	log_set_dirty(part);
	log_flush_request(lsn);
}

/*
 * Load the slot from the pages; the caller holds the append lock exclusively.
 *
 * After an error in mid-append the slot is loaded again while transactions that it
 * knows of are still undecided; what it says about visibility is then kept.
 */
void
log_load(Relation rel, LogPartition *part)
{
	LogPartition *tail = palloc(sizeof(LogPartition));
	bool		fresh = part->high_watermark < 0 || part->loaded_in_recovery || RecoveryInProgress();
	XLogRecPtr	lsn = InvalidXLogRecPtr;
	const char *wrong;
	int			attempts = 0;

	/* What a producer is told to be a duplicate may not be on disk yet. */
	if (!fresh && part->n_pending > 0)
		lsn = part->pending[part->n_pending - 1].lsn;

	if (fresh)
		log_reset_visibility(part);
	while ((wrong = load_pages(rel, part, tail, fresh, lsn)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (!RecoveryInProgress() || ++attempts == MAX_ATTEMPTS)
			log_corrupted(rel, log_root_block(rel, part->key.partition), wrong);
	}

	SpinLockAcquire(&part->mutex);
	part->log_start = tail->log_start;
	part->end_offset = tail->end_offset;
	part->end_position = tail->end_position;
	part->write_limit = tail->write_limit;
	part->leader_epoch = tail->leader_epoch;
	part->has_extent = tail->has_extent;
	part->extent_number = tail->extent_number;
	part->data_block = tail->data_block;
	part->extent_position = tail->extent_position;
	part->extent_limit = tail->extent_limit;
	part->extent_min_ts = tail->extent_min_ts;
	part->extent_max_ts = tail->extent_max_ts;
	/* Headers don't tell it. */
	part->extent_record_min = tail->extent_first_ts < 0 ? PG_INT64_MAX : -1;
	part->extent_first_ts = tail->extent_first_ts;
	part->max_timestamp = tail->max_timestamp;
	part->first_timestamp = tail->first_timestamp;
	part->size_blocks = tail->size_blocks;
	part->txn_last = tail->txn_last;
	part->txn_last_number = tail->txn_last_number;
	if (fresh)
	{
		part->flushed_offset = tail->end_offset;
		part->flushed_position = tail->end_position;
		part->decided_offset = tail->decided_offset;
		part->high_watermark = tail->high_watermark;
		part->watermark_position_known = false;
		part->aborted_first = tail->aborted_first;
		part->aborted_last = tail->aborted_last;
	}
	SpinLockRelease(&part->mutex);
	if (fresh && !RecoveryInProgress() && log_replicates())
		hold_back(part);

	SpinLockAcquire(&part->mutex);
	part->loaded = true;
	part->torn = false;
	part->loaded_in_recovery = RecoveryInProgress();
	part->room_is_there = false;
	SpinLockRelease(&part->mutex);
	pfree(tail);
}

/* A crash may have lost the end of the file, which nobody wrote to yet. */
static void
ensure_room(Relation rel, LogPartition *part)
{
	BlockNumber end;

	LWLockAcquire(&part->append_lock, LW_SHARED);
	end = part->has_extent ?
		log_position_block(part->data_block, part->extent_position, part->extent_limit) : 0;
	LWLockRelease(&part->append_lock);

	if (RelationGetNumberOfBlocks(rel) < end)
	{
		log_lock_space(rel);
		log_ensure_blocks(rel, end);
		log_unlock_space(rel);
	}
	part->room_is_there = true;
}

LogPartition *
log_open(Relation rel, int32 partition)
{
	LogKey		key;
	LogPartition *part;
	bool		recovery = RecoveryInProgress();

	if (log_shared == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("pg_broker is not loaded at server start"),
				 errhint("Add pg_broker to shared_preload_libraries and restart the server.")));
	if (log_root_block(rel, partition) == InvalidBlockNumber)
		return NULL;

	memset(&key, 0, sizeof(key));
	key.node = rel->rd_node;
	key.partition = partition;
	part = log_slot_find(&key);

	/* In recovery the log grows without our doing: look again each time. */
	if (!part->loaded || recovery || part->loaded_in_recovery)
	{
		LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
		if (!part->loaded || recovery || part->loaded_in_recovery)
			log_load(rel, part);
		LWLockRelease(&part->append_lock);
	}
	if (!recovery && !part->room_is_there)
		ensure_room(rel, part);
	return part;
}
