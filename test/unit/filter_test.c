/*
 * Leaving records out of batches, as compaction does, with every codec.
 */
#include "check.h"

#include "wire/filter.h"

#define TIME INT64_C(1700000000000)
#define HORIZON (TIME + 86400000)
#define N 100

static RecordReader *reader;
static CodecWriter *packer;
static BatchBuilder *builder;
static BatchFilter *filter;

/* N records, of which every tenth is a tombstone; the timestamps go down. */
static char *
make_batch(int codec, bool tombstones, size_t *len)
{
	static const RecordHeader headers[] = {{"h", "x", 1, 1}, {"h", NULL, 1, -1}};
	char	   *batch;
	char	   *copy;

	batch_builder_reset(builder);
	for (int i = 0; i < N; i++)
	{
		char		key[16];
		char		value[16];

		sprintf(key, "k%d", i);
		sprintf(value, "v%d", i);
		batch_builder_append(builder, TIME - i, key, (int32_t) strlen(key),
							 tombstones && i % 10 == 0 ? NULL : value, (int32_t) strlen(value),
							 headers, i % 3);
	}
	batch_builder_finish(builder, packer, codec, CODEC_DEFAULT_LEVEL, &batch, len);
	copy = malloc(*len);
	memcpy(copy, batch, *len);
	batch_put64(copy + BATCH_OFF_PRODUCER_ID, 4711);
	batch_put16(copy + BATCH_OFF_PRODUCER_EPOCH, 3);
	batch_put32(copy + BATCH_OFF_BASE_SEQUENCE, 1000);
	batch_update_crc(copy);
	batch_set_base_offset(copy, 5000);
	batch_set_leader_epoch(copy, 7);
	return copy;
}

static bool
keep_all(const Record *record, void *arg)
{
	return true;
}

static bool
keep_none(const Record *record, void *arg)
{
	return false;
}

static bool
keep_fives(const Record *record, void *arg)
{
	return record->offset % 5 == 0;
}

static bool
keep_odd(const Record *record, void *arg)
{
	return record->offset % 2 == 1;
}

static bool
same_header(const char *a, const char *b)
{
	return batch_base_offset(a) == batch_base_offset(b) && batch_last_offset(a) == batch_last_offset(b) &&
		batch_leader_epoch(a) == batch_leader_epoch(b) && batch_producer_id(a) == batch_producer_id(b) &&
		batch_producer_epoch(a) == batch_producer_epoch(b) &&
		batch_base_sequence(a) == batch_base_sequence(b) && batch_last_sequence(a) == batch_last_sequence(b);
}

/* Records are what make_batch() made; returns how many, -1 if one is not. */
static int
count_good(const char *batch, size_t len, bool tombstones)
{
	Record		record;
	RecordResult result = record_reader_begin(reader, batch, len, 0);
	int			n = 0;

	while (result == RECORD_OK && (result = record_reader_next(reader, &record)) == RECORD_OK)
	{
		int			i = record.offset_delta;
		char		key[16];
		char		value[16];
		const char *p = record.headers;
		RecordHeader header;
		int			n_headers = 0;

		sprintf(key, "k%d", i);
		sprintf(value, "v%d", i);
		while (record_headers_next(&record, &p, &header))
			n_headers++;
		if (record.offset != 5000 + i || record.timestamp != TIME - i || n_headers != i % 3 ||
			record.key_len != (int32_t) strlen(key) || memcmp(record.key, key, strlen(key)) != 0)
			return -1;
		if (tombstones && i % 10 == 0 ? record.value != NULL :
			record.value_len != (int32_t) strlen(value) || memcmp(record.value, value, strlen(value)) != 0)
			return -1;
		n++;
	}
	return result == RECORD_END ? n : -1;
}

static BatchFilterResult
filtered(const char *batch, size_t len, BatchFilterKeep keep, int64_t horizon, char **left, size_t *left_len)
{
	return batch_filter(filter, batch, len, keep, NULL, horizon, left, left_len);
}

