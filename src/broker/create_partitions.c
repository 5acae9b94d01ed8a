/*-------------------------------------------------------------------------
 *
 * create_partitions.c
 *	  CreatePartitions: raise the number of partitions of topics.  Runs in the
 *	  controller.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/handlers.h"
#include "broker/settings.h"
#include "topic/topic.h"
#include "wire/api_topics.h"

typedef CreatePartitionsRequestCreatePartitionsTopic RequestTopic;
typedef CreatePartitionsResponseCreatePartitionsTopicResult ResponseTopic;

typedef struct TopicStep
{
	Oid			relid;
	const RequestTopic *in;
	ResponseTopic *out;
	bool		validate_only;
} TopicStep;

static void
set_error(ResponseTopic *out, int16 error, WireString message)
{
	out->error_code = error;
	out->error_message = message;
}

static void
check_assignments(BrokerRequest *req, const RequestTopic *in, int32 n_added, ResponseTopic *out)
{
	if (in->n_assignments < 0)
		return;
	if (in->n_assignments != n_added)
	{
		set_error(out, KAFKA_INVALID_REPLICA_ASSIGNMENT,
				  broker_printf(req, "There are %d assignments for %d new partitions.",
								in->n_assignments, n_added));
		return;
	}
	for (int i = 0; i < in->n_assignments; i++)
	{
		if (in->assignments[i].n_broker_ids != 1 || in->assignments[i].broker_ids[0] != broker_node_id)
		{
			set_error(out, KAFKA_INVALID_REPLICA_ASSIGNMENT,
					  broker_printf(req, "New partitions can only be assigned to broker %d, once.",
									broker_node_id));
			return;
		}
	}
}

/* BrokerStep */
static void
add_partitions(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;
	const Topic *topic = topic_get(step->relid);

	if (topic == NULL)
	{
		set_error(step->out, KAFKA_UNKNOWN_TOPIC_OR_PARTITION, WIRE_NULL_STRING);
		return;
	}
	if (step->in->count <= topic->n_partitions)
	{
		set_error(step->out, KAFKA_INVALID_PARTITIONS,
				  broker_printf(req, "The topic has %d partitions already; %d is no increase.",
								topic->n_partitions, step->in->count));
		return;
	}
	check_assignments(req, step->in, step->in->count - topic->n_partitions, step->out);
	if (step->out->error_code == KAFKA_NONE)
		topic_add_partitions(step->relid, step->in->count, step->validate_only);
}

BrokerOutcome
broker_create_partitions(BrokerRequest *req)
{
	const CreatePartitionsRequest *in = req->request;
	CreatePartitionsResponse *out = BROKER_NEW(req, CreatePartitionsResponse, 1);
	BrokerRepeat *repeats = broker_repeats(in->topics, in->n_topics, sizeof(*in->topics),
										   offsetof(CreatePartitionsRequestCreatePartitionsTopic, name));

	req->response = out;
	out->results = BROKER_NEW(req, CreatePartitionsResponseCreatePartitionsTopicResult, in->n_topics);
	for (int i = 0; i < in->n_topics; i++)
	{
		WireString	name = in->topics[i].name;
		TopicStep	step = {InvalidOid, &in->topics[i], &out->results[out->n_results], in->validate_only};

		if (repeats[i] == BROKER_AGAIN)
			continue;
		out->n_results++;
		step.out->name = name;
		step.relid = topic_lookup(name.data, name.len);
		if (repeats[i] == BROKER_FIRST)
			set_error(step.out, KAFKA_INVALID_REQUEST, wire_string("The topic is named more than once."));
		else if (!OidIsValid(step.relid))
			set_error(step.out, KAFKA_UNKNOWN_TOPIC_OR_PARTITION, WIRE_NULL_STRING);
		else if (!broker_may(req, step.relid, TOPIC_ALTER))
			set_error(step.out, KAFKA_TOPIC_AUTHORIZATION_FAILED, WIRE_NULL_STRING);
		else
		{
			WireString	message;
			int16		error = broker_try(req, add_partitions, &step, &message);

			if (error != KAFKA_NONE)
				set_error(step.out, error, message);
		}
	}
	return BROKER_DONE;
}

void
broker_create_partitions_fail(BrokerRequest *req, int16 error)
{
	const CreatePartitionsRequest *in = req->request;
	CreatePartitionsResponse *out = BROKER_TRY_NEW(req, CreatePartitionsResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->results = BROKER_TRY_NEW(req, CreatePartitionsResponseCreatePartitionsTopicResult, in->n_topics);
	if (out->results != NULL)
		out->n_results = in->n_topics;
	for (int i = 0; i < out->n_results; i++)
	{
		out->results[i].name = in->topics[i].name;
		out->results[i].error_code = error;
	}
}
