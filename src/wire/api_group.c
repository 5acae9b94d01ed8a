/*-------------------------------------------------------------------------
 *
 * api_group.c
 *	  Messages for the classic group protocol.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_group.h"

#include "wire/table.h"

/* ---------- FindCoordinatorRequest ---------- */

static const WireField FindCoordinatorRequest_rows[] = {
	{"Key", WIRE_STRING, FROM_TO(0, 3), AT(FindCoordinatorRequest, key)},
	{"KeyType", WIRE_INT8, SINCE(1), AT(FindCoordinatorRequest, key_type)},
	{"CoordinatorKeys", WIRE_STRING, SINCE(4), ARRAY_AT(FindCoordinatorRequest, coordinator_keys)},
};

WIRE_MESSAGE_TABLE(FindCoordinatorRequest, 0, 6, 3);

/* ---------- FindCoordinatorResponse ---------- */

static const WireField FindCoordinatorResponseCoordinator_rows[] = {
	{"Key", WIRE_STRING, SINCE(4), AT(FindCoordinatorResponseCoordinator, key)},
	{"NodeId", WIRE_INT32, SINCE(4), AT(FindCoordinatorResponseCoordinator, node_id)},
	{"Host", WIRE_STRING, SINCE(4), AT(FindCoordinatorResponseCoordinator, host)},
	{"Port", WIRE_INT32, SINCE(4), AT(FindCoordinatorResponseCoordinator, port)},
	{"ErrorCode", WIRE_INT16, SINCE(4), AT(FindCoordinatorResponseCoordinator, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(4), AT(FindCoordinatorResponseCoordinator, error_message),
		NULL_SINCE(4)},
};

WIRE_STRUCT_TABLE(FindCoordinatorResponseCoordinator);

static const WireField FindCoordinatorResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(FindCoordinatorResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, FROM_TO(0, 3), AT(FindCoordinatorResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, FROM_TO(1, 3), AT(FindCoordinatorResponse, error_message), NULL_SINCE(1)},
	{"NodeId", WIRE_INT32, FROM_TO(0, 3), AT(FindCoordinatorResponse, node_id)},
	{"Host", WIRE_STRING, FROM_TO(0, 3), AT(FindCoordinatorResponse, host)},
	{"Port", WIRE_INT32, FROM_TO(0, 3), AT(FindCoordinatorResponse, port)},
	{"Coordinators", WIRE_STRUCT, SINCE(4), ARRAY_AT(FindCoordinatorResponse, coordinators),
		OF(FindCoordinatorResponseCoordinator)},
};

WIRE_MESSAGE_TABLE(FindCoordinatorResponse, 0, 6, 3);

/* ---------- JoinGroupRequest ---------- */

static const WireField JoinGroupRequestJoinGroupRequestProtocol_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(JoinGroupRequestJoinGroupRequestProtocol, name)},
	{"Metadata", WIRE_BYTES, SINCE(0), AT(JoinGroupRequestJoinGroupRequestProtocol, metadata)},
};

WIRE_STRUCT_TABLE(JoinGroupRequestJoinGroupRequestProtocol);

static const WireField JoinGroupRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(JoinGroupRequest, group_id)},
	{"SessionTimeoutMs", WIRE_INT32, SINCE(0), AT(JoinGroupRequest, session_timeout_ms)},
	{"RebalanceTimeoutMs", WIRE_INT32, SINCE(1), AT(JoinGroupRequest, rebalance_timeout_ms), DEFAULT(-1)},
	{"MemberId", WIRE_STRING, SINCE(0), AT(JoinGroupRequest, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(5), AT(JoinGroupRequest, group_instance_id), NULL_SINCE(5),
		DEFAULT_NULL},
	{"ProtocolType", WIRE_STRING, SINCE(0), AT(JoinGroupRequest, protocol_type)},
	{"Protocols", WIRE_STRUCT, SINCE(0), ARRAY_AT(JoinGroupRequest, protocols),
		OF(JoinGroupRequestJoinGroupRequestProtocol)},
	{"Reason", WIRE_STRING, SINCE(8), AT(JoinGroupRequest, reason), NULL_SINCE(8), DEFAULT_NULL},
};

WIRE_MESSAGE_TABLE(JoinGroupRequest, 0, 9, 6);

/* ---------- JoinGroupResponse ---------- */

static const WireField JoinGroupResponseJoinGroupResponseMember_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(0), AT(JoinGroupResponseJoinGroupResponseMember, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(5),
		AT(JoinGroupResponseJoinGroupResponseMember, group_instance_id), NULL_SINCE(5), DEFAULT_NULL},
	{"Metadata", WIRE_BYTES, SINCE(0), AT(JoinGroupResponseJoinGroupResponseMember, metadata)},
};

WIRE_STRUCT_TABLE(JoinGroupResponseJoinGroupResponseMember);

static const WireField JoinGroupResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(2), AT(JoinGroupResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(JoinGroupResponse, error_code)},
	{"GenerationId", WIRE_INT32, SINCE(0), AT(JoinGroupResponse, generation_id), DEFAULT(-1)},
	{"ProtocolType", WIRE_STRING, SINCE(7), AT(JoinGroupResponse, protocol_type), NULL_SINCE(7),
		DEFAULT_NULL},
	{"ProtocolName", WIRE_STRING, SINCE(0), AT(JoinGroupResponse, protocol_name), NULL_SINCE(7)},
	{"Leader", WIRE_STRING, SINCE(0), AT(JoinGroupResponse, leader)},
	{"SkipAssignment", WIRE_BOOL, SINCE(9), AT(JoinGroupResponse, skip_assignment)},
	{"MemberId", WIRE_STRING, SINCE(0), AT(JoinGroupResponse, member_id)},
	{"Members", WIRE_STRUCT, SINCE(0), ARRAY_AT(JoinGroupResponse, members),
		OF(JoinGroupResponseJoinGroupResponseMember)},
};

