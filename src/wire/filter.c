/*-------------------------------------------------------------------------
 *
 * filter.c
 *	  Leaving records out of a record batch, as compaction does.
 *
 * The records that stay are written anew one by one, packed with the batch's codec, and
 * put behind a copy of its header.  A delete horizon takes the place of the base
 * timestamp, and the records' timestamp deltas count from it (KIP-534).
 *
 *-------------------------------------------------------------------------
 */
#include "wire/filter.h"

#include <stdlib.h>

#include "wire/varint.h"

#define FIRST_SIZE (16 * 1024)
#define KEEP_SIZE (4 * 1024 * 1024)

/* Body length, offset delta, key and value length, header count: 5 each; attributes 1, timestamp 10. */
#define MAX_OVERHEAD 36

typedef struct Buffer
{
	char	   *data;
	size_t		size;
	size_t		used;
} Buffer;

struct BatchFilter
{
	RecordReader *reader;
	CodecWriter *writer;
	Buffer		records;		/* header, and the records that stay */
	Buffer		packed;
};

BatchFilter *
batch_filter_create(void)
{
	BatchFilter *f = calloc(1, sizeof(BatchFilter));

	if (f == NULL)
		return NULL;
	f->reader = record_reader_create();
	f->writer = codec_writer_create();
	if (f->reader == NULL || f->writer == NULL)
	{
		batch_filter_free(f);
		return NULL;
	}
	return f;
}

void
batch_filter_free(BatchFilter *f)
{
	if (f == NULL)
		return;
	record_reader_free(f->reader);
	codec_writer_free(f->writer);
	free(f->records.data);
	free(f->packed.data);
	free(f);
}

/* Room for `more` bytes behind what is used. */
static bool
reserve(Buffer *b, size_t more)
{
	size_t		size = b->size < FIRST_SIZE ? FIRST_SIZE : b->size;
	char	   *data;

	if (b->used + more <= b->size)
		return true;
	while (size < b->used + more)
		size *= 2;
	data = realloc(b->data, size);
	if (data == NULL)
		return false;
	b->data = data;
	b->size = size;
	return true;
}

static void
give_back(Buffer *b)
{
	if (b->size > KEEP_SIZE)
	{
		free(b->data);
		b->data = NULL;
		b->size = 0;
	}
	b->used = 0;
}

static size_t
bytes_size(int32_t len)
{
	return len < 0 ? 1 : varint_size(len) + (size_t) len;
}

static char *
put_bytes(char *p, const char *data, int32_t len)
{
	p = varint_put(p, len < 0 ? -1 : len);
	if (len > 0)
	{
		memcpy(p, data, (size_t) len);
		p += len;
	}
	return p;
}

static bool
put_record(Buffer *b, const Record *record, int64_t base_timestamp)
{
	int64_t		timestamp_delta =
		(int64_t) ((uint64_t) record->create_timestamp - (uint64_t) base_timestamp);
	size_t		body = 1 + varint_size(timestamp_delta) + varint_size(record->offset_delta) +
		bytes_size(record->key_len) + bytes_size(record->value_len) + varint_size(record->n_headers) +
		(size_t) record->headers_len;
	char	   *p;

	if (!reserve(b, body + MAX_OVERHEAD))
		return false;
	p = varint_put(b->data + b->used, (int64_t) body);
	*p++ = (char) record->attributes;
	p = varint_put(p, timestamp_delta);
	p = varint_put(p, record->offset_delta);
	p = put_bytes(p, record->key, record->key_len);
	p = put_bytes(p, record->value, record->value_len);
	p = varint_put(p, record->n_headers);
	memcpy(p, record->headers, (size_t) record->headers_len);
	b->used = (size_t) (p + record->headers_len - b->data);
	return true;
}

/* What came of the records of a batch. */
typedef struct Pass
{
	int32_t		kept;
	int32_t		dropped;
	bool		tombstones;
	int64_t		max_timestamp;
} Pass;

