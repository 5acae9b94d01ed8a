/*-------------------------------------------------------------------------
 *
 * reader.c
 *	  Reading a partition batch by batch, in either direction.
 *
 * A reader fixes at its start which ranges of SQL transactions it may not see.
 * Extents that retention frees under it are passed over: the head of a log may go
 * away under an old snapshot, and that is no error.
 *
 * Compaction may replace extents under it, too.  So a reader knows where it is by the
 * offset; at the end of an extent, and when a page turns out to be gone, it looks up
 * in the directory where that offset is now.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "log/internal.h"
#include "wire/batch.h"

/* Batches that can start in one page. */
#define MAX_PAGE_BATCHES	(LOG_PAGE_DATA_SIZE / BATCH_HEADER_SIZE + 1)

struct LogReader
{
	Relation	rel;
	LogPartition *part;
	int32		partition;
	bool		backward;
	bool		done;
	int64		start_offset;
	int64		end_offset;
	int64		plain_end;		/* of batches that no SQL transaction wrote */
	int64		max_time;		/* later records aren't wanted */
	LogHole    *ranges;			/* of SQL transactions, in offset order */
	int			n_ranges;
	int			range;			/* the first that may matter from here on */
	LogTail		tail;
	LogRoot		root;
	bool		number_valid;
	uint64		number;			/* of the last extent, in the root's generation, if number_valid */
	bool		extent_open;
	int64		extent_base;	/* no batch of the current extent starts before this */
	uint64		extent_end;		/* of what is written in the current extent */
	uint64		lost_position;	/* where a page was found to be gone, last time */
	/* forward: batches that end before next_offset are behind us */
	int64		next_offset;
	uint64		position;		/* of the next batch */
	/* backward: batches from next_offset on are; those before it that start in one page */
	uint64		page_position;
	int			n_starts;
	uint64		starts[MAX_PAGE_BATCHES];
	LogStream	stream;
	char		header[BATCH_HEADER_SIZE];	/* of the current batch */
	uint64		current;		/* where it is */
	char	   *buffer;
	Size		buffer_size;
};

int64
log_scan_end(Relation rel, int32 partition)
{
	LogPartition *part = log_open(rel, partition);
	int64		end;

	if (part == NULL)
		return 0;
	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	end = part->flushed_offset;
	SpinLockRelease(&part->mutex);
	return end;
}

LogReader *
log_reader_begin(Relation rel, int32 partition, int64 start_offset, int64 end_offset, Snapshot snapshot,
				 int64 scan_end, bool backward)
{
	LogReader  *reader = palloc0(sizeof(LogReader));
	LogPartition *part = log_open(rel, partition);
	int64		log_start,
				log_end,
				watermark;

	reader->rel = rel;
	reader->partition = partition;
	reader->backward = backward;
	reader->part = part;
	reader->done = true;
	reader->max_time = PG_INT64_MAX;
	if (part == NULL)
		return reader;

	log_refresh(part);
	SpinLockAcquire(&part->mutex);
	log_start = part->log_start;
	log_end = part->end_offset;
	watermark = part->high_watermark;
	log_get_tail(part, &reader->tail);
	SpinLockRelease(&part->mutex);

	reader->start_offset = Max(start_offset, log_start);
	reader->end_offset = Min(end_offset, snapshot ? log_end : watermark);
	reader->plain_end = snapshot ? scan_end : watermark;
	if (reader->start_offset >= reader->end_offset)
		return reader;

	/* The end was fixed before the ranges are read: what they don't tell of lies behind it. */
	reader->ranges = log_txn_ranges(rel, partition, snapshot, &reader->n_ranges);
	reader->next_offset = backward ? reader->end_offset : reader->start_offset;
	reader->done = false;
	if (reader->end_offset - reader->start_offset > 100000)
		reader->stream.strategy = GetAccessStrategy(BAS_BULKREAD);
	return reader;
}

void
log_reader_set_max_time(LogReader *reader, int64 max_time)
{
	reader->max_time = max_time;
}

void
log_reader_end(LogReader *reader)
{
	if (reader->stream.strategy)
		FreeAccessStrategy(reader->stream.strategy);
	if (reader->ranges)
		pfree(reader->ranges);
	if (reader->buffer)
		pfree(reader->buffer);
	pfree(reader);
}

/* May a batch that starts at this offset be returned? */
static bool
batch_visible(LogReader *reader, int64 base_offset)
{
	int			low = 0;
	int			high = reader->n_ranges;

	/* the last range that begins at or before it */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (reader->ranges[middle].first <= base_offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && reader->ranges[low - 1].last >= base_offset)
		return reader->ranges[low - 1].fate == LOG_FATE_VISIBLE;
	return base_offset < reader->plain_end;
}

