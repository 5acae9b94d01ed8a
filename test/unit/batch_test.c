/*
 * Record batches: those of Java and librdkafka are read, ours are the same,
 * and what a broker must refuse is refused with Kafka's code.
 */
#include "check.h"
#include "golden.h"
#include <inttypes.h>

#include "wire/crc32c.h"
#include "wire/error.h"
#include "wire/record.h"

#define JAVA "golden/java_batches.txt"
#define RDKAFKA "golden/rdkafka_batches.txt"

#define TIME INT64_C(1700000000000)
#define N_MIXED 100
#define LARGE_SIZE 150000

static RecordReader *reader;
static CodecReader *unpacker;
static CodecWriter *packer;

/* ---------- the records of the golden batches ---------- */

typedef struct Sample
{
	int64_t		timestamp;
	const char *key;
	int32_t		key_len;
	const char *value;
	int32_t		value_len;
	const RecordHeader *headers;
	int32_t		n_headers;
} Sample;

static const RecordHeader sample_headers[] = {
	{"h1", "x", 2, 1}, {"h1", "y", 2, 1}, {"h2", NULL, 2, -1}, {"", "", 0, 0}
};

static Sample mixed[N_MIXED];
static Sample large;

static void
golden_records(void)
{
	static char keys[N_MIXED][16];
	static char values[N_MIXED][16];
	static char pattern[3000];
	static char large_value[LARGE_SIZE];

	for (int i = 0; i < 3000; i++)
		pattern[i] = (char) (i * 7 + i / 251);
	for (int i = 0; i < LARGE_SIZE; i++)
		large_value[i] = (char) ('a' + i % 26);
	for (int i = 0; i < N_MIXED; i++)
	{
		sprintf(keys[i], "key-%d", i);
		sprintf(values[i], "value-%d", i);
		mixed[i] = (Sample) {TIME + i, keys[i], (int32_t) strlen(keys[i]), values[i],
							 (int32_t) strlen(values[i]),
			NULL, 0};
	}
	mixed[1] = (Sample) {TIME + 5, NULL, -1, "v", 1, sample_headers, 4};
	mixed[2] = (Sample) {TIME - 10, "", 0, NULL, -1, NULL, 0};
	mixed[3] = (Sample) {TIME + 1000000, "\x00\xff\x80\x7f", 4, "h\xc3\xa9llo \xe2\x9c\x93", 10, NULL, 0};
	mixed[4] = (Sample) {TIME + 1000000, "k", 1, pattern, 3000, NULL, 0};
	large = (Sample) {TIME, "large", 5, large_value, LARGE_SIZE, NULL, 0};
}

static bool
same_bytes(const char *a, int32_t a_len, const char *b, int32_t b_len)
{
	return a_len == b_len && (a == NULL) == (b == NULL) && (a_len <= 0 || memcmp(a, b, (size_t) a_len) == 0);
}

static bool
same_record(const Record *record, const Sample *sample, int64_t offset)
{
	const char *p = record->headers;
	RecordHeader header;
	int			n = 0;

	while (record_headers_next(record, &p, &header))
	{
		if (n >= sample->n_headers ||
			!same_bytes(header.key, header.key_len, sample->headers[n].key, sample->headers[n].key_len) ||
			!same_bytes(header.value, header.value_len, sample->headers[n].value,
						sample->headers[n].value_len))
			return false;
		n++;
	}
	return n == sample->n_headers && record->n_headers == n && record->offset == offset &&
		record->create_timestamp == sample->timestamp &&
		same_bytes(record->key, record->key_len, sample->key, sample->key_len) &&
		same_bytes(record->value, record->value_len, sample->value, sample->value_len);
}

/* Does the batch hold these records and no others? */
static bool
holds(const char *batch, size_t len, const Sample *samples, int n)
{
	Record		record;
	RecordResult result = record_reader_begin(reader, batch, len, 0);
	int			i = 0;

	while (result == RECORD_OK && (result = record_reader_next(reader, &record)) == RECORD_OK)
	{
		if (i >= n || !same_record(&record, &samples[i], batch_base_offset(batch) + i))
			return false;
		i++;
	}
	return result == RECORD_END && i == n;
}

