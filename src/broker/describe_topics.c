/*-------------------------------------------------------------------------
 *
 * describe_topics.c
 *	  DescribeTopicPartitions: topics by name, in pages of limited size.
 *
 * Topics come in the order of their names.  An answer that had to stop says
 * with which topic and partition to go on.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/cluster.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "broker/settings.h"
#include "topic/topic.h"
#include "wire/api_metadata.h"
#include "wire/topic_name.h"

/* Kafka's own limit, max.request.partition.size.limit */
#define MAX_PARTITIONS 2000

typedef DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic ResponseTopic;
typedef DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition ResponsePartition;

typedef struct DescribeState
{
	BrokerLoop	loop;			/* over the names */
	WireString *names;			/* sorted, each once */
	int32		left;			/* partitions that the answer has room for */
} DescribeState;

static int
compare_names(const void *a, const void *b)
{
	const WireString *x = a;
	const WireString *y = b;
	int32		n = Min(x->len, y->len);
	int			c = n > 0 ? memcmp(x->data, y->data, n) : 0;

	return c != 0 ? c : x->len - y->len;
}

/* The names to describe, sorted, each once. */
static WireString *
sorted_names(BrokerRequest *req, const DescribeTopicPartitionsRequest *in, int *n_names)
{
	WireString *names;
	int			n = 0;
	int			unique = 0;

	if (in->n_topics > 0)
	{
		names = broker_alloc(req, in->n_topics, sizeof(WireString));
		for (int i = 0; i < in->n_topics; i++)
			names[n++] = in->topics[i].name;
	}
	else
	{
		int			n_topics;
		const Oid  *topics = topic_list(&n_topics);

		names = broker_alloc(req, n_topics, sizeof(WireString));
		for (int i = 0; i < n_topics; i++)
		{
			const Topic *topic;
			int16		error;

			if (!broker_may(req, topics[i], TOPIC_DESCRIBE))
				continue;
			topic = broker_topic_look(req, topics[i], &error);
			if (topic != NULL)
				names[n++] = broker_topic_name(req, topic);
		}
	}
	qsort(names, n, sizeof(WireString), compare_names);
	for (int i = 0; i < n; i++)
	{
		if (unique == 0 || !wire_string_equal(names[unique - 1], names[i]))
			names[unique++] = names[i];
	}
	*n_names = unique;
	return names;
}

static void
fill_partitions(BrokerRequest *req, ResponseTopic *out, int32 first, int32 n)
{
	int32	   *node = broker_alloc(req, 1, sizeof(int32));
	int32		epoch = broker_leader_epoch();

	*node = broker_node_id;
	out->partitions = BROKER_NEW(req, DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition,
								 n);
	out->n_partitions = n;
	for (int i = 0; i < n; i++)
	{
		ResponsePartition *p = &out->partitions[i];

		p->partition_index = first + i;
		p->leader_id = broker_node_id;
		p->leader_epoch = epoch;
		p->replica_nodes = p->isr_nodes = node;
		p->n_replica_nodes = p->n_isr_nodes = 1;

		/* Empty, where the default is null. */
		p->n_eligible_leader_replicas = p->n_last_known_elr = 0;
		p->eligible_leader_replicas = p->last_known_elr = node;
	}
}

/*
 * Describe one topic from partition `first` on, in at most `limit` partitions.
 * Returns the partition to go on with, or -1 if it is complete.
 */
static int32
fill_topic(BrokerRequest *req, WireString name, int32 first, int32 limit, ResponseTopic *out)
{
	Oid			relid;
	const Topic *topic;
	int32		n;

	out->name = name;
	if (name.len < 0 || !topic_name_valid(name.data, name.len))
	{
		out->error_code = KAFKA_INVALID_TOPIC_EXCEPTION;
		return -1;
	}
	relid = topic_lookup(name.data, name.len);
	if (!OidIsValid(relid))
	{
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		return -1;
	}
	if (!broker_may(req, relid, TOPIC_DESCRIBE))
	{
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
		return -1;
	}
	topic = broker_topic_look(req, relid, &out->error_code);
	if (topic == NULL)
		return -1;
	memcpy(out->topic_id.bytes, topic->id.data, sizeof(out->topic_id.bytes));
	out->is_internal = broker_topic_is_internal(name);
	out->topic_authorized_operations = broker_topic_operations(req, relid);
	n = Min(Max(topic->n_partitions - first, 0), limit);
	fill_partitions(req, out, first, n);
	return first + n < topic->n_partitions ? first + n : -1;
}

static void
set_cursor(BrokerRequest *req, DescribeTopicPartitionsResponse *out, WireString name, int32 partition)
{
	out->next_cursor = BROKER_NEW(req, DescribeTopicPartitionsResponseCursor, 1);
	out->next_cursor->topic_name = name;
	out->next_cursor->partition_index = partition;
}

/* A request that makes no sense gets an error for each topic that it names. */
static BrokerOutcome
refuse(BrokerRequest *req, const DescribeTopicPartitionsRequest *in, DescribeTopicPartitionsResponse *out)
{
	out->topics = BROKER_NEW(req, DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic,
							 in->n_topics);
	out->n_topics = Max(in->n_topics, 0);
	for (int i = 0; i < out->n_topics; i++)
	{
		out->topics[i].error_code = KAFKA_INVALID_REQUEST;
		out->topics[i].name = in->topics[i].name;
	}
	return BROKER_DONE;
}

/* The loop's item */
static bool
add_topic(BrokerRequest *req, int i)
{
	const DescribeTopicPartitionsRequest *in = req->request;
	DescribeTopicPartitionsResponse *out = req->response;
	DescribeState *state = req->state;
	WireString	name = state->names[i];
	int			order = in->cursor ? compare_names(&name, &in->cursor->topic_name) : 1;
	int32		first = order == 0 ? in->cursor->partition_index : 0;
	ResponseTopic *t;
	int32		next;

	if (out->next_cursor != NULL || order < 0)
		return true;
	if (state->left == 0)
	{
		set_cursor(req, out, name, first);
		return true;
	}
	t = &out->topics[out->n_topics++];
	next = fill_topic(req, name, first, state->left, t);
	state->left -= t->n_partitions;
	if (next >= 0)
		set_cursor(req, out, name, next);
	return true;
}

BrokerOutcome
broker_describe_topic_partitions(BrokerRequest *req)
{
	const DescribeTopicPartitionsRequest *in = req->request;
	DescribeTopicPartitionsResponse *out = BROKER_NEW(req, DescribeTopicPartitionsResponse, 1);
	DescribeState *state = MemoryContextAllocZero(req->context, sizeof(DescribeState));

	req->response = out;
	if (in->cursor != NULL && in->cursor->partition_index < 0)
		return refuse(req, in, out);
	state->names = sorted_names(req, in, &state->loop.n);
	state->left = Min(Max(in->response_partition_limit, 1), MAX_PARTITIONS);
	state->loop.item = add_topic;
	state->loop.finish = broker_done;
	out->topics = BROKER_NEW(req, DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic,
							 state->loop.n);
	return broker_loop(req, &state->loop);
}
