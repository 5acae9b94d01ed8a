/*-------------------------------------------------------------------------
 *
 * partitioner.c
 *	  The hash functions of Kafka's clients.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/partitioner.h"

#include <stdlib.h>
#include <zlib.h>

#define MURMUR2_SEED 0x9747b28cu
#define MURMUR2_M 0x5bd1e995u
#define MURMUR2_R 24

uint32_t
partitioner_murmur2(const void *key, size_t len)
{
	const unsigned char *p = key;
	uint32_t	h = MURMUR2_SEED ^ (uint32_t) len;

	for (; len >= 4; p += 4, len -= 4)
	{
		uint32_t	k = (uint32_t) p[0] | (uint32_t) p[1] << 8 |
			(uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;

		k *= MURMUR2_M;
		k ^= k >> MURMUR2_R;
		k *= MURMUR2_M;
		h *= MURMUR2_M;
		h ^= k;
	}
	if (len > 2)
		h ^= (uint32_t) p[2] << 16;
	if (len > 1)
		h ^= (uint32_t) p[1] << 8;
	if (len > 0)
	{
		h ^= p[0];
		h *= MURMUR2_M;
	}
	h ^= h >> 13;
	h *= MURMUR2_M;
	h ^= h >> 15;
	return h;
}

uint32_t
partitioner_crc32(const void *key, size_t len)
{
	if (len == 0)
		return 0;				/* zlib takes a null pointer for "start" */
	return (uint32_t) crc32_z(0, key, len);
}

int32_t
partitioner_partition(Partitioner partitioner, const void *key, size_t len, int32_t n)
{
	if (partitioner == PARTITIONER_CRC32)
		return (int32_t) (partitioner_crc32(key, len) % (uint32_t) n);

	/* Java has no unsigned numbers: its clients drop the sign bit. */
	return (int32_t) ((partitioner_murmur2(key, len) & INT32_MAX) % (uint32_t) n);
}

/* Java's String.hashCode(), of UTF-16. */
static uint32_t
java_hash(WireString s)
{
	uint32_t	h = 0;
	int32_t		i = 0;

	while (i < s.len)
	{
		uint8_t		c = (uint8_t) s.data[i++];
		uint32_t	code = c;
		int			more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;

		if (more > 0)
			code = c & (0x3F >> more);
		for (; more > 0 && i < s.len; more--)
			code = code << 6 | ((uint8_t) s.data[i++] & 0x3F);
		if (code >= 0x10000)
		{
			h = h * 31 + (0xD800 + ((code - 0x10000) >> 10));
			code = 0xDC00 + ((code - 0x10000) & 0x3FF);
		}
		h = h * 31 + code;
	}
	return h;
}

int32_t
partitioner_group_partition(WireString group, int32_t n)
{
	int32_t		hash = (int32_t) java_hash(group);

	return (hash == INT32_MIN ? 0 : abs(hash)) % n;
}
