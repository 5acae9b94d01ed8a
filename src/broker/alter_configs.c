/*-------------------------------------------------------------------------
 *
 * alter_configs.c
 *	  IncrementalAlterConfigs and AlterConfigs: settings of topics.  Run in the
 *	  controller.
 *
 * The older API replaces all settings of a resource, the newer one changes
 * those that it names; past that they are the same, so both requests are
 * brought into one form.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/authorize.h"
#include "broker/config_values.h"
#include "broker/handlers.h"
#include "topic/topic.h"
#include "wire/api_configs.h"
#include "wire/topic_name.h"

typedef struct Change
{
	WireString	name;			/* first, for broker_repeats */
	WireString	value;
	int			operation;		/* of IncrementalAlterConfigs */
} Change;

typedef struct Resource
{
	int8		type;
	WireString	name;
	int			n_changes;
	Change	   *changes;
	bool		replace;
	bool		validate_only;

	Oid			relid;
	int16		error;
	WireString	message;
} Resource;

/* Kafka's numbers of operations, in the order of ours */
static const TopicSettingOp operations[] = {TOPIC_SET, TOPIC_RESET, TOPIC_APPEND, TOPIC_SUBTRACT};

static void
set_error(Resource *r, int16 error, WireString message)
{
	r->error = error;
	r->message = message;
}

/* ---------- checks ---------- */

static void
check_changes(BrokerRequest *req, Resource *r)
{
	BrokerRepeat *repeats = broker_repeats(r->changes, r->n_changes, sizeof(Change), offsetof(Change, name));

	for (int i = 0; i < r->n_changes; i++)
	{
		const Change *c = &r->changes[i];

		if (repeats[i] != BROKER_ONCE)
			set_error(r, KAFKA_INVALID_REQUEST, wire_string("A setting is named more than once."));
		else if (c->operation < 0 || c->operation >= lengthof(operations))
			set_error(r, KAFKA_INVALID_REQUEST,
					  broker_printf(req, "There is no operation %d on settings.", c->operation));
		else if (c->value.len < 0 && operations[c->operation] != TOPIC_RESET)
			set_error(r, KAFKA_INVALID_REQUEST,
					  broker_printf(req, "The setting \"%.*s\" has no value.",
									(int) c->name.len, c->name.data));
		else
			continue;
		break;
	}
	pfree(repeats);
}

static void
check_topic(BrokerRequest *req, Resource *r)
{
	const char *problem = topic_name_problem(r->name.data, r->name.len);

	if (r->name.len == 0)
		set_error(r, KAFKA_INVALID_REQUEST, wire_string("There are no settings of all topics."));
	else if (problem != NULL)
		set_error(r, KAFKA_INVALID_TOPIC_EXCEPTION, broker_copy(req, problem));
	else if (!OidIsValid(r->relid = topic_lookup(r->name.data, r->name.len)))
		set_error(r, KAFKA_UNKNOWN_TOPIC_OR_PARTITION,
				  broker_printf(req, "There is no topic \"%.*s\".", (int) r->name.len, r->name.data));
	else if (!broker_may(req, r->relid, TOPIC_ALTER))
		set_error(r, KAFKA_TOPIC_AUTHORIZATION_FAILED, WIRE_NULL_STRING);
	else
		check_changes(req, r);
}

static void
check_resource(BrokerRequest *req, Resource *r)
{
	switch (r->type)
	{
		case BROKER_RESOURCE_TOPIC:
			check_topic(req, r);
			break;
		case BROKER_RESOURCE_BROKER:
			set_error(r, KAFKA_INVALID_REQUEST,
					  wire_string("The broker's settings are PostgreSQL's: change them with ALTER SYSTEM."));
			break;
		default:
			set_error(r, KAFKA_INVALID_REQUEST,
					  broker_printf(req, "Resources of type %d have no settings.", r->type));
			break;
	}
}

/* ---------- change ---------- */

/* BrokerStep */
static void
alter_topic(BrokerRequest *req, void *arg)
{
	Resource   *r = arg;
	TopicSetting *settings = palloc0(sizeof(TopicSetting) * Max(r->n_changes, 1));
	int			n = 0;

	for (int i = 0; i < r->n_changes; i++)
	{
		settings[n].op = operations[r->changes[i].operation];
		settings[n].name = broker_cstring(r->changes[i].name);
		settings[n].value = broker_cstring(r->changes[i].value);

		/* What nobody knows has its default already. */
		if (settings[n].op != TOPIC_RESET || config_topic_find(settings[n].name) != NULL)
			n++;
	}
	topic_alter_config(r->relid, settings, n, r->replace, r->validate_only);
}

/* Is the resource named twice?  A topic and a broker may have the same name. */
static bool
is_repeated(const Resource *resources, int n, int index)
{
	for (int i = 0; i < n; i++)
	{
		if (i != index && resources[i].type == resources[index].type &&
			wire_string_equal(resources[i].name, resources[index].name))
			return true;
	}
	return false;
}

