/*-------------------------------------------------------------------------
 *
 * api_consumer_group.c
 *	  Messages for the consumer group protocol of KIP-848.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_consumer_group.h"

#include "wire/table.h"

/* ---------- ConsumerGroupHeartbeatRequest ---------- */

static const WireField ConsumerGroupHeartbeatRequestTopicPartitions_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupHeartbeatRequestTopicPartitions, topic_id)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(ConsumerGroupHeartbeatRequestTopicPartitions, partitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupHeartbeatRequestTopicPartitions);

static const WireField ConsumerGroupHeartbeatRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatRequest, group_id)},
	{"MemberId", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatRequest, member_id)},
	{"MemberEpoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupHeartbeatRequest, member_epoch)},
	{"InstanceId", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatRequest, instance_id), NULL_SINCE(0),
		DEFAULT_NULL},
	{"RackId", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatRequest, rack_id), NULL_SINCE(0),
		DEFAULT_NULL},
	{"RebalanceTimeoutMs", WIRE_INT32, SINCE(0), AT(ConsumerGroupHeartbeatRequest, rebalance_timeout_ms),
		DEFAULT(-1)},
	{"SubscribedTopicNames", WIRE_STRING, SINCE(0),
		ARRAY_AT(ConsumerGroupHeartbeatRequest, subscribed_topic_names), NULL_SINCE(0), DEFAULT_NULL},
	{"SubscribedTopicRegex", WIRE_STRING, SINCE(1),
		AT(ConsumerGroupHeartbeatRequest, subscribed_topic_regex), NULL_SINCE(1), DEFAULT_NULL},
	{"ServerAssignor", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatRequest, server_assignor),
		NULL_SINCE(0), DEFAULT_NULL},
	{"TopicPartitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(ConsumerGroupHeartbeatRequest, topic_partitions),
		OF(ConsumerGroupHeartbeatRequestTopicPartitions), NULL_SINCE(0), DEFAULT_NULL},
};

WIRE_MESSAGE_TABLE(ConsumerGroupHeartbeatRequest, 0, 1, 0);

/* ---------- ConsumerGroupHeartbeatResponse ---------- */

static const WireField ConsumerGroupHeartbeatResponseTopicPartitions_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupHeartbeatResponseTopicPartitions, topic_id)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(ConsumerGroupHeartbeatResponseTopicPartitions, partitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupHeartbeatResponseTopicPartitions);

static const WireField ConsumerGroupHeartbeatResponseAssignment_rows[] = {
	{"TopicPartitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupHeartbeatResponseAssignment, topic_partitions),
		OF(ConsumerGroupHeartbeatResponseTopicPartitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupHeartbeatResponseAssignment);

static const WireField ConsumerGroupHeartbeatResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ConsumerGroupHeartbeatResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ConsumerGroupHeartbeatResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatResponse, error_message),
		NULL_SINCE(0), DEFAULT_NULL},
	{"MemberId", WIRE_STRING, SINCE(0), AT(ConsumerGroupHeartbeatResponse, member_id), NULL_SINCE(0),
		DEFAULT_NULL},
	{"MemberEpoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupHeartbeatResponse, member_epoch)},
	{"HeartbeatIntervalMs", WIRE_INT32, SINCE(0), AT(ConsumerGroupHeartbeatResponse, heartbeat_interval_ms)},
	{"Assignment", WIRE_STRUCT, SINCE(0), POINTER_AT(ConsumerGroupHeartbeatResponse, assignment),
		OF(ConsumerGroupHeartbeatResponseAssignment), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupHeartbeatResponse, 0, 1, 0);

/* ---------- ConsumerGroupDescribeRequest ---------- */

static const WireField ConsumerGroupDescribeRequest_rows[] = {
	{"GroupIds", WIRE_STRING, SINCE(0), ARRAY_AT(ConsumerGroupDescribeRequest, group_ids)},
	{"IncludeAuthorizedOperations", WIRE_BOOL, SINCE(0),
		AT(ConsumerGroupDescribeRequest, include_authorized_operations)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupDescribeRequest, 0, 1, 0);

/* ---------- ConsumerGroupDescribeResponse ---------- */

static const WireField ConsumerGroupDescribeResponseTopicPartitions_rows[] = {
	{"TopicId", WIRE_UUID, SINCE(0), AT(ConsumerGroupDescribeResponseTopicPartitions, topic_id)},
	{"TopicName", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseTopicPartitions, topic_name)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(ConsumerGroupDescribeResponseTopicPartitions, partitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupDescribeResponseTopicPartitions);

static const WireField ConsumerGroupDescribeResponseAssignment_rows[] = {
	{"TopicPartitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ConsumerGroupDescribeResponseAssignment, topic_partitions),
		OF(ConsumerGroupDescribeResponseTopicPartitions)},
};

WIRE_STRUCT_TABLE(ConsumerGroupDescribeResponseAssignment);

static const WireField ConsumerGroupDescribeResponseMember_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseMember, member_id)},
	{"InstanceId", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseMember, instance_id),
		NULL_SINCE(0), DEFAULT_NULL},
	{"RackId", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseMember, rack_id), NULL_SINCE(0),
		DEFAULT_NULL},
	{"MemberEpoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupDescribeResponseMember, member_epoch)},
	{"ClientId", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseMember, client_id)},
	{"ClientHost", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseMember, client_host)},
	{"SubscribedTopicNames", WIRE_STRING, SINCE(0),
		ARRAY_AT(ConsumerGroupDescribeResponseMember, subscribed_topic_names)},
	{"SubscribedTopicRegex", WIRE_STRING, SINCE(0),
		AT(ConsumerGroupDescribeResponseMember, subscribed_topic_regex), NULL_SINCE(0), DEFAULT_NULL},
	{"Assignment", WIRE_STRUCT, SINCE(0), AT(ConsumerGroupDescribeResponseMember, assignment),
		OF(ConsumerGroupDescribeResponseAssignment)},
	{"TargetAssignment", WIRE_STRUCT, SINCE(0), AT(ConsumerGroupDescribeResponseMember, target_assignment),
		OF(ConsumerGroupDescribeResponseAssignment)},
	{"MemberType", WIRE_INT8, SINCE(1), AT(ConsumerGroupDescribeResponseMember, member_type), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(ConsumerGroupDescribeResponseMember);

static const WireField ConsumerGroupDescribeResponseDescribedGroup_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, error_message),
		NULL_SINCE(0), DEFAULT_NULL},
	{"GroupId", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, group_id)},
	{"GroupState", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, group_state)},
	{"GroupEpoch", WIRE_INT32, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, group_epoch)},
	{"AssignmentEpoch", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupDescribeResponseDescribedGroup, assignment_epoch)},
	{"AssignorName", WIRE_STRING, SINCE(0), AT(ConsumerGroupDescribeResponseDescribedGroup, assignor_name)},
	{"Members", WIRE_STRUCT, SINCE(0), ARRAY_AT(ConsumerGroupDescribeResponseDescribedGroup, members),
		OF(ConsumerGroupDescribeResponseMember)},
	{"AuthorizedOperations", WIRE_INT32, SINCE(0),
		AT(ConsumerGroupDescribeResponseDescribedGroup, authorized_operations), DEFAULT(INT32_MIN)},
};

WIRE_STRUCT_TABLE(ConsumerGroupDescribeResponseDescribedGroup);

static const WireField ConsumerGroupDescribeResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ConsumerGroupDescribeResponse, throttle_time_ms)},
	{"Groups", WIRE_STRUCT, SINCE(0), ARRAY_AT(ConsumerGroupDescribeResponse, groups),
		OF(ConsumerGroupDescribeResponseDescribedGroup)},
};

WIRE_MESSAGE_TABLE(ConsumerGroupDescribeResponse, 0, 1, 0);