static BatchLimits
defaults(void)
{
	BatchLimits limits = {
		.max_bytes = 1048588,
		.before_max_ms = INT64_MAX,
		.after_max_ms = 3600000,
		.now_ms = TIME + 1000000,
		.zstd_allowed = true
	};

	return limits;
}

/* ---------- what other clients write ---------- */

static void
foreign_batches(const char *file)
{
	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
	{
		BatchLimits limits = defaults();
		BatchInfo	info;
		char		name[40];
		size_t		len;
		char	   *batch;
		int			code;

		sprintf(name, "mixed-%s", codec_name(codec));
		batch = golden_batch(file, name, &len);
		code = batch_validate(batch, len, &limits, reader, &info);
		check(code == KAFKA_NONE && info.size == (int32_t) len && info.n_records == N_MIXED &&
			  info.max_timestamp == TIME + 1000000 && info.max_timestamp_delta == 3 && !info.needs_timestamp,
			  "%s %s is accepted", file, name);
		batch_set_base_offset(batch, 1000);
		batch_set_leader_epoch(batch, 17);
		check(batch_codec(batch) == codec && batch_is_intact(batch, len) && holds(batch, len, mixed, N_MIXED),
			  "%s %s holds the right records", file, name);
		free(batch);

		if (codec == CODEC_NONE)
			continue;
		sprintf(name, "large-%s", codec_name(codec));
		batch = golden_batch(file, name, &len);
		code = batch_validate(batch, len, &limits, reader, &info);
		check(code == KAFKA_NONE && holds(batch, len, &large, 1) && info.uncompressed > LARGE_SIZE,
			  "%s %s is accepted and holds the right record", file, name);
		limits.max_record = LARGE_SIZE;
		check(batch_validate(batch, len, &limits, reader, &info) == KAFKA_INVALID_RECORD,
			  "%s %s is refused if its record is too large", file, name);
		limits.max_record = 0;
		limits.max_uncompressed = LARGE_SIZE;
		check(batch_validate(batch, len, &limits, reader, &info) == KAFKA_INVALID_RECORD,
			  "%s %s is refused if it unpacks to too much", file, name);
		free(batch);
	}
}

static void
headers_of_java(void)
{
	size_t		len;
	char	   *batch = golden_batch(JAVA, "idempotent", &len);
	Record		record;

	check(batch_producer_id(batch) == 4000 && batch_producer_epoch(batch) == 3 &&
		  batch_base_sequence(batch) == INT32_MAX - 1 && batch_last_sequence(batch) == 0 &&
		  batch_record_count(batch) == 3 && batch_last_offset_delta(batch) == 2 &&
		  batch_has_producer(batch) &&
		  !batch_is_transactional(batch) && batch_magic(batch) == 2 &&
		  batch_total_size(batch) == (int64_t) len,
		  "an idempotent batch, whose sequence wraps around");
	free(batch);

	batch = golden_batch(JAVA, "transactional", &len);
	check(batch_is_transactional(batch) && !batch_is_control(batch) && batch_base_sequence(batch) == 11 &&
		  batch_last_sequence(batch) == 13, "a transactional batch");
	free(batch);

	batch = golden_batch(JAVA, "append-time", &len);
	check(batch_is_log_append_time(batch) && batch_max_timestamp(batch) == TIME + 5000 &&
		  batch_base_timestamp(batch) == TIME, "a batch with LogAppendTime");
	check(record_reader_begin(reader, batch, len, 0) == RECORD_OK &&
		  record_reader_next(reader, &record) == RECORD_OK && record.timestamp == TIME + 5000 &&
		  record.create_timestamp == TIME, "all its records have that time");
	free(batch);

	batch = golden_batch(JAVA, "control", &len);
	check(batch_is_control(batch) && batch_is_transactional(batch) && batch_base_offset(batch) == 42 &&
		  batch_leader_epoch(batch) == 9 && batch_next_offset(batch) == 43 &&
		  batch_last_sequence(batch) == -1 &&
		  batch_is_intact(batch, len), "a control batch");
	free(batch);
}

/* ---------- what we write ---------- */

