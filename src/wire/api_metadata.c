/*-------------------------------------------------------------------------
 *
 * api_metadata.c
 *	  Messages for what topics and brokers there are.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_metadata.h"

#include "wire/table.h"

/* ---------- MetadataRequest ---------- */

static const WireField MetadataRequestMetadataRequestTopic_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(10), AT(MetadataRequestMetadataRequestTopic, topic_id)},
	{"Name", WIRE_STRING, SINCE(0), AT(MetadataRequestMetadataRequestTopic, name), NULL_SINCE(10)},
};

WIRE_STRUCT_TABLE(MetadataRequestMetadataRequestTopic);

static const WireField MetadataRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(MetadataRequest, topics),
		OF(MetadataRequestMetadataRequestTopic), NULL_SINCE(1)},
	{"AllowAutoTopicCreation", WIRE_BOOL, SINCE(4), AT(MetadataRequest, allow_auto_topic_creation),
		DEFAULT(true)},
	{"IncludeClusterAuthorizedOperations", WIRE_BOOL, FROM_TO(8, 10),
		AT(MetadataRequest, include_cluster_authorized_operations)},
	{"IncludeTopicAuthorizedOperations", WIRE_BOOL, SINCE(8),
		AT(MetadataRequest, include_topic_authorized_operations)},
};

WIRE_MESSAGE_TABLE(MetadataRequest, 0, 13, 9);

/* ---------- MetadataResponse ---------- */

static const WireField MetadataResponseMetadataResponseBroker_rows[] = {
	{"NodeId", WIRE_INT32, SINCE(0), AT(MetadataResponseMetadataResponseBroker, node_id)},
	{"Host", WIRE_STRING, SINCE(0), AT(MetadataResponseMetadataResponseBroker, host)},
	{"Port", WIRE_INT32, SINCE(0), AT(MetadataResponseMetadataResponseBroker, port)},
	{"Rack", WIRE_STRING, SINCE(1), AT(MetadataResponseMetadataResponseBroker, rack), NULL_SINCE(1),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(MetadataResponseMetadataResponseBroker);

static const WireField MetadataResponseMetadataResponsePartition_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(MetadataResponseMetadataResponsePartition, error_code)},
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(MetadataResponseMetadataResponsePartition, partition_index)},
	{"LeaderId", WIRE_INT32, SINCE(0), AT(MetadataResponseMetadataResponsePartition, leader_id)},
	{"LeaderEpoch", WIRE_INT32, SINCE(7), AT(MetadataResponseMetadataResponsePartition, leader_epoch),
		DEFAULT(-1)},
	{"ReplicaNodes", WIRE_INT32, SINCE(0),
		ARRAY_AT(MetadataResponseMetadataResponsePartition, replica_nodes)},
	{"IsrNodes", WIRE_INT32, SINCE(0), ARRAY_AT(MetadataResponseMetadataResponsePartition, isr_nodes)},
	{"OfflineReplicas", WIRE_INT32, SINCE(5),
		ARRAY_AT(MetadataResponseMetadataResponsePartition, offline_replicas)},
};

WIRE_STRUCT_TABLE(MetadataResponseMetadataResponsePartition);

static const WireField MetadataResponseMetadataResponseTopic_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(MetadataResponseMetadataResponseTopic, error_code)},
	{"Name", WIRE_STRING, SINCE(0), AT(MetadataResponseMetadataResponseTopic, name), NULL_SINCE(12)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(MetadataResponseMetadataResponseTopic, topic_id)},
	{"IsInternal", WIRE_BOOL, SINCE(1), AT(MetadataResponseMetadataResponseTopic, is_internal)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(MetadataResponseMetadataResponseTopic, partitions),
		OF(MetadataResponseMetadataResponsePartition)},
	{"TopicAuthorizedOperations", WIRE_INT32, SINCE(8),
		AT(MetadataResponseMetadataResponseTopic, topic_authorized_operations), DEFAULT(INT32_MIN)},
};

WIRE_STRUCT_TABLE(MetadataResponseMetadataResponseTopic);

static const WireField MetadataResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(3), AT(MetadataResponse, throttle_time_ms)},
	{"Brokers", WIRE_STRUCT, SINCE(0), ARRAY_AT(MetadataResponse, brokers),
		OF(MetadataResponseMetadataResponseBroker)},
	{"ClusterId", WIRE_STRING, SINCE(2), AT(MetadataResponse, cluster_id), NULL_SINCE(2), DEFAULT_NULL},
	{"ControllerId", WIRE_INT32, SINCE(1), AT(MetadataResponse, controller_id), DEFAULT(-1)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(MetadataResponse, topics),
		OF(MetadataResponseMetadataResponseTopic)},
	{"ClusterAuthorizedOperations", WIRE_INT32, FROM_TO(8, 10),
		AT(MetadataResponse, cluster_authorized_operations), DEFAULT(INT32_MIN)},
	{"ErrorCode", WIRE_INT16, SINCE(13), AT(MetadataResponse, error_code)},
};

WIRE_MESSAGE_TABLE(MetadataResponse, 0, 13, 9);

/* ---------- DescribeClusterRequest ---------- */

static const WireField DescribeClusterRequest_rows[] = {
	{"IncludeClusterAuthorizedOperations", WIRE_BOOL, SINCE(0),
		AT(DescribeClusterRequest, include_cluster_authorized_operations)},
	{"EndpointType", WIRE_INT8, SINCE(1), AT(DescribeClusterRequest, endpoint_type), DEFAULT(1)},
	{"IncludeFencedBrokers", WIRE_BOOL, SINCE(2), AT(DescribeClusterRequest, include_fenced_brokers)},
};

