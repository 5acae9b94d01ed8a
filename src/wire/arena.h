/*-------------------------------------------------------------------------
 *
 * arena.h
 *	  Memory of one request: taken piece by piece, given back at once.
 *
 * All pieces are zeroed and aligned for any type.  What an arena may take in
 * total is capped; past the cap, or when malloc fails, an allocation returns
 * NULL, and the decoder fails.  A reset keeps one block for the next request.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_ARENA_H
#define WIRE_ARENA_H

#include "wire/bytes.h"

typedef struct WireArenaBlock WireArenaBlock;

typedef struct WireArena
{
	WireArenaBlock *blocks;		/* newest first; pieces come from the first */
	size_t		used;			/* in the first block */
	size_t		total;			/* size of all blocks */
	size_t		cap;			/* limit of total */
} WireArena;

extern void wire_arena_init(WireArena *a, size_t cap);
extern void wire_arena_reset(WireArena *a);
extern void wire_arena_free(WireArena *a);

extern void *wire_alloc(WireArena *a, size_t size);

/* n pieces of a size; also NULL if the product overflows. */
extern void *wire_alloc_array(WireArena *a, size_t n, size_t size);

/* A copy; the null string stays null.  On failure the copy is null. */
extern WireString wire_copy_string(WireArena *a, WireString s);
extern WireString wire_printf(WireArena *a, const char *format,...)
			__attribute__((format(printf, 2, 3)));

#endif							/* WIRE_ARENA_H */
