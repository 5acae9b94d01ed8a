/*-------------------------------------------------------------------------
 *
 * api_group.h
 *	  Messages for the classic group protocol.
 *
 * FindCoordinator, JoinGroup, Heartbeat, LeaveGroup, SyncGroup.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_GROUP_H
#define WIRE_API_GROUP_H

#include "wire/message.h"

/* ---------- FindCoordinator (10), request, versions 0 to 6 ---------- */

typedef struct FindCoordinatorRequest
{
	WireString	key;			/* 0-3 */
	int8_t		key_type;		/* 1+ */
	int32_t		n_coordinator_keys;
	WireString *coordinator_keys; /* 4+ */
} FindCoordinatorRequest;

extern const WireMessage wire_FindCoordinatorRequest;

/* ---------- FindCoordinator (10), response, versions 0 to 6 ---------- */

typedef struct FindCoordinatorResponseCoordinator
{
	WireString	key;			/* 4+ */
	int32_t		node_id;		/* 4+ */
	WireString	host;			/* 4+ */
	int32_t		port;			/* 4+ */
	int16_t		error_code;		/* 4+ */
	WireString	error_message;	/* 4+, can be null */
} FindCoordinatorResponseCoordinator;

typedef struct FindCoordinatorResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int16_t		error_code;		/* 0-3 */
	WireString	error_message;	/* 1-3, can be null */
	int32_t		node_id;		/* 0-3 */
	WireString	host;			/* 0-3 */
	int32_t		port;			/* 0-3 */
	int32_t		n_coordinators;
	FindCoordinatorResponseCoordinator *coordinators; /* 4+ */
} FindCoordinatorResponse;

extern const WireStruct wire_FindCoordinatorResponseCoordinator;
extern const WireMessage wire_FindCoordinatorResponse;

/* ---------- JoinGroup (11), request, versions 0 to 9 ---------- */

typedef struct JoinGroupRequestJoinGroupRequestProtocol
{
	WireString	name;
	WireBytes	metadata;
} JoinGroupRequestJoinGroupRequestProtocol;

typedef struct JoinGroupRequest
{
	WireString	group_id;
	int32_t		session_timeout_ms;
	int32_t		rebalance_timeout_ms; /* 1+, default -1 */
	WireString	member_id;
	WireString	group_instance_id; /* 5+, can be null */
	WireString	protocol_type;
	int32_t		n_protocols;
	JoinGroupRequestJoinGroupRequestProtocol *protocols;
	WireString	reason;			/* 8+, can be null */
} JoinGroupRequest;

extern const WireStruct wire_JoinGroupRequestJoinGroupRequestProtocol;
extern const WireMessage wire_JoinGroupRequest;

/* ---------- JoinGroup (11), response, versions 0 to 9 ---------- */

typedef struct JoinGroupResponseJoinGroupResponseMember
{
	WireString	member_id;
	WireString	group_instance_id; /* 5+, can be null */
	WireBytes	metadata;
} JoinGroupResponseJoinGroupResponseMember;

typedef struct JoinGroupResponse
{
	int32_t		throttle_time_ms; /* 2+ */
	int16_t		error_code;
	int32_t		generation_id;	/* default -1 */
	WireString	protocol_type;	/* 7+, can be null */
	WireString	protocol_name;	/* can be null 7+ */
	WireString	leader;
	bool		skip_assignment; /* 9+ */
	WireString	member_id;
	int32_t		n_members;
	JoinGroupResponseJoinGroupResponseMember *members;
} JoinGroupResponse;

extern const WireStruct wire_JoinGroupResponseJoinGroupResponseMember;
extern const WireMessage wire_JoinGroupResponse;

/* ---------- Heartbeat (12), request, versions 0 to 4 ---------- */

typedef struct HeartbeatRequest
{
	WireString	group_id;
	int32_t		generation_id;
	WireString	member_id;
	WireString	group_instance_id; /* 3+, can be null */
} HeartbeatRequest;

extern const WireMessage wire_HeartbeatRequest;

/* ---------- Heartbeat (12), response, versions 0 to 4 ---------- */

typedef struct HeartbeatResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int16_t		error_code;
} HeartbeatResponse;

extern const WireMessage wire_HeartbeatResponse;

/* ---------- LeaveGroup (13), request, versions 0 to 5 ---------- */

typedef struct LeaveGroupRequestMemberIdentity
{
	WireString	member_id;		/* 3+ */
	WireString	group_instance_id; /* 3+, can be null */
	WireString	reason;			/* 5+, can be null */
} LeaveGroupRequestMemberIdentity;

typedef struct LeaveGroupRequest
{
	WireString	group_id;
	WireString	member_id;		/* 0-2 */
	int32_t		n_members;
	LeaveGroupRequestMemberIdentity *members; /* 3+ */
} LeaveGroupRequest;

extern const WireStruct wire_LeaveGroupRequestMemberIdentity;
extern const WireMessage wire_LeaveGroupRequest;

/* ---------- LeaveGroup (13), response, versions 0 to 5 ---------- */

typedef struct LeaveGroupResponseMemberResponse
{
	WireString	member_id;		/* 3+ */
	WireString	group_instance_id; /* 3+, can be null */
	int16_t		error_code;		/* 3+ */
} LeaveGroupResponseMemberResponse;

typedef struct LeaveGroupResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int16_t		error_code;
	int32_t		n_members;
	LeaveGroupResponseMemberResponse *members; /* 3+ */
} LeaveGroupResponse;

extern const WireStruct wire_LeaveGroupResponseMemberResponse;
extern const WireMessage wire_LeaveGroupResponse;

/* ---------- SyncGroup (14), request, versions 0 to 5 ---------- */

typedef struct SyncGroupRequestSyncGroupRequestAssignment
{
	WireString	member_id;
	WireBytes	assignment;
} SyncGroupRequestSyncGroupRequestAssignment;

typedef struct SyncGroupRequest
{
	WireString	group_id;
	int32_t		generation_id;
	WireString	member_id;
	WireString	group_instance_id; /* 3+, can be null */
	WireString	protocol_type;	/* 5+, can be null */
	WireString	protocol_name;	/* 5+, can be null */
	int32_t		n_assignments;
	SyncGroupRequestSyncGroupRequestAssignment *assignments;
} SyncGroupRequest;

extern const WireStruct wire_SyncGroupRequestSyncGroupRequestAssignment;
extern const WireMessage wire_SyncGroupRequest;

/* ---------- SyncGroup (14), response, versions 0 to 5 ---------- */

typedef struct SyncGroupResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int16_t		error_code;
	WireString	protocol_type;	/* 5+, can be null */
	WireString	protocol_name;	/* 5+, can be null */
	WireBytes	assignment;
} SyncGroupResponse;

extern const WireMessage wire_SyncGroupResponse;

#endif							/* WIRE_API_GROUP_H */