WIRE_MESSAGE_TABLE(DescribeClusterRequest, 0, 2, 0);

/* ---------- DescribeClusterResponse ---------- */

static const WireField DescribeClusterResponseDescribeClusterBroker_rows[] = {
	{"BrokerId", WIRE_INT32, SINCE(0), AT(DescribeClusterResponseDescribeClusterBroker, broker_id)},
	{"Host", WIRE_STRING, SINCE(0), AT(DescribeClusterResponseDescribeClusterBroker, host)},
	{"Port", WIRE_INT32, SINCE(0), AT(DescribeClusterResponseDescribeClusterBroker, port)},
	{"Rack", WIRE_STRING, SINCE(0), AT(DescribeClusterResponseDescribeClusterBroker, rack), NULL_SINCE(0),
		DEFAULT_NULL},
	{"IsFenced", WIRE_BOOL, SINCE(2), AT(DescribeClusterResponseDescribeClusterBroker, is_fenced)},
};

WIRE_STRUCT_TABLE(DescribeClusterResponseDescribeClusterBroker);

static const WireField DescribeClusterResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeClusterResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeClusterResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeClusterResponse, error_message), NULL_SINCE(0),
		DEFAULT_NULL},
	{"EndpointType", WIRE_INT8, SINCE(1), AT(DescribeClusterResponse, endpoint_type), DEFAULT(1)},
	{"ClusterId", WIRE_STRING, SINCE(0), AT(DescribeClusterResponse, cluster_id)},
	{"ControllerId", WIRE_INT32, SINCE(0), AT(DescribeClusterResponse, controller_id), DEFAULT(-1)},
	{"Brokers", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClusterResponse, brokers),
		OF(DescribeClusterResponseDescribeClusterBroker)},
	{"ClusterAuthorizedOperations", WIRE_INT32, SINCE(0),
		AT(DescribeClusterResponse, cluster_authorized_operations), DEFAULT(INT32_MIN)},
};

WIRE_MESSAGE_TABLE(DescribeClusterResponse, 0, 2, 0);

/* ---------- DescribeTopicPartitionsRequest ---------- */

static const WireField DescribeTopicPartitionsRequestTopicRequest_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeTopicPartitionsRequestTopicRequest, name)},
};

WIRE_STRUCT_TABLE(DescribeTopicPartitionsRequestTopicRequest);

static const WireField DescribeTopicPartitionsRequestCursor_rows[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeTopicPartitionsRequestCursor, topic_name)},
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeTopicPartitionsRequestCursor, partition_index)},
};

WIRE_STRUCT_TABLE(DescribeTopicPartitionsRequestCursor);

static const WireField DescribeTopicPartitionsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeTopicPartitionsRequest, topics),
		OF(DescribeTopicPartitionsRequestTopicRequest)},
	{"ResponsePartitionLimit", WIRE_INT32, SINCE(0),
		AT(DescribeTopicPartitionsRequest, response_partition_limit), DEFAULT(2000)},
	{"Cursor", WIRE_STRUCT, SINCE(0), POINTER_AT(DescribeTopicPartitionsRequest, cursor),
		OF(DescribeTopicPartitionsRequestCursor), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeTopicPartitionsRequest, 0, 0, 0);

/* ---------- DescribeTopicPartitionsResponse ---------- */

static const WireField DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, error_code)},
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, partition_index)},
	{"LeaderId", WIRE_INT32, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, leader_id)},
	{"LeaderEpoch", WIRE_INT32, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, leader_epoch),
		DEFAULT(-1)},
	{"ReplicaNodes", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, replica_nodes)},
	{"IsrNodes", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, isr_nodes)},
	{"EligibleLeaderReplicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition,
			eligible_leader_replicas),
		NULL_SINCE(0), DEFAULT_NULL},
	{"LastKnownElr", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, last_known_elr),
		NULL_SINCE(0), DEFAULT_NULL},
	{"OfflineReplicas", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition, offline_replicas)},
};

WIRE_STRUCT_TABLE(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition);

static const WireField DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, error_code)},
	{"Name", WIRE_STRING, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, name), NULL_SINCE(0)},
	{"TopicId", WIRE_UUID, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, topic_id)},
	{"IsInternal", WIRE_BOOL, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, is_internal)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, partitions),
		OF(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition)},
	{"TopicAuthorizedOperations", WIRE_INT32, SINCE(0),
		AT(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic, topic_authorized_operations),
		DEFAULT(INT32_MIN)},
};

WIRE_STRUCT_TABLE(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic);

static const WireField DescribeTopicPartitionsResponseCursor_rows[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeTopicPartitionsResponseCursor, topic_name)},
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeTopicPartitionsResponseCursor, partition_index)},
};

WIRE_STRUCT_TABLE(DescribeTopicPartitionsResponseCursor);

static const WireField DescribeTopicPartitionsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeTopicPartitionsResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeTopicPartitionsResponse, topics),
		OF(DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic)},
	{"NextCursor", WIRE_STRUCT, SINCE(0), POINTER_AT(DescribeTopicPartitionsResponse, next_cursor),
		OF(DescribeTopicPartitionsResponseCursor), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeTopicPartitionsResponse, 0, 0, 0);
