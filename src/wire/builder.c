/*-------------------------------------------------------------------------
 *
 * builder.c
 *	  Building a record batch in memory that grows with it.
 *
 * With a codec the packed batch is put into a second buffer.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/record.h"

#include <stdlib.h>

#define BUILDER_FIRST_SIZE (16 * 1024)
#define BUILDER_KEEP (4 * 1024 * 1024)

struct BatchBuilder
{
	char	   *data;
	size_t		size;
	BatchDraft	draft;
	char	   *packed;
	size_t		packed_size;
};

BatchBuilder *
batch_builder_create(void)
{
	BatchBuilder *b = calloc(1, sizeof(BatchBuilder));

	if (b == NULL)
		return NULL;
	batch_draft_begin(&b->draft);
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
	batch_draft_begin(&b->draft);
}

int32_t
batch_builder_count(const BatchBuilder *b)
{
	return b->draft.count;
}

size_t
batch_builder_size(const BatchBuilder *b)
{
	return b->draft.size;
}

static RecordResult
reserve(BatchBuilder *b, size_t more)
{
	size_t		need = b->draft.size + more;
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
	RecordResult result;

	if (b->draft.count == INT32_MAX)
		return RECORD_TOO_LARGE;
	result = reserve(b, record_size_bound(key_len, value_len, headers, n_headers));
	if (result != RECORD_OK)
		return result;
	(void) batch_draft_add(&b->draft, b->data + b->draft.size, timestamp, key, key_len, value, value_len,
						   headers, n_headers);
	return RECORD_OK;
}

RecordResult
batch_builder_finish(BatchBuilder *b, CodecWriter *writer, int codec, int level, char **batch, size_t *len)
{
	*batch = b->data;
	*len = b->draft.size;
	if (codec != CODEC_NONE)
	{
		size_t		need = batch_draft_pack_bound(&b->draft, codec);
		RecordResult result;

		if (need > b->packed_size)
		{
			free(b->packed);
			b->packed_size = 0;
			b->packed = malloc(need);
			if (b->packed == NULL)
				return RECORD_NO_MEMORY;
			b->packed_size = need;
		}
		result = batch_draft_pack(&b->draft, b->data, writer, codec, level, b->packed, b->packed_size, len);
		if (result != RECORD_OK)
			return result;
		*batch = b->packed;
	}
	batch_draft_finish(&b->draft, *batch, *len, codec);
	return RECORD_OK;
}
