/*-------------------------------------------------------------------------
 *
 * varint.h
 *	  Writing the zigzag varints of records.
 *
 * That of a 32-bit value is the same as that of the 64-bit one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_VARINT_H
#define WIRE_VARINT_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t
varint_zigzag(int64_t value)
{
	return ((uint64_t) value << 1) ^ (uint64_t) (value >> 63);
}

static inline size_t
varint_size(int64_t value)
{
	uint64_t	zigzag = varint_zigzag(value);
	size_t		size = 1;

	for (; zigzag >= 0x80; zigzag >>= 7)
		size++;
	return size;
}

static inline char *
varint_put(char *p, int64_t value)
{
	uint64_t	zigzag = varint_zigzag(value);

	for (; zigzag >= 0x80; zigzag >>= 7)
		*p++ = (char) (zigzag | 0x80);
	*p++ = (char) zigzag;
	return p;
}

#endif							/* WIRE_VARINT_H */
