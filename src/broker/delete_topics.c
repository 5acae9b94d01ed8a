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
#include "broker/open_topic.h"
#include "topic/topic.h"
#include "wire/api_topics.h"

#define TOPIC_IDS_SINCE 6

/* BrokerStep */
static void
delete_topic(BrokerRequest *req, void *arg)
{
	topic_drop(*(Oid *) arg);
}

static void
delete_table(BrokerRequest *req, Oid relid, int16 unknown, DeleteTopicsResponseDeletableTopicResult *out)
{
	if (!OidIsValid(relid))
		out->error_code = unknown;
	else if (!broker_may(req, relid, TOPIC_ALTER))
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	else
	{
		out->error_code = broker_try(req, delete_topic, &relid, &out->error_message);
		return;
	}
	out->error_message = wire_string(kafka_error_message(out->error_code));
}

static void
delete_named(BrokerRequest *req, WireString name, DeleteTopicsResponseDeletableTopicResult *out)
{
	delete_table(req, name.len < 0 ? InvalidOid : topic_lookup(name.data, name.len),
				 KAFKA_UNKNOWN_TOPIC_OR_PARTITION, out);
}

/* The name is told to whoever may know it. */
static void
delete_by_id(BrokerRequest *req, const WireUuid *id, DeleteTopicsResponseDeletableTopicResult *out)
{
	Oid			relid = broker_topic_by_id(id);
	int16		error;

	out->topic_id = *id;
	out->name = WIRE_NULL_STRING;
	if (OidIsValid(relid) && broker_may(req, relid, TOPIC_DESCRIBE))
	{
		const Topic *topic = broker_topic_look(req, relid, &error);

		if (topic)
			out->name = broker_topic_name(req, topic);
		delete_table(req, relid, KAFKA_UNKNOWN_TOPIC_ID, out);
	}
	else
		delete_table(req, InvalidOid, KAFKA_UNKNOWN_TOPIC_ID, out);
}

static void
refuse(DeleteTopicsResponseDeletableTopicResult *out, const char *why)
{
	out->error_code = KAFKA_INVALID_REQUEST;
	out->error_message = wire_string(why);
}

static BrokerOutcome
delete_by_name(BrokerRequest *req, const DeleteTopicsRequest *in, DeleteTopicsResponse *out)
{
	BrokerRepeat *repeats = broker_repeats(in->topic_names, in->n_topic_names, sizeof(WireString), 0);

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
			refuse(result, "The topic is named more than once.");
	}
	return BROKER_DONE;
}

/* Names and ids, from version 6 on.  What is there twice is gone at the second time. */
static BrokerOutcome
delete_listed(BrokerRequest *req, const DeleteTopicsRequest *in, DeleteTopicsResponse *out)
{
	out->n_responses = in->n_topics;
	out->responses = BROKER_NEW(req, DeleteTopicsResponseDeletableTopicResult, in->n_topics);
	for (int i = 0; i < in->n_topics; i++)
	{
		const DeleteTopicsRequestDeleteTopicState *t = &in->topics[i];
		DeleteTopicsResponseDeletableTopicResult *result = &out->responses[i];
		bool		has_id = !wire_uuid_is_zero(&t->topic_id);

		result->name = t->name;
		result->topic_id = t->topic_id;
		if (t->name.len >= 0 && has_id)
			refuse(result, "A topic can't be called by name and id at once.");
		else if (t->name.len < 0 && !has_id)
			refuse(result, "There is neither a name nor an id.");
		else if (has_id)
			delete_by_id(req, &t->topic_id, result);
		else
			delete_named(req, t->name, result);
	}
	return BROKER_DONE;
}

BrokerOutcome
broker_delete_topics(BrokerRequest *req)
{
	const DeleteTopicsRequest *in = req->request;
	DeleteTopicsResponse *out = BROKER_NEW(req, DeleteTopicsResponse, 1);

	req->response = out;
	return req->api_version >= TOPIC_IDS_SINCE ? delete_listed(req, in, out) : delete_by_name(req, in, out);
}

void
broker_delete_topics_fail(BrokerRequest *req, int16 error)
{
	const DeleteTopicsRequest *in = req->request;
	DeleteTopicsResponse *out = BROKER_TRY_NEW(req, DeleteTopicsResponse, 1);
	bool		listed = req->api_version >= TOPIC_IDS_SINCE;
	int			n = listed ? in->n_topics : in->n_topic_names;

	req->response = out;
	if (out == NULL)
		return;
	out->responses = BROKER_TRY_NEW(req, DeleteTopicsResponseDeletableTopicResult, n);
	if (out->responses != NULL)
		out->n_responses = n;
	for (int i = 0; i < out->n_responses; i++)
	{
		out->responses[i].name = listed ? in->topics[i].name : in->topic_names[i];
		if (listed)
			out->responses[i].topic_id = in->topics[i].topic_id;
		out->responses[i].error_code = error;
	}
}
