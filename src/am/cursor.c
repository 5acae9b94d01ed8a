/*-------------------------------------------------------------------------
 *
 * cursor.c
 *	  The records of one partition after the other, in order or backwards.
 *
 * Batches come whole from the log; records are unpacked one at a time, so that
 * a LIMIT costs no more than it takes.  Backwards, a batch has to be unpacked to
 * its end first; its records in the range are copied and handed out in reverse.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/cursor.h"
#include "log/log.h"

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/*
 * A batch may unpack to so much.  Only one record at a time is held, so this
 * bounds time rather than memory.
 */
#define CURSOR_MAX_UNPACKED BATCH_BUILDER_MAX_SIZE

struct AmCursor
{
	Relation	rel;
	Snapshot	snapshot;
	bool		backward;
	bool		quiet;
	bool		offsets_only;
	int64		min_timestamp;
	int64		max_timestamp;
	RecordReader *records;
	MemoryContext cxt;			/* the log reader's, reset by cursor_close */
	MemoryContext batch_cxt;	/* copies of a batch's records, backwards */
	MemoryContextCallback free_records;

	/* the range */
	int32		partition;
	int64		lo;
	int64		hi;
	LogReader  *log;			/* NULL: no range is open */

	/* the batch */
	bool		in_batch;
	int64		base_offset;
	bool		counting;		/* its offsets are next_offset to last_offset */
	int64		next_offset;
	int64		last_offset;
	Record	   *copies;
	int			n_copies;
	int			max_copies;
};

static void
free_records(void *arg)
{
	record_reader_free(arg);
}

AmCursor *
cursor_create(Relation rel, Snapshot snapshot, bool backward)
{
	AmCursor   *c = palloc0(sizeof(AmCursor));

	c->rel = rel;
	c->snapshot = snapshot;
	c->backward = backward;
	c->min_timestamp = PG_INT64_MIN;
	c->max_timestamp = PG_INT64_MAX;
	c->cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker cursor", ALLOCSET_DEFAULT_SIZES);
	c->batch_cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker batch", ALLOCSET_DEFAULT_SIZES);

	/* The reader is malloc'ed, since it knows no server: an error must free it, too. */
	c->records = record_reader_create();
	if (c->records == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	c->free_records.func = free_records;
	c->free_records.arg = c->records;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &c->free_records);
	return c;
}

void
cursor_set_times(AmCursor *c, int64 min_timestamp, int64 max_timestamp)
{
	c->min_timestamp = min_timestamp;
	c->max_timestamp = max_timestamp;
}

void
cursor_set_offsets_only(AmCursor *c)
{
	c->offsets_only = true;
}

void
cursor_set_quiet(AmCursor *c)
{
	c->quiet = true;
}

void
cursor_open(AmCursor *c, int32 partition, int64 lo, int64 hi, int64 scan_end)
{
	MemoryContext old_cxt;

	cursor_close(c);
	c->partition = partition;
	c->lo = lo;
	c->hi = hi;
	if (lo >= hi)
		return;
	old_cxt = MemoryContextSwitchTo(c->cxt);
	c->log = log_reader_begin(c->rel, partition, lo, hi, c->snapshot, scan_end, c->backward);
	log_reader_set_max_time(c->log, c->max_timestamp);
	MemoryContextSwitchTo(old_cxt);
}

void
cursor_close(AmCursor *c)
{
	if (c->log != NULL)
	{
		log_reader_end(c->log);
		c->log = NULL;
		MemoryContextReset(c->cxt);
	}
	c->in_batch = false;
	c->n_copies = 0;
}

static void
report_corrupt(AmCursor *c, RecordResult result)
{
	ereport(ERROR,
			(errcode(result == RECORD_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY :
					 result == RECORD_TOO_LARGE ? ERRCODE_PROGRAM_LIMIT_EXCEEDED : ERRCODE_DATA_CORRUPTED),
			 errmsg("could not read the batch at offset %lld of partition %d of \"%s\"",
					(long long) c->base_offset, c->partition, RelationGetRelationName(c->rel)),
			 errdetail("%s", record_result_message(result))));
}

