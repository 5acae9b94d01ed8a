/*-------------------------------------------------------------------------
 *
 * offset_map.c
 *	  From a key to its latest offset, in memory of a fixed size.
 *
 * Open addressing over entries of 24 bytes, nine tenths of them used at most.  The
 * hash is SipHash-2-4 with 128 bits of output.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compact/offset_map.h"

typedef struct Entry
{
	uint64		hash[2];
	int64		next_offset;	/* offset + 1; 0: unused */
} Entry;

StaticAssertDecl(sizeof(Entry) == OFFSET_MAP_ENTRY_SIZE, "the size that is promised");

struct OffsetMap
{
	uint64		secret[2];
	int64		n_slots;
	int64		max_keys;
	int64		n_keys;
	Entry	   *entries;
};

OffsetMap *
offset_map_create(int64 max_keys, Size max_bytes)
{
	OffsetMap  *map = palloc0(sizeof(OffsetMap));
	int64		max_slots = Max(max_bytes / sizeof(Entry), 16);

	map->n_slots = max_keys >= max_slots ? max_slots : Min(max_slots, max_keys + max_keys / 2 + 16);
	map->max_keys = map->n_slots - map->n_slots / 10 - 1;
	map->entries = MemoryContextAllocExtended(CurrentMemoryContext, map->n_slots * sizeof(Entry),
											  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (!pg_strong_random(map->secret, sizeof(map->secret)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	return map;
}

void
offset_map_clear(OffsetMap *map)
{
	memset(map->entries, 0, map->n_slots * sizeof(Entry));
	map->n_keys = 0;
}

/* ---------- the hash ---------- */

#define ROTATE(x, n)	(((x) << (n)) | ((x) >> (64 - (n))))

static inline void
sip_round(uint64 *v)
{
	v[0] += v[1];
	v[1] = ROTATE(v[1], 13) ^ v[0];
	v[0] = ROTATE(v[0], 32);
	v[2] += v[3];
	v[3] = ROTATE(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = ROTATE(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = ROTATE(v[1], 17) ^ v[2];
	v[2] = ROTATE(v[2], 32);
}

static inline void
sip_word(uint64 *v, uint64 word)
{
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
}

static inline uint64
sip_finish(uint64 *v)
{
	for (int i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void
hash_key(const OffsetMap *map, const char *key, int32 len, uint64 hash[2])
{
	uint64		v[4];
	uint64		last = (uint64) len << 56;
	uint64		word;
	int32		left = len;

	v[0] = map->secret[0] ^ UINT64CONST(0x736f6d6570736575);
	v[1] = map->secret[1] ^ UINT64CONST(0x646f72616e646f6d) ^ 0xee;
	v[2] = map->secret[0] ^ UINT64CONST(0x6c7967656e657261);
	v[3] = map->secret[1] ^ UINT64CONST(0x7465646279746573);

	for (; left >= 8; left -= 8, key += 8)
	{
		memcpy(&word, key, 8);
		sip_word(v, word);
	}
	for (int i = 0; i < left; i++)
		last |= (uint64) (unsigned char) key[i] << (8 * i);
	sip_word(v, last);

	v[2] ^= 0xee;
	hash[0] = sip_finish(v);
	v[1] ^= 0xdd;
	hash[1] = sip_finish(v);
}

/* The entry of a key, or the unused one where it belongs. */
static Entry *
find(const OffsetMap *map, const char *key, int32 len, uint64 hash[2])
{
	int64		slot;

	hash_key(map, key, len, hash);
	slot = (int64) (hash[0] % (uint64) map->n_slots);
	for (;;)
	{
		Entry	   *entry = &map->entries[slot];

		if (entry->next_offset == 0 || (entry->hash[0] == hash[0] && entry->hash[1] == hash[1]))
			return entry;
		slot = slot + 1 < map->n_slots ? slot + 1 : 0;
	}
}

bool
offset_map_put(OffsetMap *map, const char *key, int32 len, int64 offset)
{
	uint64		hash[2];
	Entry	   *entry = find(map, key, len, hash);

	if (entry->next_offset == 0)
	{
		if (map->n_keys >= map->max_keys)
			return false;
		map->n_keys++;
		entry->hash[0] = hash[0];
		entry->hash[1] = hash[1];
	}
	entry->next_offset = offset + 1;
	return true;
}

int64
offset_map_get(const OffsetMap *map, const char *key, int32 len)
{
	uint64		hash[2];

	return find(map, key, len, hash)->next_offset - 1;
}
