/*-------------------------------------------------------------------------
 *
 * record_group.c
 *	  Records of the topic __consumer_offsets: committed offsets and groups.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/record_group.h"

#include "wire/table.h"

/* ---------- OffsetCommitKey ---------- */

static const WireField OffsetCommitKey_rows[] = {
	{"group", WIRE_STRING, FROM_TO(0, 0), AT(OffsetCommitKey, group)},
	{"topic", WIRE_STRING, FROM_TO(0, 0), AT(OffsetCommitKey, topic)},
	{"partition", WIRE_INT32, FROM_TO(0, 0), AT(OffsetCommitKey, partition)},
};

WIRE_MESSAGE_TABLE(OffsetCommitKey, 0, 0, WIRE_LATEST);

/* ---------- OffsetCommitValue ---------- */

static const WireField OffsetCommitValue_rows[] = {
	{"offset", WIRE_INT64, SINCE(0), AT(OffsetCommitValue, offset)},
	{"leaderEpoch", WIRE_INT32, SINCE(3), AT(OffsetCommitValue, leader_epoch), DEFAULT(-1)},
	{"metadata", WIRE_STRING, SINCE(0), AT(OffsetCommitValue, metadata)},
	{"commitTimestamp", WIRE_INT64, SINCE(0), AT(OffsetCommitValue, commit_timestamp)},
	{"expireTimestamp", WIRE_INT64, FROM_TO(1, 1), AT(OffsetCommitValue, expire_timestamp), DEFAULT(-1)},
	{"topicId", WIRE_UUID, SINCE(4), AT(OffsetCommitValue, topic_id), TAG_SINCE(4, 0)},
};

WIRE_MESSAGE_TABLE(OffsetCommitValue, 0, 4, 4);

/* ---------- GroupMetadataKey ---------- */

static const WireField GroupMetadataKey_rows[] = {
	{"group", WIRE_STRING, FROM_TO(0, 0), AT(GroupMetadataKey, group)},
};

WIRE_MESSAGE_TABLE(GroupMetadataKey, 0, 0, WIRE_LATEST);

/* ---------- GroupMetadataValue ---------- */

static const WireField GroupMetadataValueMemberMetadata_rows[] = {
	{"memberId", WIRE_STRING, SINCE(0), AT(GroupMetadataValueMemberMetadata, member_id)},
	{"groupInstanceId", WIRE_STRING, SINCE(3), AT(GroupMetadataValueMemberMetadata, group_instance_id),
		NULL_SINCE(3), DEFAULT_NULL},
	{"clientId", WIRE_STRING, SINCE(0), AT(GroupMetadataValueMemberMetadata, client_id)},
	{"clientHost", WIRE_STRING, SINCE(0), AT(GroupMetadataValueMemberMetadata, client_host)},
	{"rebalanceTimeout", WIRE_INT32, SINCE(1), AT(GroupMetadataValueMemberMetadata, rebalance_timeout),
		DEFAULT(-1)},
	{"sessionTimeout", WIRE_INT32, SINCE(0), AT(GroupMetadataValueMemberMetadata, session_timeout)},
	{"subscription", WIRE_BYTES, SINCE(0), AT(GroupMetadataValueMemberMetadata, subscription)},
	{"assignment", WIRE_BYTES, SINCE(0), AT(GroupMetadataValueMemberMetadata, assignment)},
};

WIRE_STRUCT_TABLE(GroupMetadataValueMemberMetadata);

static const WireField GroupMetadataValue_rows[] = {
	{"protocolType", WIRE_STRING, SINCE(0), AT(GroupMetadataValue, protocol_type)},
	{"generation", WIRE_INT32, SINCE(0), AT(GroupMetadataValue, generation)},
	{"protocol", WIRE_STRING, SINCE(0), AT(GroupMetadataValue, protocol), NULL_SINCE(0)},
	{"leader", WIRE_STRING, SINCE(0), AT(GroupMetadataValue, leader), NULL_SINCE(0)},
	{"currentStateTimestamp", WIRE_INT64, SINCE(2), AT(GroupMetadataValue, current_state_timestamp),
		DEFAULT(-1)},
	{"members", WIRE_STRUCT, SINCE(0), ARRAY_AT(GroupMetadataValue, members),
		OF(GroupMetadataValueMemberMetadata)},
};

