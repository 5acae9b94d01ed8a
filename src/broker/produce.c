/*-------------------------------------------------------------------------
 *
 * produce.c
 *	  Produce: append record batches.
 *
 * Each partition's batch is checked, fitted to its topic and appended
 * (produce_batch.c).  The answer is complete then, but it is parked until the
 * WAL of the last append is flushed, and confirmed by the synchronous standbys
 * if the client asked for acks=all.
 *
 * A recognised duplicate is answered like its original, offset included, and
 * waits for the original's flush.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "broker/handlers.h"
#include "broker/produce_batch.h"
#include "log/log.h"
#include "replication/syncrep.h"
#include "utils/timestamp.h"
#include "wire/batch.h"

#define ACKS_NONE 0
#define ACKS_LEADER 1
#define ACKS_ALL (-1)

/* From here on topics are called by their ids. */
#define TOPIC_IDS_SINCE 13

typedef ProduceRequestTopicProduceData RequestTopic;
typedef ProduceResponseTopicProduceResponse ResponseTopic;
typedef ProduceResponsePartitionProduceResponse ResponsePartition;

/* What has to be kept while the answer is parked. */
typedef struct ProduceState
{
	XLogRecPtr	lsn;			/* of the last append */
	TimestampTz deadline;		/* for the standbys' confirmation */
} ProduceState;

/* One topic of a request, for broker_try. */
typedef struct TopicStep
{
	const RequestTopic *in;
	ResponseTopic *out;
	ProduceState *state;
} TopicStep;

/* ---------- one topic ---------- */

static void
set_topic_error(const RequestTopic *in, ResponseTopic *out, int16 error, WireString message)
{
	for (int i = 0; i < in->n_partition_data; i++)
		produce_set_error(&out->partition_responses[i], error, message);
}

/* Will fewer servers have a record than the topic's setting wants, when acks=all is answered? */
static bool
too_few_replicas(const ProduceRequest *in, const Topic *topic)
{
	int			n = 1 + (log_replicates() && SyncRepConfig != NULL ? SyncRepConfig->num_sync : 0);

	return in->acks == ACKS_ALL && topic->config.min_insync_replicas > n;
}

static void
produce_topic(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;
	BrokerTopic t;
	int16		error;

	if (req->api_version >= TOPIC_IDS_SINCE)
	{
		error = broker_topic_open_id(req, &step->in->topic_id, TOPIC_WRITE, RowExclusiveLock, &t);
		if (error == KAFKA_NONE && broker_topic_is_internal(wire_string(t.topic->name)))
		{
			broker_topic_close(&t);
			error = KAFKA_INVALID_TOPIC_EXCEPTION;
		}
	}
	else if (broker_topic_is_internal(step->in->name))
		error = KAFKA_INVALID_TOPIC_EXCEPTION;
	else
		error = broker_topic_open(req, step->in->name, TOPIC_WRITE, RowExclusiveLock, &t);
	if (error != KAFKA_NONE)
	{
		set_topic_error(step->in, step->out, error, WIRE_NULL_STRING);
		return;
	}
	if (too_few_replicas(req->request, t.topic))
	{
		broker_topic_close(&t);
		set_topic_error(step->in, step->out, KAFKA_NOT_ENOUGH_REPLICAS, WIRE_NULL_STRING);
		return;
	}
	for (int i = 0; i < step->in->n_partition_data; i++)
		produce_partition(req, &t, &step->in->partition_data[i], &step->out->partition_responses[i],
						  &step->state->lsn);
	broker_topic_close(&t);
}

/*
 * An error was raised in the middle of the topic.  What had been appended is
 * stored, and stays answered as such.
 */
static void
set_unreached(ResponseTopic *out, int16 error)
{
	for (int i = 0; i < out->n_partition_responses; i++)
	{
		if (out->partition_responses[i].error_code == KAFKA_REQUEST_TIMED_OUT &&
			error != KAFKA_UNKNOWN_SERVER_ERROR)
			produce_set_error(&out->partition_responses[i], error, WIRE_NULL_STRING);
	}
}

/* ---------- the request ---------- */

/*
 * The answer, with an error for everything that isn't reached: the client must
 * not take it for stored, but it may be, so it is one that makes it try again.
 */
static ProduceResponse *
new_response(BrokerRequest *req, int16 error)
{
	const ProduceRequest *in = req->request;
	ProduceResponse *out = BROKER_TRY_NEW(req, ProduceResponse, 1);

	/* Nobody may give up a record because of an error that we have no name for. */
	if (error == KAFKA_UNKNOWN_SERVER_ERROR)
		error = KAFKA_REQUEST_TIMED_OUT;
	if (out == NULL)
		return NULL;
	out->responses = BROKER_TRY_NEW(req, ProduceResponseTopicProduceResponse, in->n_topic_data);
	if (out->responses == NULL)
		return NULL;
	out->n_responses = in->n_topic_data;
	for (int i = 0; i < in->n_topic_data; i++)
	{
		const RequestTopic *topic = &in->topic_data[i];
		ResponseTopic *t = &out->responses[i];

		t->name = topic->name;
		t->topic_id = topic->topic_id;
		t->partition_responses = BROKER_TRY_NEW(req, ProduceResponsePartitionProduceResponse,
												topic->n_partition_data);
		if (t->partition_responses == NULL)
			return NULL;
		t->n_partition_responses = topic->n_partition_data;
		for (int p = 0; p < topic->n_partition_data; p++)
		{
			t->partition_responses[p].index = topic->partition_data[p].index;
			produce_set_error(&t->partition_responses[p], error, WIRE_NULL_STRING);
		}
	}
	return out;
}