static BatchBuilder *
build(const Sample *samples, int n)
{
	BatchBuilder *b = batch_builder_create();

	for (int i = 0; i < n; i++)
	{
		size_t		before = batch_builder_size(b);
		size_t		bound = record_size_bound(samples[i].key_len, samples[i].value_len, samples[i].headers,
											  samples[i].n_headers);

		if (batch_builder_append(b, samples[i].timestamp, samples[i].key, samples[i].key_len,
								 samples[i].value,
								 samples[i].value_len, samples[i].headers,
								 samples[i].n_headers) != RECORD_OK ||
			batch_builder_size(b) - before > bound)
			abort();
	}
	return b;
}

static void
our_batches(void)
{
	BatchBuilder *b = build(mixed, N_MIXED);
	char	   *batch;
	size_t		len;
	char	   *java;
	size_t		java_len;

	check(batch_builder_finish(b, NULL, CODEC_NONE, 0, &batch, &len) == RECORD_OK &&
		  batch_builder_count(b) == N_MIXED && batch_builder_size(b) == len, "a batch is built");
	java = golden_batch(JAVA, "mixed-none", &java_len);
	check(len == java_len && memcmp(batch, java, len) == 0, "it is Java's to the byte");
	free(java);

	for (int codec = CODEC_GZIP; codec < CODEC_COUNT; codec++)
	{
		BatchLimits limits = defaults();
		BatchInfo	info;

		check(batch_builder_finish(b, packer, codec, CODEC_DEFAULT_LEVEL, &batch, &len) == RECORD_OK &&
			  batch_validate(batch, len, &limits, reader, &info) == KAFKA_NONE &&
			  holds(batch, len, mixed, N_MIXED),
			  "a batch is built with %s", codec_name(codec));
	}

	batch_builder_reset(b);
	check(batch_builder_count(b) == 0 && batch_builder_size(b) == BATCH_HEADER_SIZE, "a builder is reset");
	batch_builder_append(b, TIME, "large", 5, large.value, LARGE_SIZE, NULL, 0);
	check(batch_builder_finish(b, NULL, CODEC_NONE, 0, &batch, &len) == RECORD_OK &&
		  holds(batch, len, &large, 1),
		  "and used again");
	batch_builder_free(b);
}

static void
extreme_records(void)
{
	static const int64_t times[] = {0, INT64_MAX, INT64_MIN, -1, 1, INT64_MAX};
	BatchBuilder *b = batch_builder_create();
	Record		record;
	char	   *batch;
	size_t		len;
	int			bad = 0;

	for (int i = 0; i < 6; i++)
		batch_builder_append(b, times[i], NULL, -1, NULL, -1, NULL, 0);
	batch_builder_finish(b, NULL, CODEC_NONE, 0, &batch, &len);
	record_reader_begin(reader, batch, len, 0);
	for (int i = 0; i < 6; i++)
		fails(bad, record_reader_next(reader, &record) == RECORD_OK && record.timestamp == times[i],
			  "record %d", i);
	check(bad == 0 && record_reader_next(reader, &record) == RECORD_END,
		  "all timestamps can be written and read");

	/* What is too long isn't even looked at. */
	len = batch_builder_size(b);
	check(batch_builder_append(b, 0, NULL, -1, "x", BATCH_BUILDER_MAX_SIZE, NULL, 0) == RECORD_TOO_LARGE &&
		  batch_builder_append(b, 0, "x", INT32_MAX, "x", INT32_MAX, NULL, 0) == RECORD_TOO_LARGE &&
		  batch_builder_size(b) == len && batch_builder_count(b) == 6,
		  "a builder has a limit, and survives it");
	batch_builder_free(b);
}

/* ---------- what is refused ---------- */

/* A small good batch, as a client sends it, in memory of its own. */
static char *
small_batch(size_t *len)
{
	BatchBuilder *b = build(mixed, 3);
	char	   *batch;
	char	   *copy;

	batch_builder_finish(b, NULL, CODEC_NONE, 0, &batch, len);
	copy = malloc(*len);
	memcpy(copy, batch, *len);
	batch_builder_free(b);
	return copy;
}

static int
code_of(const char *batch, size_t len, const BatchLimits *limits, BatchInfo *info)
{
	BatchLimits standard = defaults();
	BatchInfo	unused;

	return batch_validate(batch, len, limits != NULL ? limits : &standard, reader,
						  info != NULL ? info : &unused);
}

