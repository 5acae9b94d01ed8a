/*-------------------------------------------------------------------------
 *
 * api_replicas.c
 *	  Messages for leaders and replicas.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_replicas.h"

#include "wire/table.h"

/* ---------- ElectLeadersRequest ---------- */

static const WireField ElectLeadersRequestTopicPartitions_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(ElectLeadersRequestTopicPartitions, topic)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(ElectLeadersRequestTopicPartitions, partitions)},
};

WIRE_STRUCT_TABLE(ElectLeadersRequestTopicPartitions);

static const WireField ElectLeadersRequest_rows[] = {
	{"ElectionType", WIRE_INT8, SINCE(1), AT(ElectLeadersRequest, election_type)},
	{"TopicPartitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(ElectLeadersRequest, topic_partitions),
		OF(ElectLeadersRequestTopicPartitions), NULL_SINCE(0)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(ElectLeadersRequest, timeout_ms), DEFAULT(60000)},
};

WIRE_MESSAGE_TABLE(ElectLeadersRequest, 0, 2, 2);

/* ---------- ElectLeadersResponse ---------- */

static const WireField ElectLeadersResponsePartitionResult_rows[] = {
	{"PartitionId", WIRE_INT32, SINCE(0), AT(ElectLeadersResponsePartitionResult, partition_id)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ElectLeadersResponsePartitionResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(ElectLeadersResponsePartitionResult, error_message),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(ElectLeadersResponsePartitionResult);

static const WireField ElectLeadersResponseReplicaElectionResult_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(ElectLeadersResponseReplicaElectionResult, topic)},
	{"PartitionResult", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ElectLeadersResponseReplicaElectionResult, partition_result),
		OF(ElectLeadersResponsePartitionResult)},
};

WIRE_STRUCT_TABLE(ElectLeadersResponseReplicaElectionResult);

static const WireField ElectLeadersResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ElectLeadersResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(1), AT(ElectLeadersResponse, error_code)},
	{"ReplicaElectionResults", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ElectLeadersResponse, replica_election_results),
		OF(ElectLeadersResponseReplicaElectionResult)},
};

WIRE_MESSAGE_TABLE(ElectLeadersResponse, 0, 2, 2);

/* ---------- AlterPartitionReassignmentsRequest ---------- */

static const WireField AlterPartitionReassignmentsRequestReassignablePartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(AlterPartitionReassignmentsRequestReassignablePartition, partition_index)},
	{"Replicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(AlterPartitionReassignmentsRequestReassignablePartition, replicas), NULL_SINCE(0),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(AlterPartitionReassignmentsRequestReassignablePartition);

static const WireField AlterPartitionReassignmentsRequestReassignableTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterPartitionReassignmentsRequestReassignableTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(AlterPartitionReassignmentsRequestReassignableTopic, partitions),
		OF(AlterPartitionReassignmentsRequestReassignablePartition)},
};

WIRE_STRUCT_TABLE(AlterPartitionReassignmentsRequestReassignableTopic);

static const WireField AlterPartitionReassignmentsRequest_rows[] = {
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(AlterPartitionReassignmentsRequest, timeout_ms), DEFAULT(60000)},
	{"AllowReplicationFactorChange", WIRE_BOOL, SINCE(1),
		AT(AlterPartitionReassignmentsRequest, allow_replication_factor_change), DEFAULT(true)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterPartitionReassignmentsRequest, topics),
		OF(AlterPartitionReassignmentsRequestReassignableTopic)},
};

WIRE_MESSAGE_TABLE(AlterPartitionReassignmentsRequest, 0, 1, 0);

/* ---------- AlterPartitionReassignmentsResponse ---------- */

