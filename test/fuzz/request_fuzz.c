/*
 * Requests of all APIs, as they come from a socket: header, then message.
 *
 * Whatever the bytes: no access outside of them, memory within a multiple of
 * their number, and what decodes can be encoded and decoded again.
 */
#include <stdlib.h>

#include "messages.h"

/* See MEMORY_RATIO in message_test.c; twice for blocks that double, and some for alignment. */
#define MEMORY_RATIO	64
#define MEMORY_BASE		(16 * 1024)

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool ok)
{
	if (!ok)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	WireReader	r;
	WireRequestHeader h;
	WireArena	a;
	WireWriter	w;
	WireWriter	w2;
	void	   *out;

	wire_reader_init(&r, data, size);
	if (!wire_read_request_header(&r, &h) || !h.api || !wire_api_has_version(h.api, h.api_version))
		return 0;
	out = malloc(h.api->request->size);
	wire_arena_init(&a, SIZE_MAX);
	wire_writer_init(&w, 10 * size + 1000);
	wire_writer_init(&w2, 10 * size + 1000);
	if (wire_decode(h.api->request, h.api_version, &r, &a, out))
	{
		must(wire_encode(h.api->request, h.api_version, out, &w));
		wire_reader_init(&r, w.data, w.len);
		must(wire_decode(h.api->request, h.api_version, &r, &a, out));
		must(wire_remaining(&r) == 0);
		must(wire_encode(h.api->request, h.api_version, out, &w2));
		must(w.len == w2.len && (w.len == 0 || memcmp(w.data, w2.data, w.len) == 0));
	}
	else
		must(r.failed && r.why);
	/* Twice decoded, hence twice the size. */
	must(a.total <= MEMORY_BASE + MEMORY_RATIO * 2 * size);
	wire_writer_free(&w);
	wire_writer_free(&w2);
	wire_arena_free(&a);
	free(out);
	return 0;
}