/* The code for a small batch after a change at an offset and a new CRC. */
static int
code_after(size_t offset, int64_t value, int bytes)
{
	size_t		len;
	char	   *batch = small_batch(&len);
	int			code;

	if (bytes == 8)
		batch_put64(batch + offset, value);
	else if (bytes == 4)
		batch_put32(batch + offset, (int32_t) value);
	else if (bytes == 2)
		batch_put16(batch + offset, (int16_t) value);
	else
		batch[offset] = (char) value;
	batch_put32(batch + BATCH_OFF_CRC,
				(int32_t) crc32c_compute(batch + BATCH_OFF_ATTRIBUTES, len - BATCH_OFF_ATTRIBUTES));
	code = code_of(batch, len, NULL, NULL);
	free(batch);
	return code;
}

static void
bad_headers(void)
{
	size_t		len;
	char	   *batch = small_batch(&len);
	char	   *two = malloc(2 * len);
	BatchLimits limits = defaults();
	BatchInfo	info;

	check(code_of(batch, len, NULL, &info) == KAFKA_NONE && info.message == NULL, "a good batch");
	check(code_of(batch, 0, NULL, &info) == KAFKA_INVALID_RECORD && info.message != NULL, "nothing");
	for (size_t cut = 1; cut < len; cut++)
		if (code_of(batch, cut, NULL, NULL) != KAFKA_INVALID_RECORD)
			check(false, "cut at %zu", cut);
	check(true, "a batch that is cut off anywhere counts as none");
	check(code_after(BATCH_OFF_LENGTH, 13, 4) == KAFKA_CORRUPT_MESSAGE &&
		  code_after(BATCH_OFF_LENGTH, -1, 4) == KAFKA_CORRUPT_MESSAGE &&
		  code_after(BATCH_OFF_LENGTH, 48, 4) == KAFKA_CORRUPT_MESSAGE, "a length that can't be");
	check(code_after(BATCH_OFF_LENGTH, INT32_MAX, 4) == KAFKA_INVALID_RECORD, "a length beyond the end");
	check(code_after(BATCH_OFF_MAGIC, 1, 1) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_MAGIC, 0, 1) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_MAGIC, 3, 1) == KAFKA_CORRUPT_MESSAGE, "another format");
	check(code_after(BATCH_OFF_BASE_OFFSET, 1, 8) == KAFKA_INVALID_RECORD, "a base offset that isn't 0");
	check(code_after(BATCH_OFF_ATTRIBUTES, 5, 2) == KAFKA_UNKNOWN_SERVER_ERROR, "an unknown codec");
	check(code_after(BATCH_OFF_ATTRIBUTES, BATCH_ATTR_CONTROL, 2) == KAFKA_INVALID_RECORD, "a control batch");
	check(code_after(BATCH_OFF_ATTRIBUTES, CODEC_LZ4, 2) == KAFKA_INVALID_RECORD,
		  "a codec that it isn't packed with");
	check(code_after(BATCH_OFF_LAST_OFFSET_DELTA, 3, 4) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_LAST_OFFSET_DELTA, 1, 4) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_LAST_OFFSET_DELTA, -1, 4) == KAFKA_INVALID_RECORD, "a wrong last offset");
	check(code_after(BATCH_OFF_RECORD_COUNT, 0, 4) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_RECORD_COUNT, -5, 4) == KAFKA_INVALID_RECORD &&
		  code_after(BATCH_OFF_RECORD_COUNT, 4, 4) == KAFKA_INVALID_RECORD, "a wrong count");
	check(code_after(BATCH_OFF_PRODUCER_ID, 7, 8) == KAFKA_INVALID_RECORD, "a producer without a sequence");

	batch[len - 1] ^= 1;
	check(code_of(batch, len, NULL, NULL) == KAFKA_CORRUPT_MESSAGE, "a wrong checksum");
	limits.max_bytes = (int32_t) len - 1;
	check(code_of(batch, len, &limits, NULL) == KAFKA_MESSAGE_TOO_LARGE,
		  "too large comes before the checksum");
	batch[len - 1] ^= 1;
	limits.max_bytes = (int32_t) len;
	check(code_of(batch, len, &limits, NULL) == KAFKA_NONE, "exactly max.message.bytes");

	memcpy(two, batch, len);
	memcpy(two + len, batch, len);
	check(code_of(two, 2 * len, NULL, NULL) == KAFKA_INVALID_RECORD, "two batches");
	check(code_of(two, 2 * len - 1, NULL, &info) == KAFKA_NONE && info.size == (int32_t) len,
		  "an incomplete second one is dropped");
	free(two);
	free(batch);

	batch = golden_batch(JAVA, "mixed-zstd", &len);
	limits = defaults();
	limits.zstd_allowed = false;
	check(code_of(batch, len, &limits, NULL) == KAFKA_UNSUPPORTED_COMPRESSION_TYPE, "zstd in an old request");
	free(batch);
}

