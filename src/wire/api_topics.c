/*-------------------------------------------------------------------------
 *
 * api_topics.c
 *	  Messages for creating, growing and deleting topics.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_topics.h"

#include "wire/table.h"

/* ---------- CreateTopicsRequest ---------- */

static const WireField create_topics_request_creatable_replica_assignment_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(CreateTopicsRequestCreatableReplicaAssignment, partition_index)},
	{"BrokerIds", WIRE_INT32, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableReplicaAssignment, broker_ids)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableReplicaAssignment, create_topics_request_creatable_replica_assignment_fields);

static const WireField create_topics_request_creatable_topic_config_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopicConfig, name)},
	{"Value", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopicConfig, value), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableTopicConfig, create_topics_request_creatable_topic_config_fields);

static const WireField create_topics_request_creatable_topic_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopic, name)},
	{"NumPartitions", WIRE_INT32, SINCE(0), AT(CreateTopicsRequestCreatableTopic, num_partitions)},
	{"ReplicationFactor", WIRE_INT16, SINCE(0), AT(CreateTopicsRequestCreatableTopic, replication_factor)},
	{"Assignments", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableTopic, assignments),
		OF(CreateTopicsRequestCreatableReplicaAssignment)},
	{"Configs", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableTopic, configs),
		OF(CreateTopicsRequestCreatableTopicConfig)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableTopic, create_topics_request_creatable_topic_fields);

static const WireField create_topics_request_fields[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequest, topics),
		OF(CreateTopicsRequestCreatableTopic)},
	{"timeoutMs", WIRE_INT32, SINCE(0), AT(CreateTopicsRequest, timeout_ms), DEFAULT(60000)},
	{"validateOnly", WIRE_BOOL, SINCE(1), AT(CreateTopicsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(CreateTopicsRequest, create_topics_request_fields, 2, 7, 5);

/* ---------- CreateTopicsResponse ---------- */

static const WireField create_topics_response_creatable_topic_configs_fields[] = {
	{"Name", WIRE_STRING, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, name)},
	{"Value", WIRE_STRING, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, value), NULL_SINCE(5)},
	{"ReadOnly", WIRE_BOOL, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, read_only)},
	{"ConfigSource", WIRE_INT8, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, config_source),
		DEFAULT(-1)},
	{"IsSensitive", WIRE_BOOL, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, is_sensitive)},
};

WIRE_STRUCT_TABLE(CreateTopicsResponseCreatableTopicConfigs, create_topics_response_creatable_topic_configs_fields);

static const WireField create_topics_response_creatable_topic_result_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreateTopicsResponseCreatableTopicResult, name)},
	{"TopicId", WIRE_UUID, SINCE(7), AT(CreateTopicsResponseCreatableTopicResult, topic_id)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(CreateTopicsResponseCreatableTopicResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(1), AT(CreateTopicsResponseCreatableTopicResult, error_message),
		NULL_SINCE(0)},
	{"TopicConfigErrorCode", WIRE_INT16, SINCE(5),
		AT(CreateTopicsResponseCreatableTopicResult, topic_config_error_code), TAG_SINCE(5, 0)},
	{"NumPartitions", WIRE_INT32, SINCE(5), AT(CreateTopicsResponseCreatableTopicResult, num_partitions),
		DEFAULT(-1)},
	{"ReplicationFactor", WIRE_INT16, SINCE(5),
		AT(CreateTopicsResponseCreatableTopicResult, replication_factor), DEFAULT(-1)},
	{"Configs", WIRE_STRUCT, SINCE(5), ARRAY_AT(CreateTopicsResponseCreatableTopicResult, configs),
		OF(CreateTopicsResponseCreatableTopicConfigs), NULL_SINCE(5)},
};

WIRE_STRUCT_TABLE(CreateTopicsResponseCreatableTopicResult, create_topics_response_creatable_topic_result_fields);

static const WireField create_topics_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(2), AT(CreateTopicsResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsResponse, topics),
		OF(CreateTopicsResponseCreatableTopicResult)},
};

WIRE_MESSAGE_TABLE(CreateTopicsResponse, create_topics_response_fields, 2, 7, 5);

