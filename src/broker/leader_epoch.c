/*-------------------------------------------------------------------------
 *
 * leader_epoch.c
 *	  OffsetForLeaderEpoch: has anything been cut off that a consumer read
 *	  under an earlier leader?
 *
 * (Here nothing ever is: what a consumer can have seen is on disk, and at the
 * synchronous standbys.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/cluster.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "log/log.h"
#include "wire/api_offsets.h"

typedef OffsetForLeaderEpochRequestOffsetForLeaderTopic RequestTopic;
typedef OffsetForLeaderEpochRequestOffsetForLeaderPartition RequestPartition;
typedef OffsetForLeaderEpochResponseOffsetForLeaderTopicResult ResponseTopic;
typedef OffsetForLeaderEpochResponseEpochEndOffset ResponsePartition;

static void
find_end(Relation rel, const RequestPartition *in, ResponsePartition *out)
{
	LogPartition *part = in->partition < 0 ? NULL : log_open(rel, in->partition);
	int32		epoch = broker_leader_epoch();

	if (part == NULL)
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	else if (in->current_leader_epoch > epoch)
		out->error_code = KAFKA_UNKNOWN_LEADER_EPOCH;
	else if (in->current_leader_epoch >= 0 && in->current_leader_epoch < epoch)
		out->error_code = KAFKA_FENCED_LEADER_EPOCH;
	else
		log_epoch_end(rel, part, in->leader_epoch, &out->leader_epoch, &out->end_offset);
}

BrokerOutcome
broker_offset_for_leader_epoch(BrokerRequest *req)
{
	const OffsetForLeaderEpochRequest *in = req->request;
	OffsetForLeaderEpochResponse *out = BROKER_NEW(req, OffsetForLeaderEpochResponse, 1);

	req->response = out;
	out->topics = BROKER_NEW(req, OffsetForLeaderEpochResponseOffsetForLeaderTopicResult, in->n_topics);
	out->n_topics = in->n_topics;
	for (int i = 0; i < in->n_topics; i++)
	{
		const RequestTopic *topic = &in->topics[i];
		ResponseTopic *result = &out->topics[i];
		BrokerTopic t;
		int16		error = broker_topic_open(req, topic->topic, TOPIC_DESCRIBE, AccessShareLock, &t);

		result->topic = topic->topic;
		result->partitions = BROKER_NEW(req, OffsetForLeaderEpochResponseEpochEndOffset, topic->n_partitions);
		result->n_partitions = topic->n_partitions;
		for (int p = 0; p < topic->n_partitions; p++)
		{
			result->partitions[p].partition = topic->partitions[p].partition;
			if (error != KAFKA_NONE)
				result->partitions[p].error_code = error;
			else
				find_end(t.rel, &topic->partitions[p], &result->partitions[p]);
		}
		if (error == KAFKA_NONE)
			broker_topic_close(&t);
	}
	return BROKER_DONE;
}
