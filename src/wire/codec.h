/*-------------------------------------------------------------------------
 *
 * codec.h
 *	  Kafka's compression codecs: gzip, snappy, lz4, zstd.
 *
 * Unpacking is a stream with a cap: nobody who sends a few bytes can make us
 * hold or produce many.  A CodecReader and a CodecWriter own the libraries'
 * contexts and are meant to be kept and used again; each is used by one thread.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_CODEC_H
#define WIRE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of the attributes of a batch. */
typedef enum Codec
{
	CODEC_NONE = 0,
	CODEC_GZIP = 1,
	CODEC_SNAPPY = 2,
	CODEC_LZ4 = 3,
	CODEC_ZSTD = 4
} Codec;

#define CODEC_COUNT 5

/* "The codec's default"; no codec has it as a level of its own. */
#define CODEC_DEFAULT_LEVEL (-2147483647 - 1)

typedef enum CodecResult
{
	CODEC_OK = 0,
	CODEC_END,					/* all of the data has been returned */
	CODEC_CORRUPT,				/* not what the codec says it is */
	CODEC_TOO_LARGE,			/* more than the cap */
	CODEC_NO_MEMORY,
	CODEC_UNKNOWN				/* no such codec */
} CodecResult;

/* "none", "gzip", ...; NULL for an unknown number. */
extern const char *codec_name(int codec);

/* ---------- unpacking ---------- */

typedef struct CodecReader CodecReader;

extern CodecReader *codec_reader_create(void);	/* NULL: no memory */
extern void codec_reader_free(CodecReader *r);	/* NULL is fine */

/* Start to unpack src[0..len), which stays in place until the end. */
extern CodecResult codec_reader_begin(CodecReader *r, int codec, const char *src, size_t len,
									  size_t max_output);

/*
 * Put the next bytes at dst; *got is how many: at least one with CODEC_OK, none otherwise.
 * After anything but CODEC_OK the stream has ended, for good or bad.
 */
extern CodecResult codec_reader_read(CodecReader *r, char *dst, size_t size, size_t *got);

/* ---------- packing ---------- */

typedef struct CodecWriter CodecWriter;

extern CodecWriter *codec_writer_create(void);
extern void codec_writer_free(CodecWriter *w);

/* How large can the packed form of `len` bytes become? */
extern size_t codec_bound(int codec, size_t len);

/* Pack src into dst, which has at least codec_bound() bytes. */
extern CodecResult codec_compress(CodecWriter *w, int codec, int level, const char *src, size_t len,
								  char *dst, size_t dst_size, size_t *out_len);

#endif							/* WIRE_CODEC_H */