WIRE_MESSAGE_TABLE(JoinGroupResponse, 0, 9, 6);

/* ---------- HeartbeatRequest ---------- */

static const WireField HeartbeatRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(HeartbeatRequest, group_id)},
	{"GenerationId", WIRE_INT32, SINCE(0), AT(HeartbeatRequest, generation_id)},
	{"MemberId", WIRE_STRING, SINCE(0), AT(HeartbeatRequest, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(3), AT(HeartbeatRequest, group_instance_id), NULL_SINCE(3),
		DEFAULT_NULL},
};

WIRE_MESSAGE_TABLE(HeartbeatRequest, 0, 4, 4);

/* ---------- HeartbeatResponse ---------- */

static const WireField HeartbeatResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(HeartbeatResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(HeartbeatResponse, error_code)},
};

WIRE_MESSAGE_TABLE(HeartbeatResponse, 0, 4, 4);

/* ---------- LeaveGroupRequest ---------- */

static const WireField LeaveGroupRequestMemberIdentity_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(3), AT(LeaveGroupRequestMemberIdentity, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(3), AT(LeaveGroupRequestMemberIdentity, group_instance_id),
		NULL_SINCE(3), DEFAULT_NULL},
	{"Reason", WIRE_STRING, SINCE(5), AT(LeaveGroupRequestMemberIdentity, reason), NULL_SINCE(5),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(LeaveGroupRequestMemberIdentity);

static const WireField LeaveGroupRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(LeaveGroupRequest, group_id)},
	{"MemberId", WIRE_STRING, FROM_TO(0, 2), AT(LeaveGroupRequest, member_id)},
	{"Members", WIRE_STRUCT, SINCE(3), ARRAY_AT(LeaveGroupRequest, members),
		OF(LeaveGroupRequestMemberIdentity)},
};

WIRE_MESSAGE_TABLE(LeaveGroupRequest, 0, 5, 4);

/* ---------- LeaveGroupResponse ---------- */

static const WireField LeaveGroupResponseMemberResponse_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(3), AT(LeaveGroupResponseMemberResponse, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(3), AT(LeaveGroupResponseMemberResponse, group_instance_id),
		NULL_SINCE(3)},
	{"ErrorCode", WIRE_INT16, SINCE(3), AT(LeaveGroupResponseMemberResponse, error_code)},
};

WIRE_STRUCT_TABLE(LeaveGroupResponseMemberResponse);

static const WireField LeaveGroupResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(LeaveGroupResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(LeaveGroupResponse, error_code)},
	{"Members", WIRE_STRUCT, SINCE(3), ARRAY_AT(LeaveGroupResponse, members),
		OF(LeaveGroupResponseMemberResponse)},
};

WIRE_MESSAGE_TABLE(LeaveGroupResponse, 0, 5, 4);

/* ---------- SyncGroupRequest ---------- */

static const WireField SyncGroupRequestSyncGroupRequestAssignment_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(0), AT(SyncGroupRequestSyncGroupRequestAssignment, member_id)},
	{"Assignment", WIRE_BYTES, SINCE(0), AT(SyncGroupRequestSyncGroupRequestAssignment, assignment)},
};

WIRE_STRUCT_TABLE(SyncGroupRequestSyncGroupRequestAssignment);

static const WireField SyncGroupRequest_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(SyncGroupRequest, group_id)},
	{"GenerationId", WIRE_INT32, SINCE(0), AT(SyncGroupRequest, generation_id)},
	{"MemberId", WIRE_STRING, SINCE(0), AT(SyncGroupRequest, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(3), AT(SyncGroupRequest, group_instance_id), NULL_SINCE(3),
		DEFAULT_NULL},
	{"ProtocolType", WIRE_STRING, SINCE(5), AT(SyncGroupRequest, protocol_type), NULL_SINCE(5), DEFAULT_NULL},
	{"ProtocolName", WIRE_STRING, SINCE(5), AT(SyncGroupRequest, protocol_name), NULL_SINCE(5), DEFAULT_NULL},
	{"Assignments", WIRE_STRUCT, SINCE(0), ARRAY_AT(SyncGroupRequest, assignments),
		OF(SyncGroupRequestSyncGroupRequestAssignment)},
};

WIRE_MESSAGE_TABLE(SyncGroupRequest, 0, 5, 4);

/* ---------- SyncGroupResponse ---------- */

static const WireField SyncGroupResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(SyncGroupResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(SyncGroupResponse, error_code)},
	{"ProtocolType", WIRE_STRING, SINCE(5), AT(SyncGroupResponse, protocol_type), NULL_SINCE(5),
		DEFAULT_NULL},
	{"ProtocolName", WIRE_STRING, SINCE(5), AT(SyncGroupResponse, protocol_name), NULL_SINCE(5),
		DEFAULT_NULL},
	{"Assignment", WIRE_BYTES, SINCE(0), AT(SyncGroupResponse, assignment)},
};

WIRE_MESSAGE_TABLE(SyncGroupResponse, 0, 5, 4);
