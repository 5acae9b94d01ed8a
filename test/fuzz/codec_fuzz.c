/*
 * Each codec on whatever bytes: the first byte chooses the codec, the second the
 * size of the portions.  Never more than the cap comes out, and what came out can be packed
 * and comes back.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/codec.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CAP 300000

static CodecReader *reader;
static CodecWriter *writer;

static CodecResult
unpack(int codec, const char *src, size_t len, size_t portion, char *out, size_t *total)
{
	CodecResult result = codec_reader_begin(reader, codec, src, len, CAP);

	*total = 0;
	while (result == CODEC_OK)
	{
		size_t		got;
		size_t		room = CAP + 1 - *total;

		result = codec_reader_read(reader, out + *total, portion < room ? portion : room, &got);
		if ((got > 0) != (result == CODEC_OK))
			abort();
		*total += got;
		if (*total > CAP)
			abort();
	}
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char out[CAP + 1];
	static char again[CAP + 1];
	size_t		total;
	int			codec;
	size_t		portion;
	char	   *src;

	if (reader == NULL)
	{
		reader = codec_reader_create();
		writer = codec_writer_create();
	}
	if (size < 2)
		return 0;
	codec = data[0] % CODEC_COUNT;
	portion = data[1] < 200 ? (size_t) data[1] * 50 + 1 : CAP + 1;
	size -= 2;
	src = malloc(size + (size == 0));
	memcpy(src, data + 2, size);

	if (unpack(codec, src, size, portion, out, &total) == CODEC_END)
	{
		size_t		bound = codec_bound(codec, total);
		char	   *packed = malloc(bound + 1);
		size_t		packed_len;
		size_t		again_len;

		if (codec_compress(writer, codec, CODEC_DEFAULT_LEVEL, out, total, packed, bound,
						   &packed_len) != CODEC_OK)
			abort();
		if (unpack(codec, packed, packed_len, portion, again, &again_len) != CODEC_END ||
			again_len != total || memcmp(out, again, total) != 0)
			abort();
		free(packed);
	}
	free(src);
	return 0;
}
