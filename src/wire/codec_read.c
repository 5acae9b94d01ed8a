/*-------------------------------------------------------------------------
 *
 * codec_read.c
 *	  Unpacking what Kafka's compression codecs have packed.
 *
 * Snappy comes in two wrappings.  librdkafka writes one raw block; Java and
 * those who follow it write the framing of snappy-java.  Both are read (Java
 * concatenates such streams, header included).  LZ4 is the frame format, as far
 * as Java can read it: one frame, and blocks that don't depend on one another.
 * What Java's consumers could not read is refused, as a Kafka broker does.  Gzip
 * members and zstd frames may follow one another.
 *
 * Memory: what the libraries hold for their windows (zstd: at most 2^27 bytes,
 * mapped but touched only as far as there is output), and for snappy one block.
 * A raw block says how long its content is; that isn't believed beyond what
 * snappy can do to so many bytes.  What grew past CODEC_KEEP is given back when
 * the next stream begins.
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

/* Three bytes of snappy copy at most 64: no block grows by more. */
#define SNAPPY_MAX_RATIO 64

/* The header of an lz4 frame: magic (4), flags, block size, [content size], [dictionary], checksum. */
#define LZ4_MIN_HEADER 7
#define LZ4_FLAGS_AT 4
#define LZ4_FLAG_DICTIONARY 0x01
#define LZ4_FLAG_CONTENT_SIZE 0x08
#define LZ4_FLAG_BLOCK_CHECKSUM 0x10
#define LZ4_FLAG_INDEPENDENT 0x20
#define LZ4_BLOCK_SIZE_MASK 0x7FFFFFFF

static uint32_t
load_be32(const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	return (uint32_t) u[0] << 24 | (uint32_t) u[1] << 16 | (uint32_t) u[2] << 8 | (uint32_t) u[3];
}

struct CodecReader
{
	int			codec;
	const char *src;			/* not yet consumed */
	size_t		src_len;
	size_t		left;			/* output that the cap still allows */
	CodecResult state;			/* CODEC_OK while the stream goes on */
	bool		in_frame;		/* a member or frame has begun and not ended */
	bool		xerial;

	z_stream	gzip;
	bool		gzip_ready;
	LZ4F_dctx  *lz4;
	ZSTD_DCtx  *zstd;

	char	   *block;			/* snappy: the block that is being handed out */
	size_t		block_size;
	size_t		block_len;
	size_t		block_pos;
};

CodecReader *
codec_reader_create(void)
{
	return calloc(1, sizeof(CodecReader));
}

void
codec_reader_free(CodecReader *r)
{
	if (r == NULL)
		return;
	if (r->gzip_ready)
		inflateEnd(&r->gzip);
	LZ4F_freeDecompressionContext(r->lz4);
	ZSTD_freeDCtx(r->zstd);
	free(r->block);
	free(r);
}

static CodecResult
gzip_begin(CodecReader *r)
{
	if (r->gzip_ready)
		return inflateReset(&r->gzip) == Z_OK ? CODEC_OK : CODEC_CORRUPT;
	memset(&r->gzip, 0, sizeof(r->gzip));
	/* 16: gzip wrapping and no other */
	if (inflateInit2(&r->gzip, 15 + 16) != Z_OK)
		return CODEC_NO_MEMORY;
	r->gzip_ready = true;
	return CODEC_OK;
}

static uint32_t
load_le32(const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	return (uint32_t) u[3] << 24 | (uint32_t) u[2] << 16 | (uint32_t) u[1] << 8 | (uint32_t) u[0];
}

/*
 * Does a block of the frame depend on another?  Only a second one can, so a
 * frame that allows it (some libraries' default) is fine with a single block.
 */
static bool
lz4_blocks_depend(const char *src, size_t len)
{
	uint8_t		flags;
	size_t		at;

	if (len < LZ4_FLAGS_AT + 1)
		return false;
	flags = (uint8_t) src[LZ4_FLAGS_AT];
	if (flags & LZ4_FLAG_INDEPENDENT)
		return false;
	at = LZ4_MIN_HEADER + (flags & LZ4_FLAG_CONTENT_SIZE ? 8 : 0) + (flags & LZ4_FLAG_DICTIONARY ? 4 : 0);
	if (len < at + 4)
		return false;
	at += 4 + (load_le32(src + at) & LZ4_BLOCK_SIZE_MASK) + (flags & LZ4_FLAG_BLOCK_CHECKSUM ? 4 : 0);
	return len >= at + 4 && load_le32(src + at) != 0;
}

