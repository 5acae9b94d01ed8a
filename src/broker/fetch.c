/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  Fetch: where in the log the batches are that a consumer wants.
 *
 * An attempt (fetch_attempt.c) finds what there is.  If that is too little, the
 * request is parked and attempted again when a partition has advanced, until
 * its time is over.  The results of the last attempt become the answer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/fetch_attempt.h"
#include "broker/fetch_session.h"
#include "broker/handlers.h"
#include "broker/watch.h"
#include "utils/timestamp.h"
#include "wire/api_fetch.h"

/* From here on topics are called by their ids. */
#define TOPIC_IDS_SINCE 13

/* An answer has at most this many bytes of records (Kafka's fetch.max.bytes). */
#define MAX_BYTES (55 * 1024 * 1024)

#define MAX_PARTITIONS 65536

/*
 * A request that has found something, but less than it wants, looks again no
 * sooner than after this time: each look costs, and each record would make one.
 */
#define PACE_MS 20

typedef struct FetchState
{
	TimestampTz deadline;
	int32		max_bytes;
	int32		min_bytes;
	bool		has_waited;
	TimestampTz next_look;		/* not before this time */
	int			n_watches;
	BrokerWatch *watches;
	bool		incremental;	/* within the session of the request */
	int32		epoch;			/* that the session must have in the end */
	int			n_wanted;		/* of a full request */
	FetchPartition **wanted;
} FetchState;

/* ---------- the answer ---------- */

static BrokerOutcome
answer_error(BrokerRequest *req, int16 error)
{
	FetchResponse *out = BROKER_NEW(req, FetchResponse, 1);

	out->error_code = error;
	req->response = out;
	return BROKER_DONE;
}

static void
fill_partition(BrokerRequest *req, const FetchResult *result, FetchResponsePartitionData *out)
{
	const FetchRequest *in = req->request;
	BrokerSlices *slices;

	out->partition_index = result->wanted->partition;
	out->error_code = result->error;
	out->high_watermark = result->high_watermark;
	out->last_stable_offset = result->last_stable;
	out->log_start_offset = result->log_start;

	/* Null says that nobody looked for aborted transactions; it is not for unknown partitions. */
	if (result->error == KAFKA_NONE ? in->isolation_level == FETCH_READ_COMMITTED : !result->known)
		out->aborted_transactions = BROKER_NEW(req, FetchResponseAbortedTransaction, 0);
	else
		out->n_aborted_transactions = -1;

	/* No records are an empty set, as some clients refuse null. */
	out->records.len = result->bytes;
	out->records.data = "";
	if (result->n_slices == 0)
		return;
	slices = broker_alloc(req, 1, sizeof(BrokerSlices));
	slices->relid = result->relid;
	slices->n_slices = result->n_slices;
	slices->slices = broker_alloc(req, result->n_slices, sizeof(LogSlice));
	memcpy(slices->slices, result->slices, sizeof(LogSlice) * result->n_slices);
	out->records.external = slices;
}

/* Is there anything that the client doesn't know yet? */
static bool
is_news(const FetchResult *result)
{
	return result->bytes > 0 || result->error != KAFKA_NONE ||
		result->high_watermark != result->wanted->high_watermark ||
		result->log_start != result->wanted->log_start;
}

/* Note what is told to the client; after an error it is told anew in any case. */
static void
remember(FetchResult *result)
{
	result->wanted->high_watermark = result->error == KAFKA_NONE ? result->high_watermark : -1;
	result->wanted->log_start = result->log_start;
}

/* Put the results into the answer, consecutive ones of a topic together. */
static void
fill_results(BrokerRequest *req, FetchAttempt *attempt, bool only_news, FetchResponse *out)
{
	FetchResponseFetchableTopicResponse *topic = NULL;
	int			n_topics = 0;

	for (int i = 0; i < attempt->n; i++)
	{
		const FetchResult *result = &attempt->results[i];

		if (i == 0 || !wire_string_equal(result->wanted->topic, result[-1].wanted->topic))
			n_topics++;
	}
	out->responses = BROKER_NEW(req, FetchResponseFetchableTopicResponse, n_topics);

	for (attempt->next = 0; attempt->next < attempt->n;)
	{
		int			n = fetch_attempt_run(attempt);
		FetchResult *results = &attempt->results[attempt->next];

		topic = NULL;
		attempt->next += n;
		for (int i = 0; i < n; i++)
		{
			if (only_news && !is_news(&results[i]))
				continue;
			if (topic == NULL)
			{
				topic = &out->responses[out->n_responses++];
				if (results[i].wanted->by_id)
					memcpy(topic->topic_id.bytes, results[i].wanted->topic.data, sizeof(WireUuid));
				else
					topic->topic = wire_copy_string(req->arena, results[i].wanted->topic);
				topic->partitions = BROKER_NEW(req, FetchResponsePartitionData, n);
			}
			fill_partition(req, &results[i], &topic->partitions[topic->n_partitions++]);
			remember(&results[i]);
		}
	}
}

