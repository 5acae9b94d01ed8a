/*-------------------------------------------------------------------------
 *
 * batch.c
 *	  Checks, searches and changes of a record batch.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/batch.h"

#include <stdlib.h>

#include "wire/crc32c.h"
#include "wire/error.h"
#include "wire/record.h"

/* Of any format: a length field below this can't be a batch (format 0 has 14 bytes after the length). */
#define SMALLEST_LENGTH_FIELD 14

/* ---------- changes ---------- */

uint32_t
batch_compute_crc(const char *b)
{
	return crc32c_compute(b + BATCH_OFF_ATTRIBUTES, (size_t) batch_total_size(b) - BATCH_OFF_ATTRIBUTES);
}

void
batch_update_crc(char *b)
{
	batch_put32(b + BATCH_OFF_CRC, (int32_t) batch_compute_crc(b));
}

void
batch_set_max_timestamp(char *b, bool log_append_time, int64_t max_timestamp)
{
	int16_t		attributes = batch_attributes(b);

	if (batch_is_log_append_time(b) == log_append_time && batch_max_timestamp(b) == max_timestamp)
		return;
	attributes &= (int16_t) ~BATCH_ATTR_LOG_APPEND_TIME;
	if (log_append_time)
		attributes |= BATCH_ATTR_LOG_APPEND_TIME;
	batch_put16(b + BATCH_OFF_ATTRIBUTES, attributes);
	batch_put64(b + BATCH_OFF_MAX_TIMESTAMP, max_timestamp);
	batch_update_crc(b);
}

/* ---------- checks ---------- */

bool
batch_is_whole(const char *data, size_t len)
{
	return len >= BATCH_HEADER_SIZE &&
		batch_magic(data) == BATCH_MAGIC &&
		batch_total_size(data) >= BATCH_HEADER_SIZE &&
		(uint64_t) batch_total_size(data) <= len;
}

bool
batch_is_intact(const char *data, size_t len)
{
	return batch_is_whole(data, len) && batch_crc(data) == batch_compute_crc(data);
}

/* Refuse the batch as a whole. */
static int
refuse(BatchInfo *info, int code, const char *message)
{
	info->message = message;
	return code;
}

/*
 * Is there a batch at the start of these bytes?  Kafka looks at the length
 * first; an incomplete batch at the end counts as nothing, which makes it "no batch" for
 * the first and dropped bytes after it.  Sets *found; a length that
 * can't be is an error of its own.
 */
static int
find_batch(const char *data, size_t len, BatchInfo *info, bool *found)
{
	*found = false;
	if (len < BATCH_OFF_MAGIC + 1)
		return KAFKA_NONE;
	if (batch_length(data) < SMALLEST_LENGTH_FIELD)
		return refuse(info, KAFKA_CORRUPT_MESSAGE, "The length of the record batch is too small.");
	*found = (uint64_t) batch_total_size(data) <= len && batch_total_size(data) <= INT32_MAX;
	return KAFKA_NONE;
}

/* One batch of format 2 and nothing else. */
static int
check_framing(const char *data, size_t len, const BatchLimits *limits, BatchInfo *info)
{
	bool		found;
	int			code;

	code = find_batch(data, len, info, &found);
	if (code != KAFKA_NONE)
		return code;
	if (!found)
		return refuse(info, KAFKA_INVALID_RECORD, "There is no complete record batch.");
	if (batch_magic(data) < 0 || batch_magic(data) > BATCH_MAGIC)
		return refuse(info, KAFKA_CORRUPT_MESSAGE, "The format of the record batch is unknown.");
	if (batch_magic(data) != BATCH_MAGIC)
		return refuse(info, KAFKA_INVALID_RECORD, "Only record batches of format 2 are accepted.");
	if (batch_total_size(data) < BATCH_HEADER_SIZE)
		return refuse(info, KAFKA_CORRUPT_MESSAGE, "The length of the record batch is too small.");
	info->size = (int32_t) batch_total_size(data);

	if (batch_codec(data) == CODEC_ZSTD && !limits->zstd_allowed)
		return refuse(info, KAFKA_UNSUPPORTED_COMPRESSION_TYPE,
					  "zstd needs Produce version 7 or later.");

	code = find_batch(data + info->size, len - (size_t) info->size, info, &found);
	if (code != KAFKA_NONE)
		return code;
	if (found)
		return refuse(info, KAFKA_INVALID_RECORD, "A request may have only one record batch per partition.");
	return KAFKA_NONE;
}

