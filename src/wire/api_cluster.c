/*-------------------------------------------------------------------------
 *
 * api_cluster.c
 *	  Messages for the controllers' quorum and feature levels.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_cluster.h"

#include "wire/table.h"

/* ---------- DescribeQuorumRequest ---------- */

static const WireField describe_quorum_request_partition_data_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeQuorumRequestPartitionData, partition_index)},
};

WIRE_STRUCT_TABLE(DescribeQuorumRequestPartitionData, describe_quorum_request_partition_data_fields);

static const WireField describe_quorum_request_topic_data_fields[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeQuorumRequestTopicData, topic_name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumRequestTopicData, partitions),
		OF(DescribeQuorumRequestPartitionData)},
};

WIRE_STRUCT_TABLE(DescribeQuorumRequestTopicData, describe_quorum_request_topic_data_fields);

static const WireField describe_quorum_request_fields[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumRequest, topics),
		OF(DescribeQuorumRequestTopicData)},
};

WIRE_MESSAGE_TABLE(DescribeQuorumRequest, describe_quorum_request_fields, 0, 2, 0);

/* ---------- DescribeQuorumResponse ---------- */

static const WireField describe_quorum_response_replica_state_fields[] = {
	{"ReplicaId", WIRE_INT32, SINCE(0), AT(DescribeQuorumResponseReplicaState, replica_id)},
	{"ReplicaDirectoryId", WIRE_UUID, SINCE(2), AT(DescribeQuorumResponseReplicaState, replica_directory_id)},
	{"LogEndOffset", WIRE_INT64, SINCE(0), AT(DescribeQuorumResponseReplicaState, log_end_offset)},
	{"LastFetchTimestamp", WIRE_INT64, SINCE(1),
		AT(DescribeQuorumResponseReplicaState, last_fetch_timestamp), DEFAULT(-1)},
	{"LastCaughtUpTimestamp", WIRE_INT64, SINCE(1),
		AT(DescribeQuorumResponseReplicaState, last_caught_up_timestamp), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseReplicaState, describe_quorum_response_replica_state_fields);

static const WireField describe_quorum_response_partition_data_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeQuorumResponsePartitionData, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeQuorumResponsePartitionData, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponsePartitionData, error_message),
		NULL_SINCE(2)},
	{"LeaderId", WIRE_INT32, SINCE(0), AT(DescribeQuorumResponsePartitionData, leader_id)},
	{"LeaderEpoch", WIRE_INT32, SINCE(0), AT(DescribeQuorumResponsePartitionData, leader_epoch)},
	{"HighWatermark", WIRE_INT64, SINCE(0), AT(DescribeQuorumResponsePartitionData, high_watermark)},
	{"CurrentVoters", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponsePartitionData, current_voters),
		OF(DescribeQuorumResponseReplicaState)},
	{"Observers", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponsePartitionData, observers),
		OF(DescribeQuorumResponseReplicaState)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponsePartitionData, describe_quorum_response_partition_data_fields);

static const WireField describe_quorum_response_topic_data_fields[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeQuorumResponseTopicData, topic_name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponseTopicData, partitions),
		OF(DescribeQuorumResponsePartitionData)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseTopicData, describe_quorum_response_topic_data_fields);

static const WireField describe_quorum_response_listener_fields[] = {
	{"Name", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponseListener, name)},
	{"Host", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponseListener, host)},
	{"Port", WIRE_UINT16, SINCE(2), AT(DescribeQuorumResponseListener, port)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseListener, describe_quorum_response_listener_fields);

static const WireField describe_quorum_response_node_fields[] = {
	{"NodeId", WIRE_INT32, SINCE(2), AT(DescribeQuorumResponseNode, node_id)},
	{"Listeners", WIRE_STRUCT, SINCE(2), ARRAY_AT(DescribeQuorumResponseNode, listeners),
		OF(DescribeQuorumResponseListener)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseNode, describe_quorum_response_node_fields);

static const WireField describe_quorum_response_fields[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeQuorumResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponse, error_message), NULL_SINCE(2)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponse, topics),
		OF(DescribeQuorumResponseTopicData)},
	{"Nodes", WIRE_STRUCT, SINCE(2), ARRAY_AT(DescribeQuorumResponse, nodes), OF(DescribeQuorumResponseNode)},
};

WIRE_MESSAGE_TABLE(DescribeQuorumResponse, describe_quorum_response_fields, 0, 2, 0);

/* ---------- UpdateFeaturesRequest ---------- */

static const WireField update_features_request_feature_update_key_fields[] = {
	{"Feature", WIRE_STRING, SINCE(0), AT(UpdateFeaturesRequestFeatureUpdateKey, feature)},
	{"MaxVersionLevel", WIRE_INT16, SINCE(0), AT(UpdateFeaturesRequestFeatureUpdateKey, max_version_level)},
	{"AllowDowngrade", WIRE_BOOL, FROM_TO(0, 0), AT(UpdateFeaturesRequestFeatureUpdateKey, allow_downgrade)},
	{"UpgradeType", WIRE_INT8, SINCE(1), AT(UpdateFeaturesRequestFeatureUpdateKey, upgrade_type), DEFAULT(1)},
};

WIRE_STRUCT_TABLE(UpdateFeaturesRequestFeatureUpdateKey, update_features_request_feature_update_key_fields);

static const WireField update_features_request_fields[] = {
	{"timeoutMs", WIRE_INT32, SINCE(0), AT(UpdateFeaturesRequest, timeout_ms), DEFAULT(60000)},
	{"FeatureUpdates", WIRE_STRUCT, SINCE(0), ARRAY_AT(UpdateFeaturesRequest, feature_updates),
		OF(UpdateFeaturesRequestFeatureUpdateKey)},
	{"ValidateOnly", WIRE_BOOL, SINCE(1), AT(UpdateFeaturesRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(UpdateFeaturesRequest, update_features_request_fields, 0, 2, 0);

/* ---------- UpdateFeaturesResponse ---------- */

static const WireField update_features_response_updatable_feature_result_fields[] = {
	{"Feature", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, feature)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, error_message),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(UpdateFeaturesResponseUpdatableFeatureResult, update_features_response_updatable_feature_result_fields);

static const WireField update_features_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(UpdateFeaturesResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(UpdateFeaturesResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponse, error_message), NULL_SINCE(0)},
	{"Results", WIRE_STRUCT, FROM_TO(0, 1), ARRAY_AT(UpdateFeaturesResponse, results),
		OF(UpdateFeaturesResponseUpdatableFeatureResult)},
};

WIRE_MESSAGE_TABLE(UpdateFeaturesResponse, update_features_response_fields, 0, 2, 0);
