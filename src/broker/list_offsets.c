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

typedef struct TopicStep
{
	const RequestTopic *in;
	ResponseTopic *out;
} TopicStep;

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
 * written by a transaction that failed, so the search goes on.
 */
static void
find_time(Relation rel, LogPartition *part, const RequestPartition *in, int64 start, int64 end,
		  ResponsePartition *out)
{
	int64		first = log_find_time(rel, part, in->timestamp);
	LogReader  *reader;
	char	   *batch;
	uint32		length;

	if (first < 0 || first >= end)
		return;
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
		CHECK_FOR_INTERRUPTS();
	}
	log_reader_end(reader);
}

static void
find_max_time(Relation rel, LogPartition *part, const RequestPartition *in, int64 end, ResponsePartition *out)
{
	int64		first = log_find_max_time(rel, part);
	LogReader  *reader;
	char	   *batch;
	uint32		length;

	if (first < 0 || first >= end)
		return;
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

static void
list_partition(BrokerRequest *req, Relation rel, const RequestPartition *in, ResponsePartition *out)
{
	const ListOffsetsRequest *request = req->request;
	LogPartition *part = in->partition_index < 0 ? NULL : log_open(rel, in->partition_index);
	LogBounds	bounds;
	int64		end;

	if (part == NULL)
	{
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		return;
	}
	out->error_code = check_epoch(in->current_leader_epoch);
	if (out->error_code != KAFKA_NONE)
		return;
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
			find_max_time(rel, part, in, end, out);
			break;
		case LATEST_TIERED:
		case EARLIEST_PENDING_UPLOAD:
			/* There is no other storage than this. */
			break;
		default:
			find_time(rel, part, in, bounds.log_start, end, out);
			break;
	}
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

static void
list_topic(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;
	const ListOffsetsRequest *in = req->request;
	BrokerTopic t;
	int16		error = broker_topic_open(req, step->in->name, TOPIC_DESCRIBE, AccessShareLock, &t);

	if (error == KAFKA_NONE &&
		in->isolation_level != READ_UNCOMMITTED && in->isolation_level != READ_COMMITTED)
	{
		broker_topic_close(&t);
		error = KAFKA_UNKNOWN_SERVER_ERROR;
	}
	for (int i = 0; i < step->in->n_partitions; i++)
	{
		const RequestPartition *partition = &step->in->partitions[i];
		ResponsePartition *out = &step->out->partitions[i];

		if (error != KAFKA_NONE)
			out->error_code = error;
		else if (!is_known_timestamp(partition->timestamp, req->api_version))
			out->error_code = KAFKA_UNSUPPORTED_VERSION;
		else if (is_repeated(step->in, i))
			out->error_code = KAFKA_INVALID_REQUEST;
		else
			list_partition(req, t.rel, partition, out);
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

BrokerOutcome
broker_list_offsets(BrokerRequest *req)
{
	const ListOffsetsRequest *in = req->request;
	ListOffsetsResponse *out = new_response(req, KAFKA_NONE);

	if (out == NULL)
		broker_out_of_memory();
	req->response = out;
	if (record_reader == NULL && (record_reader = record_reader_create()) == NULL)
		broker_out_of_memory();
	for (int i = 0; i < in->n_topics; i++)
	{
		TopicStep	step = {&in->topics[i], &out->topics[i]};
		int16		error;

		if (in->n_topics == 1)
		{
			list_topic(req, &step);
			continue;
		}
		error = broker_try(req, list_topic, &step, NULL);
		for (int p = 0; error != KAFKA_NONE && p < step.out->n_partitions; p++)
		{
			step.out->partitions[p].error_code = error;
			step.out->partitions[p].offset = -1;
			step.out->partitions[p].timestamp = -1;
			step.out->partitions[p].leader_epoch = -1;
		}
	}
	return BROKER_DONE;
}

void
broker_list_offsets_fail(BrokerRequest *req, int16 error)
{
	req->response = new_response(req, error);
}