static CodecResult
lz4_begin(CodecReader *r)
{
	if (lz4_blocks_depend(r->src, r->src_len))
		return CODEC_CORRUPT;
	if (r->lz4 == NULL)
	{
		if (LZ4F_isError(LZ4F_createDecompressionContext(&r->lz4, LZ4F_VERSION)))
			return CODEC_NO_MEMORY;
		return CODEC_OK;
	}
	LZ4F_resetDecompressionContext(r->lz4);
	return CODEC_OK;
}

static CodecResult
zstd_begin(CodecReader *r)
{
	if (r->zstd != NULL && ZSTD_sizeof_DCtx(r->zstd) > CODEC_KEEP)
	{
		ZSTD_freeDCtx(r->zstd);
		r->zstd = NULL;
	}
	if (r->zstd == NULL)
	{
		r->zstd = ZSTD_createDCtx();
		return r->zstd != NULL ? CODEC_OK : CODEC_NO_MEMORY;
	}
	return ZSTD_isError(ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_only)) ? CODEC_CORRUPT : CODEC_OK;
}

static CodecResult
snappy_begin(CodecReader *r)
{
	if (r->block_size > CODEC_KEEP)
	{
		free(r->block);
		r->block = NULL;
		r->block_size = 0;
	}
	r->block_len = 0;
	r->block_pos = 0;
	r->xerial = r->src_len >= XERIAL_HEADER_SIZE && memcmp(r->src, XERIAL_MAGIC, XERIAL_MAGIC_SIZE) == 0;
	return CODEC_OK;
}

CodecResult
codec_reader_begin(CodecReader *r, int codec, const char *src, size_t len, size_t max_output)
{
	r->codec = codec;
	r->src = src;
	r->src_len = len;
	r->left = max_output;
	r->in_frame = true;			/* an empty input is no stream of any codec */

	switch (codec)
	{
		case CODEC_NONE:
			r->in_frame = false;
			r->state = CODEC_OK;
			break;
		case CODEC_GZIP:
			r->state = gzip_begin(r);
			break;
		case CODEC_SNAPPY:
			r->state = snappy_begin(r);
			break;
		case CODEC_LZ4:
			r->state = lz4_begin(r);
			break;
		case CODEC_ZSTD:
			r->state = zstd_begin(r);
			break;
		default:
			r->state = CODEC_UNKNOWN;
	}
	return r->state;
}

static CodecResult
none_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	if (r->src_len == 0)
		return CODEC_END;
	if (size > r->src_len)
		size = r->src_len;
	memcpy(dst, r->src, size);
	r->src += size;
	r->src_len -= size;
	*got = size;
	return CODEC_OK;
}

static CodecResult
gzip_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	z_stream   *z = &r->gzip;

	/* zlib counts in 32 bits */
	if (size > (1 << 30))
		size = 1 << 30;

	while (*got == 0)
	{
		size_t		in = r->src_len < (1 << 30) ? r->src_len : (1 << 30);
		int			rc;

		if (!r->in_frame)
		{
			if (r->src_len == 0)
				return CODEC_END;
			if (inflateReset(z) != Z_OK)
				return CODEC_CORRUPT;
			r->in_frame = true;
		}
		z->next_in = (Bytef *) r->src;
		z->avail_in = (uInt) in;
		z->next_out = (Bytef *) dst;
		z->avail_out = (uInt) size;
		rc = inflate(z, Z_NO_FLUSH);
		in -= z->avail_in;
		r->src += in;
		r->src_len -= in;
		*got = size - z->avail_out;
		if (rc == Z_STREAM_END)
			r->in_frame = false;
		else if (rc == Z_MEM_ERROR)
			return CODEC_NO_MEMORY;
		else if (rc != Z_OK && rc != Z_BUF_ERROR)
			return CODEC_CORRUPT;
		else if (in == 0 && *got == 0)
			return CODEC_CORRUPT;	/* the input is cut off */
	}
	return CODEC_OK;
}

/*
 * A library may hold more output after it has taken the last input: only a
 * call that neither takes nor gives anything tells that the input is cut off.
 */
static CodecResult
lz4_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	while (*got == 0)
	{
		size_t		in = r->src_len;
		size_t		out = size;
		size_t		rc;

		if (!r->in_frame)
			return r->src_len == 0 ? CODEC_END : CODEC_CORRUPT;
		rc = LZ4F_decompress(r->lz4, dst, &out, r->src, &in, NULL);
		if (LZ4F_isError(rc))
			return CODEC_CORRUPT;
		r->src += in;
		r->src_len -= in;
		r->in_frame = rc != 0;
		*got = out;
		if (in == 0 && out == 0 && r->in_frame)
			return CODEC_CORRUPT;
	}
	return CODEC_OK;
}

