/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  Metadata: the brokers, and topics with their partitions.
 *
 * A topic that doesn't exist is created here if client and settings allow it:
 * the controller is asked, and the request goes on when it has answered, so
 * that a client without patience finds the topic at its first try.
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
#include "wire/api_topics.h"
#include "wire/topic_name.h"

/* From here on topics may be asked for by their ids. */
#define TOPIC_IDS_SINCE 12

#define API_CREATE_TOPICS 19
#define CREATE_TOPICS_VERSION 7

typedef MetadataResponseMetadataResponseTopic ResponseTopic;
typedef MetadataResponseMetadataResponsePartition ResponsePartition;

typedef struct MetadataState
{
	BrokerLoop	loop;			/* over the topics that are asked for */
	BrokerRepeat *repeats;		/* of their names */
	bool		creation_asked; /* the controller has been, for those that are missing */
} MetadataState;

static void
fill_brokers(BrokerRequest *req, const MetadataRequest *in, MetadataResponse *out)
{
	out->n_brokers = 1;
	out->brokers = BROKER_NEW(req, MetadataResponseMetadataResponseBroker, 1);
	out->brokers[0].node_id = broker_node_id;
	out->brokers[0].host = wire_string(req->session->advertised_host);
	out->brokers[0].port = req->session->advertised_port;
	out->cluster_id = wire_string(broker_cluster_id());
	out->controller_id = broker_node_id;
	if (in->include_cluster_authorized_operations)
		out->cluster_authorized_operations = broker_cluster_operations(req);
}

static void
fill_partitions(BrokerRequest *req, const Topic *topic, ResponseTopic *out)
{
	int32	   *node = broker_alloc(req, 1, sizeof(int32));
	int32		epoch = broker_leader_epoch();

	*node = broker_node_id;
	out->partitions = BROKER_NEW(req, MetadataResponseMetadataResponsePartition, topic->n_partitions);
	out->n_partitions = topic->n_partitions;
	for (int i = 0; i < topic->n_partitions; i++)
	{
		ResponsePartition *p = &out->partitions[i];

		p->partition_index = i;
		p->leader_id = broker_node_id;
		p->leader_epoch = epoch;
		p->replica_nodes = p->isr_nodes = node;
		p->n_replica_nodes = p->n_isr_nodes = 1;
	}
}

/* What is known of a table that was a topic a moment ago. */
static void
fill_topic(BrokerRequest *req, const MetadataRequest *in, Oid relid, ResponseTopic *out)
{
	const Topic *topic = broker_topic_look(req, relid, &out->error_code);

	if (topic == NULL)
		return;
	out->name = broker_topic_name(req, topic);
	out->is_internal = broker_topic_is_internal(out->name);
	memcpy(out->topic_id.bytes, topic->id.data, sizeof(out->topic_id.bytes));
	if (in->include_topic_authorized_operations)
		out->topic_authorized_operations = broker_topic_operations(req, relid);
	fill_partitions(req, topic, out);
}

/* Topics that the session may not describe are left out, as if they weren't there. */
static void
fill_all_topics(BrokerRequest *req, const MetadataRequest *in, MetadataResponse *out)
{
	int			n;
	const Oid  *topics = topic_list(&n);

	out->topics = BROKER_NEW(req, MetadataResponseMetadataResponseTopic, n);
	for (int i = 0; i < n; i++)
	{
		ResponseTopic *t = &out->topics[out->n_topics];

		if (!broker_may(req, topics[i], TOPIC_DESCRIBE))
			continue;
		fill_topic(req, in, topics[i], t);

		/* One that is just being dropped or created, or is damaged, has no name for us. */
		if (t->error_code == KAFKA_NONE)
			out->n_topics++;
		else
			WIRE_INIT(MetadataResponseMetadataResponseTopic, t);
	}
}

static void
fill_named_topic(BrokerRequest *req, const MetadataRequest *in, WireString name, ResponseTopic *out)
{
	Oid			relid;

	out->name = name;
	if (name.len < 0 || !topic_name_valid(name.data, name.len))
	{
		out->error_code = KAFKA_INVALID_TOPIC_EXCEPTION;
		return;
	}
	relid = topic_lookup(name.data, name.len);
	if (!OidIsValid(relid))
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	else if (!broker_may(req, relid, TOPIC_DESCRIBE))
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	else
		fill_topic(req, in, relid, out);
}

/* Of a topic that is unknown only what the client said is told. */
static void
fill_topic_by_id(BrokerRequest *req, const MetadataRequest *in, const WireUuid *id, ResponseTopic *out)
{
	Oid			relid = broker_topic_by_id(id);

	out->name = WIRE_NULL_STRING;
	if (!OidIsValid(relid))
		out->error_code = KAFKA_UNKNOWN_TOPIC_ID;
	else if (!broker_may(req, relid, TOPIC_DESCRIBE))
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	else
		fill_topic(req, in, relid, out);
	out->topic_id = *id;
}

