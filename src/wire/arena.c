/*-------------------------------------------------------------------------
 *
 * arena.c
 *	  Memory of one request: taken piece by piece, given back at once.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ARENA_FIRST_BLOCK	8192
#define ARENA_MAX_BLOCK		(1024 * 1024)
#define ARENA_ALIGN			_Alignof(max_align_t)

struct WireArenaBlock
{
	WireArenaBlock *next;
	size_t		size;			/* of data */
	_Alignas(max_align_t) char data[];
};

void
wire_arena_init(WireArena *a, size_t cap)
{
	memset(a, 0, sizeof(*a));
	a->cap = cap;
}

/* Free all blocks but the last one in the list, which is the oldest. */
void
wire_arena_reset(WireArena *a)
{
	while (a->blocks && a->blocks->next)
	{
		WireArenaBlock *b = a->blocks;

		a->blocks = b->next;
		a->total -= b->size;
		free(b);
	}
	a->used = 0;

	/* A single huge piece should not stay with an idle connection. */
	if (a->blocks && a->blocks->size > ARENA_MAX_BLOCK)
		wire_arena_free(a);
}

void
wire_arena_free(WireArena *a)
{
	while (a->blocks)
	{
		WireArenaBlock *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
	wire_arena_init(a, a->cap);
}

/* Add a block with room for at least `size`. */
static bool
add_block(WireArena *a, size_t size)
{
	WireArenaBlock *b;
	size_t		room = a->cap - a->total;
	size_t		want = a->blocks ? a->total : ARENA_FIRST_BLOCK;

	if (size > room)
		return false;
	if (want > ARENA_MAX_BLOCK)
		want = ARENA_MAX_BLOCK;
	if (want > room)
		want = room;
	if (want < size)
		want = size;
	b = malloc(offsetof(WireArenaBlock, data) + want);
	if (!b)
		return false;
	b->size = want;
	b->next = a->blocks;
	a->blocks = b;
	a->total += want;
	a->used = 0;
	return true;
}

void *
wire_alloc(WireArena *a, size_t size)
{
	void	   *p;

	if (size > SIZE_MAX - ARENA_ALIGN)
		return NULL;
	size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	if (!a->blocks || size > a->blocks->size - a->used)
	{
		if (!add_block(a, size))
			return NULL;
	}
	p = a->blocks->data + a->used;
	a->used += size;
	return memset(p, 0, size);
}

void *
wire_alloc_array(WireArena *a, size_t n, size_t size)
{
	if (size > 0 && n > SIZE_MAX / size)
		return NULL;
	return wire_alloc(a, n * size);
}

WireString
wire_copy_string(WireArena *a, WireString s)
{
	char	   *p;

	if (s.len < 0)
		return s;
	p = wire_alloc(a, s.len);
	if (!p)
		return WIRE_NULL_STRING;
	if (s.len > 0)
		memcpy(p, s.data, s.len);
	return wire_string_n(p, s.len);
}

WireString
wire_printf(WireArena *a, const char *format,...)
{
	va_list		args;
	int			len;
	char	   *p;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0 || !(p = wire_alloc(a, (size_t) len + 1)))
		return WIRE_NULL_STRING;
	va_start(args, format);
	vsnprintf(p, (size_t) len + 1, format, args);
	va_end(args);
	return wire_string_n(p, len);
}
