/*
 * Codecs: what is packed comes back, in any portions; what is damaged, cut off or
 * a bomb doesn't.
 */
#include "check.h"
#include "wire/codec.h"

#include <snappy-c.h>
#include <zlib.h>

#define NO_CAP ((size_t) 1 << 40)

static CodecReader *reader;
static CodecWriter *writer;

/* Kinds of content: text that repeats, noise, all the same. */
static char *
content(int kind, size_t len)
{
	char	   *bytes = malloc(len + 1);
	uint64_t	state = len + 1;

	for (size_t i = 0; i < len; i++)
		bytes[i] = kind == 0 ? "the quick brown fox "[i % 20] : kind == 1 ? (char) random_next(&state) : 'x';
	return bytes;
}

static char *
pack(int codec, int level, const char *src, size_t len, size_t *packed_len)
{
	size_t		bound = codec_bound(codec, len);
	char	   *packed = malloc(bound + 1);
	char	   *exact;

	if (codec_compress(writer, codec, level, src, len, packed, bound, packed_len) != CODEC_OK)
	{
		free(packed);
		return NULL;
	}
	exact = malloc(*packed_len + (*packed_len == 0));
	memcpy(exact, packed, *packed_len);
	free(packed);
	return exact;
}

/* Unpack in portions; returns the last result and fills up to `size` bytes of out. */
static CodecResult
unpack(int codec, const char *src, size_t len, size_t cap, size_t portion, char *out, size_t size,
	   size_t *total)
{
	CodecResult result = codec_reader_begin(reader, codec, src, len, cap);

	*total = 0;
	while (result == CODEC_OK)
	{
		char	   *buffer = malloc(portion);
		size_t		got;

		result = codec_reader_read(reader, buffer, portion, &got);
		if (*total + got <= size)
			memcpy(out + *total, buffer, got);
		*total += got;
		free(buffer);
	}
	return result;
}

static bool
comes_back(int codec, const char *packed, size_t packed_len, const char *src, size_t len, size_t portion)
{
	char	   *out = malloc(len + 1);
	size_t		total;
	bool		ok = unpack(codec, packed, packed_len, len, portion, out, len, &total) == CODEC_END &&
		total == len && memcmp(out, src, len) == 0;

	free(out);
	return ok;
}

static void
round_trips(int codec)
{
	static const size_t sizes[] = {0, 1, 2, 15, 100, 4095, 32768, 32769, 65536, 65537, 200000, 1000000};
	static const size_t portions[] = {1, 7, 4096, 65536, 3000000};
	int			bad = 0;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (int kind = 0; kind < 3; kind++)
		{
			char	   *src = content(kind, sizes[s]);
			size_t		packed_len = 0;
			char	   *packed = pack(codec, CODEC_DEFAULT_LEVEL, src, sizes[s], &packed_len);

			fails(bad, packed != NULL, "%zu bytes of kind %d are not packed", sizes[s], kind);
			for (size_t p = 0; packed != NULL && p < sizeof(portions) / sizeof(portions[0]); p++)
				if (portions[p] > 1 || sizes[s] < 70000)
					fails(bad, comes_back(codec, packed, packed_len, src, sizes[s], portions[p]),
						  "%zu bytes of kind %d in portions of %zu", sizes[s], kind, portions[p]);
			free(packed);
			free(src);
		}
	check(bad == 0, "%s: content of all sizes comes back", codec_name(codec));
}

static void
levels(void)
{
	static const struct
	{
		int			codec;
		int			level;
	}			cases[] = {
		{CODEC_GZIP, 1}, {CODEC_GZIP, 9}, {CODEC_GZIP, -1}, {CODEC_GZIP, 1}, {CODEC_LZ4, 1}, {CODEC_LZ4, 9},
		{CODEC_LZ4, 17}, {CODEC_ZSTD, -131072}, {CODEC_ZSTD, 1}, {CODEC_ZSTD, 3}, {CODEC_ZSTD, 22}
	};
	size_t		len = 100000;
	char	   *src = content(0, len);
	int			bad = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		size_t		packed_len = 0;
		char	   *packed = pack(cases[i].codec, cases[i].level, src, len, &packed_len);

		fails(bad, packed != NULL && comes_back(cases[i].codec, packed, packed_len, src, len, 5000),
			  "%s at level %d", codec_name(cases[i].codec), cases[i].level);
		free(packed);
	}
	check(bad == 0, "all of Kafka's levels work");
	free(src);
}

