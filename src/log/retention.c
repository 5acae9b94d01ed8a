/*-------------------------------------------------------------------------
 *
 * retention.c
 *	  The head of the log: log start, freed extents, VACUUM.
 *
 * The log start offset is raised first; then extents that lie wholly below it are
 * unlinked from the directory and given to the free space in one WAL record.
 * Readers that still stand in one notice by the stamps.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/storage.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/procarray.h"

#include "log/internal.h"
#include "log/stop_point.h"
#include "wire/batch.h"

/* Whoever changes a root holds the space lock and the append lock. */
static void
set_log_start(Relation rel, LogPartition *part, int64 log_start)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogChange	change = {0};
	Buffer		buffer = log_read_buffer(rel, log_root_block(rel, part->key.partition));
	Page		page;

	log_lock_space(rel);
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (log_start > part->log_start)
	{
		log_read_root(rel, part->key.partition, root);
		root->log_start = log_start;
		page = log_change_add(&change, buffer);
		log_change_begin();
		log_store_root(page, root);
		log_flush_request(log_change_end(&change));
		SpinLockAcquire(&part->mutex);
		part->log_start = log_start;
		SpinLockRelease(&part->mutex);
		LWLockRelease(&part->append_lock);
	}
	else
	{
		LWLockRelease(&part->append_lock);
		ReleaseBuffer(buffer);
	}
	log_unlock_space(rel);
	pfree(root);
}

/* Unlink the extents below the log start; returns how many. */
static int
free_head(Relation rel, LogPartition *part)
{
	int32		partition = part->key.partition;
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogMeta    *before = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogChange	change = {0};
	LogExtent	extent;
	uint64		first;
	int			freed = 0;

	log_lock_space(rel);
	log_read_meta(rel, meta);
	log_read_root(rel, partition, root);
	first = root->first_extent;

	/* The newest extent stays: it is where the log goes on. */
	while (root->end_extent - first > 1)
	{
		bool		leaf_passed = (first + 1) % LOG_LEAF_EXTENTS == 0;
		LogExtent	next;

		if (!log_read_extent(rel, partition, root, first, &extent) ||
			!log_read_extent(rel, partition, root, first + 1, &next))
			log_corrupted(rel, log_root_block(rel, partition), "an extent is missing in the directory");
		if (next.base_offset > root->log_start)
			break;

		/* When there are too many free runs, it waits until some are used again. */
		*before = *meta;
		if ((!LogExtentVacant(&extent) && !log_space_give(meta, extent.start_block, extent.n_blocks)) ||
			(leaf_passed && !log_space_give(meta, root->leaves[0], 1)))
		{
			*meta = *before;
			break;
		}
		root->size_blocks -= extent.n_blocks;
		root->n_vacant -= LogExtentVacant(&extent);
		first++;
		freed++;
		if (leaf_passed)
		{
			root->n_leaves--;
			memmove(root->leaves, root->leaves + 1, root->n_leaves * sizeof(BlockNumber));
			root->first_extent = first;
		}
	}

	if (freed > 0)
	{
		Buffer		meta_buffer = log_read_buffer(rel, 0);
		Buffer		root_buffer = log_read_buffer(rel, log_root_block(rel, partition));
		uint64		size_blocks = root->size_blocks;
		Page		meta_page,
					root_page;

		root->first_extent = first;
		LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
		meta_page = log_change_add(&change, meta_buffer);
		root_page = log_change_add(&change, root_buffer);
		log_change_begin();
		log_store_meta(meta_page, meta);
		log_store_root(root_page, root);
		log_change_end(&change);
		LOG_STOP_POINT("extents-freed");
		SpinLockAcquire(&part->mutex);
		part->size_blocks = size_blocks;
		SpinLockRelease(&part->mutex);
		LWLockRelease(&part->append_lock);

		if (log_first_extent(rel, partition, root, &extent))
		{
			SpinLockAcquire(&part->mutex);
			part->first_timestamp = (extent.flags & LOG_EXTENT_CLOSED) ? extent.min_timestamp :
				part->extent_first_ts;
			SpinLockRelease(&part->mutex);
		}
	}
	log_unlock_space(rel);
	pfree(meta);
	pfree(root);
	return freed;
}

