/*-------------------------------------------------------------------------
 *
 * rewrite.c
 *	  Replacing extents by what compaction leaves of them.
 *
 * A run of closed extents is read, what a filter leaves of it goes into one new
 * extent, and that takes the place of the run in one WAL record.  Before that, nothing
 * points to the new extent; its blocks are noted in the partition's root, so that
 * a crash doesn't lose them.  Its positions were never used before, so nobody takes
 * its pages for those of another extent.
 *
 * The space lock is held to reserve the blocks and to switch, not while reading and
 * writing: appends and other partitions go on.  Readers that still stand in a replaced
 * extent read on there until its pages are used again, and then look up their offset in
 * the directory.
 *
 * The new extent gets the number of the first of the run; the other entries of the
 * directory stay vacant.  When most of it is vacant, the directory is written anew, with
 * other numbers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "miscadmin.h"
#include "storage/procarray.h"
#include "utils/memutils.h"

#include "log/internal.h"
#include "log/stop_point.h"
#include "wire/batch.h"

/* A run is as many extents as certainly fit into one of this size, but one at least. */
#define OUTPUT_PAGES	1024

/* Pages that are logged in one WAL record. */
#define CHUNK_PAGES		32

typedef struct Rewrite
{
	Relation	rel;
	LogPartition *part;
	int32		partition;
	int64		log_start;
	LogHole    *holes;			/* ranges of SQL transactions */
	int			n_holes;
	LogFilter	filter;
	void	   *arg;
	LogRewriteStats *stats;

	/* the run: directory entries [first, end), all in one leaf */
	LogRoot		root;
	uint64		first;
	uint64		end;
	int64		end_offset;		/* where what follows begins */
	LogExtent	entries[LOG_LEAF_EXTENTS];
	int			n_extents;		/* those that are not vacant */
	bool		changed;		/* the filter has changed something */
	LogStream	stream;
	char	   *batch;
	Size		batch_size;

	/* what is left of it: page images, stamped with positions from 0 on */
	char	   *pages;
	uint32		max_pages;
	uint64		length;			/* of stream in them */
	int64		min_timestamp;
	int64		max_timestamp;
	BlockNumber block;
	uint64		position;		/* of the first page */
} Rewrite;

static inline uint32
pages_for(uint64 length)
{
	return (uint32) ((length + LOG_PAGE_DATA_SIZE - 1) / LOG_PAGE_DATA_SIZE);
}

static void
missing_entry(Relation rel, int32 partition)
{
	log_corrupted(rel, log_root_block(rel, partition), "an extent is missing in the directory");
}

/* ---------- what can be compacted ---------- */

/* false: the directory has changed. */
static bool
add_up(Relation rel, LogPartition *part, const LogRoot *root, int64 watermark, int64 newest_ms,
	   LogCleanable *cleanable)
{
	int32		partition = part->key.partition;
	LogExtent	extent,
				next;

	memset(cleanable, 0, sizeof(LogCleanable));
	cleanable->first_dirty = Max(root->clean_offset, root->log_start);
	cleanable->end = cleanable->first_dirty;
	cleanable->dirty_timestamp = -1;
	if (root->end_extent == root->first_extent)
		return true;
	if (!log_read_extent(rel, partition, root, root->first_extent, &next))
		return false;
	for (uint64 number = root->first_extent; root->end_extent - number > 1; number++)
	{
		CHECK_FOR_INTERRUPTS();
		extent = next;
		if (!log_read_extent(rel, partition, root, number + 1, &next))
			return false;
		if (LogExtentVacant(&extent))
			continue;
		if (next.base_offset <= cleanable->first_dirty)
		{
			cleanable->clean_bytes += extent.used_bytes;
			continue;
		}
		if (next.base_offset > watermark || extent.max_timestamp > newest_ms)
			break;
		cleanable->dirty_bytes += extent.used_bytes;
		cleanable->end = next.base_offset;
		if (extent.min_timestamp >= 0 &&
			(cleanable->dirty_timestamp < 0 || extent.min_timestamp < cleanable->dirty_timestamp))
			cleanable->dirty_timestamp = extent.min_timestamp;
	}
	return true;
}

