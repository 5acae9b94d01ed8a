/*-------------------------------------------------------------------------
 *
 * apis.c
 *	  The table of the APIs that are served.
 *
 * Versions are those of Kafka 4.4, the lowest too: clients of all ages send them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "broker/apis.h"
#include "broker/handlers.h"

#define PIPELINED BROKER_API_PIPELINED
#define CONTROLLER BROKER_API_CONTROLLER
#define COORDINATOR BROKER_API_COORDINATOR

const BrokerApi broker_apis[] = {
	{0, 3, 13, PIPELINED, broker_produce, broker_produce_fail},
	{1, 4, 18, 0, broker_fetch, broker_fetch_fail},
	{2, 1, 11, 0, broker_list_offsets, broker_list_offsets_fail},
	{3, 0, 13, 0, broker_metadata, NULL},
	{8, 2, 10, COORDINATOR, NULL, NULL},
	{9, 1, 10, COORDINATOR, NULL, NULL},
	{10, 0, 6, 0, broker_find_coordinator, NULL},
	{11, 0, 9, COORDINATOR, NULL, NULL},
	{12, 0, 4, COORDINATOR, NULL, NULL},
	{13, 0, 5, COORDINATOR, NULL, NULL},
	{14, 0, 5, COORDINATOR, NULL, NULL},
	{15, 0, 6, COORDINATOR, NULL, NULL},
	{16, 0, 5, COORDINATOR, NULL, NULL},
	{18, 0, 5, 0, broker_api_versions, NULL},
	{19, 2, 7, CONTROLLER, broker_create_topics, broker_create_topics_fail},
	{20, 1, 6, CONTROLLER, broker_delete_topics, broker_delete_topics_fail},
	{21, 0, 2, CONTROLLER, broker_delete_records, broker_delete_records_fail},
	{22, 0, 5, 0, broker_init_producer_id, broker_init_producer_id_fail},
	{23, 2, 4, 0, broker_offset_for_leader_epoch, NULL},
	{32, 1, 4, 0, broker_describe_configs, NULL},
	{33, 0, 2, CONTROLLER, broker_alter_configs, broker_alter_configs_fail},
	{35, 1, 5, 0, broker_describe_log_dirs, NULL},
	{37, 0, 3, CONTROLLER, broker_create_partitions, broker_create_partitions_fail},
	{42, 0, 3, COORDINATOR, NULL, NULL},
	{44, 0, 1, CONTROLLER, broker_incremental_alter_configs, broker_incremental_alter_configs_fail},
	{47, 0, 0, COORDINATOR, NULL, NULL},
	{60, 0, 2, 0, broker_describe_cluster, NULL},
	{61, 0, 0, 0, broker_describe_producers, NULL},
	{68, 0, 1, COORDINATOR, NULL, NULL},
	{69, 0, 1, COORDINATOR, NULL, NULL},
	{74, 0, 1, 0, broker_list_config_resources, NULL},
	{75, 0, 0, 0, broker_describe_topic_partitions, NULL},
};

const int	broker_n_apis = lengthof(broker_apis);

const BrokerApi *
broker_api(int key)
{
	int			low = 0;
	int			high = broker_n_apis - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;

		if (broker_apis[middle].key == key)
			return &broker_apis[middle];
		if (broker_apis[middle].key < key)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return NULL;
}