/* ---------- finding the place ---------- */

static void
reader_open_extent(LogReader *reader, const LogExtent *extent)
{
	log_stream_init(&reader->stream, reader->rel, reader->partition, extent);
	reader->extent_end = log_extent_end(extent, &reader->tail);
	reader->extent_base = extent->base_offset;
	reader->extent_open = true;
}

/* Are all records of the extent later than those that are wanted? */
static bool
reader_is_past(LogReader *reader, const LogExtent *extent)
{
	return (extent->flags & LOG_EXTENT_RECORD_MIN) && extent->min_timestamp > reader->max_time;
}

/*
 * A page at this position was not what it should be, as its extent was freed.  The
 * directory doesn't lead there a second time.
 */
static void
reader_lost(LogReader *reader, uint64 position)
{
	if (position == reader->lost_position)
		log_corrupted(reader->rel,
					  log_position_block(reader->stream.data_block, reader->stream.start_position, position),
					  "a page of an extent is missing");
	reader->lost_position = position;
	reader->extent_open = false;
	reader->number_valid = false;
}

/*
 * Has the directory not been changed since the reader began with this extent?  (Replay
 * on a standby changes the leaf before the root.)
 */
static bool
reader_is_current(LogReader *reader, uint64 number, const LogExtent *extent)
{
	LogExtent	now;

	CHECK_FOR_INTERRUPTS();
	if (log_generation(reader->rel, reader->partition) != reader->root.generation)
		return false;
	return !RecoveryInProgress() ||
		(log_read_extent(reader->rel, reader->partition, &reader->root, number, &now) &&
		 now.start_position == extent->start_position);
}

/*
 * Find the first batch that ends at next_offset or later in the extents from `number` on.
 * *found tells whether there is one; false: the directory has changed.
 */
static bool
seek_from(LogReader *reader, uint64 number, bool *found)
{
	LogExtent	extent;

	*found = false;
	for (; number < reader->root.end_extent; number++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!log_read_extent(reader->rel, reader->partition, &reader->root, number, &extent))
			return false;
		if (extent.base_offset >= reader->end_offset)
			break;
		if (reader_is_past(reader, &extent))
			continue;
		reader_open_extent(reader, &extent);
		reader->position = extent.start_position;
		if (extent.base_offset >= reader->next_offset ?
			reader->extent_end > extent.start_position :
			log_stream_find(&reader->stream, reader->next_offset, reader->extent_end, &reader->position))
		{
			*found = true;
			break;
		}
	}
	reader->number = number;
	reader->number_valid = true;
	return true;
}

static bool
seek_forward(LogReader *reader)
{
	LogExtent	extent = {0};
	uint64		number;
	bool		found;

	/* The next one, as a rule. */
	if (reader->number_valid)
	{
		reader->number_valid = false;
		number = reader->number + 1;
		if (number < reader->root.end_extent &&
			(!RecoveryInProgress() ||
			 log_read_extent(reader->rel, reader->partition, &reader->root, number, &extent)) &&
			seek_from(reader, number, &found) && reader_is_current(reader, number, &extent))
			return found;
	}
	do
	{
		log_read_root(reader->rel, reader->partition, &reader->root);
		if (!log_find_extent(reader->rel, reader->partition, &reader->root, reader->next_offset, &number,
							 &extent))
			return false;
	} while (!seek_from(reader, number, &found) || !reader_is_current(reader, number, &extent));
	return found;
}

/* ---------- batches ---------- */

char *
log_reader_batch(LogReader *reader)
{
	uint32		size = batch_total_size(reader->header);

	if (size > reader->buffer_size)
	{
		if (reader->buffer)
			pfree(reader->buffer);
		reader->buffer = NULL;
		reader->buffer_size = Max(size, 2 * BLCKSZ);
		reader->buffer = MemoryContextAllocHuge(GetMemoryChunkContext(reader), reader->buffer_size);
	}
	if (log_stream_read(&reader->stream, reader->current, reader->buffer, size) == size)
		return reader->buffer;

	/* Look where the batch is now, if it still is. */
	reader->next_offset = reader->backward ? batch_next_offset(reader->header) :
		batch_base_offset(reader->header);
	reader_lost(reader, reader->current);
	return NULL;
}

static bool
next_forward(LogReader *reader)
{
	char	   *header = reader->header;

	while (!reader->done)
	{
		CHECK_FOR_INTERRUPTS();
		if (!reader->extent_open && !seek_forward(reader))
			break;
		if (reader->position >= reader->extent_end)
		{
			reader->extent_open = false;
			continue;
		}
		if (!log_stream_header(&reader->stream, reader->position, header))
		{
			/* What was read has been replaced or freed. */
			reader->extent_open = reader->number_valid = false;
			continue;
		}
		if (batch_base_offset(header) >= reader->end_offset)
			break;
		reader->current = reader->position;
		reader->position += batch_total_size(header);
		reader->next_offset = batch_next_offset(header);
		if (batch_visible(reader, batch_base_offset(header)))
			return true;
	}
	reader->done = true;
	return false;
}

