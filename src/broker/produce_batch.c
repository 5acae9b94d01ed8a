/*-------------------------------------------------------------------------
 *
 * produce_batch.c
 *	  Checks a producer's record batch, fits it to its topic, appends it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/handlers.h"
#include "broker/produce_batch.h"
#include "log/log.h"
#include "topic/value_check.h"
#include "wire/batch.h"
#include "wire/record.h"

/* Produce version from which clients know zstd */
#define VERSION_ZSTD 7

typedef ProduceRequestPartitionProduceData RequestPartition;
typedef ProduceResponsePartitionProduceResponse ResponsePartition;

/*
 * Decompressors and the like are large: one set per process, kept.
 */
static RecordReader *record_reader;
static CodecReader *codec_reader;
static CodecWriter *codec_writer;

static void
set_up_codecs(void)
{
	if (record_reader == NULL)
		record_reader = record_reader_create();
	if (codec_reader == NULL)
		codec_reader = codec_reader_create();
	if (codec_writer == NULL)
		codec_writer = codec_writer_create();
	if (record_reader == NULL || codec_reader == NULL || codec_writer == NULL)
		broker_out_of_memory();
}

/* The keys of headers are text in SQL, whatever the topic's types. */
static TopicValueError
check_headers(const Record *record)
{
	const char *p = record->headers;
	TopicValueError error = TOPIC_VALUE_OK;
	RecordHeader header;

	while (error == TOPIC_VALUE_OK && record_headers_next(record, &p, &header))
		error = topic_check_value(TOPIC_TEXT, header.key, header.key_len);
	return error;
}

/* Are headers, key and value what the topic's columns can hold?  (BatchRecordCheck) */
static const char *
check_record(const Record *record, void *arg)
{
	const Topic *topic = arg;
	TopicValueError error = record->n_headers > 0 ? check_headers(record) : TOPIC_VALUE_OK;

	if (error == TOPIC_VALUE_OK && topic->key_type != TOPIC_BYTEA && record->key != NULL)
		error = topic_check_value(topic->key_type, record->key, record->key_len);
	if (error == TOPIC_VALUE_OK && topic->value_type != TOPIC_BYTEA && record->value != NULL)
		error = topic_check_value(topic->value_type, record->value, record->value_len);
	return error == TOPIC_VALUE_OK ? NULL : topic_value_error_message(error);
}

static void
set_limits(BrokerRequest *req, const Topic *topic, BatchLimits *limits)
{
	const TopicConfig *config = &topic->config;

	memset(limits, 0, sizeof(*limits));
	limits->max_bytes = config->max_message_bytes;
	limits->log_append_time = config->timestamp_type == CONFIG_LOG_APPEND_TIME;
	limits->before_max_ms = config->timestamp_before_max_ms;
	limits->after_max_ms = config->timestamp_after_max_ms;
	limits->now_ms = broker_now_ms(req);
	limits->key_required = (config->cleanup_policy & CONFIG_CLEANUP_COMPACT) != 0;
	limits->zstd_allowed = req->api_version >= VERSION_ZSTD;
	limits->max_record = config->max_decompressed_message_bytes;
	limits->check = check_record;
	limits->check_arg = (void *) topic;
}

void
produce_set_error(ResponsePartition *out, int16 error, WireString message)
{
	out->error_code = error;
	out->error_message = message;
	out->base_offset = -1;
	out->log_append_time_ms = -1;
}

static void
set_batch_error(BrokerRequest *req, ResponsePartition *out, int error, const BatchInfo *info)
{
	const char *message = info->message ? info->message : kafka_error_message(error);

	produce_set_error(out, error, broker_copy(req, message));
	if (info->n_record_errors == 0)
		return;
	out->record_errors = BROKER_NEW(req, ProduceResponseBatchIndexAndErrorMessage, info->n_record_errors);
	out->n_record_errors = info->n_record_errors;
	for (int i = 0; i < info->n_record_errors; i++)
	{
		out->record_errors[i].batch_index = info->record_errors[i].index;
		out->record_errors[i].batch_index_error_message = broker_copy(req, info->record_errors[i].message);
	}
}

/*
 * Append a batch that is fit to be stored, and say how it went.
 */