void
log_cleanable(Relation rel, LogPartition *part, int64 newest_ms, LogCleanable *cleanable)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	int64		watermark;

	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	watermark = part->high_watermark;
	SpinLockRelease(&part->mutex);
	do
	{
		CHECK_FOR_INTERRUPTS();
		log_read_root(rel, part->key.partition, root);
	} while (!add_up(rel, part, root, watermark, newest_ms, cleanable) ||
			 log_generation(rel, part->key.partition) != root->generation);
	pfree(root);
}

/* ---------- filtering ---------- */

static bool
is_aborted(const Rewrite *rw, int64 offset)
{
	int			low = 0;
	int			high = rw->n_holes;

	/* the last range that begins at or before it */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (rw->holes[middle].first <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && rw->holes[low - 1].last >= offset && rw->holes[low - 1].fate == LOG_FATE_HIDDEN;
}

static void
put_batch(Rewrite *rw, const char *batch, uint32 len)
{
	LogBatchPlace place;
	uint64		at = rw->length;

	if (batch_record_count(batch) > 0)
	{
		int64		ts = batch_max_timestamp(batch);

		rw->max_timestamp = Max(rw->max_timestamp, ts);
		rw->min_timestamp = Min(rw->min_timestamp, ts);
	}
	place.position = at;
	place.base_offset = batch_base_offset(batch);
	place.next_offset = batch_next_offset(batch);
	place.max_timestamp = rw->max_timestamp;
	place.partition = rw->partition;

	if (pages_for(at + len) > rw->max_pages)
	{
		rw->max_pages = Max(pages_for(at + len), rw->max_pages * 2);
		rw->pages = rw->pages ? repalloc_huge(rw->pages, (Size) rw->max_pages * BLCKSZ) :
			MemoryContextAllocHuge(CurrentMemoryContext, (Size) rw->max_pages * BLCKSZ);
	}
	while (len > 0)
	{
		Page		page = rw->pages + (Size) (at / LOG_PAGE_DATA_SIZE) * BLCKSZ;
		uint32		n = log_fill_page(page, &place, at, batch, len);

		at += n;
		batch += n;
		len -= n;
	}
	rw->length = at;
}

static const char *
read_batch(Rewrite *rw, uint64 position, uint32 size)
{
	if (size > rw->batch_size)
	{
		if (rw->batch)
			pfree(rw->batch);
		rw->batch_size = Max(size, 64 * 1024);
		rw->batch = MemoryContextAllocHuge(CurrentMemoryContext, rw->batch_size);
	}
	if (log_stream_read(&rw->stream, position, rw->batch, size) != size)
		log_corrupted(rw->rel, rw->stream.data_block, "a batch of an extent is not there");
	return rw->batch;
}

static void
filter_extent(Rewrite *rw, const LogExtent *extent)
{
	uint64		position = extent->start_position;
	uint64		end = position + extent->used_bytes;
	char		header[BATCH_HEADER_SIZE];

	log_stream_init(&rw->stream, rw->rel, rw->partition, extent);
	while (position < end)
	{
		uint32		size;
		LogVerdict	verdict = LOG_DROP;
		const char *batch;
		const char *replacement;
		uint32		replacement_length;

		if (!log_stream_header(&rw->stream, position, header))
			log_corrupted(rw->rel, rw->stream.data_block, "a batch of an extent is not there");
		size = batch_total_size(header);
		if (batch_last_offset(header) >= rw->log_start && !is_aborted(rw, batch_base_offset(header)))
		{
			batch = read_batch(rw, position, size);
			verdict = rw->filter(rw->arg, batch, size, &replacement, &replacement_length);
			if (verdict == LOG_KEEP)
				put_batch(rw, batch, size);
			else if (verdict == LOG_REPLACE)
				put_batch(rw, replacement, replacement_length);
		}
		if (verdict != LOG_KEEP)
			rw->changed = true;
		position += size;
	}
	rw->stats->bytes_read += extent->used_bytes;
}

/* Choose the run of extents, and pass it through the filter. */
static bool
filter_run(Rewrite *rw, int64 offset, int64 end_offset)
{
	uint64		number;
	LogExtent	extent;

	log_read_root(rw->rel, rw->partition, &rw->root);
	if (!log_find_extent(rw->rel, rw->partition, &rw->root, offset, &rw->first, &extent))
		return false;

	for (number = rw->first; number / LOG_LEAF_EXTENTS == rw->first / LOG_LEAF_EXTENTS; number++)
	{
		/* Nobody else frees or replaces any, and the newest one stays as it is. */
		if (!log_read_extent(rw->rel, rw->partition, &rw->root, number, &extent))
			missing_entry(rw->rel, rw->partition);
		if (!LogExtentVacant(&extent))
		{
			if (!(extent.flags & LOG_EXTENT_CLOSED) || extent.base_offset >= end_offset ||
				(rw->n_extents > 0 && pages_for(rw->length + extent.used_bytes) > OUTPUT_PAGES))
				break;
			filter_extent(rw, &extent);
			rw->n_extents++;
		}
		rw->entries[number - rw->first] = extent;
	}
	rw->end = number;
	if (!log_read_extent(rw->rel, rw->partition, &rw->root, number, &extent))
		missing_entry(rw->rel, rw->partition);
	rw->end_offset = extent.base_offset;
	return true;
}

/* ---------- the new extent ---------- */

/* Give back the space of a rewriting that was not finished; changes the copies only. */
static bool
give_pending(LogMeta *meta, LogRoot *root)
{
	if (root->pending_blocks > 0 && !log_space_give(meta, root->pending_block, root->pending_blocks))
		return false;
	root->pending_blocks = 0;
	return true;
}

static void
store_meta_and_root(Relation rel, LogPartition *part, const LogMeta *meta, const LogRoot *root)
{
	Buffer		meta_buffer = log_read_buffer(rel, 0);
	Buffer		root_buffer = log_read_buffer(rel, log_root_block(rel, part->key.partition));
	LogChange	change = {0};
	Page		meta_page,
				root_page;

	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	meta_page = log_change_add(&change, meta_buffer);
	root_page = log_change_add(&change, root_buffer);
	log_change_begin();
	log_store_meta(meta_page, meta);
	log_store_root(root_page, root);
	log_change_end(&change);
	LWLockRelease(&part->append_lock);
}

void
log_give_pending(Relation rel, LogPartition *part)
{
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));

	log_lock_space(rel);
	log_read_meta(rel, meta);
	log_read_root(rel, part->key.partition, root);
	if (root->pending_blocks > 0 && give_pending(meta, root))
		store_meta_and_root(rel, part, meta, root);
	log_unlock_space(rel);
	pfree(root);
	pfree(meta);
}