static CodecResult
zstd_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	while (*got == 0)
	{
		ZSTD_inBuffer in = {r->src, r->src_len, 0};
		ZSTD_outBuffer out = {dst, size, 0};
		size_t		rc;

		if (r->src_len == 0 && !r->in_frame)
			return CODEC_END;
		rc = ZSTD_decompressStream(r->zstd, &out, &in);
		if (ZSTD_isError(rc))
			return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation ? CODEC_NO_MEMORY : CODEC_CORRUPT;
		r->src += in.pos;
		r->src_len -= in.pos;
		r->in_frame = rc != 0;
		*got = out.pos;
		if (in.pos == 0 && out.pos == 0 && r->in_frame)
			return CODEC_CORRUPT;
	}
	return CODEC_OK;
}

/* Unpack the raw block src[0..len) to r->block. */
static CodecResult
snappy_block(CodecReader *r, const char *src, size_t len)
{
	size_t		size;

	if (snappy_uncompressed_length(src, len, &size) != SNAPPY_OK)
		return CODEC_CORRUPT;
	if (size / SNAPPY_MAX_RATIO > len)
		return CODEC_CORRUPT;
	if (size > r->left)
		return CODEC_TOO_LARGE;
	if (size > r->block_size)
	{
		size_t		grown = size < XERIAL_BLOCK_SIZE ? XERIAL_BLOCK_SIZE : size;

		free(r->block);
		r->block_size = 0;
		r->block = malloc(grown);
		if (r->block == NULL)
			return CODEC_NO_MEMORY;
		r->block_size = grown;
	}
	r->block_pos = 0;
	r->block_len = 0;
	if (size > 0 && snappy_uncompress(src, len, r->block, &size) != SNAPPY_OK)
		return CODEC_CORRUPT;
	r->block_len = size;
	return CODEC_OK;
}

/* The next block of either wrapping. */
static CodecResult
snappy_next_block(CodecReader *r)
{
	CodecResult result;
	size_t		len;

	if (!r->xerial)
	{
		if (!r->in_frame)
			return CODEC_END;
		len = r->src_len;
		r->in_frame = false;
		result = snappy_block(r, r->src, len);
		r->src += len;
		r->src_len = 0;
		return result;
	}

	while (r->src_len >= XERIAL_HEADER_SIZE && memcmp(r->src, XERIAL_MAGIC, XERIAL_MAGIC_SIZE) == 0)
	{
		r->src += XERIAL_HEADER_SIZE;
		r->src_len -= XERIAL_HEADER_SIZE;
	}
	if (r->src_len == 0)
		return CODEC_END;
	if (r->src_len < 4)
		return CODEC_CORRUPT;
	len = load_be32(r->src);
	if (len > r->src_len - 4)
		return CODEC_CORRUPT;
	result = snappy_block(r, r->src + 4, len);
	r->src += 4 + len;
	r->src_len -= 4 + len;
	return result;
}

static CodecResult
snappy_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	while (r->block_pos == r->block_len)
	{
		CodecResult result = snappy_next_block(r);

		if (result != CODEC_OK)
			return result;
	}
	if (size > r->block_len - r->block_pos)
		size = r->block_len - r->block_pos;
	memcpy(dst, r->block + r->block_pos, size);
	r->block_pos += size;
	*got = size;
	return CODEC_OK;
}

CodecResult
codec_reader_read(CodecReader *r, char *dst, size_t size, size_t *got)
{
	CodecResult result;

	*got = 0;
	if (r->state != CODEC_OK || size == 0)
		return r->state;

	/* One byte past the cap tells whether there is more. */
	if (size > r->left)
		size = r->left + 1;

	switch (r->codec)
	{
		case CODEC_NONE:
			result = none_read(r, dst, size, got);
			break;
		case CODEC_GZIP:
			result = gzip_read(r, dst, size, got);
			break;
		case CODEC_SNAPPY:
			result = snappy_read(r, dst, size, got);
			break;
		case CODEC_LZ4:
			result = lz4_read(r, dst, size, got);
			break;
		default:
			result = zstd_read(r, dst, size, got);
			break;
	}
	if (*got > r->left)
		result = CODEC_TOO_LARGE;
	if (result != CODEC_OK)
		*got = 0;
	r->left -= *got;
	r->state = result;
	return result;
}