static void
append_batch(BrokerTopic *t, LogPartition *part, char *batch, uint32 length, int64 min_timestamp,
			 ResponsePartition *out, XLogRecPtr *lsn)
{
	LogAppend	append = {0};

	if (t->topic->being_restored)
		topic_end_restore(t->rel, true);

	append.batch = batch;
	append.length = length;
	append.min_timestamp = min_timestamp;
	append.explicit_offset = -1;
	append.segment_ms = topic_config_segment_ms(&t->topic->config);
	append.segment_bytes = t->topic->config.segment_bytes;
	append.retention_bytes = topic_config_retention_bytes(&t->topic->config);
	switch (log_append(t->rel, part, &append))
	{
		case LOG_OK:
		case LOG_DUPLICATE:
			out->error_code = KAFKA_NONE;
			out->base_offset = append.base_offset;
			out->log_start_offset = append.log_start;
			if (t->topic->config.timestamp_type == CONFIG_LOG_APPEND_TIME)
				out->log_append_time_ms = batch_max_timestamp(batch);
			*lsn = Max(*lsn, append.lsn);
			break;
		case LOG_OUT_OF_ORDER_SEQUENCE:
			produce_set_error(out, KAFKA_OUT_OF_ORDER_SEQUENCE_NUMBER, WIRE_NULL_STRING);
			out->log_start_offset = append.log_start;
			break;
		case LOG_INVALID_PRODUCER_EPOCH:
			produce_set_error(out, KAFKA_INVALID_PRODUCER_EPOCH, WIRE_NULL_STRING);
			out->log_start_offset = append.log_start;
			break;
	}
}

/* Pack the batch anew for a topic with a compression of its own, and append that. */
static void
append_recompressed(BrokerRequest *req, BrokerTopic *t, LogPartition *part, const char *batch, uint32 length,
					int64 min_timestamp, ResponsePartition *out, XLogRecPtr *lsn)
{
	const TopicConfig *config = &t->topic->config;
	int			codec = config->compression_type;
	char	   *packed;
	size_t		packed_length;
	int			error;

	error = batch_recompress(batch, length, codec_reader, codec_writer,
							 codec, topic_config_level(config, codec),
							 BATCH_DEFAULT_MAX_UNCOMPRESSED, &packed, &packed_length);
	if (error == KAFKA_NONE && packed_length > config->max_message_bytes)
	{
		free(packed);
		error = KAFKA_MESSAGE_TOO_LARGE;
	}
	if (error != KAFKA_NONE)
	{
		produce_set_error(out, error, wire_string(kafka_error_message(error)));
		return;
	}

	/* It is not palloc'd memory: an error must not leak it. */
	PG_TRY();
	{
		append_batch(t, part, packed, packed_length, min_timestamp, out, lsn);
	}
	PG_FINALLY();
	{
		free(packed);
	}
	PG_END_TRY();
}

void
produce_partition(BrokerRequest *req, BrokerTopic *t, const RequestPartition *in,
				  ResponsePartition *out, XLogRecPtr *lsn)
{
	BatchLimits limits;
	BatchInfo	info;
	LogPartition *part;
	char	   *batch = in->records.data;
	int			error;

	if (in->records.len < 0)
	{
		produce_set_error(out, KAFKA_INVALID_RECORD, wire_string("There are no records."));
		return;
	}
	part = in->index < 0 ? NULL : log_open(t->rel, in->index);
	if (part == NULL)
	{
		produce_set_error(out, KAFKA_UNKNOWN_TOPIC_OR_PARTITION, WIRE_NULL_STRING);
		return;
	}
	set_up_codecs();
	set_limits(req, t->topic, &limits);
	error = batch_validate(batch, in->records.len, &limits, record_reader, &info);
	if (error != KAFKA_NONE)
	{
		set_batch_error(req, out, error, &info);
		return;
	}
	if (info.needs_timestamp)
		batch_set_max_timestamp(batch, limits.log_append_time, info.max_timestamp);
	if (t->topic->config.compression_type != CONFIG_COMPRESSION_PRODUCER &&
		t->topic->config.compression_type != batch_codec(batch))
		append_recompressed(req, t, part, batch, info.size, info.min_timestamp, out, lsn);
	else
		append_batch(t, part, batch, info.size, info.min_timestamp, out, lsn);
}
