/*-------------------------------------------------------------------------
 *
 * api_group_admin.h
 *	  Messages for listing, describing and deleting groups.
 *
 * DescribeGroups, ListGroups, DeleteGroups.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_GROUP_ADMIN_H
#define WIRE_API_GROUP_ADMIN_H

#include "wire/message.h"

/* ---------- DescribeGroups (15), request, versions 0 to 6 ---------- */

typedef struct DescribeGroupsRequest
{
	int32_t		n_groups;
	WireString *groups;
	bool		include_authorized_operations; /* 3+ */
} DescribeGroupsRequest;

extern const WireMessage wire_DescribeGroupsRequest;

/* ---------- DescribeGroups (15), response, versions 0 to 6 ---------- */

typedef struct DescribeGroupsResponseDescribedGroupMember
{
	WireString	member_id;
	WireString	group_instance_id; /* 4+, can be null */
	WireString	client_id;
	WireString	client_host;
	WireBytes	member_metadata;
	WireBytes	member_assignment;
} DescribeGroupsResponseDescribedGroupMember;

typedef struct DescribeGroupsResponseDescribedGroup
{
	int16_t		error_code;
	WireString	error_message;	/* 6+, can be null */
	WireString	group_id;
	WireString	group_state;
	WireString	protocol_type;
	WireString	protocol_data;
	int32_t		n_members;
	DescribeGroupsResponseDescribedGroupMember *members;
	int32_t		authorized_operations; /* 3+, default INT32_MIN */
} DescribeGroupsResponseDescribedGroup;

typedef struct DescribeGroupsResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int32_t		n_groups;
	DescribeGroupsResponseDescribedGroup *groups;
} DescribeGroupsResponse;

extern const WireStruct wire_DescribeGroupsResponseDescribedGroupMember;
extern const WireStruct wire_DescribeGroupsResponseDescribedGroup;
extern const WireMessage wire_DescribeGroupsResponse;

/* ---------- ListGroups (16), request, versions 0 to 5 ---------- */

typedef struct ListGroupsRequest
{
	int32_t		n_states_filter;
	WireString *states_filter;	/* 4+ */
	int32_t		n_types_filter;
	WireString *types_filter;	/* 5+ */
} ListGroupsRequest;

extern const WireMessage wire_ListGroupsRequest;

/* ---------- ListGroups (16), response, versions 0 to 5 ---------- */

typedef struct ListGroupsResponseListedGroup
{
	WireString	group_id;
	WireString	protocol_type;
	WireString	group_state;	/* 4+ */
	WireString	group_type;		/* 5+ */
} ListGroupsResponseListedGroup;

typedef struct ListGroupsResponse
{
	int32_t		throttle_time_ms; /* 1+ */
	int16_t		error_code;
	int32_t		n_groups;
	ListGroupsResponseListedGroup *groups;
} ListGroupsResponse;

extern const WireStruct wire_ListGroupsResponseListedGroup;
extern const WireMessage wire_ListGroupsResponse;

/* ---------- DeleteGroups (42), request, versions 0 to 3 ---------- */

typedef struct DeleteGroupsRequest
{
	int32_t		n_groups_names;
	WireString *groups_names;
} DeleteGroupsRequest;

extern const WireMessage wire_DeleteGroupsRequest;

/* ---------- DeleteGroups (42), response, versions 0 to 3 ---------- */

typedef struct DeleteGroupsResponseDeletableGroupResult
{
	WireString	group_id;
	int16_t		error_code;
	WireString	error_message;	/* 3+, can be null */
} DeleteGroupsResponseDeletableGroupResult;

typedef struct DeleteGroupsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	DeleteGroupsResponseDeletableGroupResult *results;
} DeleteGroupsResponse;

extern const WireStruct wire_DeleteGroupsResponseDeletableGroupResult;
extern const WireMessage wire_DeleteGroupsResponse;

#endif							/* WIRE_API_GROUP_ADMIN_H */
