/*-------------------------------------------------------------------------
 *
 * config_values.c
 *	  Collects settings for those who describe them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/config_values.h"
#include "broker/group_settings.h"
#include "broker/settings.h"
#include "topic/topic.h"

BrokerConfigValue *
broker_topic_config(List *settings)
{
	BrokerConfigValue *values = palloc(sizeof(BrokerConfigValue) * config_topic_count);
	ListCell   *lc;

	for (int i = 0; i < config_topic_count; i++)
	{
		values[i].def = &config_topic[i];
		values[i].value = config_topic[i].default_value;
		values[i].source = CONFIG_SOURCE_DEFAULT;
		foreach(lc, settings)
		{
			const TopicSetting *setting = lfirst(lc);

			if (strcmp(setting->name, config_topic[i].name) == 0)
			{
				values[i].value = setting->value;
				values[i].source = CONFIG_SOURCE_TOPIC;
			}
		}
	}
	return values;
}

/* ---------- the broker's own ---------- */

static const char *
show_bool(const void *variable)
{
	return *(const bool *) variable ? "true" : "false";
}

static const char *
show_int(const void *variable)
{
	return psprintf("%d", *(const int *) variable);
}

/* Kafka's names of our settings */
static const struct
{
	const char *name;
	const char *(*show) (const void *variable);
	const void *variable;
}			shown[] = {
	{"auto.create.topics.enable", show_bool, &broker_auto_create_topics},
	{"broker.id", show_int, &broker_node_id},
	{"connections.max.idle.ms", show_int, &broker_connections_max_idle_ms},
	{"max.connections", show_int, &broker_max_connections},
	{"node.id", show_int, &broker_node_id},
	{"num.network.threads", show_int, &broker_network_workers},
	{"num.partitions", show_int, &broker_num_partitions},
	{"socket.request.max.bytes", show_int, &broker_socket_request_max_bytes},
};

static const char *
own_value(BrokerRequest *req, const char *name)
{
	if (strcmp(name, "advertised.listeners") == 0 || strcmp(name, "listeners") == 0)
	{
		bool		brackets = strchr(req->session->advertised_host, ':') != NULL;

		return psprintf("PLAINTEXT://%s%s%s:%d", brackets ? "[" : "", req->session->advertised_host,
						brackets ? "]" : "", req->session->advertised_port);
	}
	for (int i = 0; i < lengthof(shown); i++)
	{
		if (strcmp(shown[i].name, name) == 0)
			return shown[i].show(shown[i].variable);
	}
	return broker_group_setting(name);
}

static bool
same_value(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

BrokerConfigValue *
broker_own_config(BrokerRequest *req)
{
	BrokerConfigValue *values = palloc(sizeof(BrokerConfigValue) * config_broker_count);

	for (int i = 0; i < config_broker_count; i++)
	{
		const ConfigDef *def = &config_broker[i];
		const char *value = own_value(req, def->name);

		values[i].def = def;
		values[i].value = value ? value : def->default_value;
		values[i].source = same_value(values[i].value, def->default_value) ?
			CONFIG_SOURCE_DEFAULT : CONFIG_SOURCE_STATIC_BROKER;
	}
	return values;
}