int64
log_delete_records(Relation rel, LogPartition *part, int64 before_offset)
{
	int64		log_start;

	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	if (before_offset > part->high_watermark)
		before_offset = part->high_watermark;
	log_start = part->log_start;
	SpinLockRelease(&part->mutex);

	if (before_offset > log_start)
	{
		set_log_start(rel, part, before_offset);
		(void) free_head(rel, part);
		log_start = before_offset;
	}
	return log_start;
}

/* Begin a new extent, so that the active one can be freed. */
static void
roll_active(Relation rel, LogPartition *part)
{
	log_roll(rel, part, 1, 0, true, part->extent_number);
}

int
log_apply_retention(Relation rel, LogPartition *part, const LogRetention *policy)
{
	int32		partition = part->key.partition;
	LogRoot    *root = palloc0(sizeof(LogRoot));
	int64		new_start = -1;
	int64		watermark;
	int64		size;
	int64		unused;			/* the active extent's room */
	uint64		number;
	bool		active_expired;
	int			freed = 0;

	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	watermark = part->high_watermark;
	/* All of the active extent is past the limit, or it is due to be rolled. */
	active_expired = part->has_extent && part->end_position > part->extent_position &&
		part->extent_max_ts >= 0 &&
		((policy->retention_ms >= 0 && part->extent_max_ts < policy->now_ms - policy->retention_ms) ||
		 (policy->segment_ms > 0 && part->extent_first_ts < policy->now_ms - policy->segment_ms));
	SpinLockRelease(&part->mutex);

	if (active_expired)
		roll_active(rel, part);

	SpinLockAcquire(&part->mutex);
	unused = part->has_extent ? part->extent_limit - part->end_position : 0;
	SpinLockRelease(&part->mutex);

	log_read_root(rel, partition, root);
	size = (int64) root->size_blocks * BLCKSZ - unused;
	for (number = root->first_extent; root->end_extent - number > 1; number++)
	{
		LogExtent	extent,
					next;
		bool		expired;

		CHECK_FOR_INTERRUPTS();
		if (!log_read_extent(rel, partition, root, number, &extent) ||
			!log_read_extent(rel, partition, root, number + 1, &next))
			break;
		if (LogExtentVacant(&extent))
			continue;
		expired = (policy->retention_ms >= 0 && extent.max_timestamp >= 0 &&
				   extent.max_timestamp < policy->now_ms - policy->retention_ms) ||
			(policy->retention_bytes >= 0 &&
			 size - (int64) extent.n_blocks * BLCKSZ >= policy->retention_bytes) ||
			next.base_offset <= root->log_start;
		/* One of which compaction has left no records has no time, and goes with the next. */
		if ((!expired && extent.max_timestamp >= 0) || next.base_offset > watermark)
			break;
		size -= (int64) extent.n_blocks * BLCKSZ;
		if (expired)
			new_start = next.base_offset;
	}
	pfree(root);

	if (new_start >= 0)
	{
		set_log_start(rel, part, new_start);
		LOG_STOP_POINT("log-start-raised");
		freed = free_head(rel, part);
	}
	return freed;
}

/*
 * Before an extent is added: no more is kept than the topic's owner wants, however
 * late the controller is.  Whoever is just at work on the topic will see to it.
 */
void
log_make_room(Relation rel, LogPartition *part, int64 retention_bytes)
{
	LogRetention policy = {.retention_ms = -1, .retention_bytes = retention_bytes};
	bool		too_large;

	SpinLockAcquire(&part->mutex);
	too_large = (int64) part->size_blocks * BLCKSZ > retention_bytes;
	SpinLockRelease(&part->mutex);
	if (too_large && ConditionalLockRelation(rel, ShareUpdateExclusiveLock))
	{
		(void) log_apply_retention(rel, part, &policy);
		UnlockRelation(rel, ShareUpdateExclusiveLock);
	}
}