static void
with_codec(int codec)
{
	const char *name = codec_name(codec);
	size_t		len;
	size_t		left_len;
	size_t		copy_len;
	char	   *batch = make_batch(codec, false, &len);
	char	   *left;
	char		copy[65536];
	char		empty[BATCH_HEADER_SIZE];

	check(filtered(batch, len, keep_all, HORIZON, &left, &left_len) == BATCH_FILTER_SAME,
		  "%s: nothing to do", name);
	check(filtered(batch, len, keep_none, HORIZON, &left, &left_len) == BATCH_FILTER_EMPTY,
		  "%s: nothing is left", name);

	check(filtered(batch, len, keep_fives, HORIZON, &left, &left_len) == BATCH_FILTER_CHANGED &&
		  batch_is_intact(left, left_len) && same_header(left, batch) && batch_codec(left) == codec &&
		  count_good(left, left_len, false) == N / 5 && batch_record_count(left) == N / 5 &&
		  !batch_has_delete_horizon(left) && batch_max_timestamp(left) == TIME,
		  "%s: every fifth is left", name);
	check(filtered(batch, len, keep_odd, HORIZON, &left, &left_len) == BATCH_FILTER_CHANGED &&
		  batch_max_timestamp(left) == TIME - 1 && count_good(left, left_len, false) == N / 2,
		  "%s: the maximum timestamp is that of what is left", name);
	free(batch);

	/* tombstones */
	batch = make_batch(codec, true, &len);
	check(filtered(batch, len, keep_all, HORIZON, &left, &left_len) == BATCH_FILTER_CHANGED &&
		  batch_is_intact(left, left_len) && same_header(left, batch) && batch_has_delete_horizon(left) &&
		  batch_base_timestamp(left) == HORIZON && count_good(left, left_len, true) == N,
		  "%s: a tombstone makes for a delete horizon, and timestamps stay", name);
	memcpy(copy, left, left_len);
	copy_len = left_len;
	check(filtered(copy, copy_len, keep_all, HORIZON + 5, &left, &left_len) == BATCH_FILTER_SAME,
		  "%s: there is one only once", name);
	check(filtered(copy, copy_len, keep_fives, HORIZON + 5, &left, &left_len) == BATCH_FILTER_CHANGED &&
		  batch_has_delete_horizon(left) && batch_base_timestamp(left) == HORIZON &&
		  count_good(left, left_len, true) == N / 5, "%s: and it is kept", name);
	check(filtered(batch, len, keep_odd, HORIZON, &left, &left_len) != BATCH_FILTER_CHANGED ||
		  !batch_has_delete_horizon(left), "%s: no tombstone, no horizon", name);

	batch_make_empty(copy, empty);
	check(batch_is_intact(empty, BATCH_HEADER_SIZE) && same_header(empty, copy) && batch_codec(empty) == 0 &&
		  !batch_has_delete_horizon(empty) && batch_record_count(empty) == 0 &&
		  record_reader_begin(reader, empty, BATCH_HEADER_SIZE, 0) == RECORD_OK &&
		  count_good(empty, BATCH_HEADER_SIZE, true) == 0, "%s: an empty batch tells of its producer", name);

	/* cut off */
	batch_put32(copy + BATCH_OFF_RECORD_COUNT, N + 1);
	check(filtered(copy, copy_len, keep_fives, HORIZON, &left, &left_len) == BATCH_FILTER_CORRUPT,
		  "%s: one that can't be read is told", name);
	free(batch);
}

int
main(void)
{
	reader = record_reader_create();
	packer = codec_writer_create();
	builder = batch_builder_create();
	filter = batch_filter_create();
	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
		with_codec(codec);
	batch_filter_free(filter);
	batch_builder_free(builder);
	codec_writer_free(packer);
	record_reader_free(reader);
	return done();
}
