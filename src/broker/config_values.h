/*-------------------------------------------------------------------------
 *
 * config_values.h
 *	  The settings of topics and of the broker, with values and their sources.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_CONFIG_VALUES_H
#define BROKER_CONFIG_VALUES_H

#include "broker/request.h"
#include "nodes/pg_list.h"
#include "wire/config_def.h"

/* Kafka's numbers of config resources */
#define BROKER_RESOURCE_TOPIC			2
#define BROKER_RESOURCE_BROKER			4
#define BROKER_RESOURCE_BROKER_LOGGER	8
#define BROKER_RESOURCE_CLIENT_METRICS	16
#define BROKER_RESOURCE_GROUP			32

typedef struct BrokerConfigValue
{
	const ConfigDef *def;
	const char *value;			/* NULL: none */
	ConfigSource source;
} BrokerConfigValue;

/*
 * All settings of a topic: those that were made for it (a list of TopicSetting *)
 * and the defaults of the rest; config_topic_count rows, palloc'd.
 */
extern BrokerConfigValue *broker_topic_config(List *settings);

/* All settings of this broker: config_broker_count rows, palloc'd. */
extern BrokerConfigValue *broker_own_config(BrokerRequest *req);

#endif							/* BROKER_CONFIG_VALUES_H */
