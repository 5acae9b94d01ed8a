/*
 * wire_counts.c
 *	  Pieces of work for src/wire, whose instructions are counted: see bench/wire_counts.
 *
 *	  wire_counts NAME	does one of them
 *	  wire_counts		prints the names
 *
 * Only what work() does is counted.  It does everything several times, so that making tables at first
 * use doesn't matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api_fetch.h"
#include "wire/api_produce.h"
#include "wire/crc32c.h"
#include "wire/error.h"
#include "wire/message.h"
#include "wire/partitioner.h"
#include "wire/record.h"

#define RECORDS		1000
#define PARTITIONS	20
#define TIME		INT64_C(1700000000000)

static char value[1000];
static char *batch;				/* RECORDS records of 100 bytes with keys of 8 */
static size_t batch_len;
static BatchBuilder *builder;
static RecordReader *reader;
static WireArena arena;
static WireWriter writer;

static void
fail(const char *what)
{
	fprintf(stderr, "wire_counts: %s\n", what);
	exit(1);
}

static void
build(void)
{
	batch_builder_reset(builder);
	for (int i = 0; i < RECORDS; i++)
		if (batch_builder_append(builder, TIME + i, value, 8, value, 100, NULL, 0) != RECORD_OK)
			fail("a record can't be appended");
	if (batch_builder_finish(builder, NULL, CODEC_NONE, 0, &batch, &batch_len) != RECORD_OK)
		fail("a batch can't be built");
}

static void
validate(void)
{
	BatchLimits limits = {
		.max_bytes = 1048588, .before_max_ms = INT64_MAX, .after_max_ms = 3600000, .now_ms = TIME + RECORDS,
		.zstd_allowed = true
	};
	BatchInfo	info;

	if (batch_validate(batch, batch_len, &limits, reader, &info) != KAFKA_NONE)
		fail("a batch isn't valid");
}

static void
read_records(void)
{
	Record		record;
	int			n = 0;

	if (record_reader_begin(reader, batch, batch_len, 0) != RECORD_OK)
		fail("a batch can't be read");
	while (record_reader_next(reader, &record) == RECORD_OK)
		n++;
	if (n != RECORDS)
		fail("records are missing");
}

static void
checksum(void)
{
	if (crc32c_compute(batch, batch_len) == 0)
		fail("an unlikely checksum");
}

static void
partition(void)
{
	for (int i = 0; i < RECORDS; i++)
		if (partitioner_partition(0, value + i % 500, 16, PARTITIONS) >= PARTITIONS)
			fail("no such partition");
}

/* ---------- messages ---------- */

static ProduceRequestPartitionProduceData produced[PARTITIONS];
static ProduceRequestTopicProduceData produce_topic;
static ProduceRequest produce_request;
static ProduceResponsePartitionProduceResponse answers[PARTITIONS];
static ProduceResponseTopicProduceResponse answer_topic;
static ProduceResponse produce_response;
static FetchRequestFetchPartition wanted[PARTITIONS];
static FetchRequestFetchTopic fetch_topic;
static FetchRequest fetch_request;
static FetchResponsePartitionData found[PARTITIONS];
static FetchResponseFetchableTopicResponse found_topic;
static FetchResponse fetch_response;

