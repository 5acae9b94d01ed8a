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

static const WireField CreateTopicsRequestCreatableReplicaAssignment_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(CreateTopicsRequestCreatableReplicaAssignment, partition_index)},
	{"BrokerIds", WIRE_INT32, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableReplicaAssignment, broker_ids)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableReplicaAssignment);

static const WireField CreateTopicsRequestCreatableTopicConfig_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopicConfig, name)},
	{"Value", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopicConfig, value), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableTopicConfig);

static const WireField CreateTopicsRequestCreatableTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreateTopicsRequestCreatableTopic, name)},
	{"NumPartitions", WIRE_INT32, SINCE(0), AT(CreateTopicsRequestCreatableTopic, num_partitions)},
	{"ReplicationFactor", WIRE_INT16, SINCE(0), AT(CreateTopicsRequestCreatableTopic, replication_factor)},
	{"Assignments", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableTopic, assignments),
		OF(CreateTopicsRequestCreatableReplicaAssignment)},
	{"Configs", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequestCreatableTopic, configs),
		OF(CreateTopicsRequestCreatableTopicConfig)},
};

WIRE_STRUCT_TABLE(CreateTopicsRequestCreatableTopic);

static const WireField CreateTopicsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsRequest, topics),
		OF(CreateTopicsRequestCreatableTopic)},
	{"timeoutMs", WIRE_INT32, SINCE(0), AT(CreateTopicsRequest, timeout_ms), DEFAULT(60000)},
	{"validateOnly", WIRE_BOOL, SINCE(1), AT(CreateTopicsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(CreateTopicsRequest, 2, 7, 5);

/* ---------- CreateTopicsResponse ---------- */

static const WireField CreateTopicsResponseCreatableTopicConfigs_rows[] = {
	{"Name", WIRE_STRING, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, name)},
	{"Value", WIRE_STRING, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, value), NULL_SINCE(5)},
	{"ReadOnly", WIRE_BOOL, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, read_only)},
	{"ConfigSource", WIRE_INT8, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, config_source),
		DEFAULT(-1)},
	{"IsSensitive", WIRE_BOOL, SINCE(5), AT(CreateTopicsResponseCreatableTopicConfigs, is_sensitive)},
};

WIRE_STRUCT_TABLE(CreateTopicsResponseCreatableTopicConfigs);

static const WireField CreateTopicsResponseCreatableTopicResult_rows[] = {
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

WIRE_STRUCT_TABLE(CreateTopicsResponseCreatableTopicResult);

static const WireField CreateTopicsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(2), AT(CreateTopicsResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateTopicsResponse, topics),
		OF(CreateTopicsResponseCreatableTopicResult)},
};

WIRE_MESSAGE_TABLE(CreateTopicsResponse, 2, 7, 5);

/* ---------- DeleteTopicsRequest ---------- */

static const WireField DeleteTopicsRequestDeleteTopicState_rows[] = {
	{"Name", WIRE_STRING, SINCE(6), AT(DeleteTopicsRequestDeleteTopicState, name), NULL_SINCE(6),
		DEFAULT_NULL},
	{"TopicId", WIRE_UUID, SINCE(6), AT(DeleteTopicsRequestDeleteTopicState, topic_id)},
};

WIRE_STRUCT_TABLE(DeleteTopicsRequestDeleteTopicState);

static const WireField DeleteTopicsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(6), ARRAY_AT(DeleteTopicsRequest, topics),
		OF(DeleteTopicsRequestDeleteTopicState)},
	{"TopicNames", WIRE_STRING, FROM_TO(0, 5), ARRAY_AT(DeleteTopicsRequest, topic_names)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(DeleteTopicsRequest, timeout_ms)},
};

WIRE_MESSAGE_TABLE(DeleteTopicsRequest, 1, 6, 4);

/* ---------- DeleteTopicsResponse ---------- */

static const WireField DeleteTopicsResponseDeletableTopicResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DeleteTopicsResponseDeletableTopicResult, name), NULL_SINCE(6)},
	{"TopicId", WIRE_UUID, SINCE(6), AT(DeleteTopicsResponseDeletableTopicResult, topic_id)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteTopicsResponseDeletableTopicResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(5), AT(DeleteTopicsResponseDeletableTopicResult, error_message),
		NULL_SINCE(5), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(DeleteTopicsResponseDeletableTopicResult);

static const WireField DeleteTopicsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(DeleteTopicsResponse, throttle_time_ms)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteTopicsResponse, responses),
		OF(DeleteTopicsResponseDeletableTopicResult)},
};

WIRE_MESSAGE_TABLE(DeleteTopicsResponse, 1, 6, 4);

/* ---------- CreatePartitionsRequest ---------- */

static const WireField CreatePartitionsRequestCreatePartitionsAssignment_rows[] = {
	{"BrokerIds", WIRE_INT32, SINCE(0),
		ARRAY_AT(CreatePartitionsRequestCreatePartitionsAssignment, broker_ids)},
};

WIRE_STRUCT_TABLE(CreatePartitionsRequestCreatePartitionsAssignment);

static const WireField CreatePartitionsRequestCreatePartitionsTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreatePartitionsRequestCreatePartitionsTopic, name)},
	{"Count", WIRE_INT32, SINCE(0), AT(CreatePartitionsRequestCreatePartitionsTopic, count)},
	{"Assignments", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(CreatePartitionsRequestCreatePartitionsTopic, assignments),
		OF(CreatePartitionsRequestCreatePartitionsAssignment), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(CreatePartitionsRequestCreatePartitionsTopic);

static const WireField CreatePartitionsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreatePartitionsRequest, topics),
		OF(CreatePartitionsRequestCreatePartitionsTopic)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(CreatePartitionsRequest, timeout_ms)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(CreatePartitionsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(CreatePartitionsRequest, 0, 3, 2);

/* ---------- CreatePartitionsResponse ---------- */

static const WireField CreatePartitionsResponseCreatePartitionsTopicResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(CreatePartitionsResponseCreatePartitionsTopicResult, name)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(CreatePartitionsResponseCreatePartitionsTopicResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(CreatePartitionsResponseCreatePartitionsTopicResult, error_message), NULL_SINCE(0),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(CreatePartitionsResponseCreatePartitionsTopicResult);

static const WireField CreatePartitionsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(CreatePartitionsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreatePartitionsResponse, results),
		OF(CreatePartitionsResponseCreatePartitionsTopicResult)},
};

WIRE_MESSAGE_TABLE(CreatePartitionsResponse, 0, 3, 2);