/* The count and the last offset agree, but there are more or fewer records. */
static void
lying_counts(void)
{
	size_t		len;
	int			bad = 0;

	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
	{
		BatchBuilder *b = build(mixed, 50);

		for (int count = 1; count <= 100; count++)
		{
			char	   *batch;
			int			code;

			batch_builder_finish(b, packer, codec, CODEC_DEFAULT_LEVEL, &batch, &len);
			batch_put32(batch + BATCH_OFF_LAST_OFFSET_DELTA, count - 1);
			batch_put32(batch + BATCH_OFF_RECORD_COUNT, count);
			batch_update_crc(batch);
			code = code_of(batch, len, NULL, NULL);
			fails(bad, code == (count == 50 ? KAFKA_NONE : KAFKA_INVALID_RECORD), "%s, %d: %d",
				  codec_name(codec),
				  count, code);
		}
		batch_builder_free(b);
	}
	check(bad == 0, "a header that announces more or fewer records than there are");
}

/* Each single byte of the records changed, under a right CRC: accepted or refused, but without harm. */
static void
damaged_records(void)
{
	size_t		len;
	char	   *batch = small_batch(&len);
	int			accepted = 0;
	int			refused = 0;

	for (size_t i = BATCH_HEADER_SIZE; i < len; i++)
		for (int v = 0; v < 256; v++)
		{
			char	   *copy = malloc(len);

			memcpy(copy, batch, len);
			copy[i] = (char) v;
			batch_update_crc(copy);
			switch (code_of(copy, len, NULL, NULL))
			{
				case KAFKA_NONE:
					accepted++;
					break;
				case KAFKA_INVALID_RECORD:
				case KAFKA_INVALID_TIMESTAMP:
					refused++;
					break;
				default:
					check(false, "byte %zu = %d", i, v);
			}
			free(copy);
		}
	check(accepted > 0 && refused > 0, "damage inside is refused (%d) or makes other records (%d)", refused,
		  accepted);
	free(batch);
}

static const char *
refuse_v(const Record *record, void *arg)
{
	(*(int *) arg)++;
	return record->value_len == 1 ? "no v" : NULL;
}

static void
bad_records(void)
{
	size_t		len;
	char	   *batch = small_batch(&len);
	BatchLimits limits = defaults();
	BatchInfo	info;
	int			calls = 0;

	limits.key_required = true;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_RECORD && info.n_record_errors == 1 &&
		  info.record_errors[0].index == 1 && info.record_errors[0].message != NULL,
		  "a null key in a compacted topic");

	limits = defaults();
	limits.now_ms = TIME;
	limits.after_max_ms = 4;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_TIMESTAMP && info.n_record_errors == 1 &&
		  info.record_errors[0].index == 1, "a timestamp too far ahead");
	limits.after_max_ms = 5;
	check(code_of(batch, len, &limits, &info) == KAFKA_NONE, "a timestamp just so far ahead");
	limits.before_max_ms = 9;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_TIMESTAMP && info.n_record_errors == 1 &&
		  info.record_errors[0].index == 2, "a timestamp too far behind");
	limits.key_required = true;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_TIMESTAMP && info.n_record_errors == 2,
		  "bad records of both kinds are all listed");
	limits.log_append_time = true;
	limits.key_required = false;
	check(code_of(batch, len, &limits, &info) == KAFKA_NONE && info.max_timestamp == TIME &&
		  info.needs_timestamp,
		  "under LogAppendTime the producer's time doesn't matter");

	limits = defaults();
	limits.check = refuse_v;
	limits.check_arg = &calls;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_RECORD && info.n_record_errors == 1 &&
		  calls == 3 &&
		  strcmp(info.record_errors[0].message, "no v") == 0, "the caller's own check");
	free(batch);
}

