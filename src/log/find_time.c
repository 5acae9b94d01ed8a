/*-------------------------------------------------------------------------
 *
 * find_time.c
 *	  Finding the place of a time in a partition's log.
 *
 * Stamps of pages and entries of the directory have running maxima of the batches' times, so
 * that a time is found by binary search, whatever order they are in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "log/internal.h"
#include "wire/batch.h"

/*
 * The header of the first batch at or after log_start whose maximum timestamp is >= ts
 * in an extent.  A page's stamp has the maximum over all batches that start in or
 * before it, so the batch starts in the first page whose stamp reaches ts.
 */
static bool
find_time_in_extent(LogStream *stream, int64 ts, int64 log_start, uint64 end_position, char *header)
{
	uint64		low = 0;
	uint64		high;
	uint64		at;

	if (end_position <= stream->start_position)
		return false;
	high = (end_position - stream->start_position + LOG_PAGE_DATA_SIZE - 1) / LOG_PAGE_DATA_SIZE;
	while (low < high)
	{
		uint64		middle = low + (high - low) / 2;

		if (!log_stream_load(stream, stream->start_position + middle * LOG_PAGE_DATA_SIZE))
			return false;
		if (log_stream_stamp(stream)->max_timestamp < ts)
			low = middle + 1;
		else
			high = middle;
	}

	at = stream->start_position + low * LOG_PAGE_DATA_SIZE;
	if (at >= end_position || !log_stream_load(stream, at) || log_stream_stamp(stream)->first_batch == 0)
		return false;
	at += log_stream_stamp(stream)->first_batch - LOG_CONTENT_START;

	while (at < end_position && log_stream_header(stream, at, header))
	{
		if (batch_last_offset(header) < log_start)
		{
			/* Deleted: the records after it decide. */
			uint64		start;

			if (!log_stream_find(stream, log_start, end_position, &start))
				return false;
			if (start > at)
			{
				at = start;
				continue;
			}
		}
		else if (batch_max_timestamp(header) >= ts && batch_record_count(header) > 0)
			return true;
		at += batch_total_size(header);
	}
	return false;
}

/* false: the directory has changed under the search. */
static bool
search_time(Relation rel, LogPartition *part, LogRoot *root, int64 ts, int64 *result)
{
	int32		partition = part->key.partition;
	LogStream  *stream = palloc0(sizeof(LogStream));
	uint64		low,
				high;
	LogTail		tail;
	int64		log_start;
	LogExtent	extent;
	char		header[BATCH_HEADER_SIZE];

	*result = -1;
	SpinLockAcquire(&part->mutex);
	log_get_tail(part, &tail);
	log_start = part->log_start;
	SpinLockRelease(&part->mutex);

	log_read_root(rel, partition, root);

	/*
	 * The running maximum of the extents tells where to begin; as it counts extents
	 * that are gone, the extents' own maxima decide from there on.  The active extent
	 * has none yet.
	 */
	low = root->first_extent;
	high = root->end_extent;
	while (low < high)
	{
		uint64		middle = low + (high - low) / 2;

		if (!log_read_extent(rel, partition, root, middle, &extent))
			break;
		if ((extent.flags & LOG_EXTENT_CLOSED) && extent.running_max < ts)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < root->end_extent; low++)
	{
		if (!log_read_extent(rel, partition, root, low, &extent))
			continue;
		if ((extent.flags & LOG_EXTENT_CLOSED) && extent.max_timestamp < ts)
			continue;
		log_stream_init(stream, rel, partition, &extent);
		if (find_time_in_extent(stream, ts, log_start, log_extent_end(&extent, &tail), header))
		{
			*result = batch_base_offset(header);
			break;
		}
	}
	pfree(stream);
	return log_generation(rel, partition) == root->generation;
}

int64
log_find_time(Relation rel, LogPartition *part, int64 ts)
{
	LogRoot    *root = palloc0(sizeof(LogRoot));
	int64		result;

	while (!search_time(rel, part, root, ts, &result))
		CHECK_FOR_INTERRUPTS();
	pfree(root);
	return result;
}

/* The largest time that the directory knows, of extents that may have lost some of their records; -1: none */
static int64
largest_of_extents(Relation rel, LogPartition *part)
{
	int32		partition = part->key.partition;
	LogRoot    *root = palloc0(sizeof(LogRoot));
	int64		max_ts;

	SpinLockAcquire(&part->mutex);
	max_ts = part->extent_max_ts;
	SpinLockRelease(&part->mutex);
	do
	{
		CHECK_FOR_INTERRUPTS();
		log_read_root(rel, partition, root);
		for (uint64 n = root->first_extent; n < root->end_extent; n++)
		{
			LogExtent	extent;

			if (log_read_extent(rel, partition, root, n, &extent) && (extent.flags & LOG_EXTENT_CLOSED))
				max_ts = Max(max_ts, extent.max_timestamp);
		}
	} while (log_generation(rel, partition) != root->generation);
	pfree(root);
	return max_ts;
}

/* From what the log knows of its times; false: the batch in question is gone. */
static bool
max_time_is_known(Relation rel, LogPartition *part, int64 *result)
{
	int64		running_max;
	int64		max_ts;

	SpinLockAcquire(&part->mutex);
	running_max = part->max_timestamp;
	SpinLockRelease(&part->mutex);

	/* Usually it is the maximum that ever was. */
	*result = running_max < 0 ? -1 : log_find_time(rel, part, running_max);
	if (*result >= 0)
		return true;
	max_ts = largest_of_extents(rel, part);
	if (max_ts >= 0)
		*result = log_find_time(rel, part, max_ts);
	return max_ts < 0 || *result >= 0;
}

bool
log_find_max_time(Relation rel, LogPartition *part, LogMaxSearch *search, int n_batches)
{
	LogReader  *reader;
	char	   *batch = NULL;
	uint32		length;
	int64		log_start;

	if (!search->looks)
	{
		if (max_time_is_known(rel, part, &search->offset))
			return true;
		search->looks = true;
		search->next = 0;
		search->max_timestamp = -1;
	}

	/* It was in what DeleteRecords took away: look through what is left. */
	SpinLockAcquire(&part->mutex);
	log_start = part->log_start;
	SpinLockRelease(&part->mutex);
	reader = log_reader_begin(rel, part->key.partition, Max(search->next, log_start), PG_INT64_MAX,
							  InvalidSnapshot, 0, false);
	while (n_batches-- > 0 && (batch = log_reader_next(reader, &length)) != NULL)
	{
		if (batch_max_timestamp(batch) > search->max_timestamp && batch_record_count(batch) > 0)
		{
			search->max_timestamp = batch_max_timestamp(batch);
			search->offset = batch_base_offset(batch);
		}
		search->next = batch_last_offset(batch) + 1;
	}
	log_reader_end(reader);
	return batch == NULL;
}
