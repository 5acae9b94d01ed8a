/* The message tables, and the decoder and encoder over all of them. */
#include "check.h"
#include "messages.h"
#include "wire/api_fetch.h"
#include "wire/api_group.h"
#include "wire/api_metadata.h"
#include "wire/api_produce.h"
#include "wire/api_versions.h"

#define ROUNDS		20
#define ARENA_CAP	(1024 * 1024)

/* ---------- the tables themselves ---------- */

static const uint16_t type_sizes[] = {
	[WIRE_BOOL] = sizeof(bool),
	[WIRE_INT8] = 1,
	[WIRE_INT16] = 2,
	[WIRE_UINT16] = 2,
	[WIRE_INT32] = 4,
	[WIRE_INT64] = 8,
	[WIRE_FLOAT64] = sizeof(double),
	[WIRE_UUID] = 16,
	[WIRE_STRING] = sizeof(WireString),
	[WIRE_BYTES] = sizeof(WireBytes),
	[WIRE_RECORDS] = sizeof(WireRecords),
};

static int
bad_rows(const WireStruct *s, int depth)
{
	int			bad = 0;
	int			tag = -1;
	int			i;

	fails(bad, depth <= 5, "%s is nested too deep", s->name);
	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		fails(bad, f->versions.min <= f->versions.max && f->versions.max < MAX_VERSION + WIRE_LATEST,
			  "%s.%s: versions", s->name, f->name);
		fails(bad, f->offset + (f->is_array ? sizeof(void *) : 0) <= s->size, "%s.%s: offset", s->name,
			  f->name);
		fails(bad, (f->type == WIRE_STRUCT) == (f->sub != NULL), "%s.%s: structure", s->name, f->name);
		fails(bad, f->size == (f->sub ? f->sub->size : type_sizes[f->type]),
			  "%s.%s: the member has another type", s->name, f->name);
		fails(bad, !f->default_null || f->is_nullable, "%s.%s: default", s->name, f->name);
		if (f->is_tagged)
		{
			fails(bad, f->tag == tag + 1, "%s.%s: tag", s->name, f->name);
			tag = f->tag;
		}
		if (f->sub)
			bad += bad_rows(f->sub, depth + 1);
	}
	return bad;
}

static void
test_tables(void)
{
	int			bad = 0;
	int			i;

	for (i = 0; i < wire_n_apis; i++)
	{
		const WireApi *api = &wire_apis[i];

		fails(bad, wire_api(api->key) == api, "%s is not found by its key", api->name);
		fails(bad, api->min == api->request->versions.min && api->min == api->response->versions.min,
			  "%s: first version", api->name);
		fails(bad, api->max <= api->request->versions.max && api->max <= api->response->versions.max,
			  "%s: last version", api->name);
		fails(bad, api->flexible_since == api->request->flexible_since &&
			  api->flexible_since == api->response->flexible_since, "%s: flexible version", api->name);
		fails(bad, strncmp(api->request->name, api->name, strlen(api->name)) == 0 &&
			  strcmp(api->request->name + strlen(api->name), "Request") == 0 &&
			  strncmp(api->response->name, api->name, strlen(api->name)) == 0 &&
			  strcmp(api->response->name + strlen(api->name), "Response") == 0, "%s: names", api->name);
		bad += bad_rows(api->request, 1) + bad_rows(api->response, 1);
	}
	check(bad == 0, "the rows of all tables fit their structs");
	check(wire_api(-1) == NULL && wire_api(4) == NULL && wire_api(1000) == NULL,
		  "unknown APIs are not found");
}

/* ---------- every message in every version ---------- */