static void
make_messages(void)
{
	WireString	name = {"orders", 6};

	WIRE_INIT(ProduceRequest, &produce_request);
	WIRE_INIT(ProduceRequestTopicProduceData, &produce_topic);
	WIRE_INIT(ProduceResponse, &produce_response);
	WIRE_INIT(ProduceResponseTopicProduceResponse, &answer_topic);
	WIRE_INIT(FetchRequest, &fetch_request);
	WIRE_INIT(FetchRequestFetchTopic, &fetch_topic);
	WIRE_INIT(FetchResponse, &fetch_response);
	WIRE_INIT(FetchResponseFetchableTopicResponse, &found_topic);
	for (int i = 0; i < PARTITIONS; i++)
	{
		WIRE_INIT(ProduceRequestPartitionProduceData, &produced[i]);
		WIRE_INIT(ProduceResponsePartitionProduceResponse, &answers[i]);
		WIRE_INIT(FetchRequestFetchPartition, &wanted[i]);
		WIRE_INIT(FetchResponsePartitionData, &found[i]);
		produced[i].index = answers[i].index = wanted[i].partition = found[i].partition_index = i;
		produced[i].records.data = value;
		produced[i].records.len = 200;
		found[i].records.external = value;
		found[i].records.len = 100000;
		wanted[i].fetch_offset = answers[i].base_offset = 123456789;
	}
	produce_topic.name = answer_topic.name = fetch_topic.topic = found_topic.topic = name;
	produce_topic.partition_data = produced;
	answer_topic.partition_responses = answers;
	fetch_topic.partitions = wanted;
	found_topic.partitions = found;
	produce_topic.n_partition_data = answer_topic.n_partition_responses = PARTITIONS;
	fetch_topic.n_partitions = found_topic.n_partitions = PARTITIONS;
	produce_request.topic_data = &produce_topic;
	produce_response.responses = &answer_topic;
	fetch_request.topics = &fetch_topic;
	fetch_response.responses = &found_topic;
	produce_request.n_topic_data = produce_response.n_responses = fetch_request.n_topics =
		fetch_response.n_responses = 1;
}

static void
encode(const WireMessage *m, int version, const void *message)
{
	wire_writer_reset(&writer);
	if (!wire_encode(m, version, message, &writer))
		fail("a message can't be encoded");
}

static void
encode_and_decode(const WireMessage *m, int version, const void *message, void *out)
{
	WireReader	r;

	encode(m, version, message);
	wire_reader_init(&r, writer.data, writer.len);
	wire_arena_reset(&arena);
	if (!wire_decode(m, version, &r, &arena, out))
		fail("a message can't be decoded");
}

static void
produce_request_both(void)
{
	ProduceRequest out;

	encode_and_decode(&wire_ProduceRequest, 12, &produce_request, &out);
}

static void
produce_response_encode(void)
{
	encode(&wire_ProduceResponse, 12, &produce_response);
}

static void
fetch_request_both(void)
{
	FetchRequest out;

	encode_and_decode(&wire_FetchRequest, 12, &fetch_request, &out);
}

static void
fetch_response_encode(void)
{
	encode(&wire_FetchResponse, 12, &fetch_response);
}

/* ---------- main ---------- */

static const struct
{
	const char *name;
	void		(*run) (void);
}			works[] = {
	{"build", build},
	{"validate", validate},
	{"read", read_records},
	{"checksum", checksum},
	{"partition", partition},
	{"produce_request", produce_request_both},
	{"produce_response", produce_response_encode},
	{"fetch_request", fetch_request_both},
	{"fetch_response", fetch_response_encode},
};

#define N_WORKS ((int) (sizeof(works) / sizeof(works[0])))

__attribute__((noinline)) void work(void (*run) (void));

void
work(void (*run) (void))
{
	for (int i = 0; i < 10; i++)
		run();
}

int
main(int argc, char **argv)
{
	for (int i = 0; argc < 2 && i < N_WORKS; i++)
		puts(works[i].name);
	if (argc < 2)
		return 0;

	for (size_t i = 0; i < sizeof(value); i++)
		value[i] = (char) (i * 31);
	builder = batch_builder_create();
	reader = record_reader_create();
	wire_arena_init(&arena, 1 << 20);
	wire_writer_init(&writer, 1 << 24);
	if (builder == NULL || reader == NULL)
		fail("no memory");
	build();
	make_messages();
	for (int i = 0; i < N_WORKS; i++)
		if (strcmp(works[i].name, argv[1]) == 0)
		{
			work(works[i].run);
			return 0;
		}
	fail("no such work");
}
