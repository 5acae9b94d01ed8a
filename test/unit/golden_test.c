/*
 * Golden bytes: what Kafka's own classes write, for every message and version.
 *
 * golden/messages.txt has lines "message version json hex".  The bytes must
 * decode to what the JSON says, and encode to the same bytes.
 *
 * With the argument --make it prints lines "message version json" of
 * pseudo-random content, of which golden/Golden.java makes the file
 * (make golden; it needs a JDK and Kafka's jars).
 */
#include "check.h"
#include "messages.h"

#define GOLDEN		"golden/messages.txt"
#define LINE_MAX_LEN	20000

/* Large enough to hold something of every kind, small enough to be read by people. */
#define SIZE_WANTED_MIN	40
#define SIZE_WANTED_MAX	160

static void
make_message(const WireMessage *m, int version, uint64_t *state)
{
	WireArena	a;
	WireWriter	w;
	void	   *in = malloc(m->size);
	uint64_t	best_state = *state;
	size_t		best_size = SIZE_MAX;
	int			i;

	wire_arena_init(&a, 1024 * 1024);
	wire_writer_init(&w, 1024 * 1024);
	for (i = 0; i < 50 && !(best_size >= SIZE_WANTED_MIN && best_size <= SIZE_WANTED_MAX); i++)
	{
		uint64_t	start = *state;
		size_t		size;

		wire_arena_reset(&a);
		wire_writer_reset(&w);
		message_random(m, version, state, &a, in);
		if (!wire_encode(m, version, in, &w))
			abort();
		size = w.len >= SIZE_WANTED_MIN ? w.len : SIZE_WANTED_MAX + SIZE_WANTED_MIN - w.len;
		if (size < best_size)
		{
			best_size = size;
			best_state = start;
		}
	}
	wire_arena_reset(&a);
	message_random(m, version, &best_state, &a, in);
	printf("%s %d ", m->name, version);
	message_print(stdout, m, version, in);
	printf("\n");
	wire_writer_free(&w);
	wire_arena_free(&a);
	free(in);
}

static int
make(void)
{
	uint64_t	state = 4040;
	int			i;
	int			v;

	for (i = 0; i < wire_n_apis; i++)
	{
		for (v = wire_apis[i].request->versions.min; v <= wire_apis[i].request->versions.max; v++)
			make_message(wire_apis[i].request, v, &state);
		for (v = wire_apis[i].response->versions.min; v <= wire_apis[i].response->versions.max; v++)
			make_message(wire_apis[i].response, v, &state);
	}
	return 0;
}

static size_t
from_hex(const char *hex, char *out)
{
	size_t		n = 0;

	while (hex[0] && hex[0] != '-' && hex[1])
	{
		unsigned	byte;

		sscanf(hex, "%2x", &byte);
		out[n++] = (char) byte;
		hex += 2;
	}
	return n;
}

static bool
try_golden(const WireMessage *m, int version, const char *json, const char *hex)
{
	static char bytes[LINE_MAX_LEN];
	size_t		len = from_hex(hex, bytes);
	void	   *out = malloc(m->size);
	char	   *text = NULL;
	size_t		text_len;
	FILE	   *f = open_memstream(&text, &text_len);
	WireArena	a;
	WireReader	r;
	WireWriter	w;
	bool		ok;

	wire_arena_init(&a, 1024 * 1024);
	wire_writer_init(&w, 1024 * 1024);
	wire_reader_init(&r, bytes, len);
	ok = wire_decode(m, version, &r, &a, out) && wire_remaining(&r) == 0;
	if (!ok)
		printf("# %s %d: field %s %s, %zu bytes left\n", m->name, version, r.field, r.why,
			  wire_remaining(&r));
	else
	{
		message_print(f, m, version, out);
		fflush(f);
		if (strcmp(text, json) != 0)
		{
			printf("# %s %d: got  %s\n# %s %d: want %s\n", m->name, version, text, m->name, version, json);
			ok = false;
		}
		if (!wire_encode(m, version, out, &w) || w.len != len || (len > 0 && memcmp(w.data, bytes, len) != 0))
		{
			printf("# %s %d: encoded differently\n", m->name, version);
			ok = false;
		}
	}
	fclose(f);
	free(text);
	free(out);
	wire_writer_free(&w);
	wire_arena_free(&a);
	return ok;
}

int
main(int argc, char **argv)
{
	static char line[LINE_MAX_LEN];
	static bool seen[200][2][MAX_VERSION];
	int			bad = 0;
	int			missing = 0;
	int			lines = 0;
	int			i;
	int			v;
	FILE	   *f;

	if (argc > 1 && strcmp(argv[1], "--make") == 0)
		return make();
	f = fopen(GOLDEN, "r");
	if (!f)
	{
		printf("Bail out! no file %s here\n", GOLDEN);
		return 1;
	}
	while (fgets(line, sizeof(line), f))
	{
		const char *name = strtok(line, " ");
		const char *version = strtok(NULL, " ");
		const char *json = strtok(NULL, " ");
		const char *hex = strtok(NULL, " \n");
		const WireMessage *m = name && hex ? message_by_name(name) : NULL;

		lines++;
		if (!m || atoi(version) < 0 || atoi(version) >= MAX_VERSION)
		{
			fails(bad, false, "line %d is not understood", lines);
			continue;
		}
		fails(bad, try_golden(m, atoi(version), json, hex), "line %d", lines);
		for (i = 0; i < wire_n_apis; i++)
		{
			if (m == wire_apis[i].request || m == wire_apis[i].response)
				seen[i][m == wire_apis[i].response][atoi(version)] = true;
		}
	}
	fclose(f);
	check(bad == 0,
		  "%d messages written by Kafka's classes decode as they should, and encode to the same bytes",
		  lines);
	for (i = 0; i < wire_n_apis; i++)
	{
		for (v = wire_apis[i].min; v <= wire_apis[i].max; v++)
			fails(missing, seen[i][0][v] && seen[i][1][v], "%s %d", wire_apis[i].name, v);
	}
	check(missing == 0, "there are golden bytes for every version");
	return done();
}