/* Decode from memory of exactly that size, so that ASan sees one byte too many. */
static bool
decode_copy(const WireMessage *m, int version, const char *data, size_t len, WireArena *a, void *out,
			char **copy, size_t *remaining)
{
	WireReader	r;
	bool		ok;

	*copy = malloc(len ? len : 1);
	if (len > 0)
		memcpy(*copy, data, len);
	wire_reader_init(&r, *copy, len);
	ok = wire_decode(m, version, &r, a, out);
	if (ok == r.failed || (r.failed && !r.why))
	{
		printf("# %s %d: the result is not the reader's\n", m->name, version);
		abort();
	}
	*remaining = wire_remaining(&r);
	return ok;
}

typedef struct Counts
{
	int			versions;
	int			round_trip;
	int			truncated;
	int			mutated;
} Counts;

static void
try_message(const WireMessage *m, int version, uint64_t *state, Counts *bad)
{
	WireArena	a;
	WireWriter	w;
	WireWriter	w2;
	void	   *in = malloc(m->size);
	void	   *out = malloc(m->size);
	char	   *copy;
	size_t		remaining;
	size_t		i;
	int			round;

	bad->versions++;
	wire_arena_init(&a, ARENA_CAP);
	wire_writer_init(&w, ARENA_CAP);
	wire_writer_init(&w2, ARENA_CAP);
	for (round = 0; round < ROUNDS; round++)
	{
		wire_arena_reset(&a);
		wire_writer_reset(&w);
		wire_writer_reset(&w2);
		message_random(m, version, state, &a, in);
		fails(bad->round_trip, wire_encode(m, version, in, &w), "%s %d: field %s %s", m->name, version,
			  w.field, w.why);
		memset(out, 0xA5, m->size);
		fails(bad->round_trip, decode_copy(m, version, w.data, w.len, &a, out, &copy, &remaining) &&
			  remaining == 0 && message_equal(m, in, out) && wire_encode(m, version, out, &w2) &&
			  w.len == w2.len && (w.len == 0 || memcmp(w.data, w2.data, w.len) == 0), "%s %d", m->name,
			  version);
		free(copy);

		for (i = 0; i < w.len && round < 3; i++)
		{
			fails(bad->truncated, !decode_copy(m, version, w.data, i, &a, out, &copy, &remaining),
				  "%s %d: %zu of %zu bytes", m->name, version, i, w.len);
			free(copy);
			wire_arena_reset(&a);
		}
		for (i = 0; i < 50 && w.len > 0; i++)
		{
			size_t		pos = random_next(state) % w.len;
			char		saved = w.data[pos];

			w.data[pos] = (char) (random_next(state) % 3 == 0 ? 0xff : random_next(state));
			wire_writer_reset(&w2);
			if (decode_copy(m, version, w.data, w.len, &a, out, &copy, &remaining))
				fails(bad->mutated, wire_encode(m, version, out, &w2), "%s %d: byte %zu", m->name, version,
					  pos);
			free(copy);
			w.data[pos] = saved;
			wire_arena_reset(&a);
		}
	}
	wire_writer_free(&w);
	wire_writer_free(&w2);
	wire_arena_free(&a);
	free(in);
	free(out);
}

static void
test_all(void)
{
	Counts		bad = {0};
	uint64_t	state = 20260101;
	int			i;
	int			v;

	for (i = 0; i < wire_n_apis; i++)
	{
		for (v = wire_apis[i].request->versions.min; v <= wire_apis[i].request->versions.max; v++)
			try_message(wire_apis[i].request, v, &state, &bad);
		for (v = wire_apis[i].response->versions.min; v <= wire_apis[i].response->versions.max; v++)
			try_message(wire_apis[i].response, v, &state, &bad);
	}
	check(bad.versions > 400, "%d versions of messages", bad.versions);
	check(bad.round_trip == 0, "make the round trip");
	check(bad.truncated == 0, "fail when truncated anywhere");
	check(bad.mutated == 0, "can be encoded again if they decode with a byte changed");
}

/* ---------- memory ---------- */

/* An element can't take more than this many times its bytes on the wire. */
#define MEMORY_RATIO	24