static void
alter_resources(BrokerRequest *req, Resource *resources, int n)
{
	BrokerRepeat *repeats = broker_repeats(resources, n, sizeof(Resource), offsetof(Resource, name));

	for (int i = 0; i < n; i++)
	{
		Resource   *r = &resources[i];

		r->message = WIRE_NULL_STRING;
		if (repeats[i] != BROKER_ONCE && is_repeated(resources, n, i))
			set_error(r, KAFKA_INVALID_REQUEST, wire_string("A resource is named more than once."));
		else
			check_resource(req, r);
		if (r->error == KAFKA_NONE)
			r->error = broker_try(req, alter_topic, r, &r->message);
	}
	pfree(repeats);
}

/* ---------- IncrementalAlterConfigs ---------- */

BrokerOutcome
broker_incremental_alter_configs(BrokerRequest *req)
{
	const IncrementalAlterConfigsRequest *in = req->request;
	IncrementalAlterConfigsResponse *out = BROKER_NEW(req, IncrementalAlterConfigsResponse, 1);
	Resource   *resources = palloc0(sizeof(Resource) * Max(in->n_resources, 1));

	for (int i = 0; i < in->n_resources; i++)
	{
		const IncrementalAlterConfigsRequestAlterConfigsResource *from = &in->resources[i];
		Resource   *r = &resources[i];

		r->type = from->resource_type;
		r->name = from->resource_name;
		r->validate_only = in->validate_only;
		r->n_changes = from->n_configs;
		r->changes = palloc0(sizeof(Change) * Max(from->n_configs, 1));
		for (int c = 0; c < from->n_configs; c++)
		{
			r->changes[c].name = from->configs[c].name;
			r->changes[c].value = from->configs[c].value;
			r->changes[c].operation = from->configs[c].config_operation;
		}
	}
	alter_resources(req, resources, in->n_resources);

	req->response = out;
	out->responses = BROKER_NEW(req, IncrementalAlterConfigsResponseAlterConfigsResourceResponse,
								in->n_resources);
	out->n_responses = in->n_resources;
	for (int i = 0; i < in->n_resources; i++)
	{
		out->responses[i].resource_type = resources[i].type;
		out->responses[i].resource_name = resources[i].name;
		out->responses[i].error_code = resources[i].error;
		out->responses[i].error_message = resources[i].message;
	}
	return BROKER_DONE;
}

void
broker_incremental_alter_configs_fail(BrokerRequest *req, int16 error)
{
	const IncrementalAlterConfigsRequest *in = req->request;
	IncrementalAlterConfigsResponse *out = BROKER_TRY_NEW(req, IncrementalAlterConfigsResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->responses = BROKER_TRY_NEW(req, IncrementalAlterConfigsResponseAlterConfigsResourceResponse,
									in->n_resources);
	if (out->responses != NULL)
		out->n_responses = in->n_resources;
	for (int i = 0; i < out->n_responses; i++)
	{
		out->responses[i].resource_type = in->resources[i].resource_type;
		out->responses[i].resource_name = in->resources[i].resource_name;
		out->responses[i].error_code = error;
	}
}

/* ---------- AlterConfigs ---------- */

BrokerOutcome
broker_alter_configs(BrokerRequest *req)
{
	const AlterConfigsRequest *in = req->request;
	AlterConfigsResponse *out = BROKER_NEW(req, AlterConfigsResponse, 1);
	Resource   *resources = palloc0(sizeof(Resource) * Max(in->n_resources, 1));

	for (int i = 0; i < in->n_resources; i++)
	{
		const AlterConfigsRequestAlterConfigsResource *from = &in->resources[i];
		Resource   *r = &resources[i];

		r->type = from->resource_type;
		r->name = from->resource_name;
		r->replace = true;
		r->validate_only = in->validate_only;
		r->n_changes = from->n_configs;
		r->changes = palloc0(sizeof(Change) * Max(from->n_configs, 1));
		for (int c = 0; c < from->n_configs; c++)
		{
			r->changes[c].name = from->configs[c].name;
			r->changes[c].value = from->configs[c].value;
		}
	}
	alter_resources(req, resources, in->n_resources);

	req->response = out;
	out->responses = BROKER_NEW(req, AlterConfigsResponseAlterConfigsResourceResponse, in->n_resources);
	out->n_responses = in->n_resources;
	for (int i = 0; i < in->n_resources; i++)
	{
		out->responses[i].resource_type = resources[i].type;
		out->responses[i].resource_name = resources[i].name;
		out->responses[i].error_code = resources[i].error;
		out->responses[i].error_message = resources[i].message;
	}
	return BROKER_DONE;
}

void
broker_alter_configs_fail(BrokerRequest *req, int16 error)
{
	const AlterConfigsRequest *in = req->request;
	AlterConfigsResponse *out = BROKER_TRY_NEW(req, AlterConfigsResponse, 1);

	req->response = out;
	if (out == NULL)
		return;
	out->responses = BROKER_TRY_NEW(req, AlterConfigsResponseAlterConfigsResourceResponse, in->n_resources);
	if (out->responses != NULL)
		out->n_responses = in->n_resources;
	for (int i = 0; i < out->n_responses; i++)
	{
		out->responses[i].resource_type = in->resources[i].resource_type;
		out->responses[i].resource_name = in->resources[i].resource_name;
		out->responses[i].error_code = error;
	}
}
