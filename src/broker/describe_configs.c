/*-------------------------------------------------------------------------
 *
 * describe_configs.c
 *	  DescribeConfigs: settings of topics and of this broker; and
 *	  ListConfigResources: what has settings.
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
#include "wire/api_configs.h"
#include "wire/topic_name.h"

typedef DescribeConfigsRequestDescribeConfigsResource RequestResource;
typedef DescribeConfigsResponseDescribeConfigsResult ResponseResource;
typedef DescribeConfigsResponseDescribeConfigsResourceResult ResponseConfig;

/* ---------- settings ---------- */

/* All are wanted if none is named. */
static bool
is_wanted(const RequestResource *in, const char *name)
{
	for (int i = 0; i < in->n_configuration_keys; i++)
	{
		if (wire_string_is(in->configuration_keys[i], name))
			return true;
	}
	return in->n_configuration_keys <= 0;
}

static void
add_synonym(ResponseConfig *out, const char *name, WireString value, ConfigSource source)
{
	DescribeConfigsResponseDescribeConfigsSynonym *synonym = &out->synonyms[out->n_synonyms++];

	synonym->name = wire_string(name);
	synonym->value = value;
	synonym->source = source;
}

static void
fill_config(BrokerRequest *req, const BrokerConfigValue *value, ResponseConfig *out)
{
	const DescribeConfigsRequest *request = req->request;
	const ConfigDef *def = value->def;

	out->name = wire_string(def->name);
	out->value = broker_copy(req, value->value);
	out->config_source = value->source;
	out->config_type = def->type;

	/* The broker's own are changed in PostgreSQL's configuration. */
	out->read_only = def < config_topic || def >= config_topic + config_topic_count;
	out->documentation = request->include_documentation ? wire_string(def->doc) : WIRE_NULL_STRING;
	if (!request->include_synonyms)
		return;

	/* From where it would come if it were not set: the value in force stands first. */
	out->synonyms = BROKER_NEW(req, DescribeConfigsResponseDescribeConfigsSynonym, 2);
	if (value->source != CONFIG_SOURCE_DEFAULT)
		add_synonym(out, def->name, out->value, value->source);
	if (def->synonym != NULL)
		add_synonym(out, def->synonym, wire_string(def->default_value), CONFIG_SOURCE_DEFAULT);
}

static void
fill_configs(BrokerRequest *req, const RequestResource *in, const BrokerConfigValue *values, int n,
			 ResponseResource *out)
{
	out->configs = BROKER_NEW(req, DescribeConfigsResponseDescribeConfigsResourceResult, n);
	for (int i = 0; i < n; i++)
	{
		if (is_wanted(in, values[i].def->name))
			fill_config(req, &values[i], &out->configs[out->n_configs++]);
	}
}

/* ---------- resources ---------- */

static void
describe_topic(BrokerRequest *req, const RequestResource *in, ResponseResource *out)
{
	WireString	name = in->resource_name;
	const char *problem = topic_name_problem(name.data, name.len);
	Oid			relid;

	if (problem != NULL)
	{
		out->error_code = KAFKA_INVALID_TOPIC_EXCEPTION;
		out->error_message = broker_copy(req, problem);
		return;
	}
	relid = topic_lookup(name.data, name.len);
	if (!OidIsValid(relid))
		out->error_code = KAFKA_UNKNOWN_TOPIC_OR_PARTITION;
	else if (!broker_may(req, relid, TOPIC_DESCRIBE))
		out->error_code = KAFKA_TOPIC_AUTHORIZATION_FAILED;
	else
		fill_configs(req, in, broker_topic_config(topic_settings(relid)), config_topic_count, out);
}

/* The empty name means the defaults of all brokers, of which there are none. */
static void
describe_broker(BrokerRequest *req, const RequestResource *in, ResponseResource *out)
{
	char		own_id[16];

	snprintf(own_id, sizeof(own_id), "%d", broker_node_id);
	if (in->resource_name.len == 0)
		return;
	if (wire_string_is(in->resource_name, own_id))
	{
		fill_configs(req, in, broker_own_config(req), config_broker_count, out);
		return;
	}
	out->error_code = KAFKA_INVALID_REQUEST;
	out->error_message = broker_printf(req, "This is broker %s, not \"%.*s\".", own_id,
									   (int) Min(in->resource_name.len, 64), in->resource_name.data);
}

