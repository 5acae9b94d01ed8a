/*-------------------------------------------------------------------------
 *
 * create_topics.c
 *	  CreateTopics.  Runs in the controller.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/config_values.h"
#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "broker/settings.h"
#include "topic/topic.h"
#include "wire/api_topics.h"
#include "wire/topic_name.h"

typedef CreateTopicsRequestCreatableTopic RequestTopic;
typedef CreateTopicsResponseCreatableTopicResult ResponseTopic;

#define REPLICATION_FACTOR 1

typedef struct TopicStep
{
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

/* ---------- checks that need no catalog ---------- */

/* Partitions placed by hand: all that we can place them on is this broker. */
static void
check_assignments(BrokerRequest *req, const RequestTopic *in, ResponseTopic *out)
{
	bool	   *seen = palloc0(sizeof(bool) * in->n_assignments);

	if (in->num_partitions != -1 || in->replication_factor != -1)
	{
		set_error(out, KAFKA_INVALID_REQUEST,
				  wire_string("With an assignment of replicas, the numbers of partitions and of replicas "
							  "must be -1."));
		return;
	}
	for (int i = 0; i < in->n_assignments; i++)
	{
		const CreateTopicsRequestCreatableReplicaAssignment *a = &in->assignments[i];

		if (a->partition_index < 0 || a->partition_index >= in->n_assignments || seen[a->partition_index])
		{
			set_error(out, KAFKA_INVALID_REPLICA_ASSIGNMENT,
					  wire_string("The assigned partitions must be numbered from 0 without gaps."));
			return;
		}
		seen[a->partition_index] = true;
		if (a->n_broker_ids != 1 || a->broker_ids[0] != broker_node_id)
		{
			set_error(out, KAFKA_INVALID_REPLICA_ASSIGNMENT,
					  broker_printf(req, "Partition %d can only be assigned to broker %d, once.",
									a->partition_index, broker_node_id));
			return;
		}
	}
	pfree(seen);
}

static void
check_numbers(BrokerRequest *req, const RequestTopic *in, ResponseTopic *out)
{
	if (in->n_assignments > 0)
		check_assignments(req, in, out);
	else if (in->replication_factor != -1 && in->replication_factor != REPLICATION_FACTOR)
		set_error(out, KAFKA_INVALID_REPLICATION_FACTOR,
				  wire_string("The replication factor must be 1, or -1 for the default: "
							  "replicas are PostgreSQL's standby servers."));
	else if (in->num_partitions != -1 && in->num_partitions <= 0)
		set_error(out, KAFKA_INVALID_PARTITIONS,
				  wire_string("The number of partitions must be positive, or -1 for the default."));
}

static void
check_topic(BrokerRequest *req, const RequestTopic *in, ResponseTopic *out)
{
	const char *problem = topic_name_problem(in->name.data, in->name.len);

	if (problem != NULL)
	{
		set_error(out, KAFKA_INVALID_TOPIC_EXCEPTION, broker_copy(req, problem));
		return;
	}
	if (broker_topic_is_internal(in->name))
	{
		set_error(out, KAFKA_INVALID_TOPIC_EXCEPTION,
				  wire_string("This name is kept for the broker's own use."));
		return;
	}
	if (!broker_may_cluster(req, BROKER_CLUSTER_CREATE))
	{
		set_error(out, KAFKA_TOPIC_AUTHORIZATION_FAILED, WIRE_NULL_STRING);
		return;
	}
	if (OidIsValid(topic_lookup(in->name.data, in->name.len)))
	{
		set_error(out, KAFKA_TOPIC_ALREADY_EXISTS,
				  broker_printf(req, "Topic \"%.*s\" already exists.", (int) in->name.len, in->name.data));
		return;
	}
	check_numbers(req, in, out);
	for (int i = 0; out->error_code == KAFKA_NONE && i < in->n_configs; i++)
	{
		if (in->configs[i].value.len < 0)
			set_error(out, KAFKA_INVALID_CONFIG,
					  broker_printf(req, "The setting \"%.*s\" has no value.",
									(int) in->configs[i].name.len, in->configs[i].name.data));
	}
}

