/*-------------------------------------------------------------------------
 *
 * compact.c
 *	  Compaction of a partition's log: of each key the last record stays.
 *
 * As Kafka's log cleaner does it.  A round reads the records that were not
 * compacted yet (the dirty part) into a map from key to latest offset, until the map
 * is full; then it passes the log from its start up to there through a filter, which
 * drops every record that has a later one by the map.  A tombstone stays for
 * delete.retention.ms after it was first seen here: the time it ends at is put into its
 * batch.  If the map was full before the dirty part ended, another round follows.
 *
 * Of a batch without records the header stays if it is the last of its producer, or the
 * last of all that can be compacted: consumers go on behind it.
 *
 * All that is remembered between steps stays true whatever else happens to the log: it
 * says that there is a later record, and below the high watermark that doesn't change.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compact/compact.h"
#include "compact/offset_map.h"
#include "log/log.h"
#include "wire/batch.h"
#include "wire/filter.h"
#include "wire/record.h"

int			compact_dedupe_buffer_kb = 128 * 1024;

/* How much is read into the map in one step. */
#define STEP_BYTES		(8 * 1024 * 1024)

struct Compaction
{
	MemoryContext context;
	MemoryContextCallback free_tools;
	RelFileNode node;			/* a TRUNCATE ends it */
	int32		partition;
	int64		now_ms;
	int64		delete_horizon; /* for tombstones that have none yet */
	LogCleanable cleanable;
	LogRewriteStats stats;

	/* the round */
	OffsetMap  *map;
	bool		mapping;
	int64		map_next;		/* read into the map up to here */
	int64		rewrite_next;
	int64		last_batch;		/* of the dirty part, its offset; -1 in all but the last round */
	LogProducer *producers;		/* by id */
	int			n_producers;

	RecordReader *reader;
	BatchFilter *filter;

	/* the batch in the filter */
	bool		horizon_passed; /* its tombstones may go */
	char		empty[BATCH_HEADER_SIZE];
};

/* ---------- begin and end ---------- */

static void
free_tools(void *arg)
{
	Compaction *c = arg;

	record_reader_free(c->reader);
	batch_filter_free(c->filter);
}

static bool
is_due(const LogCleanable *cleanable, const TopicConfig *config, int64 now_ms, bool force)
{
	if (cleanable->dirty_bytes == 0)
		return false;
	if (force)
		return true;
	if (cleanable->dirty_timestamp >= 0 && config->max_compaction_lag_ms < now_ms &&
		cleanable->dirty_timestamp < now_ms - config->max_compaction_lag_ms)
		return true;
	return (double) cleanable->dirty_bytes >
		config->min_cleanable_dirty_ratio * (double) (cleanable->clean_bytes + cleanable->dirty_bytes);
}

static int
compare_producers(const void *a, const void *b)
{
	int64		x = ((const LogProducer *) a)->producer_id;
	int64		y = ((const LogProducer *) b)->producer_id;

	return x < y ? -1 : x > y;
}

static void
begin_round(Compaction *c, Relation rel, LogPartition *part)
{
	c->mapping = true;
	c->map_next = c->cleanable.first_dirty;
	c->last_batch = -1;
	if (c->producers)
		pfree(c->producers);
	c->producers = log_producers(rel, part, &c->n_producers);
	qsort(c->producers, c->n_producers, sizeof(LogProducer), compare_producers);
}

Compaction *
compact_begin(Relation rel, int32 partition, const TopicConfig *config, int64 now_ms, bool force)
{
	LogPartition *part = log_open(rel, partition);
	MemoryContext context;
	MemoryContext old_context;
	LogCleanable cleanable;
	Compaction *c;

	if (part == NULL)
		return NULL;
	log_cleanable(rel, part,
				  config->min_compaction_lag_ms > 0 ? now_ms - config->min_compaction_lag_ms : PG_INT64_MAX,
				  &cleanable);
	if (!is_due(&cleanable, config, now_ms, force))
		return NULL;

	context = AllocSetContextCreate(CurrentMemoryContext, "pg_broker compaction", ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(context);
	c = palloc0(sizeof(Compaction));
	c->context = context;
	c->free_tools.func = free_tools;
	c->free_tools.arg = c;
	MemoryContextRegisterResetCallback(context, &c->free_tools);
	c->reader = record_reader_create();
	c->filter = batch_filter_create();
	if (c->reader == NULL || c->filter == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));

	c->node = rel->rd_node;
	c->partition = partition;
	c->now_ms = now_ms;
	c->delete_horizon = config->delete_retention_ms < PG_INT64_MAX - now_ms ?
		now_ms + config->delete_retention_ms : PG_INT64_MAX;
	c->cleanable = cleanable;
	/* There are no more keys than offsets. */
	c->map = offset_map_create(cleanable.end - cleanable.first_dirty, (Size) compact_dedupe_buffer_kb * 1024);
	begin_round(c, rel, part);
	MemoryContextSwitchTo(old_context);
	return c;
}

void
compact_end(Compaction *c, CompactStats *stats)
{
	if (stats)
	{
		stats->bytes_read += c->stats.bytes_read;
		stats->bytes_written += c->stats.bytes_written;
		stats->extents_replaced += c->stats.extents_replaced;
	}
	MemoryContextDelete(c->context);
}

