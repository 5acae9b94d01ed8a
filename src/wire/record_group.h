/*-------------------------------------------------------------------------
 *
 * record_group.h
 *	  Records of the topic __consumer_offsets: committed offsets and groups.
 *
 * Every record type is a pair of messages, for key and value.  In the record a
 * key is preceded by the type's number (int16; GroupRecordType), a value by its
 * version (int16).  A record without value (a tombstone) deletes its key.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_RECORD_GROUP_H
#define WIRE_RECORD_GROUP_H

#include "wire/message.h"

typedef enum WireGroupRecordType
{
	WIRE_RECORD_OFFSET_COMMIT_OLD = 0,	/* of ancient brokers, read like the next */
	WIRE_RECORD_OFFSET_COMMIT = 1,
	WIRE_RECORD_GROUP_METADATA = 2,
	WIRE_RECORD_CONSUMER_GROUP_METADATA = 3,
	WIRE_RECORD_CONSUMER_GROUP_PARTITION_METADATA = 4,
	WIRE_RECORD_CONSUMER_GROUP_MEMBER_METADATA = 5,
	WIRE_RECORD_CONSUMER_GROUP_TARGET_METADATA = 6,
	WIRE_RECORD_CONSUMER_GROUP_TARGET_MEMBER = 7,
	WIRE_RECORD_CONSUMER_GROUP_CURRENT_MEMBER = 8,
	WIRE_RECORD_CONSUMER_GROUP_REGEX = 16,
	WIRE_RECORD_OFFSET_CLAIM = 10000,	/* ours; Kafka's tools skip types that they don't know */
	WIRE_RECORD_GROUP_OWNER = 10001 /* likewise */
} WireGroupRecordType;

typedef struct WireGroupRecord
{
	int16_t		type;
	const char *name;			/* of the pair of messages */
	const WireMessage *key;
	const WireMessage *value;
	int16_t		write_version;	/* of the value, that we write */
} WireGroupRecord;

extern const WireGroupRecord wire_group_records[];
extern const int wire_n_group_records;

/* NULL if the type isn't known. */
extern const WireGroupRecord *wire_group_record(int type);

/* ---------- OffsetCommitKey (1), version 0 ---------- */

typedef struct OffsetCommitKey
{
	WireString	group;
	WireString	topic;
	int32_t		partition;
} OffsetCommitKey;

extern const WireMessage wire_OffsetCommitKey;

/* ---------- OffsetCommitValue (1), versions 0 to 4 ---------- */

typedef struct OffsetCommitValue
{
	int64_t		offset;
	int32_t		leader_epoch;	/* 3+, default -1 */
	WireString	metadata;
	int64_t		commit_timestamp;
	int64_t		expire_timestamp; /* 1, default -1 */
	WireUuid	topic_id;		/* 4+, optional */
} OffsetCommitValue;

extern const WireMessage wire_OffsetCommitValue;

/* ---------- GroupMetadataKey (2), version 0 ---------- */

typedef struct GroupMetadataKey
{
	WireString	group;
} GroupMetadataKey;

extern const WireMessage wire_GroupMetadataKey;

/* ---------- GroupMetadataValue (2), versions 0 to 4 ---------- */

typedef struct GroupMetadataValueMemberMetadata
{
	WireString	member_id;
	WireString	group_instance_id; /* 3+, can be null */
	WireString	client_id;
	WireString	client_host;
	int32_t		rebalance_timeout; /* 1+, default -1 */
	int32_t		session_timeout;
	WireBytes	subscription;
	WireBytes	assignment;
} GroupMetadataValueMemberMetadata;

typedef struct GroupMetadataValue
{
	WireString	protocol_type;
	int32_t		generation;
	WireString	protocol;		/* can be null */
	WireString	leader;			/* can be null */
	int64_t		current_state_timestamp; /* 2+, default -1 */
	int32_t		n_members;
	GroupMetadataValueMemberMetadata *members;
} GroupMetadataValue;

extern const WireStruct wire_GroupMetadataValueMemberMetadata;
extern const WireMessage wire_GroupMetadataValue;

/* ---------- ConsumerGroupMetadataKey (3), version 0 ---------- */

typedef struct ConsumerGroupMetadataKey
{
	WireString	group_id;
} ConsumerGroupMetadataKey;

extern const WireMessage wire_ConsumerGroupMetadataKey;

/* ---------- ConsumerGroupMetadataValue (3), version 0 ---------- */

