/*-------------------------------------------------------------------------
 *
 * api_offsets.c
 *	  Messages for looking up and moving the ends of a log.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_offsets.h"

#include "wire/table.h"

/* ---------- ListOffsetsRequest ---------- */

static const WireField ListOffsetsRequestListOffsetsPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(ListOffsetsRequestListOffsetsPartition, partition_index)},
	{"CurrentLeaderEpoch", WIRE_INT32, SINCE(4),
		AT(ListOffsetsRequestListOffsetsPartition, current_leader_epoch), DEFAULT(-1)},
	{"Timestamp", WIRE_INT64, SINCE(0), AT(ListOffsetsRequestListOffsetsPartition, timestamp)},
};

WIRE_STRUCT_TABLE(ListOffsetsRequestListOffsetsPartition);

static const WireField ListOffsetsRequestListOffsetsTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(ListOffsetsRequestListOffsetsTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListOffsetsRequestListOffsetsTopic, partitions),
		OF(ListOffsetsRequestListOffsetsPartition)},
};

WIRE_STRUCT_TABLE(ListOffsetsRequestListOffsetsTopic);

static const WireField ListOffsetsRequest_rows[] = {
	{"ReplicaId", WIRE_INT32, SINCE(0), AT(ListOffsetsRequest, replica_id)},
	{"IsolationLevel", WIRE_INT8, SINCE(2), AT(ListOffsetsRequest, isolation_level)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListOffsetsRequest, topics),
		OF(ListOffsetsRequestListOffsetsTopic)},
	{"TimeoutMs", WIRE_INT32, SINCE(10), AT(ListOffsetsRequest, timeout_ms)},
};

WIRE_MESSAGE_TABLE(ListOffsetsRequest, 1, 11, 6);

/* ---------- ListOffsetsResponse ---------- */

static const WireField ListOffsetsResponseListOffsetsPartitionResponse_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(ListOffsetsResponseListOffsetsPartitionResponse, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ListOffsetsResponseListOffsetsPartitionResponse, error_code)},
	{"Timestamp", WIRE_INT64, SINCE(1), AT(ListOffsetsResponseListOffsetsPartitionResponse, timestamp),
		DEFAULT(-1)},
	{"Offset", WIRE_INT64, SINCE(1), AT(ListOffsetsResponseListOffsetsPartitionResponse, offset),
		DEFAULT(-1)},
	{"LeaderEpoch", WIRE_INT32, SINCE(4), AT(ListOffsetsResponseListOffsetsPartitionResponse, leader_epoch),
		DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(ListOffsetsResponseListOffsetsPartitionResponse);

static const WireField ListOffsetsResponseListOffsetsTopicResponse_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(ListOffsetsResponseListOffsetsTopicResponse, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListOffsetsResponseListOffsetsTopicResponse, partitions),
		OF(ListOffsetsResponseListOffsetsPartitionResponse)},
};

WIRE_STRUCT_TABLE(ListOffsetsResponseListOffsetsTopicResponse);

static const WireField ListOffsetsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(2), AT(ListOffsetsResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListOffsetsResponse, topics),
		OF(ListOffsetsResponseListOffsetsTopicResponse)},
};

WIRE_MESSAGE_TABLE(ListOffsetsResponse, 1, 11, 6);

/* ---------- DeleteRecordsRequest ---------- */

static const WireField DeleteRecordsRequestDeleteRecordsPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DeleteRecordsRequestDeleteRecordsPartition, partition_index)},
	{"Offset", WIRE_INT64, SINCE(0), AT(DeleteRecordsRequestDeleteRecordsPartition, offset)},
};

WIRE_STRUCT_TABLE(DeleteRecordsRequestDeleteRecordsPartition);

static const WireField DeleteRecordsRequestDeleteRecordsTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DeleteRecordsRequestDeleteRecordsTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteRecordsRequestDeleteRecordsTopic, partitions),
		OF(DeleteRecordsRequestDeleteRecordsPartition)},
};

WIRE_STRUCT_TABLE(DeleteRecordsRequestDeleteRecordsTopic);

static const WireField DeleteRecordsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteRecordsRequest, topics),
		OF(DeleteRecordsRequestDeleteRecordsTopic)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(DeleteRecordsRequest, timeout_ms)},
};

WIRE_MESSAGE_TABLE(DeleteRecordsRequest, 0, 2, 2);

/* ---------- DeleteRecordsResponse ---------- */

