/*-------------------------------------------------------------------------
 *
 * group_settings.c
 *	  The settings of consumer groups: Kafka's, in PostgreSQL's spelling.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "broker/group_settings.h"
#include "utils/guc.h"

int			broker_offsets_topic_num_partitions = 50;

static int	initial_rebalance_delay_ms = 3000;
static int	min_session_timeout_ms = 6000;
static int	max_session_timeout_ms = 1800000;
static int	max_size = INT_MAX;
static int	consumer_session_timeout_ms = 45000;
static int	consumer_heartbeat_interval_ms = 5000;
static int	consumer_max_size = INT_MAX;
static int	consumer_assignment_interval_ms = 1000;
static int	consumer_migration_policy = GROUP_MIGRATION_BIDIRECTIONAL;
static int	offsets_retention_minutes = 10080;
static int	offsets_retention_check_interval_ms = 600000;
static int	offset_metadata_max_bytes = 4096;
static int	group_memory_kb = 256 * 1024;

static const struct config_enum_entry migration_policies[] = {
	{"disabled", GROUP_MIGRATION_DISABLED, false},
	{"upgrade", GROUP_MIGRATION_UPGRADE, false},
	{"downgrade", GROUP_MIGRATION_DOWNGRADE, false},
	{"bidirectional", GROUP_MIGRATION_BIDIRECTIONAL, false},
	{NULL, 0, false}
};

static void
define(const char *name, const char *what, int *variable, int min, int max, int flags)
{
	DefineCustomIntVariable(name, what, NULL, variable, *variable, min, max, PGC_SIGHUP, flags, NULL, NULL,
							NULL);
}

void
broker_group_settings_define(void)
{
	define("pg_broker.offsets_topic_num_partitions",
		   "Sets the number of partitions of __consumer_offsets, when it is created.",
		   &broker_offsets_topic_num_partitions, 1, 50, 0);
	define("pg_broker.group_initial_rebalance_delay",
		   "Sets how long a new group waits for further members before its first rebalance.",
		   &initial_rebalance_delay_ms, 0, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.group_min_session_timeout",
		   "Sets the shortest session timeout that a member may ask for.",
		   &min_session_timeout_ms, 1, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.group_max_session_timeout",
		   "Sets the longest session timeout that a member may ask for.",
		   &max_session_timeout_ms, 1, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.group_max_size",
		   "Sets the greatest number of members of a group.", &max_size, 1, INT_MAX, 0);
	define("pg_broker.group_consumer_session_timeout",
		   "Sets the session timeout of members of the consumer protocol.",
		   &consumer_session_timeout_ms, 100, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.group_consumer_heartbeat_interval",
		   "Sets how often members of the consumer protocol send heartbeats.",
		   &consumer_heartbeat_interval_ms, 10, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.group_consumer_max_size",
		   "Sets the greatest number of members of a group of the consumer protocol.",
		   &consumer_max_size, 1, INT_MAX, 0);
	define("pg_broker.group_consumer_assignment_interval",
		   "Sets the shortest time between two assignments of a group of the consumer protocol.",
		   &consumer_assignment_interval_ms, 0, 15000, GUC_UNIT_MS);
	DefineCustomEnumVariable(
		"pg_broker.group_consumer_migration_policy",
		"Sets which groups may change from one protocol to the other while they have members.", NULL,
		&consumer_migration_policy, consumer_migration_policy, migration_policies, PGC_SIGHUP, 0, NULL, NULL,
		NULL);
	define("pg_broker.offsets_retention",
		   "Sets how long the offsets of a group without members are kept.",
		   &offsets_retention_minutes, 1, INT_MAX, GUC_UNIT_MIN);
	define("pg_broker.offsets_retention_check_interval",
		   "Sets how often it is looked for offsets that have expired.",
		   &offsets_retention_check_interval_ms, 1, INT_MAX, GUC_UNIT_MS);
	define("pg_broker.offset_metadata_max_bytes",
		   "Sets the length of the longest text that a client may keep with an offset.",
		   &offset_metadata_max_bytes, 0, 32767, GUC_UNIT_BYTE);
	define("pg_broker.group_memory",
		   "Sets the memory for groups, members and offsets; beyond it new ones are refused.",
		   &group_memory_kb, 64, INT_MAX, GUC_UNIT_KB);
}

const char *
broker_group_setting(const char *name)
{
	static const struct
	{
		const char *name;
		const int  *variable;
	}			shown[] = {
		{"group.consumer.heartbeat.interval.ms", &consumer_heartbeat_interval_ms},
		{"group.consumer.max.size", &consumer_max_size},
		{"group.consumer.session.timeout.ms", &consumer_session_timeout_ms},
		{"group.initial.rebalance.delay.ms", &initial_rebalance_delay_ms},
		{"group.max.session.timeout.ms", &max_session_timeout_ms},
		{"group.max.size", &max_size},
		{"group.min.session.timeout.ms", &min_session_timeout_ms},
		{"offset.metadata.max.bytes", &offset_metadata_max_bytes},
		{"offsets.retention.check.interval.ms", &offsets_retention_check_interval_ms},
		{"offsets.retention.minutes", &offsets_retention_minutes},
		{"offsets.topic.num.partitions", &broker_offsets_topic_num_partitions},
	};

	if (strcmp(name, "group.consumer.migration.policy") == 0)
		return migration_policies[consumer_migration_policy].name;
	if (strcmp(name, "group.coordinator.rebalance.protocols") == 0)
		return "classic,consumer";
	for (int i = 0; i < lengthof(shown); i++)
		if (strcmp(name, shown[i].name) == 0)
			return psprintf("%d", *shown[i].variable);
	return NULL;
}

void
broker_group_settings(GroupSettings *settings)
{
	group_settings_init(settings);
	settings->initial_rebalance_delay_ms = initial_rebalance_delay_ms;
	settings->min_session_timeout_ms = min_session_timeout_ms;
	settings->max_session_timeout_ms = max_session_timeout_ms;
	settings->max_size = max_size;
	settings->consumer_session_timeout_ms = consumer_session_timeout_ms;
	settings->consumer_heartbeat_interval_ms = consumer_heartbeat_interval_ms;
	settings->consumer_max_size = consumer_max_size;
	settings->consumer_assignment_interval_ms = consumer_assignment_interval_ms;
	settings->migration = consumer_migration_policy;
	settings->offsets_retention_ms = (int64) offsets_retention_minutes * 60000;
	settings->offsets_retention_check_interval_ms = offsets_retention_check_interval_ms;
	settings->offset_metadata_max_bytes = offset_metadata_max_bytes;
	settings->max_memory = (int64) group_memory_kb * 1024;
}