static BrokerOutcome
answer(BrokerRequest *req, FetchAttempt *attempt, FetchSession *session)
{
	const FetchRequest *in = req->request;
	FetchState *state = req->state;
	FetchResponse *out = BROKER_NEW(req, FetchResponse, 1);

	req->response = out;
	fill_results(req, attempt, state->incremental, out);
	if (state->incremental)
	{
		out->session_id = in->session_id;
		for (int i = 0; i < attempt->n; i++)
		{
			if (attempt->results[i].bytes > 0)
				fetch_session_served(session, attempt->results[i].wanted);
		}
	}
	else if (req->api_version >= 7 && in->session_epoch == FETCH_FIRST_EPOCH)
		(void) fetch_session_create(req->session->role, state->wanted, state->n_wanted,
									req->now, &out->session_id);
	return BROKER_DONE;
}

/* ---------- attempts ---------- */

static void
stop_watching(BrokerRequest *req)
{
	FetchState *state = req->state;

	for (int i = 0; i < state->n_watches; i++)
		broker_unwatch(&state->watches[i]);
}

/* Watch all partitions that the attempt has found. */
static void
watch_partitions(BrokerRequest *req, const FetchAttempt *attempt)
{
	FetchState *state = req->state;

	if (state->watches == NULL)
	{
		/* The number of partitions stays the same as long as the request waits. */
		state->watches = broker_alloc(req, attempt->n, sizeof(BrokerWatch));
		state->n_watches = attempt->n;
	}
	req->cancel = stop_watching;
	for (int i = 0; i < Min(attempt->n, state->n_watches); i++)
	{
		const FetchResult *result = &attempt->results[i];

		if (result->known)
			broker_watch(&state->watches[i], req, &result->node, result->wanted->partition);
	}
}

static BrokerOutcome
try_to_answer(BrokerRequest *req)
{
	const FetchRequest *in = req->request;
	FetchState *state = req->state;
	FetchSession *session = NULL;
	FetchPartition **wanted = state->wanted;
	int			n_wanted = state->n_wanted;
	FetchAttempt attempt;

	stop_watching(req);
	if (req->now < state->next_look)
	{
		req->wait.deadline = Min(state->next_look, state->deadline);
		req->resume = try_to_answer;
		return BROKER_PARKED;
	}
	if (state->incremental)
	{
		session = fetch_session_find(in->session_id, req->session->role, req->now);
		if (session == NULL)
			return answer_error(req, KAFKA_FETCH_SESSION_ID_NOT_FOUND);
		if (fetch_session_epoch(session) != state->epoch)
			return answer_error(req, KAFKA_INVALID_FETCH_SESSION_EPOCH);
		n_wanted = fetch_session_size(session);
		wanted = palloc(sizeof(FetchPartition *) * n_wanted);
		fetch_session_list(session, wanted);
	}

	/* Whoever finds enough at once need not be woken; who had to wait once may have to again. */
	for (int watch = state->has_waited; watch < 2; watch++)
	{
		fetch_attempt_begin(&attempt, wanted, n_wanted, state->max_bytes, watch);
		fetch_attempt_look(req, &attempt);
		if (attempt.bytes >= (uint32) state->min_bytes || attempt.failed || attempt.n_known == 0 ||
			req->now >= state->deadline)
			return answer(req, &attempt, session);
	}
	watch_partitions(req, &attempt);
	state->has_waited = true;
	if (attempt.bytes > 0)
		state->next_look = Min(TimestampTzPlusMilliseconds(req->now, PACE_MS), state->deadline);
	req->wait.advance = true;
	req->wait.deadline = state->deadline;
	req->resume = try_to_answer;
	return BROKER_PARKED;
}

/* ---------- the request ---------- */

static int64
count_partitions(const FetchRequest *in)
{
	int64		n = 0;

	for (int i = 0; i < in->n_topics; i++)
		n += in->topics[i].n_partitions;
	return n;
}

/* What partitions of a topic are found by: the name, or the bytes of the id. */
static WireString
topic_key(const BrokerRequest *req, WireString name, const WireUuid *id)
{
	return req->api_version < TOPIC_IDS_SINCE ? name :
		wire_string_n((const char *) id->bytes, sizeof(id->bytes));
}

static void
set_wanted(BrokerRequest *req, FetchPartition *p, const FetchRequestFetchTopic *topic,
		   const FetchRequestFetchPartition *in)
{
	p->topic = topic_key(req, topic->topic, &topic->topic_id);
	p->by_id = req->api_version >= TOPIC_IDS_SINCE;
	p->partition = in->partition;
	p->current_leader_epoch = in->current_leader_epoch;
	p->fetch_offset = in->fetch_offset;
	p->max_bytes = in->partition_max_bytes;
	p->high_watermark = -1;
	p->log_start = -1;
}