WIRE_MESSAGE_TABLE(GroupMetadataValue, 0, 4, 4);

/* ---------- ConsumerGroupMetadataKey ---------- */

static const WireField ConsumerGroupMetadataKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupMetadataKey, group_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupMetadataKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupMetadataValue ---------- */

static const WireField ConsumerGroupMetadataValue_rows[] = {
	{"Epoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupMetadataValue, epoch)},
	{"MetadataHash", WIRE_INT64, SINCE(0), AT(ConsumerGroupMetadataValue, metadata_hash), TAG_SINCE(0, 0)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupMetadataValue, 0, 0, 0);

/* ---------- ConsumerGroupPartitionMetadataKey ---------- */

static const WireField ConsumerGroupPartitionMetadataKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupPartitionMetadataKey, group_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupPartitionMetadataKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupPartitionMetadataValue ---------- */

static const WireField ConsumerGroupPartitionMetadataValuePartitionMetadata_rows[] = {
	{"Partition", WIRE_INT32, SINCE(0), AT(ConsumerGroupPartitionMetadataValuePartitionMetadata, partition)},
	{"Racks", WIRE_STRING, SINCE(0), ARRAY_AT(ConsumerGroupPartitionMetadataValuePartitionMetadata, racks)},
};

WIRE_STRUCT_TABLE(ConsumerGroupPartitionMetadataValuePartitionMetadata);

static const WireField ConsumerGroupPartitionMetadataValueTopicMetadata_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupPartitionMetadataValueTopicMetadata, topic_id)},
	{"TopicName", WIRE_STRING, SINCE(0), AT(ConsumerGroupPartitionMetadataValueTopicMetadata, topic_name)},
	{"NumPartitions", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupPartitionMetadataValueTopicMetadata, num_partitions)},
	{"PartitionMetadata", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupPartitionMetadataValueTopicMetadata, partition_metadata),
		OF(ConsumerGroupPartitionMetadataValuePartitionMetadata)},
};

WIRE_STRUCT_TABLE(ConsumerGroupPartitionMetadataValueTopicMetadata);

static const WireField ConsumerGroupPartitionMetadataValue_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(ConsumerGroupPartitionMetadataValue, topics),
		OF(ConsumerGroupPartitionMetadataValueTopicMetadata)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupPartitionMetadataValue, 0, 0, 0);

/* ---------- ConsumerGroupMemberMetadataKey ---------- */

static const WireField ConsumerGroupMemberMetadataKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupMemberMetadataKey, group_id)},
	{"MemberId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupMemberMetadataKey, member_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupMemberMetadataKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupMemberMetadataValue ---------- */

static const WireField ConsumerGroupMemberMetadataValueClassicProtocol_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValueClassicProtocol, name)},
	{"Metadata", WIRE_BYTES, SINCE(0), AT(ConsumerGroupMemberMetadataValueClassicProtocol, metadata)},
};

WIRE_STRUCT_TABLE(ConsumerGroupMemberMetadataValueClassicProtocol);

static const WireField ConsumerGroupMemberMetadataValueClassicMemberMetadata_rows[] = {
	{"SessionTimeoutMs", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupMemberMetadataValueClassicMemberMetadata, session_timeout_ms)},
	{"SupportedProtocols", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupMemberMetadataValueClassicMemberMetadata, supported_protocols),
		OF(ConsumerGroupMemberMetadataValueClassicProtocol)},
};

WIRE_STRUCT_TABLE(ConsumerGroupMemberMetadataValueClassicMemberMetadata);