static int
check_header(const char *data, const BatchLimits *limits, BatchInfo *info)
{
	int32_t		count = batch_record_count(data);

	if (batch_base_offset(data) != 0)
		return refuse(info, KAFKA_INVALID_RECORD, "The base offset of a produced record batch must be 0.");
	if (info->size > limits->max_bytes)
		return refuse(info, KAFKA_MESSAGE_TOO_LARGE,
					  "The record batch is larger than the topic's max.message.bytes.");
	if (batch_crc(data) != batch_compute_crc(data))
		return refuse(info, KAFKA_CORRUPT_MESSAGE, "The checksum of the record batch is wrong.");
	if (batch_codec(data) >= CODEC_COUNT)
		return refuse(info, KAFKA_UNKNOWN_SERVER_ERROR, "The codec of the record batch is unknown.");
	if (batch_last_offset_delta(data) < 0)
		return refuse(info, KAFKA_INVALID_RECORD, "The record batch ends before its base offset.");
	if (count <= 0)
		return refuse(info, KAFKA_INVALID_RECORD, "The record batch has no records.");
	if (batch_last_offset_delta(data) != count - 1)
		return refuse(info, KAFKA_INVALID_RECORD,
					  "The last offset of the record batch does not match its number of records.");
	if (batch_is_control(data))
		return refuse(info, KAFKA_INVALID_RECORD, "Clients may not write control records.");
	if (batch_has_producer(data) && batch_base_sequence(data) < 0)
		return refuse(info, KAFKA_INVALID_RECORD, "The sequence number of an idempotent batch is negative.");
	return KAFKA_NONE;
}

static void
record_error(BatchInfo *info, int32_t index, const char *message)
{
	if (info->n_record_errors == BATCH_MAX_RECORD_ERRORS)
		return;
	info->record_errors[info->n_record_errors].index = index;
	info->record_errors[info->n_record_errors].message = message;
	info->n_record_errors++;
}

static bool
timestamp_acceptable(int64_t timestamp, const BatchLimits *limits)
{
	int64_t		age;

	if (timestamp == BATCH_NO_TIMESTAMP)
		return true;
	if (timestamp < BATCH_TIMESTAMP_MIN || timestamp >= BATCH_TIMESTAMP_END)
		return false;
	age = limits->now_ms - timestamp;
	return age <= limits->before_max_ms && age >= -limits->after_max_ms;
}

/*
 * Check each record.  A batch that is malformed inside is refused as a whole at once; records that are
 * well-formed but not acceptable are all listed.
 */
static int
check_records(const char *data, const BatchLimits *limits, RecordReader *reader, BatchInfo *info)
{
	RecordResult result;
	Record		record;
	bool		bad_timestamp = false;
	int32_t		index = 0;

	result = record_reader_begin(reader, data, (size_t) info->size, limits->max_uncompressed);
	while (result == RECORD_OK && (result = record_reader_next(reader, &record)) == RECORD_OK)
	{
		/*
		 * A batch that claims LogAppendTime loses the claim in a CreateTime
		 * topic.  Both times must be acceptable: the one that it claims, as
		 * in Kafka, and the one that is left.
		 */
		int64_t		timestamp = record.create_timestamp;
		const char *reason;

		if (limits->max_record > 0 && record.size > limits->max_record && batch_codec(data) != CODEC_NONE)
			return refuse(info, KAFKA_INVALID_RECORD,
						  "A record is larger than the topic's max.decompressed.message.bytes.");
		if (record.offset_delta != index)
			return refuse(info, KAFKA_INVALID_RECORD, "The offsets of the records are not consecutive.");
		if (timestamp > info->max_timestamp || index == 0)
		{
			info->max_timestamp = timestamp;
			info->max_timestamp_delta = index;
		}
		if (timestamp < info->min_timestamp || index == 0)
			info->min_timestamp = timestamp;

		if (limits->key_required && record.key == NULL)
			record_error(info, index, "A record of a compacted topic must have a key.");
		else if (!limits->log_append_time &&
				 !(timestamp_acceptable(timestamp, limits) && timestamp_acceptable(record.timestamp, limits)))
		{
			record_error(info, index, "The timestamp is outside the range that the topic accepts.");
			bad_timestamp = true;
		}
		else if (limits->log_append_time && batch_is_log_append_time(data))
		{
			record_error(info, index, "A producer may not mark its timestamps as set by the broker.");
			bad_timestamp = true;
		}
		else if (limits->check != NULL && (reason = limits->check(&record, limits->check_arg)) != NULL)
			record_error(info, index, reason);
		index++;
	}
	info->uncompressed = record_reader_bytes(reader);

	if (result == RECORD_NO_MEMORY)
		return refuse(info, KAFKA_UNKNOWN_SERVER_ERROR, record_result_message(result));
	if (result != RECORD_END)
	{
		info->n_record_errors = 0;
		return refuse(info, KAFKA_INVALID_RECORD, record_result_message(result));
	}
	if (bad_timestamp)
		return refuse(info, KAFKA_INVALID_TIMESTAMP, "Records were refused because of their timestamps.");
	if (info->n_record_errors > 0)
		return refuse(info, KAFKA_INVALID_RECORD, "Records were refused; see the error of each.");
	return KAFKA_NONE;
}

