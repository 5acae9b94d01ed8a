/*-------------------------------------------------------------------------
 *
 * draft.c
 *	  Building a record batch, as a Kafka producer does, in the caller's memory.
 *
 * The header's place is left free at the start, and filled in at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/record.h"

#include <string.h>

#include "wire/varint.h"

/* Length, offset delta, key, value, header count: 5 each; attributes 1, timestamp delta 10. */
#define RECORD_MAX_OVERHEAD 36

/* Key and value lengths. */
#define HEADER_MAX_OVERHEAD 10

static size_t
at_least_0(int32_t len)
{
	return len < 0 ? 0 : (size_t) len;
}

size_t
record_size_bound(int32_t key_len, int32_t value_len, const RecordHeader *headers, int32_t n_headers)
{
	size_t		size = RECORD_MAX_OVERHEAD + at_least_0(key_len) + at_least_0(value_len);

	for (int32_t i = 0; i < n_headers; i++)
		size += HEADER_MAX_OVERHEAD + at_least_0(headers[i].key_len) + at_least_0(headers[i].value_len);
	return size;
}

static size_t
bytes_size(const char *data, int32_t len)
{
	return data == NULL ? 1 : varint_size(len) + (size_t) len;
}

static char *
put_bytes(char *p, const char *data, int32_t len)
{
	if (data == NULL)
		return varint_put(p, -1);
	p = varint_put(p, len);
	if (len > 0)
		memcpy(p, data, (size_t) len);
	return p + len;
}

void
batch_draft_begin(BatchDraft *d)
{
	d->size = BATCH_HEADER_SIZE;
	d->count = 0;
}

size_t
batch_draft_add(BatchDraft *d, char *at, int64_t timestamp, const char *key, int32_t key_len,
				const char *value, int32_t value_len, const RecordHeader *headers, int32_t n_headers)
{
	int64_t		timestamp_delta;
	size_t		body;
	char	   *p;

	if (d->count == 0)
		d->base_timestamp = d->min_timestamp = d->max_timestamp = timestamp;
	else if (timestamp > d->max_timestamp)
		d->max_timestamp = timestamp;
	else if (timestamp < d->min_timestamp)
		d->min_timestamp = timestamp;
	timestamp_delta = (int64_t) ((uint64_t) timestamp - (uint64_t) d->base_timestamp);

	body = 1 + varint_size(timestamp_delta) + varint_size(d->count) +
		bytes_size(key, key_len) + bytes_size(value, value_len) + varint_size(n_headers);
	for (int32_t i = 0; i < n_headers; i++)
	{
		body += bytes_size(headers[i].key, headers[i].key_len);
		body += bytes_size(headers[i].value, headers[i].value_len);
	}

	p = varint_put(at, (int64_t) body);
	*p++ = 0;
	p = varint_put(p, timestamp_delta);
	p = varint_put(p, d->count);
	p = put_bytes(p, key, key_len);
	p = put_bytes(p, value, value_len);
	p = varint_put(p, n_headers);
	for (int32_t i = 0; i < n_headers; i++)
	{
		p = put_bytes(p, headers[i].key, headers[i].key_len);
		p = put_bytes(p, headers[i].value, headers[i].value_len);
	}
	d->size += (size_t) (p - at);
	d->count++;
	return (size_t) (p - at);
}

size_t
batch_draft_pack_bound(const BatchDraft *d, int codec)
{
	return BATCH_HEADER_SIZE + codec_bound(codec, d->size - BATCH_HEADER_SIZE);
}

RecordResult
batch_draft_pack(const BatchDraft *d, const char *batch, CodecWriter *writer, int codec, int level,
				 char *packed, size_t packed_size, size_t *len)
{
	size_t		n;

	switch (codec_compress(writer, codec, level, batch + BATCH_HEADER_SIZE, d->size - BATCH_HEADER_SIZE,
						   packed + BATCH_HEADER_SIZE, packed_size - BATCH_HEADER_SIZE, &n))
	{
		case CODEC_OK:
			*len = BATCH_HEADER_SIZE + n;
			return RECORD_OK;
		case CODEC_NO_MEMORY:
			return RECORD_NO_MEMORY;
		default:
			return RECORD_TOO_LARGE;
	}
}

void
batch_draft_finish(const BatchDraft *d, char *batch, size_t len, int codec)
{
	batch_set_base_offset(batch, 0);
	batch_put32(batch + BATCH_OFF_LENGTH, (int32_t) (len - BATCH_PREFIX_SIZE));
	batch_set_leader_epoch(batch, BATCH_NO_LEADER_EPOCH);
	batch[BATCH_OFF_MAGIC] = BATCH_MAGIC;
	batch_put16(batch + BATCH_OFF_ATTRIBUTES, (int16_t) codec);
	batch_put32(batch + BATCH_OFF_LAST_OFFSET_DELTA, d->count - 1);
	batch_put64(batch + BATCH_OFF_BASE_TIMESTAMP, d->base_timestamp);
	batch_put64(batch + BATCH_OFF_MAX_TIMESTAMP, d->max_timestamp);
	batch_put64(batch + BATCH_OFF_PRODUCER_ID, BATCH_NO_PRODUCER_ID);
	batch_put16(batch + BATCH_OFF_PRODUCER_EPOCH, BATCH_NO_PRODUCER_EPOCH);
	batch_put32(batch + BATCH_OFF_BASE_SEQUENCE, BATCH_NO_SEQUENCE);
	batch_put32(batch + BATCH_OFF_RECORD_COUNT, d->count);
	batch_update_crc(batch);
}