static int
bad_ratios(const WireMessage *m, const WireStruct *s, int version, size_t *worst)
{
	int			bad = 0;
	int			i;

	for (i = 0; i < s->n_fields; i++)
	{
		const WireField *f = &s->fields[i];

		if (version < f->versions.min || version > f->versions.max)
			continue;
		if (f->is_array && f->sub)
		{
			WireStruct	element = *f->sub;
			WireWriter	w;
			void	   *value = malloc(element.size);

			/* With its defaults it is as small as can be. */
			element.flexible_since = m->flexible_since;
			wire_writer_init(&w, 10000);
			wire_init(&element, value);
			fails(bad, wire_encode(&element, version, value, &w) && w.len > 0 &&
				  element.size <= MEMORY_RATIO * w.len, "%s %d: %s takes %u bytes of memory for %zu", m->name,
				  version, element.name, element.size, w.len);
			if (w.len > 0 && element.size / w.len > *worst)
				*worst = element.size / w.len;
			free(value);
			wire_writer_free(&w);
		}
		if (f->sub)
			bad += bad_ratios(m, f->sub, version, worst);
	}
	return bad;
}

static void
test_memory(void)
{
	int			bad = 0;
	size_t		worst = 0;
	int			i;
	int			v;

	for (i = 0; i < wire_n_apis; i++)
	{
		for (v = wire_apis[i].min; v <= wire_apis[i].max; v++)
			bad += bad_ratios(wire_apis[i].request, wire_apis[i].request, v, &worst);
	}
	check(bad == 0, "elements of requests take at most %zu times their size in memory", worst);
}

/* ---------- particular rules ---------- */

