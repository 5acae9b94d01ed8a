/*-------------------------------------------------------------------------
 *
 * codec_format.h
 *	  What reading and writing of compressed data share; private to codec_*.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_CODEC_FORMAT_H
#define WIRE_CODEC_FORMAT_H

/* Memory of a library's context or of a buffer that is kept between streams. */
#define CODEC_KEEP (8 * 1024 * 1024)

/*
 * The framing of snappy-java ("xerial"): these 8 bytes, two version numbers of
 * 4, then blocks of a big-endian length (4) and raw snappy.
 */
#define XERIAL_MAGIC "\x82SNAPPY\0"
#define XERIAL_MAGIC_SIZE 8
#define XERIAL_HEADER_SIZE 16
#define XERIAL_BLOCK_SIZE (32 * 1024)

#endif							/* WIRE_CODEC_FORMAT_H */
