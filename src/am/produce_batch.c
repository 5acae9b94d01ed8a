/*-------------------------------------------------------------------------
 *
 * produce_batch.c
 *	  Records of one partition become batches and are appended, in pre-commit.
 *
 * Batches are at most 256 kB before compression, so that producers of the same
 * partition take turns, unless a single record is larger.  A batch's offsets
 * are consecutive; explicit offsets that aren't begin a new one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/headers.h"
#include "am/produce.h"
#include "am/produce_batch.h"
#include "log/log.h"
#include "wire/record.h"

#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#define PRODUCE_BATCH_BYTES (256 * 1024)

struct ProduceBatch
{
	Relation	rel;
	const Topic *topic;
	int32		partition;
	LogPartition *part;
	Size		max_bytes;
	int64		explicit_base;	/* of the batch that is being built; -1: none */
	int64		min_timestamp;	/* of its records */
	int64		first_offset;	/* of all; -1: nothing has been appended yet */
	int64		last_offset;
	MemoryContext cxt;			/* for the headers of a record */
};

/*
 * A backend has one builder and one compressor, and keeps them.  They are
 * malloc'ed and hold nothing between transactions.
 */
static BatchBuilder *builder = NULL;
static CodecWriter *codec_writer = NULL;

static void
check_result(ProduceBatch *b, RecordResult result)
{
	if (result == RECORD_OK)
		return;
	ereport(ERROR,
			(errcode(result == RECORD_TOO_LARGE ? ERRCODE_PROGRAM_LIMIT_EXCEEDED : ERRCODE_OUT_OF_MEMORY),
			 errmsg("could not build a batch for topic \"%s\"", b->topic->name),
			 errdetail("%s", record_result_message(result))));
}

ProduceBatch *
produce_batch_begin(Relation rel, const Topic *topic, int32 partition)
{
	ProduceBatch *b = palloc0(sizeof(ProduceBatch));

	b->rel = rel;
	b->topic = topic;
	b->partition = partition;
	b->max_bytes = Min(PRODUCE_BATCH_BYTES, topic->config.max_message_bytes);
	b->explicit_base = -1;
	b->first_offset = -1;
	b->cxt = AllocSetContextCreate(CurrentMemoryContext, "pg_broker produce record",
								   ALLOCSET_SMALL_SIZES);

	b->part = log_open(rel, partition);
	if (b->part == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topic \"%s\" has no partition %d", topic->name, partition)));

	if (builder == NULL)
		builder = batch_builder_create();
	if (codec_writer == NULL)
		codec_writer = codec_writer_create();
	if (builder == NULL || codec_writer == NULL)
		check_result(b, RECORD_NO_MEMORY);
	batch_builder_reset(builder);	/* an error may have left something */
	return b;
}

static void
append_batch(ProduceBatch *b)
{
	const TopicConfig *config = &b->topic->config;
	int			codec = config->compression_type == CONFIG_COMPRESSION_PRODUCER ? CODEC_NONE :
		config->compression_type;
	LogAppend	append;
	char	   *batch;
	size_t		length;

	if (batch_builder_count(builder) == 0)
		return;
	check_result(b, batch_builder_finish(builder, codec_writer, codec, topic_config_level(config, codec),
										 &batch, &length));
	if (config->timestamp_type == CONFIG_LOG_APPEND_TIME)
	{
		b->min_timestamp = produce_timestamp_ms(GetCurrentTimestamp());
		batch_set_max_timestamp(batch, true, b->min_timestamp);
	}

	memset(&append, 0, sizeof(append));
	append.batch = batch;
	append.length = length;
	append.transactional = true;
	append.min_timestamp = b->min_timestamp;
	append.explicit_offset = b->explicit_base;
	append.segment_ms = topic_config_segment_ms(config);
	append.segment_bytes = config->segment_bytes;
	if (log_append(b->rel, b->part, &append) != LOG_OK)
		elog(ERROR, "unexpected answer to an append without a producer");

	if (b->first_offset < 0)
		b->first_offset = append.base_offset;
	b->last_offset = append.last_offset;
	batch_builder_reset(builder);
	b->explicit_base = -1;
}

/* Does the record follow those in the batch? */
static bool
continues(ProduceBatch *b, const ProduceRecord *record)
{
	int32		count = batch_builder_count(builder);

	if (count == 0)
		return false;
	if (record->explicit_offset < 0)
		return true;
	return b->explicit_base >= 0 && record->explicit_offset == b->explicit_base + count;
}

void
produce_batch_add(ProduceBatch *b, const ProduceRecord *record)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(b->cxt);
	RecordHeader *headers = headers_unpack(record->headers, record->n_headers);

	if (!continues(b, record) ||
		batch_builder_size(builder) +
		record_size_bound(record->key_len, record->value_len, headers, record->n_headers) > b->max_bytes)
		append_batch(b);
	if (batch_builder_count(builder) == 0)
	{
		b->explicit_base = record->explicit_offset;
		b->min_timestamp = record->timestamp;
	}
	b->min_timestamp = Min(b->min_timestamp, record->timestamp);

	check_result(b, batch_builder_append(builder, record->timestamp,
										 record->key_len < 0 ? NULL : record->key, record->key_len,
										 record->value_len < 0 ? NULL : record->value, record->value_len,
										 headers, record->n_headers));
	MemoryContextSwitchTo(old_cxt);
	if (record->n_headers > 0)
		MemoryContextReset(b->cxt);
}

void
produce_batch_end(ProduceBatch *b, int64 *first_offset, int64 *last_offset)
{
	append_batch(b);
	MemoryContextDelete(b->cxt);
	*first_offset = b->first_offset;
	*last_offset = b->last_offset;
	pfree(b);
}