static void
produce_topics(BrokerRequest *req, const ProduceRequest *in, ProduceResponse *out, ProduceState *state)
{
	for (int i = 0; i < in->n_topic_data; i++)
	{
		TopicStep	step = {&in->topic_data[i], &out->responses[i], state};
		int16		error;

		/* An error may cost a topic, but not the others of the request. */
		if (in->n_topic_data == 1)
		{
			produce_topic(req, &step);
			continue;
		}
		error = broker_try(req, produce_topic, &step, NULL);
		if (error != KAFKA_NONE)
			set_unreached(step.out, error);
	}
}

static bool
has_error(const ProduceResponse *out)
{
	for (int i = 0; i < out->n_responses; i++)
	{
		for (int p = 0; p < out->responses[i].n_partition_responses; p++)
		{
			if (out->responses[i].partition_responses[p].error_code != KAFKA_NONE)
				return true;
		}
	}
	return false;
}

/* Transactions don't exist yet: nobody can have a transactional id. */
static bool
has_transactional_batch(const ProduceRequest *in)
{
	for (int i = 0; i < in->n_topic_data; i++)
	{
		for (int p = 0; p < in->topic_data[i].n_partition_data; p++)
		{
			const WireRecords *records = &in->topic_data[i].partition_data[p].records;

			if (records->len >= BATCH_HEADER_SIZE && batch_magic(records->data) == BATCH_MAGIC &&
				batch_is_transactional(records->data))
				return true;
		}
	}
	return false;
}

/* Are fewer synchronous standbys connected than must confirm a record? */
static bool
too_few_standbys(void)
{
	SyncRepStandbyData *standbys;

	return log_replicates() && SyncRepConfig != NULL &&
		SyncRepGetCandidateStandbys(&standbys) < SyncRepConfig->num_sync;
}

/* The error of the request as a whole, if it has one. */
static int16
check_request(const ProduceRequest *in)
{
	if (in->acks != ACKS_NONE && in->acks != ACKS_LEADER && in->acks != ACKS_ALL)
		return KAFKA_INVALID_REQUIRED_ACKS;
	if (has_transactional_batch(in))
		return KAFKA_TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
	if (in->acks == ACKS_ALL && too_few_standbys())
		return KAFKA_NOT_ENOUGH_REPLICAS;
	return KAFKA_NONE;
}

/*
 * The standbys didn't confirm in the time that the client gave: the records
 * are stored and may become visible, so it hears that the time is over.
 */
static void
set_timed_out(ProduceResponse *out)
{
	for (int i = 0; i < out->n_responses; i++)
	{
		for (int p = 0; p < out->responses[i].n_partition_responses; p++)
		{
			ResponsePartition *partition = &out->responses[i].partition_responses[p];

			if (partition->error_code == KAFKA_NONE)
				produce_set_error(partition, KAFKA_REQUEST_TIMED_OUT, WIRE_NULL_STRING);
		}
	}
}

static BrokerOutcome answer_when_durable(BrokerRequest *req);

static BrokerOutcome
park(BrokerRequest *req, bool replicated)
{
	ProduceState *state = req->state;

	req->wait.lsn = state->lsn;
	if (replicated)
	{
		req->wait.replicated = true;
		req->wait.deadline = state->deadline;
	}
	req->resume = answer_when_durable;
	return BROKER_PARKED;
}

static BrokerOutcome
answer_when_durable(BrokerRequest *req)
{
	const ProduceRequest *in = req->request;
	ProduceState *state = req->state;

	/* No time-out for the local disk: what it takes is what it takes. */
	if (state->lsn > log_flushed_lsn())
		return park(req, false);
	if (in->acks == ACKS_ALL && state->lsn > log_durable_lsn())
	{
		if (req->now < state->deadline)
			return park(req, true);
		set_timed_out(req->response);
	}
	return BROKER_DONE;
}

BrokerOutcome
broker_produce(BrokerRequest *req)
{
	const ProduceRequest *in = req->request;
	int16		error = check_request(in);
	ProduceResponse *out;
	ProduceState *state;

	out = new_response(req, error == KAFKA_NONE ? KAFKA_REQUEST_TIMED_OUT : error);
	if (out == NULL)
		broker_out_of_memory();
	req->response = out;
	state = req->state = broker_alloc(req, 1, sizeof(ProduceState));
	state->deadline = TimestampTzPlusMilliseconds(req->received, Max(in->timeout_ms, 0));
	if (error == KAFKA_NONE)
		produce_topics(req, in, out, state);

	if (!XLogRecPtrIsInvalid(state->lsn))
		log_flush_request(state->lsn);
	if (in->acks == ACKS_NONE)
		return has_error(out) ? BROKER_CLOSE : BROKER_NO_ANSWER;
	if (XLogRecPtrIsInvalid(state->lsn))
		return BROKER_DONE;
	return park(req, in->acks == ACKS_ALL && log_replicates());
}

void
broker_produce_fail(BrokerRequest *req, int16 error)
{
	/* There is no answer with acks=0: the connection is closed instead. */
	if (((const ProduceRequest *) req->request)->acks == ACKS_NONE)
		return;
	/* Part of it may be stored, so it has to be an error that makes the client try again. */
	if (error == KAFKA_UNKNOWN_SERVER_ERROR)
		error = KAFKA_REQUEST_TIMED_OUT;
	req->response = new_response(req, error);
}