static const WireField ConsumerGroupMemberMetadataValue_rows[] = {
	{"InstanceId", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValue, instance_id), NULL_SINCE(0)},
	{"RackId", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValue, rack_id), NULL_SINCE(0)},
	{"ClientId", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValue, client_id)},
	{"ClientHost", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValue, client_host)},
	{"SubscribedTopicNames", WIRE_STRING, SINCE(0),
		ARRAY_AT(ConsumerGroupMemberMetadataValue, subscribed_topic_names)},
	{"SubscribedTopicRegex", WIRE_STRING, SINCE(0),
		AT(ConsumerGroupMemberMetadataValue, subscribed_topic_regex), NULL_SINCE(0)},
	{"RebalanceTimeoutMs", WIRE_INT32, SINCE(0), AT(ConsumerGroupMemberMetadataValue, rebalance_timeout_ms),
		DEFAULT(-1)},
	{"ServerAssignor", WIRE_STRING, SINCE(0), AT(ConsumerGroupMemberMetadataValue, server_assignor),
		NULL_SINCE(0)},
	{"ClassicMemberMetadata", WIRE_STRUCT, SINCE(0),
		POINTER_AT(ConsumerGroupMemberMetadataValue, classic_member_metadata),
		OF(ConsumerGroupMemberMetadataValueClassicMemberMetadata), NULL_SINCE(0), TAG_SINCE(0, 0),
		WRITE_NULL},
};

WIRE_MESSAGE_TABLE(ConsumerGroupMemberMetadataValue, 0, 0, 0);

/* ---------- ConsumerGroupTargetAssignmentMetadataKey ---------- */

static const WireField ConsumerGroupTargetAssignmentMetadataKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupTargetAssignmentMetadataKey, group_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupTargetAssignmentMetadataKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupTargetAssignmentMetadataValue ---------- */

static const WireField ConsumerGroupTargetAssignmentMetadataValue_rows[] = {
	{"AssignmentEpoch", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupTargetAssignmentMetadataValue, assignment_epoch)},
	{"AssignmentTimestamp", WIRE_INT64, SINCE(0),
		AT(ConsumerGroupTargetAssignmentMetadataValue, assignment_timestamp), TAG_SINCE(0, 0)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupTargetAssignmentMetadataValue, 0, 0, 0);

/* ---------- ConsumerGroupTargetAssignmentMemberKey ---------- */

static const WireField ConsumerGroupTargetAssignmentMemberKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupTargetAssignmentMemberKey, group_id)},
	{"MemberId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupTargetAssignmentMemberKey, member_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupTargetAssignmentMemberKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupTargetAssignmentMemberValue ---------- */

static const WireField ConsumerGroupTargetAssignmentMemberValueTopicPartition_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupTargetAssignmentMemberValueTopicPartition, topic_id)},
	{"Partitions", WIRE_INT32, SINCE(0),
		ARRAY_AT(ConsumerGroupTargetAssignmentMemberValueTopicPartition, partitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupTargetAssignmentMemberValueTopicPartition);

static const WireField ConsumerGroupTargetAssignmentMemberValue_rows[] = {
	{"TopicPartitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupTargetAssignmentMemberValue, topic_partitions),
		OF(ConsumerGroupTargetAssignmentMemberValueTopicPartition)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupTargetAssignmentMemberValue, 0, 0, 0);

/* ---------- ConsumerGroupCurrentMemberAssignmentKey ---------- */

static const WireField ConsumerGroupCurrentMemberAssignmentKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupCurrentMemberAssignmentKey, group_id)},
	{"MemberId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupCurrentMemberAssignmentKey, member_id)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupCurrentMemberAssignmentKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupCurrentMemberAssignmentValue ---------- */

static const WireField ConsumerGroupCurrentMemberAssignmentValueTopicPartitions_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions, topic_id)},
	{"Partitions", WIRE_INT32, SINCE(0),
		ARRAY_AT(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions, partitions)},
	{"AssignmentEpochs", WIRE_INT32, SINCE(0),
		ARRAY_AT(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions, assignment_epochs),
		NULL_SINCE(0), TAG_SINCE(0, 0)},
};

WIRE_STRUCT_TABLE(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions);

static const WireField ConsumerGroupCurrentMemberAssignmentValue_rows[] = {
	{"MemberEpoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupCurrentMemberAssignmentValue, member_epoch)},
	{"PreviousMemberEpoch", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupCurrentMemberAssignmentValue, previous_member_epoch)},
	{"State", WIRE_INT8, SINCE(0), AT(ConsumerGroupCurrentMemberAssignmentValue, state)},
	{"AssignedPartitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupCurrentMemberAssignmentValue, assigned_partitions),
		OF(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions)},
	{"PartitionsPendingRevocation", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupCurrentMemberAssignmentValue, partitions_pending_revocation),
		OF(ConsumerGroupCurrentMemberAssignmentValueTopicPartitions)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupCurrentMemberAssignmentValue, 0, 0, 0);

