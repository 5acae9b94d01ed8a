/*-------------------------------------------------------------------------
 *
 * produce_batch.c
 *	  Batches of one partition are appended, in pre-commit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/produce.h"
#include "am/produce_batch.h"
#include "log/log.h"

#include "utils/rel.h"
#include "utils/timestamp.h"

/* How much of the write-ahead log gathers before the flusher is asked to write it. */
#define PRODUCE_FLUSH_BYTES (2 * 1024 * 1024)

struct ProduceAppend
{
	Relation	rel;
	const Topic *topic;
	LogPartition *part;
	int64		first_offset;	/* of all; -1: nothing has been appended yet */
	int64		last_offset;
	int64		unflushed;		/* bytes appended since a flush was asked for */
	char	   *packed;			/* memory for a compressed batch */
	Size		packed_size;
};

/* A backend has one compressor, and keeps it.  It is malloc'ed and holds nothing between batches. */
static CodecWriter *codec_writer = NULL;

static void
check_result(ProduceAppend *a, RecordResult result)
{
	if (result == RECORD_OK)
		return;
	ereport(ERROR,
			(errcode(result == RECORD_TOO_LARGE ? ERRCODE_PROGRAM_LIMIT_EXCEEDED : ERRCODE_OUT_OF_MEMORY),
			 errmsg("could not build a batch for topic \"%s\"", a->topic->name),
			 errdetail("%s", record_result_message(result))));
}

ProduceAppend *
produce_append_begin(Relation rel, const Topic *topic, int32 partition)
{
	ProduceAppend *a = palloc0(sizeof(ProduceAppend));

	a->rel = rel;
	a->topic = topic;
	a->first_offset = -1;
	a->last_offset = -1;
	a->part = log_open(rel, partition);
	if (a->part == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("topic \"%s\" has no partition %d", topic->name, partition)));
	return a;
}

static char *
pack(ProduceAppend *a, const BatchDraft *draft, const char *batch, int codec, size_t *length)
{
	Size		need = batch_draft_pack_bound(draft, codec);

	if (codec_writer == NULL && (codec_writer = codec_writer_create()) == NULL)
		check_result(a, RECORD_NO_MEMORY);
	if (need > a->packed_size)
	{
		if (a->packed != NULL)
			pfree(a->packed);
		a->packed = MemoryContextAllocHuge(CurrentMemoryContext, need);
		a->packed_size = need;
	}
	check_result(a, batch_draft_pack(draft, batch, codec_writer, codec,
									 topic_config_level(&a->topic->config, codec),
									 a->packed, a->packed_size, length));
	return a->packed;
}

void
produce_append_batch(ProduceAppend *a, const BatchDraft *draft, int64 explicit_base, char *batch)
{
	const TopicConfig *config = &a->topic->config;
	int			codec = config->compression_type == CONFIG_COMPRESSION_PRODUCER ? CODEC_NONE :
		config->compression_type;
	int64		min_timestamp = draft->min_timestamp;
	size_t		length = draft->size;
	LogAppend	append;

	if (codec != CODEC_NONE)
		batch = pack(a, draft, batch, codec, &length);
	batch_draft_finish(draft, batch, length, codec);
	if (config->timestamp_type == CONFIG_LOG_APPEND_TIME)
	{
		min_timestamp = produce_timestamp_ms(GetCurrentTimestamp());
		batch_set_max_timestamp(batch, true, min_timestamp);
	}

	memset(&append, 0, sizeof(append));
	append.batch = batch;
	append.length = length;
	append.transactional = true;
	append.min_timestamp = min_timestamp;
	append.explicit_offset = explicit_base;
	append.segment_ms = topic_config_segment_ms(config);
	append.segment_bytes = config->segment_bytes;
	append.retention_bytes = topic_config_retention_bytes(config);
	if (log_append(a->rel, a->part, &append) != LOG_OK)
		elog(ERROR, "unexpected answer to an append without a producer");

	/* The commit will wait for all of it, so it should be written while we go on. */
	a->unflushed += length;
	if (a->unflushed >= PRODUCE_FLUSH_BYTES)
	{
		log_flush_request(append.lsn);
		a->unflushed = 0;
	}

	if (a->first_offset < 0)
		a->first_offset = append.base_offset;
	a->last_offset = append.last_offset;
}

void
produce_append_end(ProduceAppend *a, int64 *first_offset, int64 *last_offset)
{
	*first_offset = a->first_offset;
	*last_offset = a->last_offset;
	if (a->packed != NULL)
		pfree(a->packed);
	pfree(a);
}
