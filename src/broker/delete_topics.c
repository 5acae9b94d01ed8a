/*-------------------------------------------------------------------------
 *
 * delete_topics.c
 *	  DeleteTopics.  Runs in the controller.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/handlers.h"
#include "topic/topic.h"
#include "wire/api_topics.h"

/* BrokerStep */
static void
delete_topic(BrokerRequest *req, void *arg)
{
	topic_drop(*(Oid *) arg);
}

static void
delete_named(BrokerRequest *req, WireString name, DeleteTopicsResponseDeletableTopicResult *out)
{
	Oid			relid = name.len < 0 ? InvalidOid : topic_lookup(name.data, name.len);

	if (!OidIsValid(relid))
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	else if (!broker_may(req, relid, TOPIC_ALTER))
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	else
	{
		out->error_code = broker_try(req, delete_topic, &relid, &out->error_message);
		return;
	}
	out->error_message = wire_string(kafka_error_message(out->error_code));
}

BrokerOutcome
broker_delete_topics(BrokerRequest *req)
{
	const DeleteTopicsRequest *in = req->request;
	DeleteTopicsResponse *out = BROKER_NEW(req, DeleteTopicsResponse, 1);
	BrokerRepeat *repeats = broker_repeats(in->topic_names, in->n_topic_names, sizeof(WireString), 0);

	req->response = out;
	out->responses = BROKER_NEW(req, DeleteTopicsResponseDeletableTopicResult, in->n_topic_names);
	for (int i = 0; i < in->n_topic_names; i++)
	{
		DeleteTopicsResponseDeletableTopicResult *result = &out->responses[out->n_responses];

		if (repeats[i] == BROKER_AGAIN)
			continue;
		out->n_responses++;
		result->name = in->topic_names[i];
		if (repeats[i] == BROKER_ONCE)
			delete_named(req, in->topic_names[i], result);
		else
		{
			result->error_code = KAFKA_INVALID_REQUEST;
			result->error_message = wire_string("The topic is named more than once.");
		}
	}
	return BROKER_DONE;
}

void
broker_delete_topics_fail(BrokerRequest *req, int16 error)
{
	const DeleteTopicsRequest *in = req->request;
	DeleteTopicsResponse *out = BROKER_TRY_NEW(req, DeleteTopicsResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->responses = BROKER_TRY_NEW(req, DeleteTopicsResponseDeletableTopicResult, in->n_topic_names);
	if (out->responses != NULL)
		out->n_responses = in->n_topic_names;
	for (int i = 0; i < out->n_responses; i++)
	{
		out->responses[i].name = in->topic_names[i];
		out->responses[i].error_code = error;
	}
}