static void
timestamps(void)
{
	size_t		len;
	char	   *batch = small_batch(&len);
	BatchLimits limits = defaults();
	BatchInfo	info;
	uint32_t	crc = batch_crc(batch);

	batch_set_max_timestamp(batch, false, TIME + 5);
	check(batch_crc(batch) == crc, "a right max timestamp changes nothing");
	batch_put64(batch + BATCH_OFF_MAX_TIMESTAMP, TIME + 77);
	batch_update_crc(batch);
	check(code_of(batch, len, &limits, &info) == KAFKA_NONE && info.needs_timestamp &&
		  info.max_timestamp == TIME + 5,
		  "a wrong max timestamp is found");
	batch_set_max_timestamp(batch, false, info.max_timestamp);
	check(batch_crc(batch) == crc, "and made right");

	batch_set_max_timestamp(batch, true, TIME + 100);
	check(batch_is_log_append_time(batch) && batch_is_intact(batch, len), "LogAppendTime is set");
	check(code_of(batch, len, &limits, &info) == KAFKA_NONE && info.needs_timestamp &&
		  info.max_timestamp == TIME + 5,
		  "a CreateTime topic takes that mark away");
	limits.log_append_time = true;
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_TIMESTAMP && info.n_record_errors == 3,
		  "a LogAppendTime topic refuses it from a client");

	batch_set_max_timestamp(batch, false, TIME + 5);
	batch_put64(batch + BATCH_OFF_BASE_TIMESTAMP, INT64_MIN);
	batch_update_crc(batch);
	limits = defaults();
	check(code_of(batch, len, &limits, &info) == KAFKA_INVALID_TIMESTAMP,
		  "times that SQL can't show are refused");
	free(batch);
}

/* ---------- the verdicts of a real Kafka ---------- */

/* Where we are stricter, and why. */
static bool
stricter(const char *name)
{
	/* Records whose offsets aren't 0, 1, 2... : readers would see offsets twice or out of order. */
	if (strncmp(name, "delta", 5) == 0)
		return true;
	/* Bytes after the packed records, which nobody would ever see. */
	return strstr(name, ", a byte after") != NULL;
}

static void
verdicts(void)
{
	int			n;
	char	  **lines = golden_lines("golden/verdicts.txt", &n);
	int			bad = 0;

	for (int i = 0; i < n; i++)
	{
		char		topic[20];
		char		name[80];
		char		indexes[300];
		char		ours[BATCH_MAX_RECORD_ERRORS * 12] = "";
		int64_t		now;
		int			expected;
		int			code;
		int			at;
		size_t		len;
		char	   *data;
		BatchLimits limits = defaults();
		BatchInfo	info;

		if (sscanf(lines[i], "%19[^\t]\t%79[^\t]\t%" SCNd64 "\t%d\t%299[^\t]\t%n", topic, name, &now,
				   &expected,
				   indexes, &at) != 5)
			abort();
		data = golden_hex(lines[i] + at, &len);
		limits.now_ms = now;
		limits.key_required = strcmp(topic, "compact") == 0;
		limits.log_append_time = strcmp(topic, "append") == 0;
		code = batch_validate(data, len, &limits, reader, &info);

		/* -1: Kafka meets an exception that it didn't expect, mostly in a codec. */
		if (stricter(name) || (expected == KAFKA_UNKNOWN_SERVER_ERROR && strncmp(name, "codec ", 6) != 0))
			fails(bad, code == KAFKA_INVALID_RECORD, "%s, %s: %d", topic, name, code);
		else
		{
			if (info.n_record_errors == BATCH_MAX_RECORD_ERRORS)
				strcpy(ours, indexes);	/* Kafka has no limit */
			for (int e = 0; e < info.n_record_errors && info.n_record_errors < BATCH_MAX_RECORD_ERRORS; e++)
				sprintf(ours + strlen(ours), "%s%d", e > 0 ? "," : "", info.record_errors[e].index);
			fails(bad, code == expected && strcmp(ours[0] != '\0' ? ours : "-", indexes) == 0,
				  "%s, %s: %d and %s, not %d and %s", topic, name, code, ours, expected, indexes);
		}
		free(data);
	}
	check(n > 200 && bad == 0, "%d verdicts as Kafka's, but for those where we are stricter", n);
	golden_free_lines(lines, n);
}

