/*-------------------------------------------------------------------------
 *
 * codec.c
 *	  Names of Kafka's compression codecs, and packing.
 *
 * Packed data looks as Java's clients write it, since what they read was tested
 * most: xerial's framing for snappy, lz4 frames of independent 64 kB blocks.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/codec.h"

#include <lz4frame.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "wire/codec_format.h"

#define LZ4_KAFKA_DEFAULT 9

static const char *const codec_names[CODEC_COUNT] = {"none", "gzip", "snappy", "lz4", "zstd"};

const char *
codec_name(int codec)
{
	return codec >= 0 && codec < CODEC_COUNT ? codec_names[codec] : NULL;
}

static void
store_be32(char *p, uint32_t v)
{
	p[0] = (char) (v >> 24);
	p[1] = (char) (v >> 16);
	p[2] = (char) (v >> 8);
	p[3] = (char) v;
}

struct CodecWriter
{
	z_stream	gzip;
	bool		gzip_ready;
	int			gzip_level;
	ZSTD_CCtx  *zstd;
};

CodecWriter *
codec_writer_create(void)
{
	return calloc(1, sizeof(CodecWriter));
}

void
codec_writer_free(CodecWriter *w)
{
	if (w == NULL)
		return;
	if (w->gzip_ready)
		deflateEnd(&w->gzip);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

/*
 * As Java's stream makes them: independent blocks of 64 kB, no checksums, no
 * content size.  The levels are Kafka's, 1 to 17: the default, 9, is the fast
 * compressor, all others are degrees of the slow one, which starts at 3 here.
 */
static LZ4F_preferences_t
lz4_preferences(int level)
{
	LZ4F_preferences_t prefs;

	if (level == LZ4_KAFKA_DEFAULT)
		level = 0;
	else if (level < 3)
		level = 3;
	memset(&prefs, 0, sizeof(prefs));
	prefs.frameInfo.blockSizeID = LZ4F_max64KB;
	prefs.frameInfo.blockMode = LZ4F_blockIndependent;
	prefs.compressionLevel = level;
	return prefs;
}

size_t
codec_bound(int codec, size_t len)
{
	LZ4F_preferences_t prefs;

	switch (codec)
	{
		case CODEC_GZIP:
			return len + (len >> 3) + (len >> 6) + 64;
		case CODEC_SNAPPY:
			return XERIAL_HEADER_SIZE +
				(len / XERIAL_BLOCK_SIZE + 1) * (4 + snappy_max_compressed_length(XERIAL_BLOCK_SIZE));
		case CODEC_LZ4:
			prefs = lz4_preferences(LZ4_KAFKA_DEFAULT);
			return LZ4F_compressFrameBound(len, &prefs);
		case CODEC_ZSTD:
			return ZSTD_compressBound(len);
		default:
			return len;
	}
}

static CodecResult
gzip_compress(CodecWriter *w, int level, const char *src, size_t len, char *dst, size_t *dst_len)
{
	z_stream   *z = &w->gzip;
	int			rc;

	if (w->gzip_ready && w->gzip_level != level)
	{
		deflateEnd(z);
		w->gzip_ready = false;
	}
	if (!w->gzip_ready)
	{
		memset(z, 0, sizeof(*z));
		if (deflateInit2(z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
			return CODEC_NO_MEMORY;
		w->gzip_ready = true;
		w->gzip_level = level;
	}
	z->next_in = (Bytef *) src;
	z->avail_in = (uInt) len;
	z->next_out = (Bytef *) dst;
	z->avail_out = *dst_len > UINT32_MAX ? UINT32_MAX : (uInt) *dst_len;
	rc = deflate(z, Z_FINISH);
	*dst_len = (size_t) (z->next_out - (Bytef *) dst);
	deflateReset(z);
	return rc == Z_STREAM_END ? CODEC_OK : CODEC_TOO_LARGE;
}

static CodecResult
snappy_compress_xerial(const char *src, size_t len, char *dst, size_t *dst_len)
{
	char	   *p = dst;
	char	   *end = dst + *dst_len;

	memcpy(p, XERIAL_MAGIC, XERIAL_MAGIC_SIZE);
	store_be32(p + 8, 1);		/* version */
	store_be32(p + 12, 1);		/* oldest version that can read it */
	p += XERIAL_HEADER_SIZE;
	while (len > 0)
	{
		size_t		n = len < XERIAL_BLOCK_SIZE ? len : XERIAL_BLOCK_SIZE;
		size_t		room = (size_t) (end - p) - 4;

		if (snappy_compress(src, n, p + 4, &room) != SNAPPY_OK)
			return CODEC_TOO_LARGE;
		store_be32(p, (uint32_t) room);
		p += 4 + room;
		src += n;
		len -= n;
	}
	*dst_len = (size_t) (p - dst);
	return CODEC_OK;
}

static CodecResult
lz4_compress(int level, const char *src, size_t len, char *dst, size_t *dst_len)
{
	LZ4F_preferences_t prefs = lz4_preferences(level);
	size_t		n = LZ4F_compressFrame(dst, *dst_len, src, len, &prefs);

	if (LZ4F_isError(n))
		return CODEC_TOO_LARGE;
	*dst_len = n;
	return CODEC_OK;
}

static CodecResult
zstd_compress(CodecWriter *w, int level, const char *src, size_t len, char *dst, size_t *dst_len)
{
	size_t		n;

	if (w->zstd == NULL && (w->zstd = ZSTD_createCCtx()) == NULL)
		return CODEC_NO_MEMORY;
	n = ZSTD_compressCCtx(w->zstd, dst, *dst_len, src, len, level);
	if (ZSTD_isError(n))
		return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? CODEC_NO_MEMORY : CODEC_TOO_LARGE;
	*dst_len = n;
	if (ZSTD_sizeof_CCtx(w->zstd) > CODEC_KEEP)
	{
		ZSTD_freeCCtx(w->zstd);
		w->zstd = NULL;
	}
	return CODEC_OK;
}

CodecResult
codec_compress(CodecWriter *w, int codec, int level, const char *src, size_t len,
			   char *dst, size_t dst_size, size_t *out_len)
{
	*out_len = dst_size;
	if (dst_size < codec_bound(codec, len) || len > INT32_MAX)
		return CODEC_TOO_LARGE;

	switch (codec)
	{
		case CODEC_NONE:
			memcpy(dst, src, len);
			*out_len = len;
			return CODEC_OK;
		case CODEC_GZIP:
			if (level == CODEC_DEFAULT_LEVEL)
				level = Z_DEFAULT_COMPRESSION;
			return gzip_compress(w, level, src, len, dst, out_len);
		case CODEC_SNAPPY:
			return snappy_compress_xerial(src, len, dst, out_len);
		case CODEC_LZ4:
			if (level == CODEC_DEFAULT_LEVEL)
				level = LZ4_KAFKA_DEFAULT;
			return lz4_compress(level, src, len, dst, out_len);
		case CODEC_ZSTD:
			if (level == CODEC_DEFAULT_LEVEL)
				level = ZSTD_CLEVEL_DEFAULT;
			return zstd_compress(w, level, src, len, dst, out_len);
		default:
			return CODEC_UNKNOWN;
	}
}