static const WireField AlterPartitionReassignmentsResponseReassignablePartitionResponse_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(AlterPartitionReassignmentsResponseReassignablePartitionResponse, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(AlterPartitionReassignmentsResponseReassignablePartitionResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(AlterPartitionReassignmentsResponseReassignablePartitionResponse, error_message), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterPartitionReassignmentsResponseReassignablePartitionResponse);

static const WireField AlterPartitionReassignmentsResponseReassignableTopicResponse_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterPartitionReassignmentsResponseReassignableTopicResponse, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(AlterPartitionReassignmentsResponseReassignableTopicResponse, partitions),
		OF(AlterPartitionReassignmentsResponseReassignablePartitionResponse)},
};

WIRE_STRUCT_TABLE(AlterPartitionReassignmentsResponseReassignableTopicResponse);

static const WireField AlterPartitionReassignmentsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterPartitionReassignmentsResponse, throttle_time_ms)},
	{"AllowReplicationFactorChange", WIRE_BOOL, SINCE(1),
		AT(AlterPartitionReassignmentsResponse, allow_replication_factor_change), DEFAULT(true)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(AlterPartitionReassignmentsResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(AlterPartitionReassignmentsResponse, error_message),
		NULL_SINCE(0)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterPartitionReassignmentsResponse, responses),
		OF(AlterPartitionReassignmentsResponseReassignableTopicResponse)},
};

WIRE_MESSAGE_TABLE(AlterPartitionReassignmentsResponse, 0, 1, 0);

/* ---------- ListPartitionReassignmentsRequest ---------- */

static const WireField ListPartitionReassignmentsRequestListPartitionReassignmentsTopics_rows[] = {
	{"Name", WIRE_STRING, SINCE(0),
		AT(ListPartitionReassignmentsRequestListPartitionReassignmentsTopics, name)},
	{"PartitionIndexes", WIRE_INT32, SINCE(0),
		ARRAY_AT(ListPartitionReassignmentsRequestListPartitionReassignmentsTopics, partition_indexes)},
};

WIRE_STRUCT_TABLE(ListPartitionReassignmentsRequestListPartitionReassignmentsTopics);

static const WireField ListPartitionReassignmentsRequest_rows[] = {
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(ListPartitionReassignmentsRequest, timeout_ms), DEFAULT(60000)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListPartitionReassignmentsRequest, topics),
		OF(ListPartitionReassignmentsRequestListPartitionReassignmentsTopics), NULL_SINCE(0), DEFAULT_NULL},
};

WIRE_MESSAGE_TABLE(ListPartitionReassignmentsRequest, 0, 0, 0);

/* ---------- ListPartitionReassignmentsResponse ---------- */

static const WireField ListPartitionReassignmentsResponseOngoingPartitionReassignment_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(ListPartitionReassignmentsResponseOngoingPartitionReassignment, partition_index)},
	{"Replicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(ListPartitionReassignmentsResponseOngoingPartitionReassignment, replicas)},
	{"AddingReplicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(ListPartitionReassignmentsResponseOngoingPartitionReassignment, adding_replicas)},
	{"RemovingReplicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(ListPartitionReassignmentsResponseOngoingPartitionReassignment, removing_replicas)},
};

WIRE_STRUCT_TABLE(ListPartitionReassignmentsResponseOngoingPartitionReassignment);

static const WireField ListPartitionReassignmentsResponseOngoingTopicReassignment_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(ListPartitionReassignmentsResponseOngoingTopicReassignment, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ListPartitionReassignmentsResponseOngoingTopicReassignment, partitions),
		OF(ListPartitionReassignmentsResponseOngoingPartitionReassignment)},
};

WIRE_STRUCT_TABLE(ListPartitionReassignmentsResponseOngoingTopicReassignment);

static const WireField ListPartitionReassignmentsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ListPartitionReassignmentsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ListPartitionReassignmentsResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(ListPartitionReassignmentsResponse, error_message),
		NULL_SINCE(0)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListPartitionReassignmentsResponse, topics),
		OF(ListPartitionReassignmentsResponseOngoingTopicReassignment)},
};

WIRE_MESSAGE_TABLE(ListPartitionReassignmentsResponse, 0, 0, 0);
