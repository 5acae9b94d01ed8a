/*-------------------------------------------------------------------------
 *
 * api_commit.c
 *	  Messages for offsets committed by groups.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_commit.h"

#include "wire/table.h"

/* ---------- OffsetCommitRequest ---------- */

static const WireField OffsetCommitRequestOffsetCommitRequestPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, partition_index)},
	{"CommittedOffset", WIRE_INT64, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_offset)},
	{"CommittedLeaderEpoch", WIRE_INT32, SINCE(6),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_leader_epoch), DEFAULT(-1)},
	{"CommittedMetadata", WIRE_STRING, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_metadata), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(OffsetCommitRequestOffsetCommitRequestPartition);

static const WireField OffsetCommitRequestOffsetCommitRequestTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 9), AT(OffsetCommitRequestOffsetCommitRequestTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetCommitRequestOffsetCommitRequestTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetCommitRequestOffsetCommitRequestTopic, partitions),
		OF(OffsetCommitRequestOffsetCommitRequestPartition)},
};

WIRE_STRUCT_TABLE(OffsetCommitRequestOffsetCommitRequestTopic);

static const WireField OffsetCommitRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(OffsetCommitRequest, group_id)},
	{"GenerationIdOrMemberEpoch", WIRE_INT32, SINCE(1),
		AT(OffsetCommitRequest, generation_id_or_member_epoch), DEFAULT(-1)},
	{"MemberId", WIRE_STRING, SINCE(1), AT(OffsetCommitRequest, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(7), AT(OffsetCommitRequest, group_instance_id), NULL_SINCE(7),
		DEFAULT_NULL},
	{"RetentionTimeMs", WIRE_INT64, FROM_TO(2, 4), AT(OffsetCommitRequest, retention_time_ms), DEFAULT(-1)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetCommitRequest, topics),
		OF(OffsetCommitRequestOffsetCommitRequestTopic)},
};

WIRE_MESSAGE_TABLE(OffsetCommitRequest, 2, 10, 8);

/* ---------- OffsetCommitResponse ---------- */

static const WireField OffsetCommitResponseOffsetCommitResponsePartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetCommitResponseOffsetCommitResponsePartition, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetCommitResponseOffsetCommitResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(OffsetCommitResponseOffsetCommitResponsePartition);

static const WireField OffsetCommitResponseOffsetCommitResponseTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 9), AT(OffsetCommitResponseOffsetCommitResponseTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetCommitResponseOffsetCommitResponseTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetCommitResponseOffsetCommitResponseTopic, partitions),
		OF(OffsetCommitResponseOffsetCommitResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetCommitResponseOffsetCommitResponseTopic);

static const WireField OffsetCommitResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(3), AT(OffsetCommitResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetCommitResponse, topics),
		OF(OffsetCommitResponseOffsetCommitResponseTopic)},
};

WIRE_MESSAGE_TABLE(OffsetCommitResponse, 2, 10, 8);

/* ---------- OffsetFetchRequest ---------- */

static const WireField OffsetFetchRequestOffsetFetchRequestTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchRequestOffsetFetchRequestTopic, name)},
	{"PartitionIndexes", WIRE_INT32, FROM_TO(0, 7),
		ARRAY_AT(OffsetFetchRequestOffsetFetchRequestTopic, partition_indexes)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestTopic);

static const WireField OffsetFetchRequestOffsetFetchRequestTopics_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(8, 9), AT(OffsetFetchRequestOffsetFetchRequestTopics, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetFetchRequestOffsetFetchRequestTopics, topic_id)},
	{"PartitionIndexes", WIRE_INT32, SINCE(8),
		ARRAY_AT(OffsetFetchRequestOffsetFetchRequestTopics, partition_indexes)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestTopics);

static const WireField OffsetFetchRequestOffsetFetchRequestGroup_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(8), AT(OffsetFetchRequestOffsetFetchRequestGroup, group_id)},
	{"MemberId", WIRE_STRING, SINCE(9), AT(OffsetFetchRequestOffsetFetchRequestGroup, member_id),
		NULL_SINCE(9), DEFAULT_NULL},
	{"MemberEpoch", WIRE_INT32, SINCE(9), AT(OffsetFetchRequestOffsetFetchRequestGroup, member_epoch),
		DEFAULT(-1)},
	{"Topics", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchRequestOffsetFetchRequestGroup, topics),
		OF(OffsetFetchRequestOffsetFetchRequestTopics), NULL_SINCE(8)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestGroup);

static const WireField OffsetFetchRequest_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchRequest, group_id)},
	{"Topics", WIRE_STRUCT, FROM_TO(0, 7), ARRAY_AT(OffsetFetchRequest, topics),
		OF(OffsetFetchRequestOffsetFetchRequestTopic), NULL_SINCE(2)},
	{"Groups", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchRequest, groups),
		OF(OffsetFetchRequestOffsetFetchRequestGroup)},
	{"RequireStable", WIRE_BOOL, SINCE(7), AT(OffsetFetchRequest, require_stable)},
};

WIRE_MESSAGE_TABLE(OffsetFetchRequest, 1, 10, 6);

/* ---------- OffsetFetchResponse ---------- */

