/*-------------------------------------------------------------------------
 *
 * groups.c
 *	  Groups: where their coordinator is, and who may use which topics' offsets.
 *
 * The coordinator process answers requests of groups.  What it doesn't know
 * are privileges on topics: commits and looks at offsets pass here first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "broker/settings.h"
#include "topic/topic.h"
#include "wire/api_commit.h"
#include "wire/api_group.h"

#define KEY_TYPE_GROUP			0
#define KEY_TYPE_TRANSACTION	1

/* ---------- FindCoordinator ---------- */

BrokerOutcome
broker_find_coordinator(BrokerRequest *req)
{
	const FindCoordinatorRequest *in = req->request;
	FindCoordinatorResponse *out = BROKER_NEW(req, FindCoordinatorResponse, 1);
	int32		n = req->api_version >= 4 ? in->n_coordinator_keys : 1;
	bool		known = in->key_type == KEY_TYPE_GROUP || in->key_type == KEY_TYPE_TRANSACTION;

	req->response = out;
	out->coordinators = BROKER_NEW(req, FindCoordinatorResponseCoordinator, n);
	out->n_coordinators = n;
	for (int i = 0; i < n; i++)
	{
		FindCoordinatorResponseCoordinator *c = &out->coordinators[i];

		c->key = req->api_version >= 4 ? in->coordinator_keys[i] : in->key;
		c->error_message = WIRE_NULL_STRING;
		c->node_id = -1;
		c->port = -1;
		if (!known)
		{
			c->error_code = KAFKA_INVALID_REQUEST;
			continue;
		}
		c->node_id = broker_node_id;
		c->host = wire_string(req->session->advertised_host);
		c->port = req->session->advertised_port;
	}
	if (req->api_version < 4)
	{
		out->error_code = out->coordinators[0].error_code;
		out->error_message = WIRE_NULL_STRING;
		out->node_id = out->coordinators[0].node_id;
		out->host = out->coordinators[0].host;
		out->port = out->coordinators[0].port;
	}
	return BROKER_DONE;
}

/* ---------- privileges on topics ---------- */

/* Has the session a right on the topic?  One that doesn't exist is the coordinator's business. */
static bool
may_use(BrokerRequest *req, WireString name, const WireUuid *id, TopicRight right)
{
	Oid			relid;

	if (!wire_uuid_is_zero(id))
		relid = broker_topic_by_id(id);
	else
		relid = name.len < 0 ? InvalidOid : topic_lookup(name.data, name.len);
	return !OidIsValid(relid) || broker_may(req, relid, right);
}

static BrokerOutcome
forward(BrokerRequest *req)
{
	req->wait.forward = true;
	return BROKER_PARKED;
}

/* A commit that names a topic which the session may not read is refused as a whole. */
static bool
commits_are_allowed(BrokerRequest *req, const OffsetCommitRequest *in)
{
	for (int i = 0; i < in->n_topics; i++)
		if (!may_use(req, in->topics[i].name, &in->topics[i].topic_id, TOPIC_READ))
			return false;
	return true;
}

BrokerOutcome
broker_offset_commit(BrokerRequest *req)
{
	const OffsetCommitRequest *in = req->request;
	OffsetCommitResponse *out;

	if (commits_are_allowed(req, in))
		return forward(req);
	out = BROKER_NEW(req, OffsetCommitResponse, 1);
	req->response = out;
	out->topics = BROKER_NEW(req, OffsetCommitResponseOffsetCommitResponseTopic, in->n_topics);
	out->n_topics = in->n_topics;
	for (int i = 0; i < in->n_topics; i++)
	{
		OffsetCommitResponseOffsetCommitResponseTopic *t = &out->topics[i];

		t->name = in->topics[i].name;
		t->topic_id = in->topics[i].topic_id;
		t->n_partitions = in->topics[i].n_partitions;
		t->partitions = BROKER_NEW(req, OffsetCommitResponseOffsetCommitResponsePartition, t->n_partitions);
		for (int j = 0; j < t->n_partitions; j++)
		{
			t->partitions[j].partition_index = in->topics[i].partitions[j].partition_index;
			t->partitions[j].error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
		}
	}
	return BROKER_DONE;
}

static bool
fetches_are_allowed(BrokerRequest *req, const OffsetFetchRequest *in)
{
	static const WireUuid none;

	for (int i = 0; i < in->n_topics; i++)
		if (!may_use(req, in->topics[i].name, &none, TOPIC_DESCRIBE))
			return false;
	for (int g = 0; g < in->n_groups; g++)
		for (int i = 0; i < in->groups[g].n_topics; i++)
			if (!may_use(req, in->groups[g].topics[i].name, &in->groups[g].topics[i].topic_id,
						 TOPIC_DESCRIBE))
				return false;
	return true;
}

BrokerOutcome
broker_offset_fetch(BrokerRequest *req)
{
	const OffsetFetchRequest *in = req->request;
	OffsetFetchResponse *out;

	if (fetches_are_allowed(req, in))
		return forward(req);
	out = BROKER_NEW(req, OffsetFetchResponse, 1);
	req->response = out;
	out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	out->groups = BROKER_NEW(req, OffsetFetchResponseOffsetFetchResponseGroup, in->n_groups);
	out->n_groups = in->n_groups;
	for (int g = 0; g < in->n_groups; g++)
	{
		out->groups[g].group_id = in->groups[g].group_id;
		out->groups[g].error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	}
	return BROKER_DONE;
}
