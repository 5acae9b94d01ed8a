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

static const WireField offset_commit_request_offset_commit_request_partition_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, partition_index)},
	{"CommittedOffset", WIRE_INT64, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_offset)},
	{"CommittedLeaderEpoch", WIRE_INT32, SINCE(6),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_leader_epoch), DEFAULT(-1)},
	{"CommittedMetadata", WIRE_STRING, SINCE(0),
		AT(OffsetCommitRequestOffsetCommitRequestPartition, committed_metadata), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(OffsetCommitRequestOffsetCommitRequestPartition, offset_commit_request_offset_commit_request_partition_fields);

static const WireField offset_commit_request_offset_commit_request_topic_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 9), AT(OffsetCommitRequestOffsetCommitRequestTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetCommitRequestOffsetCommitRequestTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetCommitRequestOffsetCommitRequestTopic, partitions),
		OF(OffsetCommitRequestOffsetCommitRequestPartition)},
};

WIRE_STRUCT_TABLE(OffsetCommitRequestOffsetCommitRequestTopic, offset_commit_request_offset_commit_request_topic_fields);

static const WireField offset_commit_request_fields[] = {
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

WIRE_MESSAGE_TABLE(OffsetCommitRequest, offset_commit_request_fields, 2, 10, 8);

/* ---------- OffsetCommitResponse ---------- */

static const WireField offset_commit_response_offset_commit_response_partition_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetCommitResponseOffsetCommitResponsePartition, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetCommitResponseOffsetCommitResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(OffsetCommitResponseOffsetCommitResponsePartition, offset_commit_response_offset_commit_response_partition_fields);

static const WireField offset_commit_response_offset_commit_response_topic_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 9), AT(OffsetCommitResponseOffsetCommitResponseTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetCommitResponseOffsetCommitResponseTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetCommitResponseOffsetCommitResponseTopic, partitions),
		OF(OffsetCommitResponseOffsetCommitResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetCommitResponseOffsetCommitResponseTopic, offset_commit_response_offset_commit_response_topic_fields);

static const WireField offset_commit_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(3), AT(OffsetCommitResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetCommitResponse, topics),
		OF(OffsetCommitResponseOffsetCommitResponseTopic)},
};

WIRE_MESSAGE_TABLE(OffsetCommitResponse, offset_commit_response_fields, 2, 10, 8);

/* ---------- OffsetFetchRequest ---------- */

static const WireField offset_fetch_request_offset_fetch_request_topic_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchRequestOffsetFetchRequestTopic, name)},
	{"PartitionIndexes", WIRE_INT32, FROM_TO(0, 7),
		ARRAY_AT(OffsetFetchRequestOffsetFetchRequestTopic, partition_indexes)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestTopic, offset_fetch_request_offset_fetch_request_topic_fields);

static const WireField offset_fetch_request_offset_fetch_request_topics_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(8, 9), AT(OffsetFetchRequestOffsetFetchRequestTopics, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetFetchRequestOffsetFetchRequestTopics, topic_id)},
	{"PartitionIndexes", WIRE_INT32, SINCE(8),
		ARRAY_AT(OffsetFetchRequestOffsetFetchRequestTopics, partition_indexes)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestTopics, offset_fetch_request_offset_fetch_request_topics_fields);

static const WireField offset_fetch_request_offset_fetch_request_group_fields[] = {
	{"GroupId", WIRE_STRING, SINCE(8), AT(OffsetFetchRequestOffsetFetchRequestGroup, group_id)},
	{"MemberId", WIRE_STRING, SINCE(9), AT(OffsetFetchRequestOffsetFetchRequestGroup, member_id),
		NULL_SINCE(9), DEFAULT_NULL},
	{"MemberEpoch", WIRE_INT32, SINCE(9), AT(OffsetFetchRequestOffsetFetchRequestGroup, member_epoch),
		DEFAULT(-1)},
	{"Topics", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchRequestOffsetFetchRequestGroup, topics),
		OF(OffsetFetchRequestOffsetFetchRequestTopics), NULL_SINCE(8)},
};

WIRE_STRUCT_TABLE(OffsetFetchRequestOffsetFetchRequestGroup, offset_fetch_request_offset_fetch_request_group_fields);

static const WireField offset_fetch_request_fields[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchRequest, group_id)},
	{"Topics", WIRE_STRUCT, FROM_TO(0, 7), ARRAY_AT(OffsetFetchRequest, topics),
		OF(OffsetFetchRequestOffsetFetchRequestTopic), NULL_SINCE(2)},
	{"Groups", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchRequest, groups),
		OF(OffsetFetchRequestOffsetFetchRequestGroup)},
	{"RequireStable", WIRE_BOOL, SINCE(7), AT(OffsetFetchRequest, require_stable)},
};

WIRE_MESSAGE_TABLE(OffsetFetchRequest, offset_fetch_request_fields, 1, 10, 6);

/* ---------- OffsetFetchResponse ---------- */