/* ---------- the map ---------- */

/* false: the map is full. */
static bool
map_batch(Compaction *c, const char *batch, uint32 length)
{
	Record		record;
	RecordResult result = record_reader_begin(c->reader, batch, length, INT64_MAX);

	while (result == RECORD_OK && (result = record_reader_next(c->reader, &record)) == RECORD_OK)
	{
		if (record.offset < c->map_next || record.key == NULL)
			continue;
		if (!offset_map_put(c->map, record.key, record.key_len, record.offset))
		{
			c->map_next = record.offset;
			return false;
		}
	}
	/* One that can't be read stays as it is; there is no telling its keys. */
	c->map_next = batch_next_offset(batch);
	return true;
}

/* Read some of the dirty part. */
static void
map_some(Compaction *c, Relation rel)
{
	LogReader  *log = log_reader_begin(rel, c->partition, c->map_next, c->cleanable.end, InvalidSnapshot, 0,
									   false);
	int64		bytes = 0;
	char	   *batch = NULL;
	uint32		length;
	bool		full = false;

	while (bytes < STEP_BYTES && !full && (batch = log_reader_next(log, &length)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		c->last_batch = batch_base_offset(batch);
		if (!batch_is_control(batch))
			full = !map_batch(c, batch, length);
		else
			c->map_next = batch_next_offset(batch);
		bytes += length;
	}
	if (full)
		c->last_batch = -1;
	else if (batch == NULL)
		c->map_next = c->cleanable.end;
	log_reader_end(log);

	if (full || batch == NULL)
	{
		c->mapping = false;
		c->rewrite_next = 0;
	}
}

/* ---------- the filter ---------- */

/* BatchFilterKeep */
static bool
keep_record(const Record *record, void *arg)
{
	Compaction *c = arg;

	/* Without a key nobody could ask for it (it is from before the topic was compacted). */
	if (record->key == NULL)
		return false;
	if (record->value == NULL && c->horizon_passed)
		return false;
	return record->offset >= offset_map_get(c->map, record->key, record->key_len);
}

static bool
is_last_of_producer(Compaction *c, const char *batch)
{
	LogProducer key;
	LogProducer *producer;

	if (!batch_has_producer(batch) || c->n_producers == 0)
		return false;
	key.producer_id = batch_producer_id(batch);
	producer = bsearch(&key, c->producers, c->n_producers, sizeof(LogProducer), compare_producers);
	return producer != NULL && producer->last_offset == batch_last_offset(batch);
}

/* LogFilter */
static LogVerdict
filter_batch(void *arg, const char *batch, uint32 length, const char **replacement,
			 uint32 *replacement_length)
{
	Compaction *c = arg;
	BatchFilterResult result = BATCH_FILTER_EMPTY;
	char	   *data;
	size_t		data_length;

	CHECK_FOR_INTERRUPTS();
	if (batch_is_control(batch))
		return LOG_KEEP;
	if (batch_record_count(batch) > 0)
	{
		c->horizon_passed = batch_has_delete_horizon(batch) && batch_base_timestamp(batch) <= c->now_ms;
		result = batch_filter(c->filter, batch, length, keep_record, c, c->delete_horizon,
							  &data, &data_length);
	}

	switch (result)
	{
		case BATCH_FILTER_SAME:
			return LOG_KEEP;
		case BATCH_FILTER_CHANGED:
			*replacement = data;
			*replacement_length = (uint32) data_length;
			return LOG_REPLACE;
		case BATCH_FILTER_EMPTY:
			if (batch_base_offset(batch) != c->last_batch && !is_last_of_producer(c, batch))
				return LOG_DROP;
			if (batch_record_count(batch) == 0)
				return LOG_KEEP;
			batch_make_empty(batch, c->empty);
			*replacement = c->empty;
			*replacement_length = BATCH_HEADER_SIZE;
			return LOG_REPLACE;
		case BATCH_FILTER_CORRUPT:
			ereport(WARNING,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("compaction leaves a batch as it is that can't be read"),
					 errdetail("Offset %lld of partition %d.", (long long) batch_base_offset(batch),
							   c->partition)));
			return LOG_KEEP;
	}
	return LOG_KEEP;
}

/* ---------- steps ---------- */

bool
compact_step(Compaction *c, Relation rel)
{
	LogPartition *part = log_open(rel, c->partition);
	MemoryContext old_context;
	bool		more = true;

	if (part == NULL || !RelFileNodeEquals(rel->rd_node, c->node))
		return false;

	old_context = MemoryContextSwitchTo(c->context);
	if (c->mapping)
		map_some(c, rel);
	else if (c->rewrite_next < c->map_next)
	{
		int64		next = log_rewrite(rel, part, c->rewrite_next, c->map_next, filter_batch, c, &c->stats);

		more = next >= 0;
		c->rewrite_next = next;
	}
	else
	{
		log_set_clean(rel, part, c->map_next);
		more = c->map_next < c->cleanable.end;
		if (more)
		{
			c->cleanable.first_dirty = c->map_next;
			offset_map_clear(c->map);
			begin_round(c, rel, part);
		}
	}
	MemoryContextSwitchTo(old_context);
	return more;
}