/* ---------- searches, repacking ---------- */

static void
searches(void)
{
	size_t		len;
	char	   *batch = golden_batch(JAVA, "mixed-lz4", &len);
	BatchPosition p;

	batch_set_base_offset(batch, 500);
	check(batch_find_time(batch, len, reader, TIME, 0, &p) == 1 && p.offset == 500 && p.timestamp == TIME,
		  "the first record of a time");
	check(batch_find_time(batch, len, reader, TIME + 1, 0, &p) == 1 && p.offset == 501 &&
		  p.timestamp == TIME + 5,
		  "the first record after a time");
	check(batch_find_time(batch, len, reader, TIME + 6, 0, &p) == 1 && p.offset == 503 &&
		  p.timestamp == TIME + 1000000, "times need not ascend");
	check(batch_find_time(batch, len, reader, TIME + 6, 505, &p) == 1 && p.offset == 506 &&
		  p.timestamp == TIME + 6,
		  "from an offset on");
	check(batch_find_time(batch, len, reader, TIME + 1000001, 0, &p) == 0, "a time after all records");
	check(batch_find_time(batch, len, reader, 0, 600, &p) == 0, "an offset after all records");
	check(batch_find_max_time(batch, len, reader, &p) == 1 && p.offset == 503 &&
		  p.timestamp == TIME + 1000000,
		  "the first record of the largest time");
	batch[len - 5] ^= 0x55;
	batch[BATCH_HEADER_SIZE] ^= 0x55;
	check(batch_find_max_time(batch, len, reader, &p) == -1, "a damaged batch");
	free(batch);
}

static void
repacking(void)
{
	for (int from = CODEC_NONE; from < CODEC_COUNT; from++)
		for (int to = CODEC_NONE; to < CODEC_COUNT; to++)
		{
			char		name[40];
			size_t		len;
			size_t		result_len;
			char	   *batch;
			char	   *result;
			bool		ok;

			sprintf(name, "mixed-%s", codec_name(from));
			batch = golden_batch(JAVA, name, &len);
			batch_set_base_offset(batch, 77);
			ok = batch_recompress(batch, len, unpacker, packer, to, CODEC_DEFAULT_LEVEL, 0, &result,
								  &result_len) ==
				KAFKA_NONE;
			check(ok && batch_codec(result) == to && batch_is_intact(result, result_len) &&
				  holds(result, result_len, mixed, N_MIXED), "from %s to %s", codec_name(from),
				  codec_name(to));
			if (ok)
				free(result);
			check(batch_recompress(batch, len, unpacker, packer, to, CODEC_DEFAULT_LEVEL, 1000, &result,
								   &result_len) == KAFKA_INVALID_RECORD, "but not what is too large");
			free(batch);
		}
}

static void
sequences(void)
{
	check(batch_sequence_add(0, 5) == 5 && batch_sequence_add(INT32_MAX, 1) == 0 &&
		  batch_sequence_add(INT32_MAX - 2, 5) == 2 && batch_sequence_add(INT32_MAX,
																		  INT32_MAX) == INT32_MAX - 1,
		  "sequence numbers go on at 0");
}

int
main(void)
{
	reader = record_reader_create();
	unpacker = codec_reader_create();
	packer = codec_writer_create();
	golden_records();
	foreign_batches(JAVA);
	foreign_batches(RDKAFKA);
	headers_of_java();
	our_batches();
	extreme_records();
	bad_headers();
	lying_counts();
	damaged_records();
	bad_records();
	timestamps();
	verdicts();
	searches();
	repacking();
	sequences();
	record_reader_free(reader);
	codec_reader_free(unpacker);
	codec_writer_free(packer);
	return done();
}
