/*-------------------------------------------------------------------------
 *
 * record.c
 *	  Reading the records of a batch.
 *
 * The bytes at hand are a window [start, end).  Without compression it is the
 * batch itself; else a buffer that is refilled from the codec, so a batch that
 * unpacks to much needs no more memory than its largest record.  The buffer grows
 * only as far as bytes have really come: a length read from a record takes
 * no memory.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/record.h"

#include <stdlib.h>

/* The first size of the window, and what is kept between batches. */
#define WINDOW_SIZE (128 * 1024)
#define WINDOW_KEEP (1024 * 1024)

struct RecordReader
{
	/* from the header of the batch */
	int64_t		base_offset;
	int64_t		base_timestamp;
	int64_t		append_timestamp;
	bool		log_append_time;
	int32_t		n_left;			/* records to come */

	const char *start;
	const char *end;
	int64_t		bytes;
	RecordResult state;

	bool		compressed;
	bool		drained;		/* the codec has no more */
	CodecReader *codec;
	char	   *window;
	size_t		window_size;
};

const char *
record_result_message(RecordResult result)
{
	switch (result)
	{
		case RECORD_OK:
		case RECORD_END:
			return "No error.";
		case RECORD_CORRUPT:
			return "The records in the batch are malformed or do not match its header.";
		case RECORD_TOO_LARGE:
			return "The records in the batch unpack to more than is allowed.";
		case RECORD_NO_MEMORY:
			return "There is not enough memory to read the records in the batch.";
	}
	return "";
}

RecordReader *
record_reader_create(void)
{
	return calloc(1, sizeof(RecordReader));
}

void
record_reader_free(RecordReader *r)
{
	if (r == NULL)
		return;
	codec_reader_free(r->codec);
	free(r->window);
	free(r);
}

static RecordResult
from_codec(CodecResult result)
{
	switch (result)
	{
		case CODEC_OK:
			return RECORD_OK;
		case CODEC_END:
			return RECORD_END;
		case CODEC_TOO_LARGE:
			return RECORD_TOO_LARGE;
		case CODEC_NO_MEMORY:
			return RECORD_NO_MEMORY;
		default:
			return RECORD_CORRUPT;
	}
}

static void
give_back_window(RecordReader *r)
{
	if (r->window_size <= WINDOW_KEEP)
		return;
	free(r->window);
	r->window = NULL;
	r->window_size = 0;
}

static RecordResult
begin_compressed(RecordReader *r, int codec, const char *data, size_t len, int64_t max_uncompressed)
{
	if (r->codec == NULL && (r->codec = codec_reader_create()) == NULL)
		return RECORD_NO_MEMORY;
	give_back_window(r);
	if (r->window == NULL)
	{
		r->window = malloc(WINDOW_SIZE);
		if (r->window == NULL)
			return RECORD_NO_MEMORY;
		r->window_size = WINDOW_SIZE;
	}
	r->start = r->end = r->window;
	return from_codec(codec_reader_begin(r->codec, codec, data, len, (size_t) max_uncompressed));
}

RecordResult
record_reader_begin(RecordReader *r, const char *batch, size_t len, int64_t max_uncompressed)
{
	if (max_uncompressed <= 0)
		max_uncompressed = BATCH_DEFAULT_MAX_UNCOMPRESSED;

	r->base_offset = batch_base_offset(batch);
	r->base_timestamp = batch_base_timestamp(batch);
	r->append_timestamp = batch_max_timestamp(batch);
	r->log_append_time = batch_is_log_append_time(batch);
	r->n_left = batch_record_count(batch);
	r->bytes = 0;
	r->drained = false;
	r->compressed = batch_codec(batch) != CODEC_NONE;

	if (r->n_left < 0)
		r->state = RECORD_CORRUPT;
	else if (r->n_left == 0)
	{
		/* Compaction leaves such batches; whatever follows the header is not looked at. */
		r->compressed = false;
		r->start = r->end = batch + BATCH_HEADER_SIZE;
		r->state = RECORD_OK;
	}
	else if (r->compressed)
		r->state = begin_compressed(r, batch_codec(batch), batch + BATCH_HEADER_SIZE, len - BATCH_HEADER_SIZE,
									max_uncompressed);
	else
	{
		r->start = batch + BATCH_HEADER_SIZE;
		r->end = batch + len;
		r->state = RECORD_OK;
	}
	return r->state;
}

int64_t
record_reader_bytes(const RecordReader *r)
{
	return r->bytes;
}

/* Have at least `want` bytes in the window, or all that are left. */
static RecordResult
fill(RecordReader *r, size_t want)
{
	size_t		have = (size_t) (r->end - r->start);

	if (!r->compressed || r->drained || have >= want)
		return RECORD_OK;

	memmove(r->window, r->start, have);
	while (have < want)
	{
		size_t		got;
		CodecResult result;

		if (have == r->window_size)
		{
			char	   *larger = realloc(r->window, r->window_size * 2);

			if (larger == NULL)
				return RECORD_NO_MEMORY;
			r->window = larger;
			r->window_size *= 2;
		}
		result = codec_reader_read(r->codec, r->window + have, r->window_size - have, &got);
		if (result == CODEC_END)
		{
			r->drained = true;
			break;
		}
		if (result != CODEC_OK)
			return from_codec(result);
		have += got;
	}
	r->start = r->window;
	r->end = r->window + have;
	return RECORD_OK;
}