static const WireField offset_fetch_response_offset_fetch_response_partition_fields[] = {
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

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponsePartition, offset_fetch_response_offset_fetch_response_partition_fields);

static const WireField offset_fetch_response_offset_fetch_response_topic_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 7), AT(OffsetFetchResponseOffsetFetchResponseTopic, name)},
	{"Partitions", WIRE_STRUCT, FROM_TO(0, 7),
		ARRAY_AT(OffsetFetchResponseOffsetFetchResponseTopic, partitions),
		OF(OffsetFetchResponseOffsetFetchResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseTopic, offset_fetch_response_offset_fetch_response_topic_fields);

static const WireField offset_fetch_response_offset_fetch_response_partitions_fields[] = {
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

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponsePartitions, offset_fetch_response_offset_fetch_response_partitions_fields);

static const WireField offset_fetch_response_offset_fetch_response_topics_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(8, 9), AT(OffsetFetchResponseOffsetFetchResponseTopics, name)},
	{"TopicId", WIRE_UUID, SINCE(10), AT(OffsetFetchResponseOffsetFetchResponseTopics, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(8),
		ARRAY_AT(OffsetFetchResponseOffsetFetchResponseTopics, partitions),
		OF(OffsetFetchResponseOffsetFetchResponsePartitions)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseTopics, offset_fetch_response_offset_fetch_response_topics_fields);

static const WireField offset_fetch_response_offset_fetch_response_group_fields[] = {
	{"GroupId", WIRE_STRING, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponseGroup, group_id)},
	{"Topics", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchResponseOffsetFetchResponseGroup, topics),
		OF(OffsetFetchResponseOffsetFetchResponseTopics)},
	{"ErrorCode", WIRE_INT16, SINCE(8), AT(OffsetFetchResponseOffsetFetchResponseGroup, error_code)},
};

WIRE_STRUCT_TABLE(OffsetFetchResponseOffsetFetchResponseGroup, offset_fetch_response_offset_fetch_response_group_fields);

static const WireField offset_fetch_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(3), AT(OffsetFetchResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, FROM_TO(0, 7), ARRAY_AT(OffsetFetchResponse, topics),
		OF(OffsetFetchResponseOffsetFetchResponseTopic)},
	{"ErrorCode", WIRE_INT16, FROM_TO(2, 7), AT(OffsetFetchResponse, error_code)},
	{"Groups", WIRE_STRUCT, SINCE(8), ARRAY_AT(OffsetFetchResponse, groups),
		OF(OffsetFetchResponseOffsetFetchResponseGroup)},
};

WIRE_MESSAGE_TABLE(OffsetFetchResponse, offset_fetch_response_fields, 1, 10, 6);

/* ---------- OffsetDeleteRequest ---------- */

static const WireField offset_delete_request_offset_delete_request_partition_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetDeleteRequestOffsetDeleteRequestPartition, partition_index)},
};

WIRE_STRUCT_TABLE(OffsetDeleteRequestOffsetDeleteRequestPartition, offset_delete_request_offset_delete_request_partition_fields);

static const WireField offset_delete_request_offset_delete_request_topic_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(OffsetDeleteRequestOffsetDeleteRequestTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteRequestOffsetDeleteRequestTopic, partitions),
		OF(OffsetDeleteRequestOffsetDeleteRequestPartition)},
};

WIRE_STRUCT_TABLE(OffsetDeleteRequestOffsetDeleteRequestTopic, offset_delete_request_offset_delete_request_topic_fields);

static const WireField offset_delete_request_fields[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(OffsetDeleteRequest, group_id)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteRequest, topics),
		OF(OffsetDeleteRequestOffsetDeleteRequestTopic)},
};

WIRE_MESSAGE_TABLE(OffsetDeleteRequest, offset_delete_request_fields, 0, 0, WIRE_LATEST);

/* ---------- OffsetDeleteResponse ---------- */

static const WireField offset_delete_response_offset_delete_response_partition_fields[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(OffsetDeleteResponseOffsetDeleteResponsePartition, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetDeleteResponseOffsetDeleteResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(OffsetDeleteResponseOffsetDeleteResponsePartition, offset_delete_response_offset_delete_response_partition_fields);

static const WireField offset_delete_response_offset_delete_response_topic_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(OffsetDeleteResponseOffsetDeleteResponseTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(OffsetDeleteResponseOffsetDeleteResponseTopic, partitions),
		OF(OffsetDeleteResponseOffsetDeleteResponsePartition)},
};

WIRE_STRUCT_TABLE(OffsetDeleteResponseOffsetDeleteResponseTopic, offset_delete_response_offset_delete_response_topic_fields);

static const WireField offset_delete_response_fields[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(OffsetDeleteResponse, error_code)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(OffsetDeleteResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(OffsetDeleteResponse, topics),
		OF(OffsetDeleteResponseOffsetDeleteResponseTopic)},
};

WIRE_MESSAGE_TABLE(OffsetDeleteResponse, offset_delete_response_fields, 0, 0, WIRE_LATEST);