/* Take blocks and positions for the new extent; false if free space can't be noted. */
static bool
reserve(Rewrite *rw)
{
	uint32		n_pages = pages_for(rw->length);
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));
	bool		done;

	log_lock_space(rw->rel);
	log_read_meta(rw->rel, meta);
	log_read_root(rw->rel, rw->partition, root);
	done = give_pending(meta, root);
	if (done)
	{
		rw->block = log_space_take(meta, n_pages);
		log_ensure_blocks(rw->rel, meta->n_blocks);
		rw->position = root->next_position;
		root->pending_block = rw->block;
		root->pending_blocks = n_pages;
		root->next_position += (uint64) n_pages * LOG_PAGE_DATA_SIZE;
		store_meta_and_root(rw->rel, rw->part, meta, root);
	}
	log_unlock_space(rw->rel);
	pfree(root);
	pfree(meta);
	return done;
}

static void
write_pages(Rewrite *rw)
{
	uint32		n_pages = pages_for(rw->length);
	BufferAccessStrategy strategy = GetAccessStrategy(BAS_BULKWRITE);
	Buffer		buffers[CHUNK_PAGES];

	for (uint32 done = 0; done < n_pages;)
	{
		int			n = Min(CHUNK_PAGES, n_pages - done);
		XLogRecPtr	lsn;

		CHECK_FOR_INTERRUPTS();
		XLogEnsureRecordSpace(n - 1, 0);
		for (int i = 0; i < n; i++)
			buffers[i] = ReadBufferExtended(rw->rel, MAIN_FORKNUM, rw->block + done + i, RBM_ZERO_AND_LOCK,
											strategy);
		START_CRIT_SECTION();
		XLogBeginInsert();
		for (int i = 0; i < n; i++)
		{
			Page		page = BufferGetPage(buffers[i]);

			memcpy(page, rw->pages + (Size) (done + i) * BLCKSZ, BLCKSZ);
			LogPageStamp(page)->position += rw->position;
			MarkBufferDirty(buffers[i]);
			XLogRegisterBuffer(i, buffers[i], REGBUF_FORCE_IMAGE | REGBUF_STANDARD);
		}
		lsn = XLogInsert(RM_XLOG_ID, XLOG_FPI);
		for (int i = 0; i < n; i++)
			PageSetLSN(BufferGetPage(buffers[i]), lsn);
		END_CRIT_SECTION();
		for (int i = 0; i < n; i++)
			UnlockReleaseBuffer(buffers[i]);
		done += n;
		LOG_STOP_POINT("rewrite-mid-extent");
	}
	FreeAccessStrategy(strategy);
}

