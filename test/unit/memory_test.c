/*
 * No memory: each allocation of src/wire fails once, at each place; the answer is the code for it, nothing
 * leaks, and afterwards everything works.  (Linked with --wrap=malloc and so on, see the Makefile.)
 */
#include "check.h"
#include "golden.h"
#include "wire/error.h"
#include "wire/record.h"

/* Allocations until one fails; -1: none does. */
static int	countdown = -1;

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t n, size_t size);
extern void *__real_realloc(void *p, size_t size);
extern void *__wrap_malloc(size_t size);
extern void *__wrap_calloc(size_t n, size_t size);
extern void *__wrap_realloc(void *p, size_t size);

static bool
fail_now(void)
{
	return countdown >= 0 && countdown-- == 0;
}

void *
__wrap_malloc(size_t size)
{
	return fail_now() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return fail_now() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t size)
{
	return fail_now() ? NULL : __real_realloc(p, size);
}

/* What the parts have to say about it, as one number: 0 fine, 1 no memory, 2 something else. */
typedef int (*Attempt) (const char *batch, size_t len);

static int
validate(const char *batch, size_t len)
{
	RecordReader *reader = record_reader_create();
	BatchLimits limits = {
		.max_bytes = 1048588, .before_max_ms = INT64_MAX, .after_max_ms = 3600000,
		.now_ms = INT64_C(1700001000000), .zstd_allowed = true
	};
	BatchInfo	info;
	int			code;

	if (reader == NULL)
		return 1;
	code = batch_validate(batch, len, &limits, reader, &info);
	if (code == KAFKA_UNKNOWN_SERVER_ERROR)
	{
		/* The same reader, when there is memory again. */
		if (batch_validate(batch, len, &limits, reader, &info) != KAFKA_NONE)
			code = KAFKA_INVALID_RECORD;
	}
	record_reader_free(reader);
	return code == KAFKA_NONE ? 0 : code == KAFKA_UNKNOWN_SERVER_ERROR ? 1 : 2;
}

static int
recompress(const char *batch, size_t len)
{
	CodecReader *reader = codec_reader_create();
	CodecWriter *writer = codec_writer_create();
	char	   *result = NULL;
	size_t		result_len;
	int			code = KAFKA_UNKNOWN_SERVER_ERROR;

	if (reader != NULL && writer != NULL)
		code = batch_recompress(batch, len, reader, writer, CODEC_LZ4, CODEC_DEFAULT_LEVEL, 0, &result,
								&result_len);
	if (code == KAFKA_NONE)
		free(result);
	codec_reader_free(reader);
	codec_writer_free(writer);
	return code == KAFKA_NONE ? 0 : code == KAFKA_UNKNOWN_SERVER_ERROR ? 1 : 2;
}

static int
build(const char *batch, size_t len)
{
	BatchBuilder *b = batch_builder_create();
	CodecWriter *writer = codec_writer_create();
	RecordResult result = RECORD_NO_MEMORY;
	char	   *built;
	size_t		built_len;

	if (b != NULL && writer != NULL)
	{
		result = RECORD_OK;
		for (int i = 0; i < 5 && result == RECORD_OK; i++)
			result = batch_builder_append(b, i, "key", 3, batch, (int32_t) len, NULL, 0);
		if (result == RECORD_OK)
			result = batch_builder_finish(b, writer, CODEC_ZSTD, CODEC_DEFAULT_LEVEL, &built, &built_len);
	}
	batch_builder_free(b);
	codec_writer_free(writer);
	return result == RECORD_OK ? 0 : result == RECORD_NO_MEMORY ? 1 : 2;
}

/* Let the first allocation fail, then the second, and so on until none does. */
static void
everywhere(const char *what, Attempt attempt, const char *batch, size_t len)
{
	int			bad = 0;
	int			n = 0;

	for (;; n++)
	{
		int			result;
		bool		failed;

		countdown = n;
		result = attempt(batch, len);
		failed = countdown == -1;
		countdown = -1;
		fails(bad, result == (failed ? 1 : 0), "%s, allocation %d: %d", what, n, result);
		if (!failed)
			break;
	}
	check(bad == 0 && n > 0, "%s survives %d failures", what, n);
}

int
main(void)
{
	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
	{
		char		name[40];
		size_t		len;
		char	   *batch;

		sprintf(name, "%s-%s", codec == CODEC_NONE ? "mixed" : "large", codec_name(codec));
		batch = golden_batch("golden/java_batches.txt", name, &len);
		sprintf(name, "validating %s", codec_name(codec));
		everywhere(name, validate, batch, len);
		sprintf(name, "repacking %s", codec_name(codec));
		everywhere(name, recompress, batch, len);
		if (codec == CODEC_NONE)
			everywhere("building", build, batch, len);
		free(batch);
	}
	return done();
}
