/*-------------------------------------------------------------------------
 *
 * builder.c
 *	  Building a record batch, as a Kafka producer does.
 *
 * The header's place is left free at the start of the buffer, and filled in at
 * the end.  With a codec the packed batch is put into a second buffer.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/record.h"

#include <stdlib.h>

#include "wire/varint.h"

#define BUILDER_FIRST_SIZE (16 * 1024)
#define BUILDER_KEEP (4 * 1024 * 1024)

/* Length, offset delta, key, value, header count: 5 each; attributes 1, timestamp delta 10. */
#define RECORD_MAX_OVERHEAD 36

/* Key and value lengths. */
#define HEADER_MAX_OVERHEAD 10

struct BatchBuilder
{
	char	   *data;
	size_t		size;
	size_t		used;			/* at least BATCH_HEADER_SIZE */
	int32_t		count;
	int64_t		base_timestamp;
	int64_t		max_timestamp;
	char	   *packed;
	size_t		packed_size;
};

BatchBuilder *
batch_builder_create(void)
{
	BatchBuilder *b = calloc(1, sizeof(BatchBuilder));

	if (b == NULL)
		return NULL;
	b->used = BATCH_HEADER_SIZE;
	return b;
}

void
batch_builder_free(BatchBuilder *b)
{
	if (b == NULL)
		return;
	free(b->data);
	free(b->packed);
	free(b);
}

static void
give_back(char **data, size_t *size)
{
	if (*size <= BUILDER_KEEP)
		return;
	free(*data);
	*data = NULL;
	*size = 0;
}

void
batch_builder_reset(BatchBuilder *b)
{
	give_back(&b->data, &b->size);
	give_back(&b->packed, &b->packed_size);
	b->used = BATCH_HEADER_SIZE;
	b->count = 0;
}

int32_t
batch_builder_count(const BatchBuilder *b)
{
	return b->count;
}

size_t
batch_builder_size(const BatchBuilder *b)
{
	return b->used;
}

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

static RecordResult
reserve(BatchBuilder *b, size_t more)
{
	size_t		need = b->used + more;
	size_t		size = b->size < BUILDER_FIRST_SIZE ? BUILDER_FIRST_SIZE : b->size;
	char	   *data;

	if (need <= b->size)
		return RECORD_OK;
	if (need > BATCH_BUILDER_MAX_SIZE)
		return RECORD_TOO_LARGE;
	while (size < need)
		size *= 2;
	data = realloc(b->data, size);
	if (data == NULL)
		return RECORD_NO_MEMORY;
	b->data = data;
	b->size = size;
	return RECORD_OK;
}

RecordResult
batch_builder_append(BatchBuilder *b, int64_t timestamp, const char *key, int32_t key_len,
					 const char *value, int32_t value_len, const RecordHeader *headers, int32_t n_headers)
{
	int64_t		timestamp_delta;
	size_t		body;
	char	   *p;
	RecordResult result;

	if (b->count == INT32_MAX)
		return RECORD_TOO_LARGE;
	result = reserve(b, record_size_bound(key_len, value_len, headers, n_headers));
	if (result != RECORD_OK)
		return result;

	if (b->count == 0)
	{
		b->base_timestamp = timestamp;
		b->max_timestamp = timestamp;
	}
	else if (timestamp > b->max_timestamp)
		b->max_timestamp = timestamp;
	timestamp_delta = (int64_t) ((uint64_t) timestamp - (uint64_t) b->base_timestamp);

	body = 1 + varint_size(timestamp_delta) + varint_size(b->count) +
		bytes_size(key, key_len) + bytes_size(value, value_len) + varint_size(n_headers);
	for (int32_t i = 0; i < n_headers; i++)
	{
		body += bytes_size(headers[i].key, headers[i].key_len);
		body += bytes_size(headers[i].value, headers[i].value_len);
	}

	p = varint_put(b->data + b->used, (int64_t) body);
	*p++ = 0;
	p = varint_put(p, timestamp_delta);
	p = varint_put(p, b->count);
	p = put_bytes(p, key, key_len);
	p = put_bytes(p, value, value_len);
	p = varint_put(p, n_headers);
	for (int32_t i = 0; i < n_headers; i++)
	{
		p = put_bytes(p, headers[i].key, headers[i].key_len);
		p = put_bytes(p, headers[i].value, headers[i].value_len);
	}
	b->used = (size_t) (p - b->data);
	b->count++;
	return RECORD_OK;
}

static RecordResult
pack(BatchBuilder *b, CodecWriter *writer, int codec, int level, size_t *len)
{
	size_t		need = BATCH_HEADER_SIZE + codec_bound(codec, b->used - BATCH_HEADER_SIZE);
	size_t		packed;

	if (need > b->packed_size)
	{
		free(b->packed);
		b->packed_size = 0;
		b->packed = malloc(need);
		if (b->packed == NULL)
			return RECORD_NO_MEMORY;
		b->packed_size = need;
	}
	switch (codec_compress(writer, codec, level, b->data + BATCH_HEADER_SIZE, b->used - BATCH_HEADER_SIZE,
						   b->packed + BATCH_HEADER_SIZE, b->packed_size - BATCH_HEADER_SIZE, &packed))
	{
		case CODEC_OK:
			*len = BATCH_HEADER_SIZE + packed;
			return RECORD_OK;
		case CODEC_NO_MEMORY:
			return RECORD_NO_MEMORY;
		default:
			return RECORD_TOO_LARGE;
	}
}

RecordResult
batch_builder_finish(BatchBuilder *b, CodecWriter *writer, int codec, int level, char **batch, size_t *len)
{
	char	   *h = b->data;

	*len = b->used;
	if (codec != CODEC_NONE)
	{
		RecordResult result = pack(b, writer, codec, level, len);

		if (result != RECORD_OK)
			return result;
		h = b->packed;
	}

	batch_set_base_offset(h, 0);
	batch_put32(h + BATCH_OFF_LENGTH, (int32_t) (*len - BATCH_PREFIX_SIZE));
	batch_set_leader_epoch(h, BATCH_NO_LEADER_EPOCH);
	h[BATCH_OFF_MAGIC] = BATCH_MAGIC;
	batch_put16(h + BATCH_OFF_ATTRIBUTES, (int16_t) codec);
	batch_put32(h + BATCH_OFF_LAST_OFFSET_DELTA, b->count - 1);
	batch_put64(h + BATCH_OFF_BASE_TIMESTAMP, b->base_timestamp);
	batch_put64(h + BATCH_OFF_MAX_TIMESTAMP, b->max_timestamp);
	batch_put64(h + BATCH_OFF_PRODUCER_ID, BATCH_NO_PRODUCER_ID);
	batch_put16(h + BATCH_OFF_PRODUCER_EPOCH, BATCH_NO_PRODUCER_EPOCH);
	batch_put32(h + BATCH_OFF_BASE_SEQUENCE, BATCH_NO_SEQUENCE);
	batch_put32(h + BATCH_OFF_RECORD_COUNT, b->count);
	batch_update_crc(h);
	*batch = h;
	return RECORD_OK;
}
