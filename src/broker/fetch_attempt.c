/*-------------------------------------------------------------------------
 *
 * fetch_attempt.c
 *	  Looks for the batches that a Fetch request wants.
 *
 * All partitions are looked at in turn, within the budget of the request, and
 * runs of stored batches are found; nothing is copied, the network layer sends
 * them from the pages.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/cluster.h"
#include "broker/fetch_attempt.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "compat.h"
#include "utils/rel.h"
#include "wire/api_fetch.h"

/* What is left when a partition has more pieces comes with the next request. */
#define MAX_SLICES 64

void
fetch_attempt_begin(FetchAttempt *attempt, FetchPartition *const *wanted, int n, int32 max_bytes, bool watch)
{
	memset(attempt, 0, sizeof(*attempt));
	attempt->max_bytes = max_bytes;
	attempt->watch = watch;
	attempt->n = n;
	attempt->results = palloc0(sizeof(FetchResult) * Max(n, 1));
	for (int i = 0; i < n; i++)
		attempt->results[i].wanted = wanted[i];
}

static void
set_error(FetchResult *result, int16 error)
{
	result->error = error;
	result->high_watermark = -1;
	result->last_stable = -1;
	result->log_start = -1;
	result->bytes = 0;
	result->n_slices = 0;
}

static int16
check_epoch(const FetchPartition *wanted)
{
	int32		epoch = broker_leader_epoch();

	if (wanted->current_leader_epoch < 0 || wanted->current_leader_epoch == epoch)
		return KAFKA_NONE;
	return wanted->current_leader_epoch < epoch ? KAFKA_FENCED_LEADER_EPOCH : KAFKA_UNKNOWN_LEADER_EPOCH;
}

static void
find_batches(FetchAttempt *attempt, Relation rel, LogPartition *part, int64 end, FetchResult *result)
{
	bool		first = attempt->bytes == 0;
	int64		left = (int64) attempt->max_bytes - attempt->bytes;
	int64		max_bytes = Min(Max(result->wanted->max_bytes, 0), Max(left, 0));
	LogSlice	slices[MAX_SLICES];
	LogSliceInfo info;

	/* The first batch of an answer is sent whatever its size, or nothing would ever go on. */
	if (max_bytes == 0 && !first)
		return;
	if (!log_find_slices(rel, part, result->wanted->fetch_offset, end, max_bytes, first,
						 slices, MAX_SLICES, &info))
	{
		set_error(result, KAFKA_OFFSET_OUT_OF_RANGE);
		return;
	}
	if (info.n_slices == 0)
		return;
	result->n_slices = info.n_slices;
	result->slices = palloc(sizeof(LogSlice) * info.n_slices);
	memcpy(result->slices, slices, sizeof(LogSlice) * info.n_slices);
	result->bytes = info.bytes;
	attempt->bytes += info.bytes;
}

static void
look_at_partition(BrokerRequest *req, FetchAttempt *attempt, BrokerTopic *t, FetchResult *result)
{
	const FetchRequest *in = req->request;
	FetchPartition *wanted = result->wanted;
	LogPartition *part = wanted->partition < 0 ? NULL : log_open(t->rel, wanted->partition);
	LogBounds	bounds;
	int64		end;

	if (part == NULL)
	{
		set_error(result, KAFKA_UNKNOWN_TOPIC_OR_PARTITION);
		return;
	}
	result->known = true;
	result->relid = RelationGetRelid(t->rel);
	result->node = t->rel->rd_node;
	result->error = check_epoch(wanted);
	if (result->error != KAFKA_NONE)
	{
		set_error(result, result->error);
		return;
	}

	/* In this order, so that what arrives in between wakes us. */
	if (attempt->watch)
		log_wake_on_advance(part, req->worker);
	log_bounds(t->rel, part, &bounds);

	result->high_watermark = bounds.high_watermark;
	result->last_stable = bounds.last_stable;
	result->log_start = bounds.log_start;
	if (wanted->fetch_offset < bounds.log_start || wanted->fetch_offset > bounds.end_offset)
	{
		set_error(result, KAFKA_OFFSET_OUT_OF_RANGE);
		return;
	}
	end = in->isolation_level == FETCH_READ_COMMITTED ? bounds.last_stable : bounds.high_watermark;
	if (wanted->fetch_offset < end)
		find_batches(attempt, t->rel, part, end, result);
}

int
fetch_attempt_run(const FetchAttempt *attempt)
{
	WireString	topic = attempt->results[attempt->next].wanted->topic;
	int			n = 1;

	while (attempt->next + n < attempt->n &&
		   wire_string_equal(attempt->results[attempt->next + n].wanted->topic, topic))
		n++;
	return n;
}

/* Look at the partitions of the next topic.  (BrokerStep) */
static void
look_at_topic(BrokerRequest *req, void *arg)
{
	FetchAttempt *attempt = arg;
	FetchResult *results = &attempt->results[attempt->next];
	int			n = fetch_attempt_run(attempt);
	WireString	topic = results[0].wanted->topic;
	BrokerTopic t;
	int16		error;

	if (results[0].wanted->by_id)
		error = broker_topic_open_id(req, (const WireUuid *) topic.data, TOPIC_READ, AccessShareLock, &t);
	else
		error = broker_topic_open(req, topic, TOPIC_READ, AccessShareLock, &t);
	if (error != KAFKA_NONE)
	{
		for (int i = 0; i < n; i++)
		{
			set_error(&results[i], error);
			results[i].known = error == KAFKA_NOT_LEADER_OR_FOLLOWER;
		}
		return;
	}
	for (int i = 0; i < n; i++)
		look_at_partition(req, attempt, &t, &results[i]);
	broker_topic_close(&t);
}

int16
fetch_presentable_error(int16 error)
{
	switch (error)
	{
		case KAFKA_UNKNOWN_TOPIC_OR_PARTITION:
		case KAFKA_NOT_LEADER_OR_FOLLOWER:
		case KAFKA_TOPIC_AUTHORIZATION_FAILED:
		case KAFKA_KAFKA_STORAGE_ERROR:
			return error;
		default:
			return KAFKA_UNKNOWN_SERVER_ERROR;
	}
}

void
fetch_attempt_look(BrokerRequest *req, FetchAttempt *attempt)
{
	while (attempt->next < attempt->n)
	{
		int			n = fetch_attempt_run(attempt);

		if (n == attempt->n)
			look_at_topic(req, attempt);
		else
		{
			uint32		bytes = attempt->bytes;
			int16		error = broker_try(req, look_at_topic, attempt, NULL);

			/* An error costs this topic, but not the others. */
			if (error != KAFKA_NONE)
			{
				attempt->bytes = bytes;
				for (int i = 0; i < n; i++)
				{
					set_error(&attempt->results[attempt->next + i], fetch_presentable_error(error));
					attempt->results[attempt->next + i].known = true;
				}
			}
		}
		attempt->next += n;
	}
	for (int i = 0; i < attempt->n; i++)
	{
		if (attempt->results[i].known)
		{
			attempt->n_known++;
			attempt->failed |= attempt->results[i].error != KAFKA_NONE;
		}
	}
}