static const WireField DeleteRecordsResponseDeleteRecordsPartitionResult_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(DeleteRecordsResponseDeleteRecordsPartitionResult, partition_index)},
	{"LowWatermark", WIRE_INT64, SINCE(0),
		AT(DeleteRecordsResponseDeleteRecordsPartitionResult, low_watermark)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteRecordsResponseDeleteRecordsPartitionResult, error_code)},
};

WIRE_STRUCT_TABLE(DeleteRecordsResponseDeleteRecordsPartitionResult);

static const WireField DeleteRecordsResponseDeleteRecordsTopicResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DeleteRecordsResponseDeleteRecordsTopicResult, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DeleteRecordsResponseDeleteRecordsTopicResult, partitions),
		OF(DeleteRecordsResponseDeleteRecordsPartitionResult)},
};

WIRE_STRUCT_TABLE(DeleteRecordsResponseDeleteRecordsTopicResult);

static const WireField DeleteRecordsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DeleteRecordsResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteRecordsResponse, topics),
		OF(DeleteRecordsResponseDeleteRecordsTopicResult)},
};

WIRE_MESSAGE_TABLE(DeleteRecordsResponse, 0, 2, 2);

/* ---------- OffsetForLeaderEpochRequest ---------- */

static const WireField OffsetForLeaderEpochRequestOffsetForLeaderPartition_rows[] = {
	{"Partition", WIRE_INT32, SINCE(0), AT(OffsetForLeaderEpochRequestOffsetForLeaderPartition, partition)},
	{"CurrentLeaderEpoch", WIRE_INT32, SINCE(2),
		AT(OffsetForLeaderEpochRequestOffsetForLeaderPartition, current_leader_epoch), DEFAULT(-1)},
	{"LeaderEpoch", WIRE_INT32, SINCE(0),
		AT(OffsetForLeaderEpochRequestOffsetForLeaderPartition, leader_epoch)},
};

WIRE_STRUCT_TABLE(OffsetForLeaderEpochRequestOffsetForLeaderPartition);

static const WireField OffsetForLeaderEpochRequestOffsetForLeaderTopic_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(OffsetForLeaderEpochRequestOffsetForLeaderTopic, topic)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetForLeaderEpochRequestOffsetForLeaderTopic, partitions),
		OF(OffsetForLeaderEpochRequestOffsetForLeaderPartition)},
};

WIRE_STRUCT_TABLE(OffsetForLeaderEpochRequestOffsetForLeaderTopic);

static const WireField OffsetForLeaderEpochRequest_rows[] = {
	{"ReplicaId", WIRE_INT32, SINCE(3), AT(OffsetForLeaderEpochRequest, replica_id), DEFAULT(-2)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetForLeaderEpochRequest, topics),
		OF(OffsetForLeaderEpochRequestOffsetForLeaderTopic)},
};

WIRE_MESSAGE_TABLE(OffsetForLeaderEpochRequest, 2, 4, 4);

/* ---------- OffsetForLeaderEpochResponse ---------- */

static const WireField OffsetForLeaderEpochResponseEpochEndOffset_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetForLeaderEpochResponseEpochEndOffset, error_code)},
	{"Partition", WIRE_INT32, SINCE(0), AT(OffsetForLeaderEpochResponseEpochEndOffset, partition)},
	{"LeaderEpoch", WIRE_INT32, SINCE(1), AT(OffsetForLeaderEpochResponseEpochEndOffset, leader_epoch),
		DEFAULT(-1)},
	{"EndOffset", WIRE_INT64, SINCE(0), AT(OffsetForLeaderEpochResponseEpochEndOffset, end_offset),
		DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(OffsetForLeaderEpochResponseEpochEndOffset);

static const WireField OffsetForLeaderEpochResponseOffsetForLeaderTopicResult_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(OffsetForLeaderEpochResponseOffsetForLeaderTopicResult, topic)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetForLeaderEpochResponseOffsetForLeaderTopicResult, partitions),
		OF(OffsetForLeaderEpochResponseEpochEndOffset)},
};

WIRE_STRUCT_TABLE(OffsetForLeaderEpochResponseOffsetForLeaderTopicResult);

static const WireField OffsetForLeaderEpochResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(2), AT(OffsetForLeaderEpochResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetForLeaderEpochResponse, topics),
		OF(OffsetForLeaderEpochResponseOffsetForLeaderTopicResult)},
};

WIRE_MESSAGE_TABLE(OffsetForLeaderEpochResponse, 2, 4, 4);