typedef struct ConsumerGroupMetadataValue
{
	int32_t		epoch;
	int64_t		metadata_hash;	/* optional */
} ConsumerGroupMetadataValue;

extern const WireMessage wire_ConsumerGroupMetadataValue;

/* ---------- ConsumerGroupPartitionMetadataKey (4), version 0 ---------- */

typedef struct ConsumerGroupPartitionMetadataKey
{
	WireString	group_id;
} ConsumerGroupPartitionMetadataKey;

extern const WireMessage wire_ConsumerGroupPartitionMetadataKey;

/* ---------- ConsumerGroupPartitionMetadataValue (4), version 0 ---------- */

typedef struct ConsumerGroupPartitionMetadataValuePartitionMetadata
{
	int32_t		partition;
	int32_t		n_racks;
	WireString *racks;
} ConsumerGroupPartitionMetadataValuePartitionMetadata;

typedef struct ConsumerGroupPartitionMetadataValueTopicMetadata
{
	WireUuid	topic_id;
	WireString	topic_name;
	int32_t		num_partitions;
	int32_t		n_partition_metadata;
	ConsumerGroupPartitionMetadataValuePartitionMetadata *partition_metadata;
} ConsumerGroupPartitionMetadataValueTopicMetadata;

typedef struct ConsumerGroupPartitionMetadataValue
{
	int32_t		n_topics;
	ConsumerGroupPartitionMetadataValueTopicMetadata *topics;
} ConsumerGroupPartitionMetadataValue;

extern const WireStruct wire_ConsumerGroupPartitionMetadataValuePartitionMetadata;
extern const WireStruct wire_ConsumerGroupPartitionMetadataValueTopicMetadata;
extern const WireMessage wire_ConsumerGroupPartitionMetadataValue;

/* ---------- ConsumerGroupMemberMetadataKey (5), version 0 ---------- */

typedef struct ConsumerGroupMemberMetadataKey
{
	WireString	group_id;
	WireString	member_id;
} ConsumerGroupMemberMetadataKey;

extern const WireMessage wire_ConsumerGroupMemberMetadataKey;

/* ---------- ConsumerGroupMemberMetadataValue (5), version 0 ---------- */

typedef struct ConsumerGroupMemberMetadataValueClassicProtocol
{
	WireString	name;
	WireBytes	metadata;
} ConsumerGroupMemberMetadataValueClassicProtocol;

typedef struct ConsumerGroupMemberMetadataValueClassicMemberMetadata
{
	int32_t		session_timeout_ms;
	int32_t		n_supported_protocols;
	ConsumerGroupMemberMetadataValueClassicProtocol *supported_protocols;
} ConsumerGroupMemberMetadataValueClassicMemberMetadata;

typedef struct ConsumerGroupMemberMetadataValue
{
	WireString	instance_id;	/* can be null */
	WireString	rack_id;		/* can be null */
	WireString	client_id;
	WireString	client_host;
	int32_t		n_subscribed_topic_names;
	WireString *subscribed_topic_names;
	WireString	subscribed_topic_regex; /* can be null */
	int32_t		rebalance_timeout_ms; /* default -1 */
	WireString	server_assignor; /* can be null */
	ConsumerGroupMemberMetadataValueClassicMemberMetadata *classic_member_metadata; /* or NULL */
} ConsumerGroupMemberMetadataValue;

extern const WireStruct wire_ConsumerGroupMemberMetadataValueClassicProtocol;
extern const WireStruct wire_ConsumerGroupMemberMetadataValueClassicMemberMetadata;
extern const WireMessage wire_ConsumerGroupMemberMetadataValue;

/* ---------- ConsumerGroupTargetAssignmentMetadataKey (6), version 0 ---------- */

typedef struct ConsumerGroupTargetAssignmentMetadataKey
{
	WireString	group_id;
} ConsumerGroupTargetAssignmentMetadataKey;

extern const WireMessage wire_ConsumerGroupTargetAssignmentMetadataKey;

/* ---------- ConsumerGroupTargetAssignmentMetadataValue (6), version 0 ---------- */

typedef struct ConsumerGroupTargetAssignmentMetadataValue
{
	int32_t		assignment_epoch;
	int64_t		assignment_timestamp; /* optional */
} ConsumerGroupTargetAssignmentMetadataValue;

extern const WireMessage wire_ConsumerGroupTargetAssignmentMetadataValue;