/* The loop's item */
static bool
describe_resource(BrokerRequest *req, int i)
{
	const DescribeConfigsRequest *request = req->request;
	DescribeConfigsResponse *response = req->response;
	const RequestResource *in = &request->resources[i];
	ResponseResource *out = &response->results[response->n_results++];

	out->resource_type = in->resource_type;
	out->resource_name = in->resource_name;
	out->error_message = wire_string("");
	switch (in->resource_type)
	{
		case BROKER_RESOURCE_TOPIC:
			describe_topic(req, in, out);
			break;
		case BROKER_RESOURCE_BROKER:
			describe_broker(req, in, out);
			break;
		case BROKER_RESOURCE_BROKER_LOGGER:
		case BROKER_RESOURCE_CLIENT_METRICS:
		case BROKER_RESOURCE_GROUP:
			/* They have no settings here. */
			break;
		default:
			out->error_code = KAFKA_INVALID_REQUEST;
			out->error_message = broker_printf(req, "There is no resource type %d.", in->resource_type);
			break;
	}
	return true;
}

BrokerOutcome
broker_describe_configs(BrokerRequest *req)
{
	const DescribeConfigsRequest *in = req->request;
	DescribeConfigsResponse *out = BROKER_NEW(req, DescribeConfigsResponse, 1);

	req->response = out;
	out->results = BROKER_NEW(req, DescribeConfigsResponseDescribeConfigsResult, in->n_resources);
	return broker_each(req, in->n_resources, describe_resource);
}

/* ---------- ListConfigResources ---------- */

static const int8 resource_types[] = {
	BROKER_RESOURCE_TOPIC,
	BROKER_RESOURCE_BROKER,
	BROKER_RESOURCE_BROKER_LOGGER,
	BROKER_RESOURCE_CLIENT_METRICS,
	BROKER_RESOURCE_GROUP
};

static bool
asks_for(const ListConfigResourcesRequest *in, int8 type)
{
	for (int i = 0; i < in->n_resource_types; i++)
	{
		if (in->resource_types[i] == type)
			return true;
	}
	return in->n_resource_types <= 0;
}

static bool
asks_for_unknown(const ListConfigResourcesRequest *in)
{
	for (int i = 0; i < in->n_resource_types; i++)
	{
		bool		known = false;

		for (int t = 0; t < lengthof(resource_types); t++)
			known |= in->resource_types[i] == resource_types[t];
		if (!known)
			return true;
	}
	return false;
}

static void
list_topics(BrokerRequest *req, const Oid *topics, int n, ListConfigResourcesResponse *out)
{
	for (int i = 0; i < n; i++)
	{
		ListConfigResourcesResponseConfigResource *resource = &out->config_resources[out->n_config_resources];
		const Topic *topic;
		int16		error;

		if (!broker_may(req, topics[i], TOPIC_DESCRIBE))
			continue;
		topic = broker_topic_look(req, topics[i], &error);
		if (topic == NULL)
			continue;
		resource->resource_name = broker_topic_name(req, topic);
		resource->resource_type = BROKER_RESOURCE_TOPIC;
		out->n_config_resources++;
	}
}

BrokerOutcome
broker_list_config_resources(BrokerRequest *req)
{
	const ListConfigResourcesRequest *in = req->request;
	ListConfigResourcesResponse *out = BROKER_NEW(req, ListConfigResourcesResponse, 1);
	int			n;
	const Oid  *topics;

	req->response = out;

	/* Version 0 asks for nothing but client metrics. */
	if (req->api_version == 0)
		return BROKER_DONE;
	if (asks_for_unknown(in))
	{
		out->error_code = KAFKA_UNSUPPORTED_VERSION;
		return BROKER_DONE;
	}
	topics = topic_list(&n);
	out->config_resources = BROKER_NEW(req, ListConfigResourcesResponseConfigResource, n + 1);
	if (asks_for(in, BROKER_RESOURCE_BROKER))
	{
		out->config_resources[0].resource_name = broker_printf(req, "%d", broker_node_id);
		out->config_resources[0].resource_type = BROKER_RESOURCE_BROKER;
		out->n_config_resources = 1;
	}
	if (asks_for(in, BROKER_RESOURCE_TOPIC))
		list_topics(req, topics, n, out);
	return BROKER_DONE;
}
