/*
 * Messages of all kinds, responses too (for the broker reads them when it
 * talks to another, and the tables should be right in any case): the first
 * three bytes choose API, direction and version.
 */
#include <stdlib.h>

#include "messages.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const WireApi *api;
	const WireMessage *m;
	WireReader	r;
	WireArena	a;
	WireWriter	w;
	int			version;
	void	   *first;
	void	   *second;

	if (size < 3)
		return 0;
	api = &wire_apis[data[0] % wire_n_apis];
	m = data[1] % 2 ? api->response : api->request;
	version = m->versions.min + data[2] % (m->versions.max - m->versions.min + 1);
	first = malloc(m->size);
	second = malloc(m->size);
	wire_arena_init(&a, 64 * 1024 * 1024);
	wire_writer_init(&w, 64 * 1024 * 1024);
	wire_reader_init(&r, data + 3, size - 3);
	if (wire_decode(m, version, &r, &a, first))
	{
		if (!wire_encode(m, version, first, &w))
			abort();
		wire_reader_init(&r, w.data, w.len);
		if (!wire_decode(m, version, &r, &a, second) || wire_remaining(&r) > 0 ||
			!message_equal(m, first, second))
			abort();
	}
	wire_writer_free(&w);
	wire_arena_free(&a);
	free(first);
	free(second);
	return 0;
}