/* Note the positions of all batches that start in one page, before `end`; false: it is gone. */
static bool
collect_starts(LogReader *reader, uint64 page_position, uint64 end)
{
	uint64		at;
	char		header[BATCH_HEADER_SIZE];

	reader->n_starts = 0;
	reader->page_position = page_position;
	if (!log_stream_load(&reader->stream, page_position))
		return false;
	if (log_stream_stamp(&reader->stream)->first_batch == 0)
		return true;
	at = page_position + log_stream_stamp(&reader->stream)->first_batch - LOG_CONTENT_START;
	while (at < end && at < page_position + LOG_PAGE_DATA_SIZE)
	{
		if (!log_stream_header(&reader->stream, at, header))
			return false;
		reader->starts[reader->n_starts++] = at;
		at += batch_total_size(header);
	}
	return true;
}

/*
 * Find the last batch that starts before next_offset in the extents down from `number`.
 * *found tells whether there may be one; false: the directory has changed.
 */
static bool
seek_down_from(LogReader *reader, uint64 number, bool *found)
{
	LogExtent	extent;

	*found = false;
	for (;; number--)
	{
		uint64		at;

		CHECK_FOR_INTERRUPTS();
		if (!log_read_extent(reader->rel, reader->partition, &reader->root, number, &extent))
			return false;
		if (reader_is_past(reader, &extent))
		{
			if (number == reader->root.first_extent)
				return true;
			continue;
		}
		reader_open_extent(reader, &extent);
		if (reader->extent_end > reader->stream.start_position)
		{
			bool		behind = log_stream_find(&reader->stream, reader->next_offset - 1,
												 reader->extent_end, &at);

			*found = collect_starts(reader, log_page_position(behind ? at : reader->extent_end - 1),
									behind ? at + 1 : reader->extent_end);
			if (!*found)
			{
				reader_lost(reader, reader->page_position);
				return false;
			}
			return true;
		}
		if (number == reader->root.first_extent)
			return true;
	}
}

static bool
seek_backward(LogReader *reader)
{
	LogExtent	extent;
	uint64		number;
	bool		found;

	do
	{
		log_read_root(reader->rel, reader->partition, &reader->root);
		if (!log_find_extent(reader->rel, reader->partition, &reader->root, reader->next_offset - 1, &number,
							 &extent) ||
			extent.base_offset >= reader->next_offset)
			return false;
	} while (!seek_down_from(reader, number, &found) || !reader_is_current(reader, number, &extent));
	return found;
}

/*
 * When retention has taken a page away, so it has all before it, even if some of it could
 * still be read: the answer is to have no holes.
 */
static bool
next_backward(LogReader *reader)
{
	char	   *header = reader->header;

	while (!reader->done)
	{
		uint64		at;

		CHECK_FOR_INTERRUPTS();
		if (!reader->extent_open && !seek_backward(reader))
			break;
		if (reader->n_starts == 0)
		{
			/* To the page before, or the extent before. */
			if (reader->page_position == reader->stream.start_position)
			{
				reader->next_offset = reader->extent_base;
				reader->extent_open = false;
			}
			else if (!collect_starts(reader, reader->page_position - LOG_PAGE_DATA_SIZE, reader->extent_end))
				reader_lost(reader, reader->page_position);
			continue;
		}

		at = reader->starts[--reader->n_starts];
		if (!log_stream_header(&reader->stream, at, header))
		{
			reader_lost(reader, at);
			continue;
		}
		if (batch_base_offset(header) >= reader->next_offset)
			continue;
		if (batch_last_offset(header) < reader->start_offset)
			break;
		reader->next_offset = batch_base_offset(header);
		if (batch_visible(reader, batch_base_offset(header)))
		{
			reader->current = at;
			return true;
		}
	}
	reader->done = true;
	return false;
}

const char *
log_reader_next_header(LogReader *reader)
{
	bool		found = reader->backward ? next_backward(reader) : next_forward(reader);

	return found ? reader->header : NULL;
}

char *
log_reader_next(LogReader *reader, uint32 *length)
{
	const char *header;

	/* One that can't be copied is looked for again, where it is now. */
	while ((header = log_reader_next_header(reader)) != NULL)
	{
		char	   *batch = log_reader_batch(reader);

		if (batch)
		{
			*length = batch_total_size(header);
			return batch;
		}
	}
	return NULL;
}
