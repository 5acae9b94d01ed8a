/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Checks a topic's file from its pages: every block has one owner, and the
 *	  directory, the stream and the transaction index hang together.
 *
 * Nothing may be appended meanwhile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "log/internal.h"
#include "wire/batch.h"

PG_FUNCTION_INFO_V1(log_test_fsck);

typedef struct Check
{
	ReturnSetInfo *rsinfo;
	Relation rel;
	BlockNumber n_blocks;
	BlockNumber file_blocks;
	const char **owners; /* per block */
} Check;

static void problem(Check *check, const char *format, ...) pg_attribute_printf(2, 3);

static void
problem(Check *check, const char *format, ...)
{
	char *text = palloc(1000);
	Datum value;
	bool null = false;
	va_list args;

	va_start(args, format);
	vsnprintf(text, 1000, format, args);
	va_end(args);
	value = CStringGetTextDatum(text);
	tuplestore_putvalues(check->rsinfo->setResult, check->rsinfo->setDesc, &value, &null);
}

static void
own(Check *check, BlockNumber block, uint32 n, const char *owner)
{
	for (uint32 i = 0; i < n; i++, block++)
	{
		if (block >= check->n_blocks)
			problem(check, "block %u of %s is beyond the end", block, owner);
		else if (check->owners[block])
			problem(check, "block %u is of %s and of %s", block, check->owners[block], owner);
		else
			check->owners[block] = owner;
	}
}