int
batch_validate(const char *data, size_t len, const BatchLimits *limits, RecordReader *reader, BatchInfo *info)
{
	int			code;

	info->size = 0;
	info->n_records = 0;
	info->max_timestamp = BATCH_NO_TIMESTAMP;
	info->min_timestamp = BATCH_NO_TIMESTAMP;
	info->max_timestamp_delta = 0;
	info->uncompressed = 0;
	info->needs_timestamp = false;
	info->message = NULL;
	info->n_record_errors = 0;

	code = check_framing(data, len, limits, info);
	if (code == KAFKA_NONE)
		code = check_header(data, limits, info);
	if (code != KAFKA_NONE)
		return code;
	info->n_records = batch_record_count(data);

	if (limits->header_only)
	{
		info->max_timestamp = batch_max_timestamp(data);
		info->max_timestamp_delta = info->n_records - 1;
	}
	else
	{
		code = check_records(data, limits, reader, info);
		if (code != KAFKA_NONE)
			return code;
	}
	if (limits->log_append_time)
	{
		info->max_timestamp = limits->now_ms;
		info->min_timestamp = limits->now_ms;
		info->max_timestamp_delta = 0;
	}
	info->needs_timestamp = batch_is_log_append_time(data) != limits->log_append_time ||
		batch_max_timestamp(data) != info->max_timestamp;
	return KAFKA_NONE;
}

/* ---------- searches ---------- */

int
batch_find_time(const char *batch, size_t len, RecordReader *reader, int64_t ts, int64_t from,
				BatchPosition *result)
{
	RecordResult rc;
	Record		record;

	if (batch_max_timestamp(batch) < ts || batch_last_offset(batch) < from)
		return 0;
	rc = record_reader_begin(reader, batch, len, INT64_MAX);
	while (rc == RECORD_OK && (rc = record_reader_next(reader, &record)) == RECORD_OK)
	{
		if (record.timestamp >= ts && record.offset >= from)
		{
			result->offset = record.offset;
			result->timestamp = record.timestamp;
			return 1;
		}
	}
	return rc == RECORD_END ? 0 : -1;
}

int
batch_find_max_time(const char *batch, size_t len, RecordReader *reader, BatchPosition *result)
{
	RecordResult rc;
	Record		record;
	bool		found = false;

	rc = record_reader_begin(reader, batch, len, INT64_MAX);
	while (rc == RECORD_OK && (rc = record_reader_next(reader, &record)) == RECORD_OK)
	{
		if (!found || record.timestamp > result->timestamp)
		{
			result->offset = record.offset;
			result->timestamp = record.timestamp;
			found = true;
		}
	}
	if (rc != RECORD_END)
		return -1;
	return found ? 1 : 0;
}

/* ---------- repacking ---------- */

/* The unpacked records in memory from malloc. */
static int
unpack(const char *batch, size_t len, CodecReader *reader, int64_t max_uncompressed,
	   char **data, size_t *data_len)
{
	size_t		size = len < 4096 ? 4096 : len * 2;
	size_t		used = 0;
	char	   *buffer = malloc(size);
	CodecResult result;

	if (max_uncompressed <= 0)
		max_uncompressed = BATCH_DEFAULT_MAX_UNCOMPRESSED;
	if (buffer == NULL)
		return KAFKA_UNKNOWN_SERVER_ERROR;
	result = codec_reader_begin(reader, batch_codec(batch), batch + BATCH_HEADER_SIZE,
								len - BATCH_HEADER_SIZE, (size_t) max_uncompressed);
	while (result == CODEC_OK)
	{
		size_t		got;

		if (used == size)
		{
			char	   *larger = realloc(buffer, size * 2);

			if (larger == NULL)
			{
				result = CODEC_NO_MEMORY;
				break;
			}
			buffer = larger;
			size *= 2;
		}
		result = codec_reader_read(reader, buffer + used, size - used, &got);
		used += got;
	}
	if (result != CODEC_END)
	{
		free(buffer);
		return result == CODEC_NO_MEMORY ? KAFKA_UNKNOWN_SERVER_ERROR : KAFKA_INVALID_RECORD;
	}
	*data = buffer;
	*data_len = used;
	return KAFKA_NONE;
}

int
batch_recompress(const char *batch, size_t len, CodecReader *reader, CodecWriter *writer,
				 int codec, int level, int64_t max_uncompressed, char **result, size_t *result_len)
{
	char	   *records;
	char	   *b;
	size_t		records_len;
	size_t		packed;
	size_t		bound;
	int16_t		attributes;
	int			code;

	code = unpack(batch, len, reader, max_uncompressed, &records, &records_len);
	if (code != KAFKA_NONE)
		return code;
	bound = codec_bound(codec, records_len);
	b = malloc(BATCH_HEADER_SIZE + bound);
	if (b == NULL ||
		codec_compress(writer, codec, level, records, records_len,
					   b + BATCH_HEADER_SIZE, bound, &packed) != CODEC_OK)
	{
		free(b);
		free(records);
		return KAFKA_UNKNOWN_SERVER_ERROR;
	}
	free(records);

	memcpy(b, batch, BATCH_HEADER_SIZE);
	attributes = batch_attributes(batch) & (int16_t) ~BATCH_ATTR_CODEC_MASK;
	batch_put16(b + BATCH_OFF_ATTRIBUTES, (int16_t) (attributes | codec));
	batch_put32(b + BATCH_OFF_LENGTH, (int32_t) (BATCH_HEADER_SIZE + packed - BATCH_PREFIX_SIZE));
	batch_update_crc(b);
	*result = b;
	*result_len = BATCH_HEADER_SIZE + packed;
	return KAFKA_NONE;
}