/* ---------- ConsumerGroupRegularExpressionKey ---------- */

static const WireField ConsumerGroupRegularExpressionKey_rows[] = {
	{"GroupId", WIRE_STRING, FROM_TO(0, 0), AT(ConsumerGroupRegularExpressionKey, group_id)},
	{"RegularExpression", WIRE_STRING, FROM_TO(0, 0),
		AT(ConsumerGroupRegularExpressionKey, regular_expression)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupRegularExpressionKey, 0, 0, WIRE_LATEST);

/* ---------- ConsumerGroupRegularExpressionValue ---------- */

static const WireField ConsumerGroupRegularExpressionValue_rows[] = {
	{"Topics", WIRE_STRING, SINCE(0), ARRAY_AT(ConsumerGroupRegularExpressionValue, topics)},
	{"Version", WIRE_INT64, SINCE(0), AT(ConsumerGroupRegularExpressionValue, version)},
	{"Timestamp", WIRE_INT64, SINCE(0), AT(ConsumerGroupRegularExpressionValue, timestamp)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupRegularExpressionValue, 0, 0, 0);

/* ---------- OffsetClaim ---------- */

static const WireField OffsetClaimKey_rows[] = {
	{"group", WIRE_STRING, SINCE(0), AT(OffsetClaimKey, group)},
	{"topic", WIRE_STRING, SINCE(0), AT(OffsetClaimKey, topic)},
};

WIRE_MESSAGE_TABLE(OffsetClaimKey, 0, 0, WIRE_LATEST);

static const WireField OffsetClaimValue_rows[] = {
	{"topicId", WIRE_UUID, SINCE(0), AT(OffsetClaimValue, topic_id)},
	{"timestamp", WIRE_INT64, SINCE(0), AT(OffsetClaimValue, timestamp)},
};

WIRE_MESSAGE_TABLE(OffsetClaimValue, 0, 0, 0);

/* ---------- GroupOwner ---------- */

static const WireField GroupOwnerKey_rows[] = {
	{"group", WIRE_STRING, SINCE(0), AT(GroupOwnerKey, group)},
};

WIRE_MESSAGE_TABLE(GroupOwnerKey, 0, 0, WIRE_LATEST);

static const WireField GroupOwnerValue_rows[] = {
	{"role", WIRE_INT64, SINCE(0), AT(GroupOwnerValue, role)},
};

WIRE_MESSAGE_TABLE(GroupOwnerValue, 0, 0, 0);

/* ---------- the types of records ---------- */

#define RECORD(type, name, version) \
	{(type), #name, &wire_##name##Key, &wire_##name##Value, (version)}

const WireGroupRecord wire_group_records[] = {
	RECORD(WIRE_RECORD_OFFSET_COMMIT_OLD, OffsetCommit, 4),
	RECORD(WIRE_RECORD_OFFSET_COMMIT, OffsetCommit, 4),
	RECORD(WIRE_RECORD_GROUP_METADATA, GroupMetadata, 3),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_METADATA, ConsumerGroupMetadata, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_PARTITION_METADATA, ConsumerGroupPartitionMetadata, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_MEMBER_METADATA, ConsumerGroupMemberMetadata, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_TARGET_METADATA, ConsumerGroupTargetAssignmentMetadata, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER, ConsumerGroupTargetAssignmentMember, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_CURRENT_MEMBER, ConsumerGroupCurrentMemberAssignment, 0),
	RECORD(WIRE_RECORD_CONSUMER_GROUP_REGEX, ConsumerGroupRegularExpression, 0),
	RECORD(WIRE_RECORD_OFFSET_CLAIM, OffsetClaim, 0),
	RECORD(WIRE_RECORD_GROUP_OWNER, GroupOwner, 0),
};

const int	wire_n_group_records = sizeof(wire_group_records) / sizeof(wire_group_records[0]);

const WireGroupRecord *
wire_group_record(int type)
{
	for (int i = 0; i < wire_n_group_records; i++)
		if (wire_group_records[i].type == type)
			return &wire_group_records[i];
	return NULL;
}