static Page
copy_page(Check *check, BlockNumber block)
{
	Page page = palloc0(BLCKSZ);
	Buffer buffer;

	if (block >= check->file_blocks)
		return page;
	buffer = log_read_buffer(check->rel, block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(page, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	return page;
}

/* The batches of an extent follow one another and agree with the pages' stamps. */
static void
check_stream(Check *check, const LogExtent *extent, int32 partition, uint64 number, int64 next_base)
{
	LogStream *stream = palloc0(sizeof(LogStream));
	uint64 position = extent->start_position;
	int64 offset = extent->base_offset;
	int64 min_ts = PG_INT64_MAX;
	int64 max_ts = -1;
	uint64 page = PG_UINT64_MAX;
	char header[BATCH_HEADER_SIZE];

	log_stream_init(stream, check->rel, partition, extent);
	while (log_stream_header(stream, position, header))
	{
		uint32 size = batch_total_size(header);
		char *batch = MemoryContextAllocHuge(CurrentMemoryContext, size);

		if (log_stream_read(stream, position, batch, size) != size)
		{
			pfree(batch);
			break;
		}
		if (batch_crc(batch) != batch_compute_crc(batch))
			problem(check, "partition %d: the batch at offset " INT64_FORMAT " is damaged", partition,
					batch_base_offset(header));
		if (batch_base_offset(header) < offset)
			problem(check, "partition %d: offset " INT64_FORMAT " comes after " INT64_FORMAT, partition,
					batch_base_offset(header), offset);
		offset = batch_next_offset(header);
		if (batch_record_count(header) > 0)
		{
			min_ts = Min(min_ts, batch_max_timestamp(header));
			max_ts = Max(max_ts, batch_max_timestamp(header));
		}
		if (log_page_position(position) != page)
		{
			LogStamp *stamp;

			page = log_page_position(position);
			(void) log_stream_load(stream, position);
			stamp = log_stream_stamp(stream);
			if (stamp->first_batch != LOG_CONTENT_START + position % LOG_PAGE_DATA_SIZE ||
				stamp->first_offset != batch_base_offset(header))
				problem(check,
						"partition %d: the stamp at position " UINT64_FORMAT " is wrong about its"
						" first batch",
						partition, page);
		}
		if (log_stream_load(stream, position) && log_stream_stamp(stream)->max_timestamp < max_ts)
			problem(check,
					"partition %d: the stamp at position " UINT64_FORMAT " has the wrong maximum timestamp",
					partition, page);
		pfree(batch);
		position += size;
	}
	if (extent->flags & LOG_EXTENT_CLOSED)
	{
		if (position != extent->start_position + extent->used_bytes)
			problem(check,
					"partition %d: extent " UINT64_FORMAT " has batches up to " UINT64_FORMAT
					", not %u",
					partition, number, position - extent->start_position, extent->used_bytes);
		/* with the flag, it is the least time of the records, which batches don't tell */
		if (max_ts != extent->max_timestamp ||
			((extent->flags & LOG_EXTENT_RECORD_MIN) ? extent->min_timestamp > min_ts :
			 max_ts >= 0 && min_ts != extent->min_timestamp))
			problem(check, "partition %d: extent " UINT64_FORMAT " is wrong about its timestamps", partition,
					number);
		if (next_base < offset)
			problem(check,
					"partition %d: extent " UINT64_FORMAT " has offsets up to " INT64_FORMAT
					", the next begins at " INT64_FORMAT,
					partition, number, offset, next_base);
		if (extent->running_max < extent->max_timestamp)
			problem(check, "partition %d: extent " UINT64_FORMAT " has a running maximum of " INT64_FORMAT,
					partition, number, extent->running_max);
	}
	pfree(stream);
}

static void
check_partition(Check *check, int32 partition)
{
	LogRoot *root = palloc0(sizeof(LogRoot));
	uint64 size_blocks = 0;
	uint32 n_vacant = 0;
	LogExtent *extents;
	uint64 n_extents;
	BlockNumber block;
	uint32 number;
	int64 offset = -1;

	log_read_root(check->rel, partition, root);
	n_extents = root->end_extent - root->first_extent;
	extents = MemoryContextAllocHuge(CurrentMemoryContext, (n_extents + 1) * sizeof(LogExtent));
	for (int i = 0; i < root->n_leaves; i++)
		own(check, root->leaves[i], 1, psprintf("a leaf of partition %d", partition));
	for (uint64 i = 0; i < n_extents; i++)
	{
		if (!log_read_extent(check->rel, partition, root, root->first_extent + i, &extents[i]))
		{
			problem(check, "partition %d: extent " UINT64_FORMAT " is missing", partition,
					(root->first_extent + i));
			return;
		}
	}
	for (uint64 i = 0; i < n_extents; i++)
	{
		LogExtent *extent = &extents[i];
		bool closed = (extent->flags & LOG_EXTENT_CLOSED) != 0;

		uint64 end =
			extent->start_position + (uint64) (extent->n_blocks - extent->n_summary) * LOG_PAGE_DATA_SIZE;

		CHECK_FOR_INTERRUPTS();
		if (LogExtentVacant(extent))
		{
			n_vacant++;
			if (i + 1 == n_extents || extent->base_offset > extents[i + 1].base_offset)
				problem(check, "partition %d: vacant entry " UINT64_FORMAT " has offset " INT64_FORMAT,
						partition, (root->first_extent + i), extent->base_offset);
			continue;
		}
		own(check, extent->start_block, extent->n_blocks,
			psprintf("extent " UINT64_FORMAT " of partition %d", (root->first_extent + i), partition));
		size_blocks += extent->n_blocks;
		if (end > root->next_position)
			problem(check, "partition %d: extent " UINT64_FORMAT " has positions up to " UINT64_FORMAT
					", the next is " UINT64_FORMAT, partition, (root->first_extent + i), end,
					root->next_position);
		for (uint64 j = 0; j < i; j++)
		{
			if (!LogExtentVacant(&extents[j]) && extents[j].start_position < end &&
				extents[j].start_position + (uint64) (extents[j].n_blocks - extents[j].n_summary) *
				LOG_PAGE_DATA_SIZE > extent->start_position)
				problem(check, "partition %d: extents " UINT64_FORMAT " and " UINT64_FORMAT
						" have the same positions", partition, (root->first_extent + j),
						(root->first_extent + i));
		}
		if (closed != (i + 1 < n_extents))
			problem(check, "partition %d: extent " UINT64_FORMAT " is%s closed", partition,
					(root->first_extent + i), closed ? "" : " not");
		check_stream(check, extent, partition, root->first_extent + i,
					 i + 1 < n_extents ? extents[i + 1].base_offset : PG_INT64_MAX);
	}
	if (n_vacant != root->n_vacant)
		problem(check, "partition %d has %u vacant entries, not %u", partition, n_vacant, root->n_vacant);
	if (root->pending_blocks > 0)
		own(check, root->pending_block, root->pending_blocks,
			psprintf("an extent of partition %d that is being written", partition));
	if (size_blocks != root->size_blocks)
		problem(check, "partition %d has " UINT64_FORMAT " blocks, not " UINT64_FORMAT, partition,
				size_blocks, root->size_blocks);

	/* the transaction index */
	number = root->txn_number;
	for (block = root->txn_first; block != InvalidBlockNumber;)
	{
		Page page = copy_page(check, block);
		LogTxnPage *content = (LogTxnPage *) LogPageContent(page);

		own(check, block, 1, psprintf("the transaction index of partition %d", partition));
		if (!log_page_is(page, LOG_PAGE_TXN, partition, number) || content->n_entries > LOG_TXN_ENTRIES)
		{
			problem(check, "partition %d: block %u is not page %u of its transaction index", partition, block,
					number);
			break;
		}
		for (uint32 i = 0; i < content->n_entries; i++)
		{
			if (content->entries[i].first_offset <= offset ||
				content->entries[i].last_offset < content->entries[i].first_offset)
				problem(check, "partition %d: the transaction index is out of order at offset " INT64_FORMAT,
						partition, content->entries[i].first_offset);
			offset = content->entries[i].last_offset;
		}
		if (content->next == InvalidBlockNumber && block != root->txn_last)
			problem(check, "partition %d: its transaction index ends in block %u, not %u", partition, block,
					root->txn_last);
		block = content->next;
		number = content->next_number;
		pfree(page);
	}
	pfree(root);
}

Datum
log_test_fsck(PG_FUNCTION_ARGS)
{
	Check check = {0};
	LogMeta *meta = palloc(sizeof(LogMeta));

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	check.rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	check.rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	log_read_meta(check.rel, meta);
	check.n_blocks = meta->n_blocks;
	check.file_blocks = RelationGetNumberOfBlocks(check.rel);
	check.owners = MemoryContextAllocExtended(CurrentMemoryContext, check.n_blocks * sizeof(char *),
											  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	own(&check, 0, 1, "the metapage");
	for (int i = 0; i < meta->n_chunks; i++)
		own(&check, meta->chunks[i].block, meta->chunks[i].count, "the roots");
	for (int i = 0; i < meta->n_free; i++)
		own(&check, meta->free[i].block, meta->free[i].n_blocks, "the free space");
	for (int32 i = 0; i < meta->n_partitions; i++)
	{
		(void) log_open(check.rel, i);
		check_partition(&check, i);
	}
	for (BlockNumber block = 0; block < check.n_blocks; block++)
	{
		if (check.owners[block] == NULL)
			problem(&check, "block %u is nobody's", block);
	}
	relation_close(check.rel, NoLock);
	return (Datum) 0;
}