/* ---------- the switch ---------- */

/* The directory entries of the run as they will be. */
static void
make_entries(Rewrite *rw, LogExtent *entries)
{
	uint64		n = rw->end - rw->first;
	int64		running_max = rw->entries[n - 1].running_max;

	memset(entries, 0, n * sizeof(LogExtent));
	for (uint64 i = 0; i < n; i++)
	{
		entries[i].base_offset = rw->end_offset;
		entries[i].min_timestamp = entries[i].max_timestamp = -1;
		entries[i].running_max = running_max;
		entries[i].start_block = InvalidBlockNumber;
		entries[i].flags = LOG_EXTENT_CLOSED;
	}
	if (rw->length > 0)
	{
		entries[0].base_offset = rw->entries[0].base_offset;
		entries[0].start_position = rw->position;
		entries[0].min_timestamp = rw->max_timestamp < 0 ? -1 : rw->min_timestamp;
		entries[0].max_timestamp = rw->max_timestamp;
		entries[0].start_block = rw->block;
		entries[0].n_blocks = pages_for(rw->length);
		entries[0].used_bytes = (uint32) rw->length;
	}
}

/* Take note of a change of the directory; the append lock is held. */
static void
publish(LogPartition *part, const LogRoot *root)
{
	SpinLockAcquire(&part->mutex);
	part->size_blocks = root->size_blocks;
	if (part->has_extent)
		part->extent_number = root->end_extent - 1;
	SpinLockRelease(&part->mutex);
}

static void
update_first_timestamp(Relation rel, LogPartition *part, const LogRoot *root)
{
	LogExtent	extent;

	if (!log_first_extent(rel, part->key.partition, root, &extent))
		return;
	SpinLockAcquire(&part->mutex);
	part->first_timestamp = (extent.flags & LOG_EXTENT_CLOSED) ? extent.min_timestamp :
		part->extent_first_ts;
	SpinLockRelease(&part->mutex);
}