/*
 * Zigzag varints; false if they are cut off by `end` or too long.  Most of them are of
 * one byte or two, and they are most of the work on small records.
 */
static bool
read_long_varint(const char **p, const char *end, int32_t *value)
{
	const char *q = *p;
	uint32_t	raw = 0;

	for (int shift = 0; shift < 35; shift += 7)
	{
		uint32_t	byte;

		if (q == end)
			return false;
		byte = (unsigned char) *q++;
		raw |= (byte & 0x7F) << shift;
		if (byte < 0x80)
		{
			*p = q;
			*value = (int32_t) ((raw >> 1) ^ -(raw & 1));
			return true;
		}
	}
	return false;
}

static inline bool
read_varint(const char **p, const char *end, int32_t *value)
{
	const unsigned char *q = (const unsigned char *) *p;
	uint32_t	raw;

	if (end - *p < 2)
		return read_long_varint(p, end, value);
	raw = q[0];
	if (raw < 0x80)
		*p += 1;
	else if (q[1] < 0x80)
	{
		raw = (raw & 0x7F) | (uint32_t) q[1] << 7;
		*p += 2;
	}
	else
		return read_long_varint(p, end, value);
	*value = (int32_t) ((raw >> 1) ^ -(raw & 1));
	return true;
}

static inline bool
read_varlong(const char **p, const char *end, int64_t *value)
{
	const char *q = *p;
	uint64_t	raw = 0;

	for (int shift = 0; shift < 70; shift += 7)
	{
		uint64_t	byte;

		if (q == end)
			return false;
		byte = (unsigned char) *q++;
		raw |= (byte & 0x7F) << shift;
		if (byte < 0x80)
		{
			*p = q;
			*value = (int64_t) ((raw >> 1) ^ -(raw & 1));
			return true;
		}
	}
	return false;
}

/* A length and that many bytes; a negative length (-1 by rights) is null. */
static inline bool
read_bytes(const char **p, const char *end, const char **data, int32_t *len)
{
	if (!read_varint(p, end, len) || *len > end - *p)
		return false;
	if (*len < 0)
	{
		*data = NULL;
		*len = -1;
		return true;
	}
	*data = *p;
	*p += *len;
	return true;
}

static inline bool
read_header(const char **p, const char *end, RecordHeader *header)
{
	return read_bytes(p, end, &header->key, &header->key_len) &&
		header->key_len >= 0 &&
		read_bytes(p, end, &header->value, &header->value_len);
}

/* The record in [p, end), all of it. */
static bool
parse(const RecordReader *r, const char *p, const char *end, Record *record)
{
	int64_t		timestamp_delta;

	if (p == end)
		return false;
	record->attributes = (int8_t) *p++;
	if (!read_varlong(&p, end, &timestamp_delta) ||
		!read_varint(&p, end, &record->offset_delta) ||
		!read_bytes(&p, end, &record->key, &record->key_len) ||
		!read_bytes(&p, end, &record->value, &record->value_len) ||
		!read_varint(&p, end, &record->n_headers))
		return false;

	record->headers = p;
	record->headers_len = (int32_t) (end - p);
	/* Each header has two bytes at least. */
	if (record->n_headers < 0 || record->n_headers > record->headers_len / 2)
		return false;
	for (int32_t i = 0; i < record->n_headers; i++)
	{
		RecordHeader header;

		if (!read_header(&p, end, &header))
			return false;
	}
	if (p != end)
		return false;

	/* Sums of what a client sent may overflow; they wrap around, as in Java. */
	record->offset = (int64_t) ((uint64_t) r->base_offset + (uint64_t) (int64_t) record->offset_delta);
	record->create_timestamp = (int64_t) ((uint64_t) r->base_timestamp + (uint64_t) timestamp_delta);
	record->timestamp = r->log_append_time ? r->append_timestamp : record->create_timestamp;
	return true;
}

/* After the last record nothing may be left. */
static RecordResult
finish(RecordReader *r)
{
	RecordResult result = fill(r, 1);

	if (result != RECORD_OK)
		return result;
	return r->start == r->end ? RECORD_END : RECORD_CORRUPT;
}

static RecordResult
next(RecordReader *r, Record *record)
{
	RecordResult result;
	const char *p;
	int32_t		body;

	if (r->n_left == 0)
		return finish(r);

	result = fill(r, 5);
	if (result != RECORD_OK)
		return result;
	p = r->start;
	if (!read_varint(&p, r->end, &body) || body < 0)
		return RECORD_CORRUPT;

	if (body > r->end - p)
	{
		ptrdiff_t	prefix = p - r->start;

		result = fill(r, (size_t) prefix + (size_t) body);
		if (result != RECORD_OK)
			return result;
		p = r->start + prefix;
		if (body > r->end - p)
			return RECORD_CORRUPT;
	}
	if (!parse(r, p, p + body, record))
		return RECORD_CORRUPT;

	p += body;
	record->size = (int32_t) (p - r->start);
	r->bytes += p - r->start;
	r->start = p;
	r->n_left--;
	return RECORD_OK;
}

RecordResult
record_reader_next(RecordReader *r, Record *record)
{
	if (r->state == RECORD_OK)
	{
		r->state = next(r, record);
		if (r->state != RECORD_OK)
			give_back_window(r);
	}
	return r->state;
}

bool
record_headers_next(const Record *record, const char **position, RecordHeader *header)
{
	const char *end = record->headers + record->headers_len;

	return *position < end && read_header(position, end, header);
}
