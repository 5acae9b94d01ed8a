/*-------------------------------------------------------------------------
 *
 * delete_records.c
 *	  DeleteRecords: raise the start of partitions' logs.  Runs in the
 *	  controller, as it frees space.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "log/log.h"
#include "wire/api_offsets.h"

typedef DeleteRecordsRequestDeleteRecordsTopic RequestTopic;
typedef DeleteRecordsRequestDeleteRecordsPartition RequestPartition;
typedef DeleteRecordsResponseDeleteRecordsTopicResult ResponseTopic;
typedef DeleteRecordsResponseDeleteRecordsPartitionResult ResponsePartition;

/* "All that consumers can read" */
#define HIGH_WATERMARK (-1)

typedef struct TopicStep
{
	const RequestTopic *in;
	ResponseTopic *out;
} TopicStep;

static void
delete_up_to(Relation rel, const RequestPartition *in, ResponsePartition *out)
{
	LogPartition *part = in->partition_index < 0 ? NULL : log_open(rel, in->partition_index);
	LogBounds	bounds;
	int64		offset = in->offset;

	if (part == NULL)
	{
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
		return;
	}
	log_bounds(rel, part, &bounds);
	if (offset == HIGH_WATERMARK)
		offset = bounds.high_watermark;
	if (offset < 0 || offset > bounds.high_watermark)
	{
		out->error_code = KAFKA_OFFSET_OUT_OF_RANGE;
		return;
	}
	out->low_watermark = log_delete_records(rel, part, offset);
}

/* BrokerStep */
static void
delete_in_topic(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;
	BrokerTopic t;
	int16		error = broker_topic_open(req, step->in->name, TOPIC_DELETE_RECORDS,
										  ShareUpdateExclusiveLock, &t);

	for (int i = 0; i < step->in->n_partitions; i++)
	{
		if (error != KAFKA_NONE)
			step->out->partitions[i].error_code = error;
		else
			delete_up_to(t.rel, &step->in->partitions[i], &step->out->partitions[i]);
	}
	if (error == KAFKA_NONE)
		broker_topic_close(&t);
}

static DeleteRecordsResponse *
new_response(BrokerRequest *req, int16 error)
{
	const DeleteRecordsRequest *in = req->request;
	DeleteRecordsResponse *out = BROKER_TRY_NEW(req, DeleteRecordsResponse, 1);

	if (out == NULL)
		return NULL;
	out->topics = BROKER_TRY_NEW(req, DeleteRecordsResponseDeleteRecordsTopicResult, in->n_topics);
	if (out->topics == NULL)
		return NULL;
	out->n_topics = in->n_topics;
	for (int i = 0; i < in->n_topics; i++)
	{
		ResponseTopic *t = &out->topics[i];

		t->name = in->topics[i].name;
		t->partitions = BROKER_TRY_NEW(req, DeleteRecordsResponseDeleteRecordsPartitionResult,
									   in->topics[i].n_partitions);
		if (t->partitions == NULL)
			return NULL;
		t->n_partitions = in->topics[i].n_partitions;
		for (int p = 0; p < t->n_partitions; p++)
		{
			t->partitions[p].partition_index = in->topics[i].partitions[p].partition_index;
			t->partitions[p].low_watermark = -1;
			t->partitions[p].error_code = error;
		}
	}
	return out;
}

BrokerOutcome
broker_delete_records(BrokerRequest *req)
{
	const DeleteRecordsRequest *in = req->request;
	DeleteRecordsResponse *out = new_response(req, KAFKA_NONE);

	if (out == NULL)
		broker_out_of_memory();
	req->response = out;
	for (int i = 0; i < in->n_topics; i++)
	{
		TopicStep	step = {&in->topics[i], &out->topics[i]};
		int16		error = broker_try(req, delete_in_topic, &step, NULL);

		for (int p = 0; error != KAFKA_NONE && p < step.out->n_partitions; p++)
			step.out->partitions[p].error_code = error;
	}

	/* Who hears that records are gone must not see them again after a crash. */
	XLogFlush(log_insert_end());
	return BROKER_DONE;
}

void
broker_delete_records_fail(BrokerRequest *req, int16 error)
{
	req->response = new_response(req, error);
}