/* All of what is wanted is in the request. */
static void
begin_full(BrokerRequest *req, const FetchRequest *in, FetchState *state)
{
	int64		n = count_partitions(in);
	FetchPartition *partitions = broker_alloc(req, n, sizeof(FetchPartition));

	state->wanted = broker_alloc(req, n, sizeof(FetchPartition *));
	for (int i = 0; i < in->n_topics; i++)
	{
		for (int p = 0; p < in->topics[i].n_partitions; p++)
		{
			FetchPartition *wanted = &partitions[state->n_wanted];

			set_wanted(req, wanted, &in->topics[i], &in->topics[i].partitions[p]);
			state->wanted[state->n_wanted++] = wanted;
		}
	}

	/* A full request ends the session that it mentions. */
	if (req->api_version >= 7 && in->session_id != FETCH_NO_SESSION)
	{
		FetchSession *session = fetch_session_find(in->session_id, req->session->role, req->now);

		if (session != NULL)
			fetch_session_remove(session);
	}
}

/* The request tells what has changed since the last one.  Returns an error code. */
static int16
begin_incremental(BrokerRequest *req, const FetchRequest *in, FetchState *state)
{
	FetchSession *session = fetch_session_find(in->session_id, req->session->role, req->now);

	if (session == NULL)
		return KAFKA_FETCH_SESSION_ID_NOT_FOUND;
	if (in->session_epoch != fetch_session_epoch(session))
		return KAFKA_INVALID_FETCH_SESSION_EPOCH;
	if (fetch_session_by_id(session) != (req->api_version >= TOPIC_IDS_SINCE))
		return KAFKA_FETCH_SESSION_TOPIC_ID_ERROR;
	for (int i = 0; i < in->n_topics; i++)
	{
		for (int p = 0; p < in->topics[i].n_partitions; p++)
		{
			FetchPartition wanted;

			set_wanted(req, &wanted, &in->topics[i], &in->topics[i].partitions[p]);
			if (!fetch_session_set(session, &wanted))
			{
				/* No room: the client starts again, with full requests. */
				fetch_session_remove(session);
				return KAFKA_FETCH_SESSION_ID_NOT_FOUND;
			}
		}
	}
	for (int i = 0; i < in->n_forgotten_topics_data; i++)
	{
		const FetchRequestForgottenTopic *t = &in->forgotten_topics_data[i];

		for (int p = 0; p < t->n_partitions; p++)
			fetch_session_forget(session, topic_key(req, t->topic, &t->topic_id), t->partitions[p]);
	}
	if (fetch_session_size(session) == 0)
	{
		/* Nothing is left to fetch: the session ends, and the answer is empty. */
		fetch_session_remove(session);
		return KAFKA_NONE;
	}
	fetch_session_advance(session);
	state->incremental = true;
	state->epoch = fetch_session_epoch(session);
	return KAFKA_NONE;
}

BrokerOutcome
broker_fetch(BrokerRequest *req)
{
	const FetchRequest *in = req->request;
	FetchState *state;
	int16		error;

	if (count_partitions(in) > MAX_PARTITIONS)
		return BROKER_CLOSE;
	state = req->state = broker_alloc(req, 1, sizeof(FetchState));
	state->max_bytes = Min(Max(in->max_bytes, 0), MAX_BYTES);
	state->min_bytes = Min(Max(in->min_bytes, 0), state->max_bytes);
	state->deadline = TimestampTzPlusMilliseconds(req->received, Max(in->max_wait_ms, 0));

	if (req->api_version < 7 || in->session_epoch == FETCH_FIRST_EPOCH ||
		in->session_epoch == FETCH_FINAL_EPOCH)
		begin_full(req, in, state);
	else
	{
		error = begin_incremental(req, in, state);
		if (error != KAFKA_NONE)
			return answer_error(req, error);
	}
	return try_to_answer(req);
}

void
broker_fetch_fail(BrokerRequest *req, int16 error)
{
	const FetchRequest *in = req->request;
	FetchResponse *out = BROKER_TRY_NEW(req, FetchResponse, 1);

	/* It may have been while it set up its watches. */
	if (req->state != NULL)
		stop_watching(req);
	req->response = out;
	if (out == NULL)
		return;

	/* What was fetched stands in the session, not in the request: have it opened anew. */
	if (req->api_version >= 7 && in->session_epoch > FETCH_FIRST_EPOCH)
	{
		out->error_code = KAFKA_FETCH_SESSION_ID_NOT_FOUND;
		return;
	}
	out->responses = BROKER_TRY_NEW(req, FetchResponseFetchableTopicResponse, in->n_topics);
	if (out->responses == NULL)
	{
		req->response = NULL;
		return;
	}
	for (int i = 0; i < in->n_topics; i++)
	{
		FetchResponseFetchableTopicResponse *t = &out->responses[i];

		t->topic = in->topics[i].topic;
		t->topic_id = in->topics[i].topic_id;
		t->partitions = BROKER_TRY_NEW(req, FetchResponsePartitionData, in->topics[i].n_partitions);
		if (t->partitions == NULL)
			break;
		t->n_partitions = in->topics[i].n_partitions;
		out->n_responses++;
		for (int p = 0; p < t->n_partitions; p++)
		{
			t->partitions[p].partition_index = in->topics[i].partitions[p].partition;
			t->partitions[p].error_code = fetch_presentable_error(error);
			t->partitions[p].high_watermark = -1;
			t->partitions[p].records.data = "";
			t->partitions[p].records.len = 0;
		}
	}
}