static const WireField OffsetFetchResponseOffsetFetchResponsePartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, FROM_TO(0, 7),
		AT(OffsetFetchResponseOffsetFetchResponsePartition, partition_index)},
	{"CommittedOffset", WIRE_INT64, FROM_TO(0, 7),
		AT(OffsetFetchResponseOffsetFetchResponsePartition, committed_offset)},
	{"CommittedLeaderEpoch", WIRE_INT32, FROM_TO(5, 7),
		AT(OffsetFetchResponseOffsetFetchResponsePartition, committed_leader_epoch), DEFAULT(-1)},
	{"Metadata", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchResponseOffsetFetchResponsePartition, metadata),
		NULL_SINCE(0)},
	{"ErrorCode", WIRE_INT16, FROM_TO(0, 7), AT(OffsetFetchResponseOffsetFetchResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponsePartition);

static const WireField OffsetFetchResponseOffsetFetchResponseTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchResponseOffsetFetchResponseTopic, name)},
	{"Partitions", WIRE_STRUCT, FROM_TO(0, 7),
		ARRAY_AT(OffsetFetchResponseOffsetFetchResponseTopic, partitions),
		OF(OffsetFetchResponseOffsetFetchResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseTopic);

static const WireField OffsetFetchResponseOffsetFetchResponsePartitions_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(8),
		AT(OffsetFetchResponseOffsetFetchResponsePartitions, partition_index)},
	{"CommittedOffset", WIRE_INT64, SINCE(8),
		AT(OffsetFetchResponseOffsetFetchResponsePartitions, committed_offset)},
	{"CommittedLeaderEpoch", WIRE_INT32, SINCE(8),
		AT(OffsetFetchResponseOffsetFetchResponsePartitions, committed_leader_epoch), DEFAULT(-1)},
	{"Metadata", WIRE_STRING, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponsePartitions, metadata),
		NULL_SINCE(8)},
	{"ErrorCode", WIRE_INT16, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponsePartitions, error_code)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponsePartitions);

static const WireField OffsetFetchResponseOffsetFetchResponseTopics_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(8, 9), AT(OffsetFetchResponseOffsetFetchResponseTopics, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetFetchResponseOffsetFetchResponseTopics, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(8),
		ARRAY_AT(OffsetFetchResponseOffsetFetchResponseTopics, partitions),
		OF(OffsetFetchResponseOffsetFetchResponsePartitions)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseTopics);

static const WireField OffsetFetchResponseOffsetFetchResponseGroup_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponseGroup, group_id)},
	{"Topics", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchResponseOffsetFetchResponseGroup, topics),
		OF(OffsetFetchResponseOffsetFetchResponseTopics)},
	{"ErrorCode", WIRE_INT16, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponseGroup, error_code)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseGroup);

static const WireField OffsetFetchResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(3), AT(OffsetFetchResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, FROM_TO(0, 7), ARRAY_AT(OffsetFetchResponse, topics),
		OF(OffsetFetchResponseOffsetFetchResponseTopic)},
	{"ErrorCode", WIRE_INT16, FROM_TO(2, 7), AT(OffsetFetchResponse, error_code)},
	{"Groups", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchResponse, groups),
		OF(OffsetFetchResponseOffsetFetchResponseGroup)},
};

WIRE_MESSAGE_TABLE(OffsetFetchResponse, 1, 10, 6);

/* ---------- OffsetDeleteRequest ---------- */

static const WireField OffsetDeleteRequestOffsetDeleteRequestPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetDeleteRequestOffsetDeleteRequestPartition, partition_index)},
};

WIRE_STRUCT_TABLE(OffsetDeleteRequestOffsetDeleteRequestPartition);

static const WireField OffsetDeleteRequestOffsetDeleteRequestTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(OffsetDeleteRequestOffsetDeleteRequestTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteRequestOffsetDeleteRequestTopic, partitions),
		OF(OffsetDeleteRequestOffsetDeleteRequestPartition)},
};

WIRE_STRUCT_TABLE(OffsetDeleteRequestOffsetDeleteRequestTopic);

static const WireField OffsetDeleteRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(OffsetDeleteRequest, group_id)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteRequest, topics),
		OF(OffsetDeleteRequestOffsetDeleteRequestTopic)},
};

WIRE_MESSAGE_TABLE(OffsetDeleteRequest, 0, 0, WIRE_LATEST);

/* ---------- OffsetDeleteResponse ---------- */

static const WireField OffsetDeleteResponseOffsetDeleteResponsePartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetDeleteResponseOffsetDeleteResponsePartition, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetDeleteResponseOffsetDeleteResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(OffsetDeleteResponseOffsetDeleteResponsePartition);

static const WireField OffsetDeleteResponseOffsetDeleteResponseTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(OffsetDeleteResponseOffsetDeleteResponseTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetDeleteResponseOffsetDeleteResponseTopic, partitions),
		OF(OffsetDeleteResponseOffsetDeleteResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetDeleteResponseOffsetDeleteResponseTopic);

static const WireField OffsetDeleteResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetDeleteResponse, error_code)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(OffsetDeleteResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteResponse, topics),
		OF(OffsetDeleteResponseOffsetDeleteResponseTopic)},
};

WIRE_MESSAGE_TABLE(OffsetDeleteResponse, 0, 0, WIRE_LATEST);
