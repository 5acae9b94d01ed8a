/*
 * Record batches as they come in a Produce request: the checks, reading the
 * records, searches and repacking, all on whatever bytes.
 *
 * A wrong CRC would stop nearly every input at the door, so the fuzzer's batch
 * gets a right one, unless its first byte says otherwise.
 */
#include <stdlib.h>

#include "wire/error.h"
#include "wire/filter.h"
#include "wire/record.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_UNCOMPRESSED (1 << 20)

static RecordReader *reader;
static CodecReader *unpacker;
static CodecWriter *packer;
static BatchFilter *filter;

/* The record's bytes are all there to be looked at. */
static const char *
look_at(const Record *record, void *arg)
{
	unsigned	sum = 0;
	const char *p = record->headers;
	RecordHeader header;
	int			n = 0;

	for (int32_t i = 0; i < record->key_len; i++)
		sum += (unsigned char) record->key[i];
	for (int32_t i = 0; i < record->value_len; i++)
		sum += (unsigned char) record->value[i];
	while (record_headers_next(record, &p, &header))
	{
		for (int32_t i = 0; i < header.key_len; i++)
			sum += (unsigned char) header.key[i];
		for (int32_t i = 0; i < header.value_len; i++)
			sum += (unsigned char) header.value[i];
		n++;
	}
	if (n != record->n_headers)
		abort();
	*(unsigned *) arg += sum;
	return sum % 97 == 13 ? "unlucky" : NULL;
}

/* What was accepted must hold what it says. */
static void
use(char *batch, size_t len, const BatchInfo *info)
{
	Record		record;
	BatchPosition position;
	int			n = 0;

	if (info->needs_timestamp)
		batch_set_max_timestamp(batch, batch_is_log_append_time(batch), info->max_timestamp);
	batch_set_base_offset(batch, INT64_C(1) << 40);
	if (!batch_is_intact(batch, len))
		abort();
	if (record_reader_begin(reader, batch, len, 0) != RECORD_OK)
		abort();
	while (record_reader_next(reader, &record) == RECORD_OK)
	{
		if (record.offset != batch_base_offset(batch) + n)
			abort();
		n++;
	}
	if (n != info->n_records || record_reader_next(reader, &record) != RECORD_END)
		abort();
	if (batch_find_max_time(batch, len, reader, &position) != 1)
		abort();
	if (batch_find_time(batch, len, reader, position.timestamp, 0, &position) == -1)
		abort();

	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
	{
		char	   *other;
		size_t		other_len;
		int			m = 0;

		if (batch_recompress(batch, len, unpacker, packer, codec, CODEC_DEFAULT_LEVEL, 0, &other, &other_len))
			abort();
		if (!batch_is_intact(other, other_len) ||
			record_reader_begin(reader, other, other_len, 0) != RECORD_OK)
			abort();
		while (record_reader_next(reader, &record) == RECORD_OK)
			m++;
		if (m != n || record_reader_next(reader, &record) != RECORD_END)
			abort();
		free(other);
	}
}

static bool
keep_some(const Record *record, void *arg)
{
	return (record->offset_delta * 7 + *(int *) arg) % 3 != 0;
}

/* Whatever the bytes, what compaction leaves of a batch is a batch with the same offsets. */
static void
compact(const char *batch, size_t len)
{
	char	   *left;
	size_t		left_len;
	Record		record;
	int			how = (int) (len % 3);
	int			n = 0;

	if (batch_filter(filter, batch, len, keep_some, &how, INT64_C(1700000000000), &left, &left_len) !=
		BATCH_FILTER_CHANGED)
		return;
	if (!batch_is_intact(left, left_len) || batch_base_offset(left) != batch_base_offset(batch) ||
		batch_last_offset(left) != batch_last_offset(batch) ||
		record_reader_begin(reader, left, left_len, INT64_MAX) != RECORD_OK)
		abort();
	while (record_reader_next(reader, &record) == RECORD_OK)
	{
		if (!keep_some(&record, &how))
			abort();
		n++;
	}
	if (n != batch_record_count(left) || record_reader_next(reader, &record) != RECORD_END)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned	sum = 0;
	BatchLimits limits = {
		.max_bytes = 1048588,
		.max_uncompressed = MAX_UNCOMPRESSED,
		.before_max_ms = INT64_MAX,
		.after_max_ms = 3600000,
		.now_ms = INT64_C(1700000000000),
		.zstd_allowed = true,
		.check = look_at,
		.check_arg = &sum
	};
	BatchInfo	info;
	char	   *batch;
	uint8_t		flags;

	if (reader == NULL)
	{
		reader = record_reader_create();
		unpacker = codec_reader_create();
		packer = codec_writer_create();
		filter = batch_filter_create();
	}
	if (size < 1)
		return 0;
	flags = *data++;
	size--;
	limits.key_required = (flags & 1) != 0;
	limits.log_append_time = (flags & 2) != 0;
	limits.zstd_allowed = (flags & 4) == 0;

	/* Of exactly this size, so that ASan sees what is read after it. */
	batch = malloc(size + (size == 0));
	memcpy(batch, data, size);
	if ((flags & 8) == 0 && batch_is_whole(batch, size))
		batch_update_crc(batch);

	switch (batch_validate(batch, size, &limits, reader, &info))
	{
		case KAFKA_NONE:
			use(batch, (size_t) info.size, &info);
			compact(batch, (size_t) info.size);
			break;
		case KAFKA_CORRUPT_MESSAGE:
		case KAFKA_INVALID_RECORD:
		case KAFKA_INVALID_TIMESTAMP:
		case KAFKA_MESSAGE_TOO_LARGE:
		case KAFKA_UNSUPPORTED_COMPRESSION_TYPE:
		case KAFKA_UNKNOWN_SERVER_ERROR:
			if (info.message == NULL || info.n_record_errors > BATCH_MAX_RECORD_ERRORS)
				abort();
			break;
		default:
			abort();
	}
	free(batch);
	return 0;
}
