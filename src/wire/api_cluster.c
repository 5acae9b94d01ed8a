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

static const WireField DescribeQuorumRequestPartitionData_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeQuorumRequestPartitionData, partition_index)},
};

WIRE_STRUCT_TABLE(DescribeQuorumRequestPartitionData);

static const WireField DescribeQuorumRequestTopicData_rows[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeQuorumRequestTopicData, topic_name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumRequestTopicData, partitions),
		OF(DescribeQuorumRequestPartitionData)},
};

WIRE_STRUCT_TABLE(DescribeQuorumRequestTopicData);

static const WireField DescribeQuorumRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumRequest, topics),
		OF(DescribeQuorumRequestTopicData)},
};

WIRE_MESSAGE_TABLE(DescribeQuorumRequest, 0, 2, 0);

/* ---------- DescribeQuorumResponse ---------- */

static const WireField DescribeQuorumResponseReplicaState_rows[] = {
	{"ReplicaId", WIRE_INT32, SINCE(0), AT(DescribeQuorumResponseReplicaState, replica_id)},
	{"ReplicaDirectoryId", WIRE_UUID, SINCE(2), AT(DescribeQuorumResponseReplicaState, replica_directory_id)},
	{"LogEndOffset", WIRE_INT64, SINCE(0), AT(DescribeQuorumResponseReplicaState, log_end_offset)},
	{"LastFetchTimestamp", WIRE_INT64, SINCE(1),
		AT(DescribeQuorumResponseReplicaState, last_fetch_timestamp), DEFAULT(-1)},
	{"LastCaughtUpTimestamp", WIRE_INT64, SINCE(1),
		AT(DescribeQuorumResponseReplicaState, last_caught_up_timestamp), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseReplicaState);

static const WireField DescribeQuorumResponsePartitionData_rows[] = {
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

WIRE_STRUCT_TABLE(DescribeQuorumResponsePartitionData);

static const WireField DescribeQuorumResponseTopicData_rows[] = {
	{"TopicName", WIRE_STRING, SINCE(0), AT(DescribeQuorumResponseTopicData, topic_name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponseTopicData, partitions),
		OF(DescribeQuorumResponsePartitionData)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseTopicData);

static const WireField DescribeQuorumResponseListener_rows[] = {
	{"Name", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponseListener, name)},
	{"Host", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponseListener, host)},
	{"Port", WIRE_UINT16, SINCE(2), AT(DescribeQuorumResponseListener, port)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseListener);

static const WireField DescribeQuorumResponseNode_rows[] = {
	{"NodeId", WIRE_INT32, SINCE(2), AT(DescribeQuorumResponseNode, node_id)},
	{"Listeners", WIRE_STRUCT, SINCE(2), ARRAY_AT(DescribeQuorumResponseNode, listeners),
		OF(DescribeQuorumResponseListener)},
};

WIRE_STRUCT_TABLE(DescribeQuorumResponseNode);

static const WireField DescribeQuorumResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeQuorumResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(2), AT(DescribeQuorumResponse, error_message), NULL_SINCE(2)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeQuorumResponse, topics),
		OF(DescribeQuorumResponseTopicData)},
	{"Nodes", WIRE_STRUCT, SINCE(2), ARRAY_AT(DescribeQuorumResponse, nodes), OF(DescribeQuorumResponseNode)},
};

WIRE_MESSAGE_TABLE(DescribeQuorumResponse, 0, 2, 0);

/* ---------- UpdateFeaturesRequest ---------- */

static const WireField UpdateFeaturesRequestFeatureUpdateKey_rows[] = {
	{"Feature", WIRE_STRING, SINCE(0), AT(UpdateFeaturesRequestFeatureUpdateKey, feature)},
	{"MaxVersionLevel", WIRE_INT16, SINCE(0), AT(UpdateFeaturesRequestFeatureUpdateKey, max_version_level)},
	{"AllowDowngrade", WIRE_BOOL, FROM_TO(0, 0), AT(UpdateFeaturesRequestFeatureUpdateKey, allow_downgrade)},
	{"UpgradeType", WIRE_INT8, SINCE(1), AT(UpdateFeaturesRequestFeatureUpdateKey, upgrade_type), DEFAULT(1)},
};

WIRE_STRUCT_TABLE(UpdateFeaturesRequestFeatureUpdateKey);

static const WireField UpdateFeaturesRequest_rows[] = {
	{"timeoutMs", WIRE_INT32, SINCE(0), AT(UpdateFeaturesRequest, timeout_ms), DEFAULT(60000)},
	{"FeatureUpdates", WIRE_STRUCT, SINCE(0), ARRAY_AT(UpdateFeaturesRequest, feature_updates),
		OF(UpdateFeaturesRequestFeatureUpdateKey)},
	{"ValidateOnly", WIRE_BOOL, SINCE(1), AT(UpdateFeaturesRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(UpdateFeaturesRequest, 0, 2, 0);

/* ---------- UpdateFeaturesResponse ---------- */

static const WireField UpdateFeaturesResponseUpdatableFeatureResult_rows[] = {
	{"Feature", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, feature)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponseUpdatableFeatureResult, error_message),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(UpdateFeaturesResponseUpdatableFeatureResult);

static const WireField UpdateFeaturesResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(UpdateFeaturesResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(UpdateFeaturesResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(UpdateFeaturesResponse, error_message), NULL_SINCE(0)},
	{"Results", WIRE_STRUCT, FROM_TO(0, 1), ARRAY_AT(UpdateFeaturesResponse, results),
		OF(UpdateFeaturesResponseUpdatableFeatureResult)},
};

WIRE_MESSAGE_TABLE(UpdateFeaturesResponse, 0, 2, 0);