/* ---------- ConsumerGroupTargetAssignmentMemberKey (7), version 0 ---------- */

typedef struct ConsumerGroupTargetAssignmentMemberKey
{
	WireString	group_id;
	WireString	member_id;
} ConsumerGroupTargetAssignmentMemberKey;

extern const WireMessage wire_ConsumerGroupTargetAssignmentMemberKey;

/* ---------- ConsumerGroupTargetAssignmentMemberValue (7), version 0 ---------- */

typedef struct ConsumerGroupTargetAssignmentMemberValueTopicPartition
{
	WireUuid	topic_id;
	int32_t		n_partitions;
	int32_t	   *partitions;
} ConsumerGroupTargetAssignmentMemberValueTopicPartition;

typedef struct ConsumerGroupTargetAssignmentMemberValue
{
	int32_t		n_topic_partitions;
	ConsumerGroupTargetAssignmentMemberValueTopicPartition *topic_partitions;
} ConsumerGroupTargetAssignmentMemberValue;

extern const WireStruct wire_ConsumerGroupTargetAssignmentMemberValueTopicPartition;
extern const WireMessage wire_ConsumerGroupTargetAssignmentMemberValue;

/* ---------- ConsumerGroupCurrentMemberAssignmentKey (8), version 0 ---------- */

typedef struct ConsumerGroupCurrentMemberAssignmentKey
{
	WireString	group_id;
	WireString	member_id;
} ConsumerGroupCurrentMemberAssignmentKey;

extern const WireMessage wire_ConsumerGroupCurrentMemberAssignmentKey;

/* ---------- ConsumerGroupCurrentMemberAssignmentValue (8), version 0 ---------- */

typedef struct ConsumerGroupCurrentMemberAssignmentValueTopicPartitions
{
	WireUuid	topic_id;
	int32_t		n_partitions;
	int32_t	   *partitions;
	int32_t		n_assignment_epochs;
	int32_t	   *assignment_epochs; /* can be null, optional */
} ConsumerGroupCurrentMemberAssignmentValueTopicPartitions;

typedef struct ConsumerGroupCurrentMemberAssignmentValue
{
	int32_t		member_epoch;
	int32_t		previous_member_epoch;
	int8_t		state;
	int32_t		n_assigned_partitions;
	ConsumerGroupCurrentMemberAssignmentValueTopicPartitions *assigned_partitions;
	int32_t		n_partitions_pending_revocation;
	ConsumerGroupCurrentMemberAssignmentValueTopicPartitions *partitions_pending_revocation;
} ConsumerGroupCurrentMemberAssignmentValue;

extern const WireStruct wire_ConsumerGroupCurrentMemberAssignmentValueTopicPartitions;
extern const WireMessage wire_ConsumerGroupCurrentMemberAssignmentValue;

/* ---------- ConsumerGroupRegularExpressionKey (16), version 0 ---------- */

typedef struct ConsumerGroupRegularExpressionKey
{
	WireString	group_id;
	WireString	regular_expression;
} ConsumerGroupRegularExpressionKey;

extern const WireMessage wire_ConsumerGroupRegularExpressionKey;

/* ---------- ConsumerGroupRegularExpressionValue (16), version 0 ---------- */

typedef struct ConsumerGroupRegularExpressionValue
{
	int32_t		n_topics;
	WireString *topics;
	int64_t		version;
	int64_t		timestamp;
} ConsumerGroupRegularExpressionValue;

extern const WireMessage wire_ConsumerGroupRegularExpressionValue;
/* ---------- OffsetClaim (10000), version 0: a topic's offsets are committed by SQL ---------- */

typedef struct OffsetClaimKey
{
	WireString	group;
	WireString	topic;
} OffsetClaimKey;

extern const WireMessage wire_OffsetClaimKey;

typedef struct OffsetClaimValue
{
	WireUuid	topic_id;
	int64_t		timestamp;
} OffsetClaimValue;

extern const WireMessage wire_OffsetClaimValue;

/* ---------- GroupOwner (10001), version 0: the role that used a group first ---------- */

typedef struct GroupOwnerKey
{
	WireString	group;
} GroupOwnerKey;

extern const WireMessage wire_GroupOwnerKey;

typedef struct GroupOwnerValue
{
	int64_t		role;			/* its Oid */
} GroupOwnerValue;

extern const WireMessage wire_GroupOwnerValue;

#endif							/* WIRE_RECORD_GROUP_H */
