/*-------------------------------------------------------------------------
 *
 * directory.c
 *	  From a partition to its extents: roots, leaves, and new extents.
 *
 * Extents are numbered per partition.  The root knows the first and the last number
 * and the blocks of the leaves between; a leaf is found by arithmetic, an offset or
 * a time by binary search over the numbers.  Compaction (rewrite.c) replaces runs of
 * extents; numbers then change their meaning, so whoever goes from one extent to the
 * next looks it up by its offset.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/lmgr.h"
#include "utils/timestamp.h"

#include "log/internal.h"
#include "log/stop_point.h"

/* Extents grow with the log: a sixteenth of it, within these limits ... */
#define EXTENT_MIN_BLOCKS		8
#define EXTENT_MAX_BLOCKS		1024
/* ... but the directory has room for a quarter of a million: this share of very large logs. */
#define EXTENT_HUGE_SHARE		131072

/* The directory may change between two looks at it, but not as often as that. */
#define MAX_ATTEMPTS			1000

/* A summary never takes more than this share of its extent. */
#define SUMMARY_SHARE			8

/* ---------- roots ---------- */

void
log_store_root(Page page, const LogRoot *root)
{
	Size		length = offsetof(LogRoot, leaves) + root->n_leaves * sizeof(BlockNumber);

	memcpy(LogPageContent(page), root, length);
	log_page_set_length(page, length);
}

void
log_read_root(Relation rel, int32 partition, LogRoot *root)
{
	BlockNumber block = log_root_block(rel, partition);
	Buffer		buffer;
	Page		page;

	if (block == InvalidBlockNumber)
		elog(ERROR, "topic table \"%s\" has no partition %d", RelationGetRelationName(rel), partition);
	buffer = log_read_buffer(rel, block);
	page = BufferGetPage(buffer);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (!log_page_is(page, LOG_PAGE_ROOT, partition, 0))
		log_corrupted(rel, block, "a partition's root is not where the metapage says");
	memcpy(root, LogPageContent(page), ((PageHeader) page)->pd_lower - LOG_CONTENT_START);
	UnlockReleaseBuffer(buffer);
}

/* Where compaction changes the directory meanwhile, whoever steps through it begins again. */
uint64
log_generation(Relation rel, int32 partition)
{
	BlockNumber block = log_root_block(rel, partition);
	Buffer		buffer = log_read_buffer(rel, block);
	Page		page = BufferGetPage(buffer);
	uint64		generation;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (!log_page_is(page, LOG_PAGE_ROOT, partition, 0))
		log_corrupted(rel, block, "a partition's root is not where the metapage says");
	generation = ((LogRoot *) LogPageContent(page))->generation;
	UnlockReleaseBuffer(buffer);
	return generation;
}

/* ---------- leader epochs ---------- */

/* The leader epoch follows the timeline: 0 on the first. */
int32
log_current_epoch(void)
{
	return (int32) GetWALInsertionTimeLine() - 1;
}

/* The log goes on in the current epoch, from `offset`; of too many, the oldest is forgotten. */
static void
note_epoch(LogRoot *root, int32 epoch, int64 offset)
{
	if (root->n_epochs > 0 && root->epochs[root->n_epochs - 1].epoch == epoch)
		return;
	if (root->n_epochs == LOG_MAX_EPOCHS)
	{
		root->n_epochs--;
		memmove(root->epochs, root->epochs + 1, root->n_epochs * sizeof(LogEpochStart));
	}
	root->epochs[root->n_epochs].start_offset = offset;
	root->epochs[root->n_epochs].epoch = epoch;
	root->epochs[root->n_epochs].unused = 0;
	root->n_epochs++;
}

/* As Kafka's LeaderEpochFileCache.endOffsetFor() has it. */
void
log_epoch_end(Relation rel, LogPartition *part, int32 epoch, int32 *found, int64 *end_offset)
{
	LogRoot    *root;
	LogBounds	bounds;
	int			higher = 0;

	*found = -1;
	*end_offset = -1;
	log_bounds(rel, part, &bounds);
	if (epoch < 0 || epoch > bounds.leader_epoch)
		return;
	if (epoch == bounds.leader_epoch)
	{
		*found = epoch;
		*end_offset = bounds.high_watermark;
		return;
	}

	root = palloc0(sizeof(LogRoot));
	log_read_root(rel, part->key.partition, root);
	while (higher < root->n_epochs && root->epochs[higher].epoch <= epoch)
		higher++;
	*found = higher > 0 ? root->epochs[higher - 1].epoch : epoch;
	*end_offset = higher < root->n_epochs ? root->epochs[higher].start_offset : bounds.high_watermark;
	*end_offset = Min(*end_offset, bounds.high_watermark);
	pfree(root);
}

