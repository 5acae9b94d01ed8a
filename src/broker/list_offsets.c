/*-------------------------------------------------------------------------
 *
 * list_offsets.c
 *	  ListOffsets: the ends of a partition, and the offset that belongs to a
 *	  time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/cluster.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "log/log.h"
#include "miscadmin.h"
#include "utils/rel.h"
#include "wire/api_offsets.h"
#include "wire/batch.h"
#include "wire/record.h"

#define READ_UNCOMMITTED 0
#define READ_COMMITTED 1

/* Headers of batches to look at before the clock */
#define BATCHES_AT_A_TIME 32

/* Times that are none, and the version from which clients may send them */
enum
{
	LATEST = -1,
	EARLIEST = -2,
	MAX_TIMESTAMP = -3,
	EARLIEST_LOCAL = -4,
	LATEST_TIERED = -5,
	EARLIEST_PENDING_UPLOAD = -6
};

static const struct
{
	int64		timestamp;
	int			since;
}			special_timestamps[] = {
	{LATEST, 1},
	{EARLIEST, 1},
	{MAX_TIMESTAMP, 7},
	{EARLIEST_LOCAL, 8},
	{LATEST_TIERED, 9},
	{EARLIEST_PENDING_UPLOAD, 11},
};

typedef ListOffsetsRequestListOffsetsTopic RequestTopic;
typedef ListOffsetsRequestListOffsetsPartition RequestPartition;
typedef ListOffsetsResponseListOffsetsTopicResponse ResponseTopic;
typedef ListOffsetsResponseListOffsetsPartitionResponse ResponsePartition;

typedef struct ListState
{
	BrokerLoop	loop;			/* over topics */
	const RequestTopic *in;
	ResponseTopic *out;
	int			partition;		/* of the topic, to go on with */
	int64		searched;		/* of which all before is searched; -1: nothing */
	LogMaxSearch max_search;	/* for the latest time */
} ListState;

static RecordReader *record_reader;

static bool
is_known_timestamp(int64 timestamp, int version)
{
	if (timestamp >= 0)
		return true;
	for (int i = 0; i < lengthof(special_timestamps); i++)
	{
		if (special_timestamps[i].timestamp == timestamp)
			return version >= special_timestamps[i].since;
	}
	return false;
}

/* ---------- looking for a time ---------- */

static void
set_found(ResponsePartition *out, const char *batch, const BatchPosition *position)
{
	out->offset = position->offset;
	out->timestamp = position->timestamp;
	out->leader_epoch = batch_leader_epoch(batch);
}

static void
refuse_corrupt(Relation rel, int32 partition, const char *batch)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("could not read the record batch at offset %lld of partition %d of topic table %u",
					(long long) batch_base_offset(batch), partition, RelationGetRelid(rel))));
}

/*
 * The first record before `end` with this time or a later one.  The log knows
 * the first batch in which there is such a record, but that may have been
 * written by a transaction that failed, so the search goes on.  False: it takes
 * another turn.
 */
static bool
find_time(BrokerRequest *req, Relation rel, LogPartition *part, const RequestPartition *in,
		  int64 start, int64 end, ResponsePartition *out)
{
	ListState  *state = req->state;
	int64		first = state->searched >= 0 ? state->searched : log_find_time(rel, part, in->timestamp);
	LogReader  *reader;
	char	   *batch;
	uint32		length;

	state->searched = -1;
	if (first < 0 || first >= end)
		return true;
	reader = log_reader_begin(rel, in->partition_index, Max(first, start), end, InvalidSnapshot, 0, false);
	while ((batch = log_reader_next(reader, &length)) != NULL)
	{
		BatchPosition position;
		int			found = 0;

		if (batch_max_timestamp(batch) >= in->timestamp && !batch_is_control(batch))
			found = batch_find_time(batch, length, record_reader, in->timestamp, start, &position);
		if (found < 0)
			refuse_corrupt(rel, in->partition_index, batch);
		if (found > 0)
		{
			if (position.offset < end)
				set_found(out, batch, &position);
			break;
		}
		if (broker_turn_is_over(req))
		{
			state->searched = batch_last_offset(batch) + 1;
			break;
		}
		CHECK_FOR_INTERRUPTS();
	}
	log_reader_end(reader);
	return state->searched < 0;
}