#define DECODE(type, version, bytes, out) \
	(wire_reader_init(&r, bytes, sizeof(bytes) - 1), wire_arena_reset(&a), \
	 wire_decode(&wire_##type, version, &r, &a, out))

static void
test_hostile(void)
{
	WireArena	a;
	WireReader	r;
	WireWriter	w;
	MetadataRequest metadata;
	ApiVersionsResponse versions;
	FetchRequest fetch;
	FetchRequest many;
	char	   *data;
	size_t		before;

	wire_arena_init(&a, ARENA_CAP);
	check(!DECODE(MetadataRequest, 1, "\x7f\xff\xff\xff", &metadata) && a.total == 0,
		  "2 billion topics in 4 bytes take no memory");
	check(!DECODE(MetadataRequest, 9, "\xff\xff\xff\xff\x0f\0\0\0\0", &metadata) && a.total == 0,
		  "4 billion topics in 9 bytes take no memory");
	check(!DECODE(MetadataRequest, 1, "\0\0\0\3\0\0\0\0\0", &metadata) && a.total == 0,
		  "3 strings in 5 bytes take no memory");
	check(r.field && strcmp(r.field, "Topics") == 0 && r.why, "the failure names the field");
	check(!DECODE(MetadataRequest, 4, "\xff\xff\xff\xfe", &metadata), "a negative number of topics fails");
	check(!DECODE(MetadataRequest, 0, "\xff\xff\xff\xff", &metadata), "null where there was no null fails");
	check(DECODE(MetadataRequest, 1, "\xff\xff\xff\xff", &metadata) && metadata.n_topics == -1,
		  "null where there is one");
	check(metadata.allow_auto_topic_creation, "what the version lacks has its default");
	check(!DECODE(MetadataRequest, 14, "\xff\xff\xff\xff", &metadata) &&
		  !DECODE(MetadataRequest, -1, "\xff\xff\xff\xff", &metadata),
		  "unknown versions fail");

	/* ApiVersions 3: error, no keys, throttle time, then tags. */
	check(DECODE(ApiVersionsResponse, 3, "\0\0\1\0\0\0\0\2\1\10\0\0\0\0\0\0\0\7\x63\2hi", &versions) &&
		  versions.finalized_features_epoch == 7, "a tag that is known, and one that isn't");
	check(!DECODE(ApiVersionsResponse, 3, "\0\0\1\0\0\0\0\1\1\7\0\0\0\0\0\0\0\7", &versions),
		  "a tag smaller than its field fails");
	check(!DECODE(ApiVersionsResponse, 3, "\0\0\1\0\0\0\0\1\1\11\0\0\0\0\0\0\0\7\0", &versions),
		  "a tag larger than its field fails");
	check(!DECODE(ApiVersionsResponse, 3, "\0\0\1\0\0\0\0\1\1\x7f\0\0\0\0\0\0\0\7", &versions),
		  "a tag larger than the message fails");
	check(!DECODE(ApiVersionsResponse, 3, "\0\0\1\0\0\0\0\xff\xff\xff\xff\x0f\1\0", &versions),
		  "4 billion tags end with the bytes");

	/* An array that is as large as the bytes allow, of elements much larger in memory. */
	WIRE_INIT(FetchRequest, &many);
	many.n_topics = 20000;
	many.topics = calloc(many.n_topics, sizeof(*many.topics));
	wire_writer_init(&w, 100 * ARENA_CAP);
	check(wire_encode(&wire_FetchRequest, 4, &many, &w), "20,000 empty topics");
	data = w.data;
	before = w.len;
	wire_reader_init(&r, data, before);
	wire_arena_reset(&a);
	check(wire_decode(&wire_FetchRequest, 4, &r, &a, &fetch), "fit into the memory of the arena");
	check(a.total < before * 16, "which is a small multiple of their size");
	wire_arena_free(&a);
	wire_arena_init(&a, 100000);
	wire_reader_init(&r, data, before);
	check(!wire_decode(&wire_FetchRequest, 4, &r, &a, &fetch) && a.total <= 100000, "but not into less");
	free(many.topics);
	wire_writer_free(&w);
	wire_arena_free(&a);
}

static void
test_encoding(void)
{
	WireArena	a;
	WireWriter	w;
	JoinGroupResponse join;
	MetadataResponse metadata;
	FetchResponse fetch;
	FetchResponsePartitionData *p;
	int			external;

	wire_arena_init(&a, ARENA_CAP);
	wire_writer_init(&w, 1000);

	WIRE_INIT(JoinGroupResponse, &join);
	join.protocol_name = WIRE_NULL_STRING;
	check(wire_encode(&wire_JoinGroupResponse, 0, &join, &w) && w.len == 2 + 4 + 2 + 2 + 2 + 4,
		  "a null from before there was one is sent as empty");
	join.member_id = WIRE_NULL_STRING;
	check(!wire_encode(&wire_JoinGroupResponse, 0, &join, &w) && strcmp(w.field, "MemberId") == 0,
		  "a null that there never was fails and names the field");

	wire_writer_reset(&w);
	WIRE_INIT(MetadataResponse, &metadata);
	check(metadata.controller_id == -1 && metadata.cluster_id.len == -1, "defaults that are not zero");
	metadata.n_topics = 1;
	metadata.topics = WIRE_NEW(&a, MetadataResponseMetadataResponseTopic, 1);
	check(metadata.topics->topic_authorized_operations == INT32_MIN, "also in arrays");

	WIRE_INIT(FetchResponse, &fetch);
	fetch.n_responses = 1;
	fetch.responses = WIRE_NEW(&a, FetchResponseFetchableTopicResponse, 1);
	fetch.responses->n_partitions = 2;
	fetch.responses->partitions = p = WIRE_NEW(&a, FetchResponsePartitionData, 2);
	p[0].records = (WireRecords) {NULL, 500, &external};
	p[1].records = (WireRecords) {NULL, 100, &external + 1};
	check(p[0].current_leader.leader_epoch == -1, "and in structures within structures");
	{
		const WireApi *api = wire_api(1);
		size_t		first = wire_begin_response(&w, api, 13, 42);
		size_t		second;

		check(wire_encode(api->response, 13, &fetch, &w) && wire_end_response(&w, first) &&
			  w.n_splices == 2 &&
			  w.splices[0].external == &external && w.splices[1].external == &external + 1,
			  "records elsewhere leave splices");
		check(wire_get_uint32(w.data) == w.len - 4 + 600 && wire_get_uint32(w.data + 4) == 42 &&
			  w.data[8] == 0,
			  "which the frame's size counts");
		second = wire_begin_response(&w, wire_api(18), 3, 43);
		wire_write_int16(&w, 35);
		check(wire_end_response(&w, second) && wire_get_uint32(w.data + second) == 6,
			  "the next frame counts its own only, and ApiVersions has no flexible header");
	}
	wire_writer_free(&w);
	wire_arena_free(&a);
}

static void
test_headers(void)
{
	WireReader	r;
	WireRequestHeader h;

#define HEADER(bytes) (wire_reader_init(&r, bytes, sizeof(bytes) - 1), wire_read_request_header(&r, &h))
	check(HEADER("\0\3\0\1\0\0\0\7\0\3abcrest") && h.api_key == 3 && h.api_version == 1 &&
		  h.correlation_id == 7 && wire_string_is(h.client_id, "abc") && h.api == wire_api(3) &&
		  wire_remaining(&r) == 4, "a header");
	check(HEADER("\0\3\0\x9\0\0\0\7\0\3abc\0rest") && wire_remaining(&r) == 4, "a flexible header");
	check(HEADER("\0\3\0\x9\0\0\0\7\xff\xff\1\5\2hirest") && h.client_id.len == -1 && wire_remaining(&r) == 4,
		  "has tags also after a null client id");
	check(HEADER("\0\x12\0\x63\0\0\0\7\0\3abcrest") && h.api == wire_api(18) && wire_remaining(&r) == 4,
		  "of an unknown version only what is known is read");
	check(HEADER("\3\0\0\1\0\0\0\7\0\3abcrest") && h.api == NULL && h.api_key == 0x300, "an unknown API");
	check(!HEADER("\0\3\0\1\0\0\0\7\0\4abc") && h.api_key == 3 && h.correlation_id == 7,
		  "a broken client id leaves the fields before it");
	check(!HEADER("\0\3\0\1\0\0\0") && !HEADER(""), "too few bytes fail");
}

/* Records are the bulk of a request: they must not be copied. */
static void
test_no_copy(void)
{
	WireArena	a;
	WireWriter	w;
	WireReader	r;
	ProduceRequest in;
	ProduceRequest out;
	static char records[100000];
	const char *p;

	wire_arena_init(&a, ARENA_CAP);
	wire_writer_init(&w, ARENA_CAP);
	WIRE_INIT(ProduceRequest, &in);
	in.n_topic_data = 1;
	in.topic_data = WIRE_NEW(&a, ProduceRequestTopicProduceData, 1);
	in.topic_data->n_partition_data = 1;
	in.topic_data->partition_data = WIRE_NEW(&a, ProduceRequestPartitionProduceData, 1);
	in.topic_data->partition_data->records = (WireRecords) {records, sizeof(records), NULL};
	check(wire_encode(&wire_ProduceRequest, 9, &in, &w), "a produce request");
	wire_arena_free(&a);
	wire_reader_init(&r, w.data, w.len);
	check(wire_decode(&wire_ProduceRequest, 9, &r, &a, &out), "decodes");
	p = out.topic_data->partition_data->records.data;
	check(p > w.data && p < w.data + 100 && a.total < 10000, "its records stay where they are");
	wire_writer_free(&w);
	wire_arena_free(&a);
}

int
main(void)
{
	test_tables();
	test_all();
	test_memory();
	test_hostile();
	test_encoding();
	test_headers();
	test_no_copy();
	return done();
}