/* Put the records that stay behind the header; false: the batch can't be read. */
static bool
pass_records(BatchFilter *f, const char *batch, size_t len, BatchFilterKeep keep, void *arg,
			 int64_t base_timestamp, Pass *pass)
{
	Record		record;
	RecordResult result = record_reader_begin(f->reader, batch, len, INT64_MAX);

	memset(pass, 0, sizeof(Pass));
	f->records.used = BATCH_HEADER_SIZE;
	while (result == RECORD_OK && (result = record_reader_next(f->reader, &record)) == RECORD_OK)
	{
		if (!keep(&record, arg))
		{
			pass->dropped++;
			continue;
		}
		if (!put_record(&f->records, &record, base_timestamp))
			return false;
		if (pass->kept == 0 || record.timestamp > pass->max_timestamp)
			pass->max_timestamp = record.timestamp;
		pass->tombstones |= record.value == NULL;
		pass->kept++;
	}
	return result == RECORD_END;
}

/* Pack the records; *b gets the buffer that has the batch. */
static bool
pack(BatchFilter *f, int codec, Buffer **b)
{
	size_t		len = f->records.used - BATCH_HEADER_SIZE;
	size_t		packed;

	*b = &f->records;
	if (codec == CODEC_NONE)
		return true;
	f->packed.used = 0;
	if (!reserve(&f->packed, BATCH_HEADER_SIZE + codec_bound(codec, len)))
		return false;
	if (codec_compress(f->writer, codec, CODEC_DEFAULT_LEVEL, f->records.data + BATCH_HEADER_SIZE, len,
					   f->packed.data + BATCH_HEADER_SIZE, f->packed.size - BATCH_HEADER_SIZE,
					   &packed) != CODEC_OK)
		return false;
	f->packed.used = BATCH_HEADER_SIZE + packed;
	*b = &f->packed;
	return true;
}

BatchFilterResult
batch_filter(BatchFilter *f, const char *batch, size_t len, BatchFilterKeep keep, void *arg,
			 int64_t delete_horizon, char **result, size_t *result_len)
{
	int64_t		base_timestamp = batch_base_timestamp(batch);
	int16_t		attributes = batch_attributes(batch);
	Pass		pass;
	Buffer	   *b;

	give_back(&f->records);
	give_back(&f->packed);
	if (!reserve(&f->records, BATCH_HEADER_SIZE) ||
		!pass_records(f, batch, len, keep, arg, base_timestamp, &pass))
		return BATCH_FILTER_CORRUPT;
	if (pass.kept == 0)
		return BATCH_FILTER_EMPTY;

	if (pass.tombstones && !batch_has_delete_horizon(batch))
	{
		/* Once more, as their timestamps count from another base now. */
		base_timestamp = delete_horizon;
		attributes |= BATCH_ATTR_DELETE_HORIZON;
		if (!pass_records(f, batch, len, keep, arg, base_timestamp, &pass))
			return BATCH_FILTER_CORRUPT;
	}
	else if (pass.dropped == 0)
		return BATCH_FILTER_SAME;

	if (!pack(f, batch_codec(batch), &b) || b->used > INT32_MAX)
		return BATCH_FILTER_CORRUPT;
	memcpy(b->data, batch, BATCH_HEADER_SIZE);
	batch_put32(b->data + BATCH_OFF_LENGTH, (int32_t) (b->used - BATCH_PREFIX_SIZE));
	batch_put16(b->data + BATCH_OFF_ATTRIBUTES, attributes);
	batch_put64(b->data + BATCH_OFF_BASE_TIMESTAMP, base_timestamp);
	batch_put64(b->data + BATCH_OFF_MAX_TIMESTAMP, pass.max_timestamp);
	batch_put32(b->data + BATCH_OFF_RECORD_COUNT, pass.kept);
	batch_update_crc(b->data);
	*result = b->data;
	*result_len = b->used;
	return BATCH_FILTER_CHANGED;
}

void
batch_make_empty(const char *batch, char *empty)
{
	int16_t		attributes = batch_attributes(batch) &
		(int16_t) ~(BATCH_ATTR_CODEC_MASK | BATCH_ATTR_DELETE_HORIZON);

	memcpy(empty, batch, BATCH_HEADER_SIZE);
	batch_put32(empty + BATCH_OFF_LENGTH, BATCH_HEADER_SIZE - BATCH_PREFIX_SIZE);
	batch_put16(empty + BATCH_OFF_ATTRIBUTES, attributes);
	batch_put64(empty + BATCH_OFF_BASE_TIMESTAMP, BATCH_NO_TIMESTAMP);
	batch_put32(empty + BATCH_OFF_RECORD_COUNT, 0);
	batch_update_crc(empty);
}