/* False: it takes another turn. */
static bool
find_max_time(BrokerRequest *req, Relation rel, LogPartition *part, const RequestPartition *in, int64 end,
			  ResponsePartition *out)
{
	ListState  *state = req->state;
	int64		first;
	LogReader  *reader;
	char	   *batch;
	uint32		length;

	while (!log_find_max_time(rel, part, &state->max_search, BATCHES_AT_A_TIME))
	{
		if (broker_turn_is_over(req))
			return false;
	}
	first = state->max_search.offset;
	memset(&state->max_search, 0, sizeof(state->max_search));
	if (first < 0 || first >= end)
		return true;
	reader = log_reader_begin(rel, in->partition_index, first, end, InvalidSnapshot, 0, false);
	batch = log_reader_next(reader, &length);
	if (batch != NULL)
	{
		BatchPosition position;
		int			found = batch_find_max_time(batch, length, record_reader, &position);

		if (found < 0)
			refuse_corrupt(rel, in->partition_index, batch);
		if (found > 0 && position.offset < end)
			set_found(out, batch, &position);
	}
	log_reader_end(reader);
	return true;
}

/* ---------- partitions and topics ---------- */

static int16
check_epoch(int32 current)
{
	int32		epoch = broker_leader_epoch();

	if (current < 0 || current == epoch)
		return KAFKA_NONE;
	return current < epoch ? KAFKA_FENCED_LEADER_EPOCH : KAFKA_UNKNOWN_LEADER_EPOCH;
}

/* False: it takes another turn. */
static bool
list_partition(BrokerRequest *req, Relation rel, const RequestPartition *in, ResponsePartition *out)
{
	const ListOffsetsRequest *request = req->request;
	LogPartition *part = in->partition_index < 0 ? NULL : log_open(rel, in->partition_index);
	LogBounds	bounds;
	int64		end;

	if (part == NULL)
	{
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		return true;
	}
	out->error_code = check_epoch(in->current_leader_epoch);
	if (out->error_code != KAFKA_NONE)
		return true;
	log_bounds(rel, part, &bounds);
	end = request->isolation_level == READ_COMMITTED ? bounds.last_stable : bounds.high_watermark;

	switch (in->timestamp)
	{
		case LATEST:
			out->offset = end;
			out->leader_epoch = broker_leader_epoch();
			break;
		case EARLIEST:
		case EARLIEST_LOCAL:
			out->offset = bounds.log_start;
			out->leader_epoch = broker_leader_epoch();
			break;
		case MAX_TIMESTAMP:
			return find_max_time(req, rel, part, in, end, out);
		case LATEST_TIERED:
		case EARLIEST_PENDING_UPLOAD:
			/* There is no other storage than this. */
			break;
		default:
			return find_time(req, rel, part, in, bounds.log_start, end, out);
	}
	return true;
}

/* Is a partition named twice?  Kafka refuses those. */
static bool
is_repeated(const RequestTopic *topic, int index)
{
	for (int i = 0; i < topic->n_partitions && topic->n_partitions <= 64; i++)
	{
		if (i != index && topic->partitions[i].partition_index == topic->partitions[index].partition_index)
			return true;
	}
	return false;
}

