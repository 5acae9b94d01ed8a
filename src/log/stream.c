/*-------------------------------------------------------------------------
 *
 * stream.c
 *	  Reading the bytes of a partition, whose batches may span pages.
 *
 * A page is copied under its share lock and its stamp checked: the extent may have
 * been freed and given to another partition since the directory was read.  So may
 * a page after the log's end hold anything; what is not stamped with the partition
 * and the position is not part of the stream.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "log/internal.h"
#include "wire/batch.h"

/* Where the stream of an extent ends, as far as the log went when the tail was looked at. */
uint64
log_extent_end(const LogExtent *extent, const LogTail *tail)
{
	uint64		room = (uint64) (extent->n_blocks - extent->n_summary) * LOG_PAGE_DATA_SIZE;
	uint64		limit = extent->start_position +
		((extent->flags & LOG_EXTENT_CLOSED) ? extent->used_bytes : room);

	if (tail->has_extent && extent->start_position == tail->extent_position)
		return Min(limit, tail->end_position);
	/* One that is open was begun later. */
	return (extent->flags & LOG_EXTENT_CLOSED) ? limit : extent->start_position;
}

void
log_stream_init(LogStream *stream, Relation rel, int32 partition, const LogExtent *extent)
{
	uint64		room = (uint64) (extent->n_blocks - extent->n_summary) * LOG_PAGE_DATA_SIZE;

	stream->rel = rel;
	stream->partition = partition;
	stream->data_block = extent->start_block + extent->n_summary;
	stream->start_position = extent->start_position;
	stream->limit = extent->start_position +
		((extent->flags & LOG_EXTENT_CLOSED) ? extent->used_bytes : room);
	stream->page_valid = false;
}

/* Copy the page that holds a position; false if it is not part of the stream. */
bool
log_stream_load(LogStream *stream, uint64 position)
{
	uint64		page_position = log_page_position(position);
	BlockNumber block;
	Buffer		buffer;
	Page		page;
	bool		valid;

	if (stream->page_valid && stream->page_position == page_position)
		return true;
	stream->page_valid = false;
	if (position < stream->start_position || position >= stream->limit)
		return false;

	CHECK_FOR_INTERRUPTS();
	block = log_position_block(stream->data_block, stream->start_position, page_position);
	if (block >= RelationGetNumberOfBlocks(stream->rel))
		return false;
	buffer = ReadBufferExtended(stream->rel, MAIN_FORKNUM, block, RBM_NORMAL, stream->strategy);
	page = BufferGetPage(buffer);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	valid = log_page_is(page, LOG_PAGE_DATA, stream->partition, page_position);
	if (valid)
		memcpy(stream->page.data, page, BLCKSZ);
	UnlockReleaseBuffer(buffer);
	if (!valid)
		return false;

	stream->page_valid = true;
	stream->page_position = page_position;
	stream->page_used = ((PageHeader) stream->page.data)->pd_lower - LOG_CONTENT_START;
	if (stream->page_used > LOG_PAGE_DATA_SIZE)
		log_corrupted(stream->rel, block, "a data page's header is not valid");
	return true;
}

/* Copy bytes from a position on; returns how many there are. */
uint32
log_stream_read(LogStream *stream, uint64 position, char *dst, uint32 len)
{
	uint32		done = 0;

	while (done < len)
	{
		uint32		offset;
		uint32		n;

		if (!log_stream_load(stream, position + done))
			break;
		offset = (position + done) - stream->page_position;
		if (offset >= stream->page_used)
			break;
		n = Min(stream->page_used - offset, len - done);
		memcpy(dst + done, LogPageContent(stream->page.data) + offset, n);
		done += n;
	}
	return done;
}

/*
 * Read the header of the batch at a position; false if none begins there.
 */
bool
log_stream_header(LogStream *stream, uint64 position, char *header)
{
	uint64		page_position = log_page_position(position);
	uint32		offset = position - page_position;
	int64		size;

	if (log_stream_read(stream, position, header, BATCH_HEADER_SIZE) < BATCH_HEADER_SIZE)
		return false;

	size = batch_total_size(header);
	if (batch_magic(header) != BATCH_MAGIC || size < BATCH_HEADER_SIZE || position + size > stream->limit)
		return false;

	/* Bytes of a batch that a crash cut off may lie after the log's end: no batch begins in them. */
	if (offset == 0 && log_stream_load(stream, position) &&
		log_stream_stamp(stream)->first_batch != LOG_CONTENT_START)
		return false;
	return true;
}

/*
 * Find the batch that holds `offset`, or the first after it, among those that start
 * before end_position.  False: there is none.  Binary search over the stamps, then
 * along the headers of one page.
 */
bool
log_stream_find(LogStream *stream, int64 offset, uint64 end_position, uint64 *position)
{
	uint64		low = 0;
	uint64		high;			/* pages: the answer is in [low, high) */
	uint64		at;

	if (end_position <= stream->start_position)
		return false;
	high = (end_position - stream->start_position + LOG_PAGE_DATA_SIZE - 1) / LOG_PAGE_DATA_SIZE;

	while (high - low > 1)
	{
		uint64		middle = low + (high - low) / 2;

		if (!log_stream_load(stream, stream->start_position + middle * LOG_PAGE_DATA_SIZE))
			return false;
		if (log_stream_stamp(stream)->first_offset <= offset)
			low = middle;
		else
			high = middle;
	}

	/*
	 * The first batch at or after that page: it starts in it, unless the page lies
	 * within a batch that starts before and the next one is past the end.
	 */
	for (;; low++)
	{
		at = stream->start_position + low * LOG_PAGE_DATA_SIZE;
		if (at >= end_position || !log_stream_load(stream, at))
			return false;
		if (log_stream_stamp(stream)->first_batch != 0)
			break;
	}
	at += log_stream_stamp(stream)->first_batch - LOG_CONTENT_START;

	while (at < end_position)
	{
		char		header[BATCH_HEADER_SIZE];

		if (!log_stream_header(stream, at, header))
			return false;
		if (batch_last_offset(header) >= offset)
		{
			*position = at;
			return true;
		}
		at += batch_total_size(header);
	}
	return false;
}
