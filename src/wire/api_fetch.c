/*-------------------------------------------------------------------------
 *
 * api_fetch.c
 *	  Messages for records read by consumers.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_fetch.h"

#include "wire/table.h"

/* ---------- FetchRequest ---------- */

static const WireField FetchRequestReplicaState_rows[] = {
	{"ReplicaId", WIRE_INT32, SINCE(15), AT(FetchRequestReplicaState, replica_id), DEFAULT(-1)},
	{"ReplicaEpoch", WIRE_INT64, SINCE(15), AT(FetchRequestReplicaState, replica_epoch), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(FetchRequestReplicaState);

static const WireField FetchRequestFetchPartition_rows[] = {
	{"Partition", WIRE_INT32, SINCE(0), AT(FetchRequestFetchPartition, partition)},
	{"CurrentLeaderEpoch", WIRE_INT32, SINCE(9), AT(FetchRequestFetchPartition, current_leader_epoch),
		DEFAULT(-1)},
	{"FetchOffset", WIRE_INT64, SINCE(0), AT(FetchRequestFetchPartition, fetch_offset)},
	{"LastFetchedEpoch", WIRE_INT32, SINCE(12), AT(FetchRequestFetchPartition, last_fetched_epoch),
		DEFAULT(-1)},
	{"LogStartOffset", WIRE_INT64, SINCE(5), AT(FetchRequestFetchPartition, log_start_offset), DEFAULT(-1)},
	{"PartitionMaxBytes", WIRE_INT32, SINCE(0), AT(FetchRequestFetchPartition, partition_max_bytes)},
	{"ReplicaDirectoryId", WIRE_UUID, SINCE(17), AT(FetchRequestFetchPartition, replica_directory_id),
		TAG_SINCE(17, 0)},
	{"HighWatermark", WIRE_INT64, SINCE(18), AT(FetchRequestFetchPartition, high_watermark),
		TAG_SINCE(18, 1), DEFAULT(INT64_MAX)},
};

WIRE_STRUCT_TABLE(FetchRequestFetchPartition);

static const WireField FetchRequestFetchTopic_rows[] = {
	{"Topic", WIRE_STRING, FROM_TO(0, 12), AT(FetchRequestFetchTopic, topic)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(FetchRequestFetchTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(FetchRequestFetchTopic, partitions),
		OF(FetchRequestFetchPartition)},
};

WIRE_STRUCT_TABLE(FetchRequestFetchTopic);

static const WireField FetchRequestForgottenTopic_rows[] = {
	{"Topic", WIRE_STRING, FROM_TO(7, 12), AT(FetchRequestForgottenTopic, topic)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(FetchRequestForgottenTopic, topic_id)},
	{"Partitions", WIRE_INT32, SINCE(7), ARRAY_AT(FetchRequestForgottenTopic, partitions)},
};

WIRE_STRUCT_TABLE(FetchRequestForgottenTopic);

static const WireField FetchRequest_rows[] = {
	{"ClusterId", WIRE_STRING, SINCE(12), AT(FetchRequest, cluster_id), NULL_SINCE(12), TAG_SINCE(12, 0),
		DEFAULT_NULL},
	{"ReplicaId", WIRE_INT32, FROM_TO(0, 14), AT(FetchRequest, replica_id), DEFAULT(-1)},
	{"ReplicaState", WIRE_STRUCT, SINCE(15), AT(FetchRequest, replica_state), OF(FetchRequestReplicaState),
		TAG_SINCE(15, 1)},
	{"MaxWaitMs", WIRE_INT32, SINCE(0), AT(FetchRequest, max_wait_ms)},
	{"MinBytes", WIRE_INT32, SINCE(0), AT(FetchRequest, min_bytes)},
	{"MaxBytes", WIRE_INT32, SINCE(3), AT(FetchRequest, max_bytes), DEFAULT(INT32_MAX)},
	{"IsolationLevel", WIRE_INT8, SINCE(4), AT(FetchRequest, isolation_level)},
	{"SessionId", WIRE_INT32, SINCE(7), AT(FetchRequest, session_id)},
	{"SessionEpoch", WIRE_INT32, SINCE(7), AT(FetchRequest, session_epoch), DEFAULT(-1)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(FetchRequest, topics), OF(FetchRequestFetchTopic)},
	{"ForgottenTopicsData", WIRE_STRUCT, SINCE(7), ARRAY_AT(FetchRequest, forgotten_topics_data),
		OF(FetchRequestForgottenTopic)},
	{"RackId", WIRE_STRING, SINCE(11), AT(FetchRequest, rack_id)},
};

WIRE_MESSAGE_TABLE(FetchRequest, 4, 18, 12);

/* ---------- FetchResponse ---------- */

static const WireField FetchResponseEpochEndOffset_rows[] = {
	{"Epoch", WIRE_INT32, SINCE(12), AT(FetchResponseEpochEndOffset, epoch), DEFAULT(-1)},
	{"EndOffset", WIRE_INT64, SINCE(12), AT(FetchResponseEpochEndOffset, end_offset), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(FetchResponseEpochEndOffset);

static const WireField FetchResponseLeaderIdAndEpoch_rows[] = {
	{"LeaderId", WIRE_INT32, SINCE(12), AT(FetchResponseLeaderIdAndEpoch, leader_id), DEFAULT(-1)},
	{"LeaderEpoch", WIRE_INT32, SINCE(12), AT(FetchResponseLeaderIdAndEpoch, leader_epoch), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(FetchResponseLeaderIdAndEpoch);

static const WireField FetchResponseSnapshotId_rows[] = {
	{"EndOffset", WIRE_INT64, SINCE(0), AT(FetchResponseSnapshotId, end_offset), DEFAULT(-1)},
	{"Epoch", WIRE_INT32, SINCE(0), AT(FetchResponseSnapshotId, epoch), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(FetchResponseSnapshotId);

static const WireField FetchResponseAbortedTransaction_rows[] = {
	{"ProducerId", WIRE_INT64, SINCE(4), AT(FetchResponseAbortedTransaction, producer_id)},
	{"FirstOffset", WIRE_INT64, SINCE(4), AT(FetchResponseAbortedTransaction, first_offset)},
};

WIRE_STRUCT_TABLE(FetchResponseAbortedTransaction);

static const WireField FetchResponsePartitionData_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(FetchResponsePartitionData, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(FetchResponsePartitionData, error_code)},
	{"HighWatermark", WIRE_INT64, SINCE(0), AT(FetchResponsePartitionData, high_watermark)},
	{"LastStableOffset", WIRE_INT64, SINCE(4), AT(FetchResponsePartitionData, last_stable_offset),
		DEFAULT(-1)},
	{"LogStartOffset", WIRE_INT64, SINCE(5), AT(FetchResponsePartitionData, log_start_offset), DEFAULT(-1)},
	{"DivergingEpoch", WIRE_STRUCT, SINCE(12), AT(FetchResponsePartitionData, diverging_epoch),
		OF(FetchResponseEpochEndOffset), TAG_SINCE(12, 0)},
	{"CurrentLeader", WIRE_STRUCT, SINCE(12), AT(FetchResponsePartitionData, current_leader),
		OF(FetchResponseLeaderIdAndEpoch), TAG_SINCE(12, 1)},
	{"SnapshotId", WIRE_STRUCT, SINCE(12), AT(FetchResponsePartitionData, snapshot_id),
		OF(FetchResponseSnapshotId), TAG_SINCE(12, 2)},
	{"AbortedTransactions", WIRE_STRUCT, SINCE(4),
		ARRAY_AT(FetchResponsePartitionData, aborted_transactions), OF(FetchResponseAbortedTransaction),
		NULL_SINCE(4)},
	{"PreferredReadReplica", WIRE_INT32, SINCE(11), AT(FetchResponsePartitionData, preferred_read_replica),
		DEFAULT(-1)},
	{"Records", WIRE_RECORDS, SINCE(0), AT(FetchResponsePartitionData, records), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(FetchResponsePartitionData);

static const WireField FetchResponseFetchableTopicResponse_rows[] = {
	{"Topic", WIRE_STRING, FROM_TO(0, 12), AT(FetchResponseFetchableTopicResponse, topic)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(FetchResponseFetchableTopicResponse, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(FetchResponseFetchableTopicResponse, partitions),
		OF(FetchResponsePartitionData)},
};

WIRE_STRUCT_TABLE(FetchResponseFetchableTopicResponse);

static const WireField FetchResponseNodeEndpoint_rows[] = {
	{"NodeId", WIRE_INT32, SINCE(16), AT(FetchResponseNodeEndpoint, node_id)},
	{"Host", WIRE_STRING, SINCE(16), AT(FetchResponseNodeEndpoint, host)},
	{"Port", WIRE_INT32, SINCE(16), AT(FetchResponseNodeEndpoint, port)},
	{"Rack", WIRE_STRING, SINCE(16), AT(FetchResponseNodeEndpoint, rack), NULL_SINCE(16), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(FetchResponseNodeEndpoint);

static const WireField FetchResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(FetchResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(7), AT(FetchResponse, error_code)},
	{"SessionId", WIRE_INT32, SINCE(7), AT(FetchResponse, session_id)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(FetchResponse, responses),
		OF(FetchResponseFetchableTopicResponse)},
	{"NodeEndpoints", WIRE_STRUCT, SINCE(16), ARRAY_AT(FetchResponse, node_endpoints),
		OF(FetchResponseNodeEndpoint), TAG_SINCE(16, 0)},
};

WIRE_MESSAGE_TABLE(FetchResponse, 4, 18, 12);