/* ---------- extents ---------- */

static inline int
leaf_index(const LogRoot *root, uint64 number)
{
	return (int) (number / LOG_LEAF_EXTENTS - root->first_extent / LOG_LEAF_EXTENTS);
}

/* False if the extent was freed since the root was read. */
bool
log_read_extent(Relation rel, int32 partition, const LogRoot *root, uint64 number, LogExtent *extent)
{
	int			index = leaf_index(root, number);
	Buffer		buffer;
	Page		page;
	bool		valid;

	if (number < root->first_extent || number >= root->end_extent || index >= root->n_leaves)
		return false;
	buffer = log_read_buffer(rel, root->leaves[index]);
	page = BufferGetPage(buffer);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	valid = log_page_is(page, LOG_PAGE_LEAF, partition, number / LOG_LEAF_EXTENTS);
	if (valid)
		memcpy(extent, LogPageContent(page) + (number % LOG_LEAF_EXTENTS) * sizeof(LogExtent),
			   sizeof(LogExtent));
	UnlockReleaseBuffer(buffer);
	return valid;
}

/* The oldest extent that there is; false if there is none, or the directory has changed. */
bool
log_first_extent(Relation rel, int32 partition, const LogRoot *root, LogExtent *extent)
{
	for (uint64 number = root->first_extent; number < root->end_extent; number++)
	{
		if (!log_read_extent(rel, partition, root, number, extent))
			return false;
		if (!LogExtentVacant(extent))
			return true;
	}
	return false;
}

/* Binary search over what the root says; false if an extent was freed meanwhile. */
static bool
search_extents(Relation rel, int32 partition, const LogRoot *root, int64 offset, uint64 *number,
			   LogExtent *extent)
{
	uint64		low = root->first_extent;
	uint64		high = root->end_extent;

	while (high - low > 1)
	{
		uint64		middle = low + (high - low) / 2;

		if (!log_read_extent(rel, partition, root, middle, extent))
			return false;
		if (extent->base_offset <= offset)
			low = middle;
		else
			high = middle;
	}
	*number = low;
	return log_read_extent(rel, partition, root, low, extent) &&
		(extent->base_offset <= offset || low == root->first_extent);
}

/*
 * The last extent that begins at or below an offset, or the first of all; false if there are
 * none.  The root is read again if it turns out to be stale.
 */
bool
log_find_extent(Relation rel, int32 partition, LogRoot *root, int64 offset, uint64 *number,
				LogExtent *extent)
{
	for (int attempts = 0; root->end_extent > root->first_extent; attempts++)
	{
		if (search_extents(rel, partition, root, offset, number, extent))
			return true;
		CHECK_FOR_INTERRUPTS();
		if (attempts == MAX_ATTEMPTS)
			log_corrupted(rel, log_root_block(rel, partition), "an extent is missing in the directory");
		log_read_root(rel, partition, root);
	}
	return false;
}

/* ---------- a new extent ---------- */

static int
summary_blocks(int n_producers)
{
	return (n_producers + LOG_SUMMARY_PRODUCERS - 1) / LOG_SUMMARY_PRODUCERS;
}

static uint32
extent_blocks(LogPartition *part, uint32 need_bytes, int64 max_bytes, int n_summary)
{
	uint64		size = part->size_blocks;
	uint32		blocks;
	uint32		need = (need_bytes + LOG_PAGE_DATA_SIZE - 1) / LOG_PAGE_DATA_SIZE + n_summary;

	blocks = Min(size / 16, EXTENT_MAX_BLOCKS);
	blocks = Max(blocks, size / EXTENT_HUGE_SHARE);
	if (max_bytes > 0 && blocks > max_bytes / BLCKSZ)
		blocks = max_bytes / BLCKSZ;
	blocks = Max(blocks, EXTENT_MIN_BLOCKS);
	blocks = Max(blocks, n_summary * SUMMARY_SHARE);
	blocks = UINT32_C(1) << pg_leftmost_one_pos32(blocks);	/* a power of two fragments less */
	return Max(blocks, need);
}

