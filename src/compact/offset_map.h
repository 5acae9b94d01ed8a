/*-------------------------------------------------------------------------
 *
 * offset_map.h
 *	  From a key to its latest offset, in memory of a fixed size.
 *
 * Keys are known by 128 bits of a hash under a random secret, so that nobody can make
 * two keys that are taken for one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COMPACT_OFFSET_MAP_H
#define COMPACT_OFFSET_MAP_H

typedef struct OffsetMap OffsetMap;

/* Bytes that a key takes. */
#define OFFSET_MAP_ENTRY_SIZE	24

/* In CurrentMemoryContext; max_keys is lowered to what fits max_bytes. */
extern OffsetMap *offset_map_create(int64 max_keys, Size max_bytes);

extern void offset_map_clear(OffsetMap *map);

/* The offset is larger than all that were put before.  false: the map is full. */
extern bool offset_map_put(OffsetMap *map, const char *key, int32 len, int64 offset);

extern int64 offset_map_get(const OffsetMap *map, const char *key, int32 len);	/* -1: not there */


#endif							/* COMPACT_OFFSET_MAP_H */