/* The partitions of a topic, or as many as there is time for.  (BrokerStep) */
static void
list_topic(BrokerRequest *req, void *arg)
{
	ListState  *state = arg;
	const ListOffsetsRequest *in = req->request;
	BrokerTopic t;
	int16		error = broker_topic_open(req, state->in->name, TOPIC_DESCRIBE, AccessShareLock, &t);

	if (error == KAFKA_NONE &&
		in->isolation_level != READ_UNCOMMITTED && in->isolation_level != READ_COMMITTED)
	{
		broker_topic_close(&t);
		error = KAFKA_UNKNOWN_SERVER_ERROR;
	}
	for (bool done = true; done && state->partition < state->in->n_partitions;)
	{
		const RequestPartition *partition = &state->in->partitions[state->partition];
		ResponsePartition *out = &state->out->partitions[state->partition];

		if (error != KAFKA_NONE)
			out->error_code = error;
		else if (!is_known_timestamp(partition->timestamp, req->api_version))
			out->error_code = KAFKA_UNSUPPORTED_VERSION;
		else if (is_repeated(state->in, state->partition))
			out->error_code = KAFKA_INVALID_REQUEST;
		else
			done = list_partition(req, t.rel, partition, out);
		if (done)
			state->partition++;
		done = done && !broker_turn_is_over(req);
	}
	if (error == KAFKA_NONE)
		broker_topic_close(&t);
}

/* ---------- the request ---------- */

static ListOffsetsResponse *
new_response(BrokerRequest *req, int16 error)
{
	const ListOffsetsRequest *in = req->request;
	ListOffsetsResponse *out = BROKER_TRY_NEW(req, ListOffsetsResponse, 1);

	if (out == NULL)
		return NULL;
	out->topics = BROKER_TRY_NEW(req, ListOffsetsResponseListOffsetsTopicResponse, in->n_topics);
	if (out->topics == NULL)
		return NULL;
	out->n_topics = in->n_topics;
	for (int i = 0; i < in->n_topics; i++)
	{
		ResponseTopic *t = &out->topics[i];

		t->name = in->topics[i].name;
		t->partitions = BROKER_TRY_NEW(req, ListOffsetsResponseListOffsetsPartitionResponse,
									   in->topics[i].n_partitions);
		if (t->partitions == NULL)
			return NULL;
		t->n_partitions = in->topics[i].n_partitions;
		for (int p = 0; p < t->n_partitions; p++)
		{
			t->partitions[p].partition_index = in->topics[i].partitions[p].partition_index;
			t->partitions[p].error_code = error;
		}
	}
	return out;
}

/* The loop's item */
static bool
go_on_with_topic(BrokerRequest *req, int i)
{
	const ListOffsetsRequest *in = req->request;
	ListOffsetsResponse *out = req->response;
	ListState  *state = req->state;
	int16		error;

	state->in = &in->topics[i];
	state->out = &out->topics[i];
	if (in->n_topics == 1)
	{
		list_topic(req, state);
		return state->partition == state->in->n_partitions;
	}
	error = broker_try(req, list_topic, state, NULL);
	if (error == KAFKA_NONE && state->partition < state->in->n_partitions)
		return false;
	for (int p = 0; error != KAFKA_NONE && p < state->out->n_partitions; p++)
	{
		state->out->partitions[p].error_code = error;
		state->out->partitions[p].offset = -1;
		state->out->partitions[p].timestamp = -1;
		state->out->partitions[p].leader_epoch = -1;
	}
	state->partition = 0;
	state->searched = -1;
	memset(&state->max_search, 0, sizeof(state->max_search));
	return true;
}

BrokerOutcome
broker_list_offsets(BrokerRequest *req)
{
	const ListOffsetsRequest *in = req->request;
	ListState  *state = MemoryContextAllocZero(req->context, sizeof(ListState));

	req->response = new_response(req, KAFKA_NONE);
	if (req->response == NULL)
		broker_out_of_memory();
	if (record_reader == NULL && (record_reader = record_reader_create()) == NULL)
		broker_out_of_memory();
	state->loop.item = go_on_with_topic;
	state->loop.finish = broker_done;
	state->loop.n = in->n_topics;
	state->searched = -1;
	return broker_loop(req, &state->loop);
}

void
broker_list_offsets_fail(BrokerRequest *req, int16 error)
{
	req->response = new_response(req, error);
}
