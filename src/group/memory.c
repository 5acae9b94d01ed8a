/*-------------------------------------------------------------------------
 *
 * memory.c
 *	  Memory of the group coordinator: counted pieces, strings, maps.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#include <stdlib.h>

/* In front of every piece; keeps the alignment. */
typedef union PieceHeader
{
	size_t		size;
	max_align_t align;
} PieceHeader;

static void
no_memory(GroupCoordinator *co)
{
	co->call.no_memory(co->call.arg);
	abort();
}

void *
group_alloc(GroupCoordinator *co, size_t size)
{
	PieceHeader *h = calloc(1, sizeof(PieceHeader) + size);

	if (h == NULL)
		no_memory(co);
	h->size = size;
	co->memory += (int64_t) (sizeof(PieceHeader) + size);
	return h + 1;
}

void *
group_realloc(GroupCoordinator *co, void *p, size_t size)
{
	PieceHeader *h;

	if (p == NULL)
		return group_alloc(co, size);
	h = (PieceHeader *) p - 1;
	co->memory -= (int64_t) h->size;
	h = realloc(h, sizeof(PieceHeader) + size);
	if (h == NULL)
		no_memory(co);
	h->size = size;
	co->memory += (int64_t) size;
	return h + 1;
}

void
group_free(GroupCoordinator *co, void *p)
{
	PieceHeader *h;

	if (p == NULL)
		return;
	h = (PieceHeader *) p - 1;
	co->memory -= (int64_t) (sizeof(PieceHeader) + h->size);
	free(h);
}

/* ---------- strings ---------- */

WireString
group_copy(GroupCoordinator *co, WireString s)
{
	char	   *p;

	if (s.len < 0)
		return WIRE_NULL_STRING;
	p = group_alloc(co, (size_t) s.len);
	if (s.len > 0)
		memcpy(p, s.data, s.len);
	return wire_string_n(p, s.len);
}

WireBytes
group_copy_bytes(GroupCoordinator *co, WireBytes b)
{
	WireString	s = group_copy(co, wire_string_n(b.data, b.len));

	return (WireBytes) {s.data, s.len};
}

void
group_free_string(GroupCoordinator *co, WireString *s)
{
	if (s->len >= 0)
		group_free(co, (char *) s->data);
	*s = WIRE_NULL_STRING;
}

void
group_free_bytes(GroupCoordinator *co, WireBytes *b)
{
	if (b->len >= 0)
		group_free(co, (char *) b->data);
	*b = WIRE_NULL_BYTES;
}

void
group_set_string(GroupCoordinator *co, WireString *s, WireString value)
{
	WireString	copy = group_copy(co, value);

	group_free_string(co, s);
	*s = copy;
}

