/*-------------------------------------------------------------------------
 *
 * slice.c
 *	  Where the bytes of whole batches lie, for those who send them as they are.
 *
 * Offsets are turned into positions by binary search over extents and page stamps,
 * and a slice is cut at a batch boundary found from the stamp of the page where
 * it should end; the batches in between are not looked at.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"

#include "log/internal.h"
#include "wire/batch.h"

/*
 * The last batch boundary at or before `limit` in an extent, given one at or
 * before it.
 */
static uint64
boundary_before(LogStream *stream, uint64 known, uint64 limit)
{
	uint64		page_position = log_page_position(limit);
	uint64		at = known;
	char		header[BATCH_HEADER_SIZE];

	/* From the first batch of the limit's page, or of the nearest page before that has one. */
	while (page_position > log_page_position(known))
	{
		if (log_stream_load(stream, page_position))
		{
			uint16		first = log_stream_stamp(stream)->first_batch;

			if (first != 0 && page_position + first - LOG_CONTENT_START <= limit)
			{
				at = page_position + first - LOG_CONTENT_START;
				break;
			}
		}
		page_position -= LOG_PAGE_DATA_SIZE;
	}

	while (at < limit && log_stream_header(stream, at, header))
	{
		uint64		next = at + batch_total_size(header);

		if (next > limit)
			break;
		at = next;
	}
	return at;
}

/* The first hole (range not to be sent) that ends after offset; NULL if none. */
static LogHole *
next_hole(LogHole *holes, int n_holes, int64 offset)
{
	for (int i = 0; i < n_holes; i++)
	{
		if (holes[i].fate == LOG_FATE_HIDDEN && holes[i].last >= offset)
			return &holes[i];
	}
	return NULL;
}

/*
 * Describe one extent: the stream of extent `number`, and where its batches end as
 * far as [.., end_offset) goes.
 */
static bool
open_extent(Relation rel, int32 partition, const LogRoot *root, uint64 number, LogStream *stream,
			LogExtent *extent)
{
	if (!log_read_extent(rel, partition, root, number, extent))
		return false;
	log_stream_init(stream, rel, partition, extent);
	return true;
}

/* What log_find_slices() does, if the directory doesn't change meanwhile: *root is as it was read. */
static bool
find_slices(Relation rel, LogPartition *part, LogRoot *root, int64 offset, int64 end_offset,
			uint32 max_bytes, bool at_least_one, LogSlice *slices, int max_slices, LogSliceInfo *info)
{
	int32		partition = part->key.partition;
	int64		log_start,
				log_end;
	LogTail		tail;
	LogStream  *stream;
	LogExtent	extent;
	LogHole    *holes = NULL;
	int			n_holes = 0;
	uint64		number;

	info->n_slices = 0;
	info->bytes = 0;
	info->next_offset = offset;

	SpinLockAcquire(&part->mutex);
	log_start = part->log_start;
	log_end = part->end_offset;
	log_get_tail(part, &tail);
	if (part->aborted_first <= part->aborted_last && part->aborted_last >= offset &&
		part->aborted_first < end_offset)
		n_holes = -1;
	SpinLockRelease(&part->mutex);

	if (offset < log_start || offset > log_end)
		return false;
	if (offset >= end_offset)
		return true;

	if (n_holes < 0)
		holes = log_txn_ranges(rel, partition, InvalidSnapshot, &n_holes);

	stream = palloc0(sizeof(LogStream));
	log_read_root(rel, partition, root);

	if (log_find_extent(rel, partition, root, offset, &number, &extent))
	{
		log_stream_init(stream, rel, partition, &extent);
		while (info->n_slices < max_slices && offset < end_offset)
		{
			LogHole    *hole = next_hole(holes, n_holes, offset);
			int64		run_end = end_offset;	/* offsets [offset, run_end) are wanted */
			uint64		extent_end = log_extent_end(&extent, &tail);
			uint64		from,
						to;
			char		header[BATCH_HEADER_SIZE];

			if (hole && hole->first <= offset)
			{
				offset = hole->last + 1;
				info->next_offset = offset;
				continue;
			}
			if (hole)
				run_end = Min(run_end, hole->first);

			if (!log_stream_find(stream, offset, extent_end, &from))
			{
				/* Nothing more in this extent. */
				if (++number >= root->end_extent ||
					!open_extent(rel, partition, root, number, stream, &extent))
					break;
				continue;
			}
			if (!log_stream_header(stream, from, header) || batch_base_offset(header) >= run_end)
			{
				/* a gap in the offsets reaches up to the end of the run */
				if (run_end >= end_offset)
					break;
				offset = run_end;
				continue;
			}

			/* Up to the end of the run, then up to what is allowed. */
			if (run_end >= log_end || !log_stream_find(stream, run_end, extent_end, &to))
				to = extent_end;
			if (to - from > max_bytes - info->bytes)
				to = boundary_before(stream, from, from + (max_bytes - info->bytes));
			if (to == from && at_least_one && info->n_slices == 0)
				to = from + batch_total_size(header);
			if (to == from)
				break;
			/* Slices are 32 bits wide. */
			if (to - from > PG_INT32_MAX)
				to = boundary_before(stream, from, from + PG_INT32_MAX);

			slices[info->n_slices].node = rel->rd_node;
			slices[info->n_slices].partition = partition;
			slices[info->n_slices].block =
				log_position_block(stream->data_block, stream->start_position, from);
			slices[info->n_slices].position = from;
			slices[info->n_slices].length = (uint32) (to - from);
			info->n_slices++;
			info->bytes += (uint32) (to - from);

			if (to < extent_end)
			{
				if (!log_stream_header(stream, to, header))
					break;
				offset = batch_base_offset(header);
				info->next_offset = offset;
				if (info->bytes >= max_bytes || offset < run_end)
					break;
			}
			else if (number + 1 < root->end_extent)
			{
				if (!open_extent(rel, partition, root, ++number, stream, &extent))
					break;
				offset = Max(offset, extent.base_offset);
				info->next_offset = offset;
			}
			else
			{
				info->next_offset = end_offset;
				break;
			}
			if (info->bytes >= max_bytes)
				break;
		}
	}

	if (holes)
		pfree(holes);
	pfree(stream);
	return true;
}

