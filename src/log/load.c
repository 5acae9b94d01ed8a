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
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xloginsert.h"
#include "miscadmin.h"

#include "log/internal.h"
#include "wire/batch.h"

/* Wipe what is left of a batch that was cut off behind the end of the log. */
static void
wipe_tail(Relation rel, LogPartition *part, LogStream *stream)
{
	uint64		position = part->end_position;
	uint32		offset = position % LOG_PAGE_DATA_SIZE;

	stream->limit = part->extent_limit;
	stream->page_valid = false;

	if (offset != 0 && log_stream_load(stream, position) && stream->page_used > offset)
	{
		Buffer		buffer = log_read_buffer(rel, log_position_block(part->data_block,
																  part->extent_position, position));
		LogChange	change = {0};
		Page		page = log_change_add(&change, buffer);
		LogStamp   *stamp = LogPageStamp(page);

		log_change_begin();
		if (stamp->first_batch >= LOG_CONTENT_START + offset)
		{
			stamp->first_batch = 0;
			stamp->first_offset = part->end_offset;
		}
		stamp->max_timestamp = part->extent_max_ts;
		log_page_set_length(page, offset);
		log_change_end(&change);
	}

	for (position = log_page_position(position + LOG_PAGE_DATA_SIZE - 1);
		 log_stream_load(stream, position);
		 position += LOG_PAGE_DATA_SIZE)
	{
		Buffer		buffer = log_read_buffer(rel, log_position_block(part->data_block,
																  part->extent_position, position));
		LogChange	change = {0};
		Page		page = log_change_add(&change, buffer);

		log_change_begin();
		log_page_init(page, LOG_PAGE_FREE, -1, 0);
		log_change_end(&change);
	}
}

static void
load_summary(Relation rel, LogPartition *part, const LogExtent *extent)
{
	for (int i = 0; i < extent->n_summary; i++)
	{
		Buffer		buffer = log_read_buffer(rel, extent->start_block + i);
		Page		page = BufferGetPage(buffer);
		LogSummaryPage *content = (LogSummaryPage *) LogPageContent(page);

		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		if (!log_page_is(page, LOG_PAGE_SUMMARY, part->key.partition, part->extent_number) ||
			content->n_producers > LOG_SUMMARY_PRODUCERS)
			log_corrupted(rel, extent->start_block + i, "an extent's summary is not there");
		for (uint32 p = 0; p < content->n_producers; p++)
			log_producer_load(part, &content->producers[p]);
		UnlockReleaseBuffer(buffer);
	}
}

/*
 * Follow the batches of the active extent from the known end on.  Caller holds the
 * append lock; nobody reads these fields without the mutex but us.
 */
