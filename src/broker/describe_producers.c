/*-------------------------------------------------------------------------
 *
 * describe_producers.c
 *	  DescribeProducers: the idempotent producers that partitions know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "log/log.h"
#include "wire/api_txn_admin.h"
#include "wire/topic_name.h"

typedef DescribeProducersRequestTopicRequest RequestTopic;
typedef DescribeProducersResponseTopicResponse ResponseTopic;
typedef DescribeProducersResponsePartitionResponse ResponsePartition;

static void
describe_partition(BrokerRequest *req, Relation rel, ResponsePartition *out)
{
	LogPartition *part = out->partition_index < 0 ? NULL : log_open(rel, out->partition_index);
	LogProducer *producers;
	int			n;

	if (part == NULL)
	{
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		return;
	}
	producers = log_producers(rel, part, &n);
	out->active_producers = BROKER_NEW(req, DescribeProducersResponseProducerState, n);
	out->n_active_producers = n;
	for (int i = 0; i < n; i++)
	{
		out->active_producers[i].producer_id = producers[i].producer_id;
		out->active_producers[i].producer_epoch = producers[i].epoch;
		out->active_producers[i].last_sequence = producers[i].last_sequence;
		out->active_producers[i].last_timestamp = producers[i].last_timestamp;
		out->active_producers[i].coordinator_epoch = -1;
	}
	pfree(producers);
}

static void
describe_topic(BrokerRequest *req, const RequestTopic *in, ResponseTopic *out)
{
	const char *problem = topic_name_problem(in->name.data, in->name.len);
	BrokerTopic t;
	int16		error;

	if (problem != NULL)
		error = KAFKA_INVALID_TOPIC_EXCEPTION;
	else
		error = broker_topic_open(req, in->name, TOPIC_READ, AccessShareLock, &t);

	out->name = in->name;
	out->partitions = BROKER_NEW(req, DescribeProducersResponsePartitionResponse, in->n_partition_indexes);
	out->n_partitions = in->n_partition_indexes;
	for (int i = 0; i < in->n_partition_indexes; i++)
	{
		ResponsePartition *partition = &out->partitions[i];

		partition->partition_index = in->partition_indexes[i];
		if (error == KAFKA_NONE)
		{
			describe_partition(req, t.rel, partition);
			continue;
		}
		partition->error_code = error;
		partition->error_message = broker_copy(req, problem ? problem : kafka_error_message(error));
	}
	if (error == KAFKA_NONE)
		broker_topic_close(&t);
}

BrokerOutcome
broker_describe_producers(BrokerRequest *req)
{
	const DescribeProducersRequest *in = req->request;
	DescribeProducersResponse *out = BROKER_NEW(req, DescribeProducersResponse, 1);

	req->response = out;
	out->topics = BROKER_NEW(req, DescribeProducersResponseTopicResponse, in->n_topics);
	for (int i = 0; i < in->n_topics; i++)
		describe_topic(req, &in->topics[i], &out->topics[out->n_topics++]);
	return BROKER_DONE;
}