int
group_compare(WireString a, WireString b)
{
	int32_t		n = a.len < b.len ? a.len : b.len;
	int			c = n > 0 ? memcmp(a.data, b.data, n) : 0;

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

/* ---------- records and answers ---------- */

void *
group_out_alloc(GroupCoordinator *co, size_t size)
{
	void	   *p = wire_alloc(&co->out, size > 0 ? size : 1);

	if (p == NULL)
		no_memory(co);
	return p;
}

WireString
group_out_string(GroupCoordinator *co, WireString s)
{
	char	   *p;

	if (s.len < 0)
		return WIRE_NULL_STRING;
	p = group_out_alloc(co, (size_t) s.len);
	if (s.len > 0)
		memcpy(p, s.data, s.len);
	return wire_string_n(p, s.len);
}

WireBytes
group_out_bytes(GroupCoordinator *co, WireBytes b)
{
	WireString	s = group_out_string(co, wire_string_n(b.data, b.len));

	return (WireBytes) {s.data, s.len};
}

int
group_compare_strings(const void *a, const void *b)
{
	return group_compare(*(const WireString *) a, *(const WireString *) b);
}

WireString *
group_out_sorted(GroupCoordinator *co, int32_t n, const WireString *strings, int32_t *n_sorted)
{
	WireString *sorted = group_out_array(co, WireString, n);
	int32_t		kept = 0;

	if (n > 0)
		memcpy(sorted, strings, n * sizeof(WireString));
	qsort(sorted, n > 0 ? n : 0, sizeof(WireString), group_compare_strings);
	for (int32_t i = 0; i < n; i++)
		if (kept == 0 || !wire_string_equal(sorted[kept - 1], sorted[i]))
			sorted[kept++] = sorted[i];
	*n_sorted = kept;
	return sorted;
}

/* ---------- maps ---------- */

/* So that nobody can choose names that all fall into one bucket. */
static uint32_t hash_seed;

void
group_hash_seed(uint32_t seed)
{
	if (hash_seed == 0)
		hash_seed = seed | 1;
}

static uint32_t
hash_of(WireString s)
{
	uint32_t	h = 2166136261u ^ hash_seed;

	for (int32_t i = 0; i < s.len; i++)
		h = (h ^ (uint8_t) s.data[i]) * 16777619u;
	return h ^ (h >> 15);
}

void *
group_map_find(const GroupMap *map, WireString key)
{
	uint32_t	hash;

	if (map->n == 0 || key.len < 0)
		return NULL;
	hash = hash_of(key);
	for (GroupMapNode *node = map->buckets[hash & (map->n_buckets - 1)]; node; node = node->next)
		if (node->hash == hash && wire_string_equal(node->key, key))
			return node;
	return NULL;
}

static void
grow(GroupCoordinator *co, GroupMap *map)
{
	uint32_t	n_buckets = map->n_buckets ? map->n_buckets * 2 : 4;
	GroupMapNode **buckets = group_alloc(co, n_buckets * sizeof(GroupMapNode *));

	for (uint32_t i = 0; i < map->n_buckets; i++)
	{
		GroupMapNode *next;

		for (GroupMapNode *node = map->buckets[i]; node; node = next)
		{
			GroupMapNode **bucket = &buckets[node->hash & (n_buckets - 1)];

			next = node->next;
			node->next = *bucket;
			*bucket = node;
		}
	}
	group_free(co, map->buckets);
	map->buckets = buckets;
	map->n_buckets = n_buckets;
}

void
group_map_add(GroupCoordinator *co, GroupMap *map, GroupMapNode *node, WireString key)
{
	GroupMapNode **bucket;

	if ((uint32_t) map->n >= map->n_buckets)
		grow(co, map);
	node->key = key;
	node->hash = hash_of(key);
	bucket = &map->buckets[node->hash & (map->n_buckets - 1)];
	node->next = *bucket;
	*bucket = node;
	map->n++;
}

void
group_map_remove(GroupMap *map, GroupMapNode *node)
{
	GroupMapNode **p = &map->buckets[node->hash & (map->n_buckets - 1)];

	while (*p != node)
		p = &(*p)->next;
	*p = node->next;
	map->n--;
}

void
group_map_free(GroupCoordinator *co, GroupMap *map)
{
	group_free(co, map->buckets);
	memset(map, 0, sizeof(*map));
}

void *
group_map_any(const GroupMap *map)
{
	GroupMapScan scan;

	group_map_scan(&scan, map);
	return group_map_next(&scan);
}

void
group_map_scan(GroupMapScan *scan, const GroupMap *map)
{
	scan->map = map;
	scan->bucket = 0;
	scan->next = NULL;
}

void *
group_map_next(GroupMapScan *scan)
{
	GroupMapNode *node = scan->next;

	while (node == NULL)
	{
		if (scan->bucket >= scan->map->n_buckets)
			return NULL;
		node = scan->map->buckets[scan->bucket++];
	}
	scan->next = node->next;
	return node;
}

static int
compare_nodes(const void *a, const void *b)
{
	return group_compare((*(GroupMapNode *const *) a)->key, (*(GroupMapNode *const *) b)->key);
}

void **
group_map_sorted(GroupCoordinator *co, const GroupMap *map)
{
	void	  **list = group_out_array(co, void *, map->n);
	GroupMapScan scan;
	int32_t		n = 0;

	group_map_scan(&scan, map);
	for (void *node; (node = group_map_next(&scan)) != NULL;)
		list[n++] = node;
	qsort(list, n, sizeof(void *), compare_nodes);
	return list;
}