/* The loop's item */
static bool
fill_wanted_topic(BrokerRequest *req, int i)
{
	const MetadataRequest *in = req->request;
	const MetadataRequestMetadataRequestTopic *t = &in->topics[i];
	const MetadataState *state = req->state;
	MetadataResponse *out = req->response;

	if (state->repeats != NULL && state->repeats[i] == BROKER_AGAIN)
		return true;
	if (wire_uuid_is_zero(&t->topic_id))
		fill_named_topic(req, in, t->name, &out->topics[out->n_topics++]);
	else
		fill_topic_by_id(req, in, &t->topic_id, &out->topics[out->n_topics++]);
	return true;
}

/* Ids instead of names can be sent from version 10 on, but mean nothing before 12. */
static bool
asks_by_id(const MetadataRequest *in)
{
	for (int i = 0; i < in->n_topics; i++)
	{
		if (in->topics[i].name.len < 0 || !wire_uuid_is_zero(&in->topics[i].topic_id))
			return true;
	}
	return false;
}

static BrokerOutcome
refuse_ids(BrokerRequest *req, const MetadataRequest *in)
{
	MetadataResponse *out = BROKER_NEW(req, MetadataResponse, 1);

	req->response = out;
	out->topics = BROKER_NEW(req, MetadataResponseMetadataResponseTopic, in->n_topics);
	out->n_topics = in->n_topics;
	for (int i = 0; i < in->n_topics; i++)
	{
		out->topics[i].error_code = KAFKA_INVALID_REQUEST;
		out->topics[i].name = in->topics[i].name.len < 0 ? wire_string("") : in->topics[i].name;
		out->topics[i].topic_id = in->topics[i].topic_id;
	}
	return BROKER_DONE;
}

static BrokerOutcome look_again(BrokerRequest *req);

/* Ask the controller for the topics that are unknown; false if there are none. */
static bool
ask_for_creation(BrokerRequest *req, const MetadataRequest *in, const MetadataResponse *out)
{
	CreateTopicsRequest *create;
	int			n = 0;

	if (!in->allow_auto_topic_creation || !broker_auto_create_topics ||
		!broker_may_cluster(req, BROKER_CLUSTER_CREATE))
		return false;
	for (int i = 0; i < out->n_topics; i++)
	{
		if (out->topics[i].error_code == KAFKA_UNKNOWN_TOPIC_OR_PARTITION &&
			!broker_topic_is_internal(out->topics[i].name))
			n++;
	}
	if (n == 0)
		return false;

	create = BROKER_NEW(req, CreateTopicsRequest, 1);
	create->topics = BROKER_NEW(req, CreateTopicsRequestCreatableTopic, n);
	for (int i = 0; i < out->n_topics; i++)
	{
		CreateTopicsRequestCreatableTopic *t = &create->topics[create->n_topics];

		if (out->topics[i].error_code != KAFKA_UNKNOWN_TOPIC_OR_PARTITION ||
			broker_topic_is_internal(out->topics[i].name))
			continue;
		t->name = out->topics[i].name;
		t->num_partitions = -1;
		t->replication_factor = -1;
		create->n_topics++;
	}
	req->wait.ask = create;
	req->wait.ask_api_key = API_CREATE_TOPICS;
	req->wait.ask_api_version = CREATE_TOPICS_VERSION;
	req->resume = look_again;
	return true;
}

static BrokerOutcome
finish(BrokerRequest *req)
{
	MetadataState *state = req->state;

	/* However the controller did, what is there now is the answer. */
	if (state->creation_asked)
		return BROKER_DONE;
	state->creation_asked = true;
	return ask_for_creation(req, req->request, req->response) ? BROKER_PARKED : BROKER_DONE;
}

static MetadataResponse *
new_response(BrokerRequest *req, const MetadataRequest *in)
{
	MetadataResponse *out = BROKER_NEW(req, MetadataResponse, 1);

	fill_brokers(req, in, out);
	return out;
}

/* Look for the topics that are asked for. */
static BrokerOutcome
look_again(BrokerRequest *req)
{
	const MetadataRequest *in = req->request;
	MetadataState *state = req->state;
	MetadataResponse *out = new_response(req, in);

	out->topics = BROKER_NEW(req, MetadataResponseMetadataResponseTopic, in->n_topics);
	req->response = out;
	state->loop.next = 0;
	return broker_loop(req, &state->loop);
}

static MetadataState *
new_state(BrokerRequest *req, const MetadataRequest *in, bool by_id)
{
	MemoryContext old = MemoryContextSwitchTo(req->context);
	MetadataState *state = palloc0(sizeof(MetadataState));

	state->loop.item = fill_wanted_topic;
	state->loop.finish = finish;
	state->loop.n = in->n_topics;
	if (!by_id)
		state->repeats = broker_repeats(in->topics, in->n_topics, sizeof(*in->topics),
										offsetof(MetadataRequestMetadataRequestTopic, name));
	MemoryContextSwitchTo(old);
	return state;
}

BrokerOutcome
broker_metadata(BrokerRequest *req)
{
	const MetadataRequest *in = req->request;
	bool		by_id;

	if (in->n_topics < 0 || (req->api_version == 0 && in->n_topics == 0))
	{
		MetadataResponse *out = new_response(req, in);

		fill_all_topics(req, in, out);
		req->response = out;
		return BROKER_DONE;
	}
	by_id = asks_by_id(in);
	if (by_id && req->api_version < TOPIC_IDS_SINCE)
		return refuse_ids(req, in);
	req->state = new_state(req, in, by_id);
	return look_again(req);
}