/* Nothing but the whole stream may end well, and damage may never read or write where it shouldn't. */
static void
damage(int codec)
{
	size_t		len = 3000;
	char	   *src = content(0, len);
	char	   *out = malloc(len);
	size_t		packed_len = 0;
	size_t		total;
	char	   *packed = pack(codec, CODEC_DEFAULT_LEVEL, src, len, &packed_len);
	uint64_t	state = 7;
	int			bad = 0;

	for (size_t cut = 0; cut < packed_len; cut++)
	{
		char	   *part = malloc(cut + 1);

		memcpy(part, packed, cut);
		/* Xerial streams have no end mark: one cut between blocks is a shorter one. */
		fails(bad, unpack(codec, part, cut, NO_CAP, 1000, out, len, &total) != CODEC_END ||
			  (codec == CODEC_SNAPPY && total < len), "cut at %zu of %zu", cut, packed_len);
		free(part);
	}
	check(bad == 0, "%s: a stream that is cut off is an error", codec_name(codec));

	for (int i = 0; i < 5000; i++)
	{
		char	   *copy = malloc(packed_len);

		memcpy(copy, packed, packed_len);
		for (uint64_t n = random_next(&state) % 4 + 1; n > 0; n--)
			copy[random_next(&state) % packed_len] = (char) random_next(&state);
		unpack(codec, copy, packed_len, 100000, 1000, out, len, &total);
		fails(bad, total <= 100000, "%zu bytes past the cap", total);
		free(copy);
	}
	check(bad == 0 && comes_back(codec, packed, packed_len, src, len, 1000),
		  "%s: damage does no harm, and the reader works afterwards", codec_name(codec));
	free(packed);
	free(out);
	free(src);
}

static void
caps(int codec)
{
	size_t		len = 50 * 1024 * 1024;
	char	   *src = content(2, len);
	char	   *out = malloc(1);
	size_t		packed_len = 0;
	size_t		total;
	char	   *packed = pack(codec, CODEC_DEFAULT_LEVEL, src, len, &packed_len);

	check(unpack(codec, packed, packed_len, len - 1, 65536, out, 0, &total) == CODEC_TOO_LARGE,
		  "%s: %zu bytes that unpack to one too many are refused", codec_name(codec), packed_len);
	check(unpack(codec, packed, packed_len, 100000, 65536, out, 0, &total) == CODEC_TOO_LARGE &&
		  total <= 100000,
		  "%s: a bomb gives no more than the cap", codec_name(codec));
	check(unpack(codec, packed, packed_len, len, 65536, out, 0, &total) == CODEC_END && total == len,
		  "%s: exactly the cap is fine", codec_name(codec));
	free(packed);
	free(out);
	free(src);
}

/* The same stream twice, one after the other. */
static void
concatenated(int codec)
{
	size_t		len = 100000;
	char	   *src = content(0, 2 * len);
	size_t		first_len = 0;
	size_t		second_len = 0;
	char	   *first = pack(codec, CODEC_DEFAULT_LEVEL, src, len, &first_len);
	char	   *second = pack(codec, CODEC_DEFAULT_LEVEL, src + len, len, &second_len);
	char	   *both = malloc(first_len + second_len + 1);

	memcpy(both, first, first_len);
	memcpy(both + first_len, second, second_len);
	/* Java reads the first frame of lz4 only. */
	check(comes_back(codec, both, first_len + second_len, src, 2 * len, 10000) == (codec != CODEC_LZ4),
		  "%s: streams may %sfollow one another", codec_name(codec), codec == CODEC_LZ4 ? "not " : "");
	both[first_len + second_len] = 'x';
	check(!comes_back(codec, both, first_len + second_len + 1, src, 2 * len, 10000),
		  "%s: what follows must be a stream", codec_name(codec));
	free(both);
	free(second);
	free(first);
	free(src);
}

static void
raw_snappy(void)
{
	size_t		len = 100000;
	char	   *src = content(0, len);
	size_t		packed_len = snappy_max_compressed_length(len);
	char	   *packed = malloc(packed_len);
	size_t		total;
	char		lie[] = "\xff\xff\xff\xff\x0f" "aaaa";

	snappy_compress(src, len, packed, &packed_len);
	check(comes_back(CODEC_SNAPPY, packed, packed_len, src, len, 777), "snappy: a raw block is read too");
	check(unpack(CODEC_SNAPPY, lie, sizeof(lie) - 1, NO_CAP, 777, src, len, &total) == CODEC_CORRUPT,
		  "snappy: a block that claims to be 4 GB is not believed");
	free(packed);
	free(src);
}

static void
names(void)
{
	check(strcmp(codec_name(CODEC_GZIP), "gzip") == 0 && codec_name(5) == NULL && codec_name(-1) == NULL,
		  "names");
	check(codec_reader_begin(reader, 5, "x", 1, 10) == CODEC_UNKNOWN, "codec 5 is unknown");
}

int
main(void)
{
	reader = codec_reader_create();
	writer = codec_writer_create();
	for (int codec = CODEC_NONE; codec < CODEC_COUNT; codec++)
	{
		round_trips(codec);
		if (codec == CODEC_NONE)
			continue;
		damage(codec);
		caps(codec);
		concatenated(codec);
	}
	levels();
	raw_snappy();
	names();
	codec_reader_free(reader);
	codec_writer_free(writer);
	return done();
}