/* ---------- DeleteTopicsRequest ---------- */

static const WireField delete_topics_request_delete_topic_state_fields[] = {
	{"Name", WIRE_STRING, SINCE(6), AT(DeleteTopicsRequestDeleteTopicState, name), NULL_SINCE(6),
		DEFAULT_NULL},
	{"TopicId", WIRE_UUID, SINCE(6), AT(DeleteTopicsRequestDeleteTopicState, topic_id)},
};

WIRE_STRUCT_TABLE(DeleteTopicsRequestDeleteTopicState, delete_topics_request_delete_topic_state_fields);

static const WireField delete_topics_request_fields[] = {
	{"Topics", WIRE_STRUCT, SINCE(6), ARRAY_AT(DeleteTopicsRequest, topics),
		OF(DeleteTopicsRequestDeleteTopicState)},
	{"TopicNames", WIRE_STRING, FROM_TO(0, 5), ARRAY_AT(DeleteTopicsRequest, topic_names)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(DeleteTopicsRequest, timeout_ms)},
};

WIRE_MESSAGE_TABLE(DeleteTopicsRequest, delete_topics_request_fields, 1, 6, 4);

/* ---------- DeleteTopicsResponse ---------- */

static const WireField delete_topics_response_deletable_topic_result_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DeleteTopicsResponseDeletableTopicResult, name), NULL_SINCE(6)},
	{"TopicId", WIRE_UUID, SINCE(6), AT(DeleteTopicsResponseDeletableTopicResult, topic_id)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteTopicsResponseDeletableTopicResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(5), AT(DeleteTopicsResponseDeletableTopicResult, error_message),
		NULL_SINCE(5), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(DeleteTopicsResponseDeletableTopicResult, delete_topics_response_deletable_topic_result_fields);

static const WireField delete_topics_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(DeleteTopicsResponse, throttle_time_ms)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteTopicsResponse, responses),
		OF(DeleteTopicsResponseDeletableTopicResult)},
};

WIRE_MESSAGE_TABLE(DeleteTopicsResponse, delete_topics_response_fields, 1, 6, 4);

/* ---------- CreatePartitionsRequest ---------- */

static const WireField create_partitions_request_create_partitions_assignment_fields[] = {
	{"BrokerIds", WIRE_INT32, SINCE(0),
		ARRAY_AT(CreatePartitionsRequestCreatePartitionsAssignment, broker_ids)},
};

WIRE_STRUCT_TABLE(CreatePartitionsRequestCreatePartitionsAssignment, create_partitions_request_create_partitions_assignment_fields);

static const WireField create_partitions_request_create_partitions_topic_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreatePartitionsRequestCreatePartitionsTopic, name)},
	{"Count", WIRE_INT32, SINCE(0), AT(CreatePartitionsRequestCreatePartitionsTopic, count)},
	{"Assignments", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(CreatePartitionsRequestCreatePartitionsTopic, assignments),
		OF(CreatePartitionsRequestCreatePartitionsAssignment), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(CreatePartitionsRequestCreatePartitionsTopic, create_partitions_request_create_partitions_topic_fields);

static const WireField create_partitions_request_fields[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreatePartitionsRequest, topics),
		OF(CreatePartitionsRequestCreatePartitionsTopic)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(CreatePartitionsRequest, timeout_ms)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(CreatePartitionsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(CreatePartitionsRequest, create_partitions_request_fields, 0, 3, 2);

/* ---------- CreatePartitionsResponse ---------- */

static const WireField create_partitions_response_create_partitions_topic_result_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreatePartitionsResponseCreatePartitionsTopicResult, name)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(CreatePartitionsResponseCreatePartitionsTopicResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(CreatePartitionsResponseCreatePartitionsTopicResult, error_message), NULL_SINCE(0),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(CreatePartitionsResponseCreatePartitionsTopicResult, create_partitions_response_create_partitions_topic_result_fields);

static const WireField create_partitions_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(CreatePartitionsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreatePartitionsResponse, results),
		OF(CreatePartitionsResponseCreatePartitionsTopicResult)},
};

WIRE_MESSAGE_TABLE(CreatePartitionsResponse, create_partitions_response_fields, 0, 3, 2);