/* Put the new extent into the place of the run; false if the list of free space is full. */
static bool
link_extent(Rewrite *rw)
{
	Relation	rel = rw->rel;
	LogPartition *part = rw->part;
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogExtent  *entries = palloc(LOG_LEAF_EXTENTS * sizeof(LogExtent));
	uint64		n = rw->end - rw->first;
	bool		done = true;

	make_entries(rw, entries);
	log_lock_space(rel);
	log_read_meta(rel, meta);
	log_read_root(rel, rw->partition, root);
	Assert(root->generation == rw->root.generation && root->first_extent == rw->root.first_extent);

	for (uint64 i = 0; i < n && done; i++)
	{
		if (LogExtentVacant(&rw->entries[i]))
			root->n_vacant--;
		else
			done = log_space_give(meta, rw->entries[i].start_block, rw->entries[i].n_blocks);
		if (LogExtentVacant(&entries[i]))
			root->n_vacant++;
		root->size_blocks += entries[i].n_blocks;
		root->size_blocks -= rw->entries[i].n_blocks;
	}

	if (done)
	{
		Buffer		meta_buffer = log_read_buffer(rel, 0);
		Buffer		root_buffer = log_read_buffer(rel, log_root_block(rel, rw->partition));
		Buffer		leaf_buffer = log_read_buffer(rel, root->leaves[rw->first / LOG_LEAF_EXTENTS -
																  root->first_extent / LOG_LEAF_EXTENTS]);
		LogChange	change = {0};
		Page		meta_page,
					root_page,
					leaf;

		if (rw->length > 0)
			root->pending_blocks = 0;	/* they are the extent's now */
		root->generation++;
		LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);

		meta_page = log_change_add(&change, meta_buffer);
		root_page = log_change_add(&change, root_buffer);
		leaf = log_change_add(&change, leaf_buffer);
		log_change_begin();
		memcpy(LogPageContent(leaf) + (rw->first % LOG_LEAF_EXTENTS) * sizeof(LogExtent), entries,
			   n * sizeof(LogExtent));
		log_store_root(root_page, root);
		log_store_meta(meta_page, meta);
		log_change_end(&change);
		LOG_STOP_POINT("rewrite-linked");
		publish(part, root);
		LWLockRelease(&part->append_lock);
		update_first_timestamp(rel, part, root);
		rw->stats->bytes_written += rw->length;
		rw->stats->extents_replaced += rw->n_extents;
	}
	log_unlock_space(rel);
	pfree(entries);
	pfree(root);
	pfree(meta);
	return done;
}

/* ---------- the directory anew ---------- */

static void
write_leaf(Relation rel, int32 partition, BlockNumber block, uint64 leaf_number,
		   const LogExtent *extents, int n)
{
	Buffer		buffer = log_new_buffer(rel, block);
	Page		page = BufferGetPage(buffer);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	memset(page, 0, BLCKSZ);
	log_page_init(page, LOG_PAGE_LEAF, partition, leaf_number);
	memcpy(LogPageContent(page), extents, n * sizeof(LogExtent));
	((PageHeader) page)->pd_lower = LOG_CONTENT_START + n * sizeof(LogExtent);
	MarkBufferDirty(buffer);
	log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}

/*
 * Write the directory without its vacant entries, under numbers and into blocks of
 * their own, so that nobody takes new leaves for old ones.  The space lock is held
 * throughout: until the root points to them, the leaves' blocks are free.
 */
static void
repack(Relation rel, LogPartition *part)
{
	int32		partition = part->key.partition;
	LogMeta    *meta = palloc(sizeof(LogMeta));
	LogRoot    *root = palloc0(sizeof(LogRoot));
	LogRoot    *packed = palloc(sizeof(LogRoot));
	LogExtent  *extents = palloc(LOG_LEAF_EXTENTS * sizeof(LogExtent));
	uint64		first;
	uint64		end;
	bool		done = true;

	log_lock_space(rel);
	log_read_meta(rel, meta);
	log_read_root(rel, partition, root);
	*packed = *root;
	packed->n_leaves = 0;
	first = end = (root->end_extent + LOG_LEAF_EXTENTS - 1) / LOG_LEAF_EXTENTS * LOG_LEAF_EXTENTS;
	for (uint64 number = root->first_extent; number < root->end_extent; number++)
	{
		LogExtent  *extent = &extents[end % LOG_LEAF_EXTENTS];

		if (!log_read_extent(rel, partition, root, number, extent))
			missing_entry(rel, partition);
		if (!LogExtentVacant(extent))
			end++;
		if (end > first && (number + 1 == root->end_extent ||
							(end % LOG_LEAF_EXTENTS == 0 && !LogExtentVacant(extent))))
		{
			BlockNumber block = log_space_take(meta, 1);

			log_ensure_blocks(rel, meta->n_blocks);
			write_leaf(rel, partition, block, (end - 1) / LOG_LEAF_EXTENTS, extents,
					   (end - 1) % LOG_LEAF_EXTENTS + 1);
			packed->leaves[packed->n_leaves++] = block;
		}
	}
	for (int i = 0; i < root->n_leaves && done; i++)
		done = log_space_give(meta, root->leaves[i], 1);
	LOG_STOP_POINT("repack-written");

	if (done)
	{
		Buffer		meta_buffer = log_read_buffer(rel, 0);
		Buffer		root_buffer = log_read_buffer(rel, log_root_block(rel, partition));
		LogChange	change = {0};
		Page		meta_page,
					root_page;

		packed->first_extent = first;
		packed->end_extent = end;
		packed->n_vacant = 0;
		packed->generation++;
		LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
		meta_page = log_change_add(&change, meta_buffer);
		root_page = log_change_add(&change, root_buffer);
		log_change_begin();
		log_store_meta(meta_page, meta);
		log_store_root(root_page, packed);
		log_change_end(&change);
		publish(part, packed);
		LWLockRelease(&part->append_lock);
	}
	log_unlock_space(rel);
	pfree(extents);
	pfree(packed);
	pfree(root);
	pfree(meta);
}