static int64
now_ms(void)
{
	return GetCurrentTimestamp() / 1000 +
		(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(86400000);
}

/* Write the producers that the log before the new extent implies into its first pages. */
static void
write_summary(LogPartition *part, Buffer *buffers, int n_buffers, uint64 position)
{
	int32		next = part->producers_head;

	for (int i = 0; i < n_buffers; i++)
	{
		Page		page = BufferGetPage(buffers[i]);
		LogSummaryPage *content = (LogSummaryPage *) LogPageContent(page);

		LockBuffer(buffers[i], BUFFER_LOCK_EXCLUSIVE);
		START_CRIT_SECTION();
		log_page_init(page, LOG_PAGE_SUMMARY, part->key.partition, position);
		content->n_producers = 0;
		while (next != LOG_NO_INDEX && content->n_producers < LOG_SUMMARY_PRODUCERS)
		{
			content->producers[content->n_producers++] = log_producer_pool[next].state;
			next = log_producer_pool[next].next;
		}
		((PageHeader) page)->pd_lower = LOG_CONTENT_START + offsetof(LogSummaryPage, producers) +
			content->n_producers * sizeof(LogProducerState);
		MarkBufferDirty(buffers[i]);
		log_newpage_buffer(buffers[i], true);
		END_CRIT_SECTION();
		UnlockReleaseBuffer(buffers[i]);
	}
}

/*
 * Blocks that the active extent has no use for when it is closed now go to the free space:
 * logs that roll by time would otherwise waste most of theirs.  When free runs become many, it
 * keeps them.
 */
static uint32
give_rest(LogPartition *part, LogMeta *meta, const LogExtent *extent)
{
	uint32		used_bytes = part->end_position - extent->start_position;
	uint32		used = extent->n_summary +
		Max((used_bytes + LOG_PAGE_DATA_SIZE - 1) / LOG_PAGE_DATA_SIZE, 1);
	uint32		rest = extent->n_blocks - used;

	if (rest < EXTENT_MIN_BLOCKS || meta->n_free >= LOG_MAX_FREE_RUNS / 2 ||
		!log_space_give(meta, extent->start_block + used, rest))
		return 0;
	return rest;
}

static void
close_extent(LogPartition *part, LogExtent *extent, uint32 rest)
{
	extent->n_blocks -= rest;
	extent->min_timestamp = part->extent_min_ts;
	extent->max_timestamp = part->extent_max_ts;
	extent->running_max = Max(extent->running_max, part->extent_max_ts);
	extent->used_bytes = (uint32) (part->end_position - extent->start_position);
	extent->flags |= LOG_EXTENT_CLOSED;
	if (part->extent_record_min > 0 && part->extent_record_min != PG_INT64_MAX)
	{
		extent->min_timestamp = part->extent_record_min;
		extent->flags |= LOG_EXTENT_RECORD_MIN;
	}
}

/*
 * Close the active extent and begin one with room for need_bytes at least, unless
 * another process did since the caller looked (it saw extent seen_extent, or none).
 *
 * The producers may change until the append lock is taken, so the summary's size
 * is a guess with some to spare; if that is not enough they are too many to lose
 * sleep over: begin again.
 */
void
log_roll(Relation rel, LogPartition *part, uint32 need_bytes, int64 max_bytes, bool had_extent,
		 uint64 seen_extent)
{
	int32		partition = part->key.partition;
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogExtent	extent = {0};
	LogExtent	old;
	uint32		rest = 0;		/* blocks of the old extent that are not needed */
	LogChange	change = {0};
	uint64		number;
	int			n_summary;
	Buffer	   *summary;
	Buffer		meta_buffer,
				root_buffer,
				leaf_buffer,
				old_leaf_buffer = InvalidBuffer;
	bool		new_leaf;
	int32		epoch;
	Page		page;
	XLogRecPtr	lsn;

	log_lock_space(rel);

	/* From here on only we can change this partition's directory. */
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (part->has_extent != had_extent || (had_extent && part->extent_number != seen_extent))
	{
		LWLockRelease(&part->append_lock);
		log_unlock_space(rel);
		pfree(meta);
		pfree(root);
		return;
	}
	/* By the log's own time, so that an old log can be copied; but nobody can turn it forward. */
	log_producers_expire(part, Min(part->max_timestamp, now_ms()));
	n_summary = summary_blocks(part->n_producers + (part->n_producers > 0 ? 16 : 0));
	extent.n_blocks = extent_blocks(part, need_bytes, max_bytes, n_summary);
	LWLockRelease(&part->append_lock);

	log_read_meta(rel, meta);
	log_read_root(rel, partition, root);
	number = root->end_extent;
	if (number > root->first_extent && !log_read_extent(rel, partition, root, number - 1, &old))
		log_corrupted(rel, log_root_block(rel, partition), "a partition's newest extent is missing");

	extent.start_block = log_space_take(meta, extent.n_blocks);
	extent.n_summary = n_summary;
	new_leaf = (root->n_leaves == 0 || leaf_index(root, number) >= root->n_leaves);
	if (root->n_leaves == 0)
		root->first_extent = number;
	if (new_leaf)
	{
		if (root->n_leaves == LOG_ROOT_LEAVES)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("partition %d of topic table \"%s\" has too many extents",
							partition, RelationGetRelationName(rel)),
					 errhint("Raise the topic's segment.ms and segment.bytes, or lower its retention.")));
		root->leaves[root->n_leaves++] = log_space_take(meta, 1);
	}
	log_ensure_blocks(rel, meta->n_blocks);

	/* Pin what will be written. */
	meta_buffer = log_read_buffer(rel, 0);
	root_buffer = log_read_buffer(rel, log_root_block(rel, partition));
	if (new_leaf)
		leaf_buffer = log_new_buffer(rel, root->leaves[root->n_leaves - 1]);
	else
		leaf_buffer = log_read_buffer(rel, root->leaves[root->n_leaves - 1]);
	if (new_leaf && root->end_extent > root->first_extent)
		old_leaf_buffer = log_read_buffer(rel, root->leaves[root->n_leaves - 2]);
	summary = palloc(Max(n_summary, 1) * sizeof(Buffer));
	for (int i = 0; i < n_summary; i++)
		summary[i] = log_new_buffer(rel, extent.start_block + i);

	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	if (summary_blocks(part->n_producers) > n_summary)
	{
		/* More producers have come than there is room for: nothing has been written, begin again. */
		LWLockRelease(&part->append_lock);
		ReleaseBuffer(meta_buffer);
		ReleaseBuffer(root_buffer);
		ReleaseBuffer(leaf_buffer);
		if (BufferIsValid(old_leaf_buffer))
			ReleaseBuffer(old_leaf_buffer);
		for (int i = 0; i < n_summary; i++)
			ReleaseBuffer(summary[i]);
		log_unlock_space(rel);
		pfree(summary);
		pfree(meta);
		pfree(root);
		return;
	}
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot write to a topic during recovery")));
	write_summary(part, summary, n_summary, root->next_position);

	LOG_STOP_POINT("roll-summary-written");

	if (number > root->first_extent)
		rest = give_rest(part, meta, &old);
	root->size_blocks -= rest;

	/* A log without extents starts where its root says; the others follow one another. */
	extent.start_position = root->next_position;
	extent.base_offset = part->end_offset;
	extent.min_timestamp = extent.max_timestamp = -1;
	extent.running_max = part->max_timestamp;
	root->next_position += (uint64) (extent.n_blocks - n_summary) * LOG_PAGE_DATA_SIZE;
	root->size_blocks += extent.n_blocks;
	root->min_next_offset = part->end_offset;
	epoch = log_current_epoch();
	note_epoch(root, epoch, part->end_offset);

	page = log_change_add(&change, meta_buffer);
	{
		Page		root_page = log_change_add(&change, root_buffer);
		Page		old_leaf = BufferIsValid(old_leaf_buffer) ?
			log_change_add(&change, old_leaf_buffer) : NULL;
		Page		leaf = log_change_add(&change, leaf_buffer);

		log_change_begin();
		log_store_meta(page, meta);
		if (new_leaf)
		{
			memset(leaf, 0, BLCKSZ);
			log_page_init(leaf, LOG_PAGE_LEAF, partition, number / LOG_LEAF_EXTENTS);
		}
		if (root->end_extent > root->first_extent)
			close_extent(part, (LogExtent *) LogPageContent(old_leaf ? old_leaf : leaf) +
						 (number - 1) % LOG_LEAF_EXTENTS, rest);
		((LogExtent *) LogPageContent(leaf))[number % LOG_LEAF_EXTENTS] = extent;
		((PageHeader) leaf)->pd_lower = LOG_CONTENT_START +
			(number % LOG_LEAF_EXTENTS + 1) * sizeof(LogExtent);
		root->end_extent = number + 1;
		log_store_root(root_page, root);
	}
	lsn = log_change_end(&change);
	LOG_STOP_POINT("roll-linked");

	SpinLockAcquire(&part->mutex);
	if (!part->has_extent)
		part->first_timestamp = -1;
	part->has_extent = true;
	part->leader_epoch = epoch;
	part->extent_number = number;
	part->data_block = extent.start_block + n_summary;
	part->extent_position = extent.start_position;
	part->extent_limit = root->next_position;
	part->extent_min_ts = PG_INT64_MAX;
	part->extent_record_min = PG_INT64_MAX;
	part->extent_max_ts = -1;
	part->extent_first_ts = -1;
	part->size_blocks = root->size_blocks;
	part->end_position = part->write_limit = extent.start_position;
	log_mark_pending(part, lsn);
	SpinLockRelease(&part->mutex);
	log_set_dirty(part);
	LWLockRelease(&part->append_lock);

	log_unlock_space(rel);
	pfree(summary);
	pfree(meta);
	pfree(root);
}