static void
walk_tail(LogPartition *part, LogStream *stream)
{
	char		header[BATCH_HEADER_SIZE];
	uint64		position = part->end_position;
	int64		offset = part->end_offset;
	int64		min_ts = part->extent_min_ts;
	int64		max_ts = part->extent_max_ts;
	int64		first_ts = part->extent_first_ts;

	while (log_stream_header(stream, position, header))
	{
		int64		size = batch_total_size(header);
		uint64		last = position + size - 1;
		int64		ts = batch_max_timestamp(header);

		/* Is all of it there?  Pages are written in order, so its last byte tells. */
		if (batch_base_offset(header) < offset || !log_stream_load(stream, last) ||
			last - stream->page_position >= stream->page_used)
			break;

		if (batch_has_producer(header) && batch_base_sequence(header) != BATCH_NO_SEQUENCE)
			log_producer_update(part, header, InvalidXLogRecPtr);
		offset = batch_next_offset(header);
		min_ts = Min(min_ts, ts);
		max_ts = Max(max_ts, ts);
		if (first_ts < 0)
			first_ts = ts;
		position += size;
	}

	SpinLockAcquire(&part->mutex);
	part->end_position = position;
	part->end_offset = offset;
	part->extent_min_ts = min_ts;
	part->extent_max_ts = max_ts;
	part->extent_first_ts = first_ts;
	part->max_timestamp = Max(part->max_timestamp, max_ts);
	SpinLockRelease(&part->mutex);
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
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogStream  *stream = palloc0(sizeof(LogStream));
	LogExtent	extent = {0};
	bool		fresh = part->high_watermark < 0 || part->loaded_in_recovery || RecoveryInProgress();
	int32		partition = part->key.partition;

	log_read_root(rel, partition, root);
	log_producers_clear(part);

	SpinLockAcquire(&part->mutex);
	part->log_start = root->log_start;
	part->end_offset = root->min_next_offset;
	part->end_position = root->next_position;
	part->leader_epoch = root->n_epochs > 0 ? root->epochs[root->n_epochs - 1].epoch : -1;
	part->has_extent = root->end_extent > root->first_extent;
	part->size_blocks = root->size_blocks;
	part->max_timestamp = -1;
	part->first_timestamp = -1;
	part->extent_min_ts = PG_INT64_MAX;
	part->extent_max_ts = -1;
	part->extent_first_ts = -1;
	SpinLockRelease(&part->mutex);

	if (part->has_extent)
	{
		if (!log_read_extent(rel, partition, root, root->end_extent - 1, &extent))
			log_corrupted(rel, log_root_block(rel, partition), "a partition's newest extent is missing");
		log_stream_init(stream, rel, partition, &extent);
		SpinLockAcquire(&part->mutex);
		part->extent_number = root->end_extent - 1;
		part->data_block = extent.start_block + extent.n_summary;
		part->extent_position = extent.start_position;
		part->extent_limit = root->next_position;
		part->extent_base_offset = extent.base_offset;
		part->end_offset = Max(extent.base_offset, 0);
		part->end_position = extent.start_position;
		part->max_timestamp = extent.running_max;
		SpinLockRelease(&part->mutex);

		load_summary(rel, part, &extent);
		walk_tail(part, stream);

		if (!RecoveryInProgress())
			wipe_tail(rel, part, stream);

		/* The oldest extent tells where the log's time begins. */
		if (root->end_extent - root->first_extent > 1)
		{
			if (log_read_extent(rel, partition, root, root->first_extent, &extent))
				part->first_timestamp = extent.min_timestamp;
		}
		else if (part->end_offset > part->extent_base_offset)
			part->first_timestamp = part->extent_min_ts;
	}

	SpinLockAcquire(&part->mutex);
	part->end_offset = Max(part->end_offset, root->min_next_offset);
	if (fresh)
	{
		part->n_pending = 0;
		part->flushed_offset = part->end_offset;
		part->flushed_position = part->end_position;
		part->decided_offset = part->end_offset;
		part->high_watermark = part->end_offset;
		part->watermark_position_known = false;
		part->aborted_first = 0;
		part->aborted_last = -1;
	}
	SpinLockRelease(&part->mutex);

	log_txn_load(rel, part, root, fresh);

	/* After a restart the standbys may not have all of it yet: consumers wait until they do. */
	if (fresh && !RecoveryInProgress() && log_replicates() &&
		log_replicated_lsn() < GetFlushRecPtr(NULL) && part->end_offset > part->log_start)
	{
		XLogRecPtr	lsn = GetFlushRecPtr(NULL);

		SpinLockAcquire(&part->mutex);
		part->flushed_offset = part->decided_offset = part->high_watermark = part->log_start;
		log_mark_pending(part, lsn);
		SpinLockRelease(&part->mutex);
		log_set_dirty(part);
		log_flush_request(lsn);
	}

	SpinLockAcquire(&part->mutex);
	part->loaded = true;
	part->torn = false;
	part->loaded_in_recovery = RecoveryInProgress();
	SpinLockRelease(&part->mutex);

	pfree(stream);
	pfree(root);
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
	part = log_slot_find(&key, RelationGetRelid(rel));

	/* In recovery the log grows without our doing: look again each time. */
	if (part->loaded && !recovery && !part->loaded_in_recovery)
		return part;

	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (!part->loaded || recovery || part->loaded_in_recovery)
		log_load(rel, part);
	LWLockRelease(&part->append_lock);

	/* A crash may have lost the end of the file, which nobody wrote to yet. */
	if (!recovery && part->has_extent)
	{
		BlockNumber end = log_position_block(part->data_block, part->extent_position, part->extent_limit);

		if (RelationGetNumberOfBlocks(rel) < end)
		{
			log_lock_space(rel);
			log_ensure_blocks(rel, end);
			log_unlock_space(rel);
		}
	}
	return part;
}