/* The header of the next batch that may hold records of the range. */
static const char *
next_header(AmCursor *c)
{
	const char *header;

	if (c->log == NULL)
		return NULL;
	while ((header = log_reader_next_header(c->log)) != NULL)
	{
		if (batch_is_control(header) || batch_max_timestamp(header) < c->min_timestamp)
			continue;
		c->base_offset = batch_base_offset(header);
		return header;
	}
	return NULL;
}

/* Start to read the records of the batch with this header; false if it is gone. */
static bool
begin_records(AmCursor *c, const char *header)
{
	char	   *batch = log_reader_batch(c->log);
	RecordResult result;

	if (batch == NULL)
		return false;
	result = record_reader_begin(c->records, batch, batch_total_size(header), CURSOR_MAX_UNPACKED);
	if (result != RECORD_OK && !c->quiet)
		report_corrupt(c, result);
	return true;
}

static bool
begin_batch(AmCursor *c)
{
	const char *header;

	while ((header = next_header(c)) != NULL)
	{
		/* Compaction and the like leave gaps, so that only the records tell. */
		c->counting = c->offsets_only &&
			batch_record_count(header) == (int64) batch_last_offset_delta(header) + 1;
		if (c->counting)
		{
			c->next_offset = Max(batch_base_offset(header), c->lo);
			c->last_offset = Min(batch_last_offset(header), c->hi - 1);
			return true;
		}
		if (begin_records(c, header))
			return true;
	}
	return false;
}

/* The next record of the batch that lies in the range. */
static bool
next_in_batch(AmCursor *c, Record *record)
{
	RecordResult result;

	if (c->counting)
	{
		if (c->next_offset > c->last_offset)
			return false;
		record->offset = c->next_offset++;
		return true;
	}
	while ((result = record_reader_next(c->records, record)) == RECORD_OK)
	{
		if (record->offset >= c->hi)
			return false;		/* so are all that follow */
		if (record->offset >= c->lo)
			return true;
	}
	if (result != RECORD_END && !c->quiet)
		report_corrupt(c, result);
	return false;
}

static const char *
copy_bytes(AmCursor *c, const char *data, int32 len)
{
	char	   *copy;

	if (data == NULL || len < 0)
		return NULL;
	copy = MemoryContextAllocHuge(c->batch_cxt, Max(len, 1));
	memcpy(copy, data, len);
	return copy;
}

static void
copy_batch(AmCursor *c)
{
	Record		record;

	MemoryContextReset(c->batch_cxt);
	memset(&record, 0, sizeof(record));
	c->n_copies = 0;
	c->max_copies = 256;
	c->copies = MemoryContextAlloc(c->batch_cxt, c->max_copies * sizeof(Record));
	while (next_in_batch(c, &record))
	{
		if (c->n_copies == c->max_copies)
		{
			c->max_copies *= 2;
			c->copies = repalloc_huge(c->copies, c->max_copies * sizeof(Record));
		}
		record.key = copy_bytes(c, record.key, record.key_len);
		record.value = copy_bytes(c, record.value, record.value_len);
		record.headers = copy_bytes(c, record.headers, record.headers_len);
		c->copies[c->n_copies++] = record;
	}
}

bool
cursor_next(AmCursor *c, Record *record)
{
	if (c->backward)
	{
		while (c->n_copies == 0)
		{
			if (!begin_batch(c))
				return false;
			copy_batch(c);
		}
		*record = c->copies[--c->n_copies];
		return true;
	}

	if (c->offsets_only)
		memset(record, 0, sizeof(*record));
	for (;;)
	{
		if (c->in_batch && next_in_batch(c, record))
			return true;
		c->in_batch = begin_batch(c);
		if (!c->in_batch)
			return false;
	}
}

/*
 * The broker has compared the count in the header with the records when it
 * took the batch; so a batch that lies in the range as a whole isn't even read.
 */
bool
cursor_count(AmCursor *c, int64 *n)
{
	const char *header = next_header(c);
	Record		record;

	if (header == NULL)
		return false;
	*n = 0;
	c->counting = false;
	if (batch_base_offset(header) >= c->lo && batch_last_offset(header) < c->hi)
		*n = batch_record_count(header);
	else if (begin_records(c, header))
	{
		while (next_in_batch(c, &record))
			(*n)++;
	}
	return true;
}