/* The page that holds a byte of a slice. */
BlockNumber
log_slice_block(const LogSlice *slice, uint32 skip)
{
	return slice->block +
		(BlockNumber) ((log_page_position(slice->position + skip) - log_page_position(slice->position)) /
					   LOG_PAGE_DATA_SIZE);
}

void
log_slice_prefetch(Relation rel, const LogSlice *slice, uint32 skip, uint32 len)
{
	BlockNumber end = Min(log_slice_block(slice, skip + len - 1) + 1, RelationGetNumberOfBlocks(rel));

	Assert(len > 0 && skip + len <= slice->length);
	for (BlockNumber block = log_slice_block(slice, skip); block < end; block++)
		(void) PrefetchBuffer(rel, MAIN_FORKNUM, block);
}

bool
log_find_slices(Relation rel, LogPartition *part, int64 offset, int64 end_offset, uint32 max_bytes,
				bool at_least_one, LogSlice *slices, int max_slices, LogSliceInfo *info)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	bool		in_range;

	for (;;)
	{
		in_range = find_slices(rel, part, root, offset, end_offset, max_bytes, at_least_one, slices,
							   max_slices, info);
		if (!in_range || offset >= end_offset ||
			log_generation(rel, part->key.partition) == root->generation)
			break;
		CHECK_FOR_INTERRUPTS();
	}
	pfree(root);
	return in_range;
}

bool
log_slice_copy(Relation rel, const LogSlice *slice, uint32 skip, char *dst, uint32 len)
{
	uint64		position = slice->position + skip;
	BlockNumber block = log_slice_block(slice, skip);
	BlockNumber n_blocks = RelationGetNumberOfBlocks(rel);

	Assert(skip + len <= slice->length);
	if (!RelFileNodeEquals(rel->rd_node, slice->node))
		return false;
	while (len > 0)
	{
		uint32		offset = position % LOG_PAGE_DATA_SIZE;
		uint32		n = Min(LOG_PAGE_DATA_SIZE - offset, len);
		Buffer		buffer;
		Page		page;
		bool		valid;

		if (block >= n_blocks)
			return false;
		buffer = log_read_buffer(rel, block);
		page = BufferGetPage(buffer);
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		valid = log_page_is(page, LOG_PAGE_DATA, slice->partition, position - offset);
		if (valid)
			memcpy(dst, LogPageContent(page) + offset, n);
		UnlockReleaseBuffer(buffer);
		if (!valid)
			return false;
		dst += n;
		len -= n;
		position += n;
		block++;
	}
	return true;
}