/* ---------- VACUUM ---------- */

/* Give back the free run at the end of the file, if nobody is in the way. */
static BlockNumber
truncate_tail(Relation rel)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogFreeRun *last;
	BlockNumber removed = 0;
	LogChange	change = {0};
	Page		page;

	log_read_meta(rel, meta);
	last = meta->n_free > 0 ? &meta->free[meta->n_free - 1] : NULL;
	if (last && last->block + last->n_blocks == meta->n_blocks &&
		ConditionalLockRelation(rel, AccessExclusiveLock))
	{
		log_lock_space(rel);
		log_read_meta(rel, meta);
		last = meta->n_free > 0 ? &meta->free[meta->n_free - 1] : NULL;
		if (last && last->block + last->n_blocks == meta->n_blocks)
		{
			removed = last->n_blocks;
			meta->n_blocks = last->block;
			meta->n_free--;
			page = log_change_add(&change, log_read_buffer(rel, 0));
			log_change_begin();
			log_store_meta(page, meta);
			log_change_end(&change);
			RelationTruncate(rel, meta->n_blocks);
		}
		log_unlock_space(rel);
		UnlockRelation(rel, AccessExclusiveLock);
	}
	pfree(meta);
	return removed;
}

void
log_vacuum(Relation rel, LogVacuumStats *stats)
{
	TransactionId oldest = GetOldestNonRemovableTransactionId(rel);
	TransactionId min_xid = InvalidTransactionId;
	LogTopicInfo info;
	LogRoot    *root;

	memset(stats, 0, sizeof(LogVacuumStats));
	stats->frozen_xid = InvalidTransactionId;
	if (RecoveryInProgress())
		return;

	log_topic_info(rel, &info);
	root = palloc0(sizeof(LogRoot));
	for (int32 i = 0; i < info.n_partitions; i++)
	{
		CHECK_FOR_INTERRUPTS();
		log_read_root(rel, i, root);
		if (root->end_extent > root->first_extent || root->txn_first != InvalidBlockNumber)
		{
			LogPartition *part = log_open(rel, i);

			if (root->pending_blocks > 0)
				log_give_pending(rel, part);
			if (root->txn_first != InvalidBlockNumber)
				log_txn_vacuum(rel, part, oldest, &min_xid);
			SpinLockAcquire(&part->mutex);
			stats->records += part->end_offset - part->log_start;
			SpinLockRelease(&part->mutex);
			/* Never to fail for want of slots: this transaction has no use for others. */
			log_slots_release();
		}
	}
	pfree(root);
	stats->pages_removed = truncate_tail(rel);
	stats->pages = RelationGetNumberOfBlocks(rel);
	stats->frozen_xid = oldest;
	if (TransactionIdIsValid(min_xid) && TransactionIdPrecedes(min_xid, oldest))
		stats->frozen_xid = min_xid;
}

/* ---------- bounds ---------- */

void
log_bounds(Relation rel, LogPartition *part, LogBounds *bounds)
{
	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	bounds->log_start = part->log_start;
	bounds->high_watermark = Max(part->high_watermark, part->log_start);
	bounds->last_stable = bounds->high_watermark;
	bounds->end_offset = part->end_offset;
	bounds->flushed = part->flushed_offset;
	bounds->size_bytes = (int64) part->size_blocks * BLCKSZ;
	bounds->first_timestamp = part->first_timestamp;
	bounds->max_timestamp = part->max_timestamp;
	bounds->n_undecided = part->n_undecided;
	bounds->leader_epoch = Max(part->leader_epoch, 0);
	SpinLockRelease(&part->mutex);
	if (!RecoveryInProgress())
		bounds->leader_epoch = log_current_epoch();
}