/* ---------- creation ---------- */

static void
fill_configs(BrokerRequest *req, List *settings, ResponseTopic *out)
{
	BrokerConfigValue *values = broker_topic_config(settings);

	out->configs = BROKER_NEW(req, CreateTopicsResponseCreatableTopicConfigs, config_topic_count);
	out->n_configs = config_topic_count;
	for (int i = 0; i < config_topic_count; i++)
	{
		out->configs[i].name = wire_string(values[i].def->name);
		out->configs[i].value = broker_copy(req, values[i].value);
		out->configs[i].config_source = values[i].source;
	}
	pfree(values);
}

/* BrokerStep */
static void
create_topic(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;
	const RequestTopic *in = step->in;
	TopicSetting *settings = palloc0(sizeof(TopicSetting) * Max(in->n_configs, 1));
	List	   *made = NIL;
	int32		n_partitions = in->num_partitions;
	pg_uuid_t	id;
	Oid			relid;

	for (int i = 0; i < in->n_configs; i++)
	{
		settings[i].op = TOPIC_SET;
		settings[i].name = broker_cstring(in->configs[i].name);
		settings[i].value = broker_cstring(in->configs[i].value);
		made = lappend(made, &settings[i]);
	}
	if (in->n_assignments > 0)
		n_partitions = in->n_assignments;
	else if (n_partitions == -1)
		n_partitions = broker_num_partitions;

	relid = topic_create(broker_cstring(in->name), n_partitions, settings, in->n_configs,
						 TOPIC_BYTEA, TOPIC_BYTEA, step->validate_only, &id);
	if (OidIsValid(relid))
		made = topic_settings(relid);
	step->out->error_message = WIRE_NULL_STRING;
	memcpy(step->out->topic_id.bytes, id.data, sizeof(step->out->topic_id.bytes));
	step->out->num_partitions = n_partitions;
	step->out->replication_factor = REPLICATION_FACTOR;
	fill_configs(req, made, step->out);
}

BrokerOutcome
broker_create_topics(BrokerRequest *req)
{
	const CreateTopicsRequest *in = req->request;
	CreateTopicsResponse *out = BROKER_NEW(req, CreateTopicsResponse, 1);
	BrokerRepeat *repeats = broker_repeats(in->topics, in->n_topics, sizeof(*in->topics),
										   offsetof(CreateTopicsRequestCreatableTopic, name));

	req->response = out;
	out->topics = BROKER_NEW(req, CreateTopicsResponseCreatableTopicResult, in->n_topics);
	for (int i = 0; i < in->n_topics; i++)
	{
		TopicStep	step = {&in->topics[i], &out->topics[out->n_topics], in->validate_only};
		WireString	message;
		int16		error;

		if (repeats[i] == BROKER_AGAIN)
			continue;
		out->n_topics++;
		step.out->name = in->topics[i].name;
		if (repeats[i] == BROKER_FIRST)
			set_error(step.out, KAFKA_INVALID_REQUEST, wire_string("The topic is named more than once."));
		else
			check_topic(req, &in->topics[i], step.out);
		if (step.out->error_code != KAFKA_NONE)
			continue;

		error = broker_try(req, create_topic, &step, &message);
		if (error != KAFKA_NONE)
		{
			WIRE_INIT(CreateTopicsResponseCreatableTopicResult, step.out);
			step.out->name = in->topics[i].name;
			set_error(step.out, error, message);
		}
	}
	return BROKER_DONE;
}

void
broker_create_topics_fail(BrokerRequest *req, int16 error)
{
	const CreateTopicsRequest *in = req->request;
	CreateTopicsResponse *out = BROKER_TRY_NEW(req, CreateTopicsResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->topics = BROKER_TRY_NEW(req, CreateTopicsResponseCreatableTopicResult, in->n_topics);
	if (out->topics != NULL)
		out->n_topics = in->n_topics;
	for (int i = 0; i < out->n_topics; i++)
	{
		out->topics[i].name = in->topics[i].name;
		out->topics[i].error_code = error;
	}
}