/* ---------- interface ---------- */

int64
log_rewrite(Relation rel, LogPartition *part, int64 offset, int64 end_offset, LogFilter filter, void *arg,
			LogRewriteStats *stats)
{
	Rewrite    *rw = palloc0(sizeof(Rewrite));
	int64		result = end_offset;

	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot write to a topic during recovery")));
	rw->rel = rel;
	rw->part = part;
	rw->partition = part->key.partition;
	rw->filter = filter;
	rw->arg = arg;
	rw->stats = stats;
	rw->min_timestamp = PG_INT64_MAX;
	rw->max_timestamp = -1;
	rw->stream.strategy = GetAccessStrategy(BAS_BULKREAD);
	SpinLockAcquire(&part->mutex);
	rw->log_start = part->log_start;
	SpinLockRelease(&part->mutex);
	rw->holes = log_txn_ranges(rel, rw->partition, InvalidSnapshot, &rw->n_holes);

	if (filter_run(rw, offset, end_offset))
	{
		result = rw->end_offset;
		if (rw->changed || rw->n_extents > 1)
		{
			if (rw->length > 0)
			{
				log_check_reserve();
				if (!reserve(rw))
					result = -1;
				else
				{
					LOG_STOP_POINT("rewrite-reserved");
					write_pages(rw);
					LOG_STOP_POINT("rewrite-written");
				}
			}
			if (result >= 0 && !link_extent(rw))
				result = -1;
		}
	}

	FreeAccessStrategy(rw->stream.strategy);
	if (rw->holes)
		pfree(rw->holes);
	if (rw->batch)
		pfree(rw->batch);
	if (rw->pages)
		pfree(rw->pages);
	pfree(rw);
	return result;
}

void
log_set_clean(Relation rel, LogPartition *part, int64 offset)
{
	int32		partition = part->key.partition;
	LogRoot    *root = palloc0(sizeof(LogRoot));
	Buffer		buffer = log_read_buffer(rel, log_root_block(rel, partition));
	LogChange	change = {0};
	Page		page;

	log_lock_space(rel);
	LWLockAcquire(&part->append_lock, LW_EXCLUSIVE);
	log_read_root(rel, partition, root);
	root->clean_offset = Max(root->clean_offset, offset);
	page = log_change_add(&change, buffer);
	log_change_begin();
	log_store_root(page, root);
	log_change_end(&change);
	LWLockRelease(&part->append_lock);
	log_unlock_space(rel);

	if (root->n_vacant > LOG_LEAF_EXTENTS && root->n_vacant > (root->end_extent - root->first_extent) / 2)
		repack(rel, part);

	/* The aborted ranges in it are gone. */
	if (root->txn_first != InvalidBlockNumber)
		log_txn_vacuum(rel, part, GetOldestNonRemovableTransactionId(rel), NULL);
	pfree(root);
}
