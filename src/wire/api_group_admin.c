/*-------------------------------------------------------------------------
 *
 * api_group_admin.c
 *	  Messages for listing, describing and deleting groups.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_group_admin.h"

#include "wire/table.h"

/* ---------- DescribeGroupsRequest ---------- */

static const WireField DescribeGroupsRequest_rows[] = {
	{"Groups", WIRE_STRING, SINCE(0), ARRAY_AT(DescribeGroupsRequest, groups)},
	{"IncludeAuthorizedOperations", WIRE_BOOL, SINCE(3),
		AT(DescribeGroupsRequest, include_authorized_operations)},
};

WIRE_MESSAGE_TABLE(DescribeGroupsRequest, 0, 6, 5);

/* ---------- DescribeGroupsResponse ---------- */

static const WireField DescribeGroupsResponseDescribedGroupMember_rows[] = {
	{"MemberId", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroupMember, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(4),
		AT(DescribeGroupsResponseDescribedGroupMember, group_instance_id), NULL_SINCE(4), DEFAULT_NULL},
	{"ClientId", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroupMember, client_id)},
	{"ClientHost", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroupMember, client_host)},
	{"MemberMetadata", WIRE_BYTES, SINCE(0), AT(DescribeGroupsResponseDescribedGroupMember, member_metadata)},
	{"MemberAssignment", WIRE_BYTES, SINCE(0),
		AT(DescribeGroupsResponseDescribedGroupMember, member_assignment)},
};

WIRE_STRUCT_TABLE(DescribeGroupsResponseDescribedGroupMember);

static const WireField DescribeGroupsResponseDescribedGroup_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeGroupsResponseDescribedGroup, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(6), AT(DescribeGroupsResponseDescribedGroup, error_message),
		NULL_SINCE(6), DEFAULT_NULL},
	{"GroupId", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroup, group_id)},
	{"GroupState", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroup, group_state)},
	{"ProtocolType", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroup, protocol_type)},
	{"ProtocolData", WIRE_STRING, SINCE(0), AT(DescribeGroupsResponseDescribedGroup, protocol_data)},
	{"Members", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeGroupsResponseDescribedGroup, members),
		OF(DescribeGroupsResponseDescribedGroupMember)},
	{"AuthorizedOperations", WIRE_INT32, SINCE(3),
		AT(DescribeGroupsResponseDescribedGroup, authorized_operations), DEFAULT(INT32_MIN)},
};

WIRE_STRUCT_TABLE(DescribeGroupsResponseDescribedGroup);

static const WireField DescribeGroupsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(DescribeGroupsResponse, throttle_time_ms)},
	{"Groups", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeGroupsResponse, groups),
		OF(DescribeGroupsResponseDescribedGroup)},
};

WIRE_MESSAGE_TABLE(DescribeGroupsResponse, 0, 6, 5);

/* ---------- ListGroupsRequest ---------- */

static const WireField ListGroupsRequest_rows[] = {
	{"StatesFilter", WIRE_STRING, SINCE(4), ARRAY_AT(ListGroupsRequest, states_filter)},
	{"TypesFilter", WIRE_STRING, SINCE(5), ARRAY_AT(ListGroupsRequest, types_filter)},
};

WIRE_MESSAGE_TABLE(ListGroupsRequest, 0, 5, 3);

/* ---------- ListGroupsResponse ---------- */

static const WireField ListGroupsResponseListedGroup_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(ListGroupsResponseListedGroup, group_id)},
	{"ProtocolType", WIRE_STRING, SINCE(0), AT(ListGroupsResponseListedGroup, protocol_type)},
	{"GroupState", WIRE_STRING, SINCE(4), AT(ListGroupsResponseListedGroup, group_state)},
	{"GroupType", WIRE_STRING, SINCE(5), AT(ListGroupsResponseListedGroup, group_type)},
};

WIRE_STRUCT_TABLE(ListGroupsResponseListedGroup);

static const WireField ListGroupsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(ListGroupsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ListGroupsResponse, error_code)},
	{"Groups", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListGroupsResponse, groups),
		OF(ListGroupsResponseListedGroup)},
};

WIRE_MESSAGE_TABLE(ListGroupsResponse, 0, 5, 3);

/* ---------- DeleteGroupsRequest ---------- */

static const WireField DeleteGroupsRequest_rows[] = {
	{"GroupsNames", WIRE_STRING, SINCE(0), ARRAY_AT(DeleteGroupsRequest, groups_names)},
};

WIRE_MESSAGE_TABLE(DeleteGroupsRequest, 0, 3, 2);

/* ---------- DeleteGroupsResponse ---------- */

static const WireField DeleteGroupsResponseDeletableGroupResult_rows[] = {
	{"GroupId", WIRE_STRING, SINCE(0), AT(DeleteGroupsResponseDeletableGroupResult, group_id)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteGroupsResponseDeletableGroupResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(3), AT(DeleteGroupsResponseDeletableGroupResult, error_message),
		NULL_SINCE(3), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(DeleteGroupsResponseDeletableGroupResult);

static const WireField DeleteGroupsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DeleteGroupsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteGroupsResponse, results),
		OF(DeleteGroupsResponseDeletableGroupResult)},
};

WIRE_MESSAGE_TABLE(DeleteGroupsResponse, 0, 3, 2);
