/*-------------------------------------------------------------------------
 *
 * api_acl.c
 *	  Messages for access control lists.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_acl.h"

#include "wire/table.h"

/* ---------- DescribeAclsRequest ---------- */

static const WireField DescribeAclsRequest_rows[] = {
	{"ResourceTypeFilter", WIRE_INT8, SINCE(0), AT(DescribeAclsRequest, resource_type_filter)},
	{"ResourceNameFilter", WIRE_STRING, SINCE(0), AT(DescribeAclsRequest, resource_name_filter),
		NULL_SINCE(0)},
	{"PatternTypeFilter", WIRE_INT8, SINCE(1), AT(DescribeAclsRequest, pattern_type_filter), DEFAULT(3)},
	{"PrincipalFilter", WIRE_STRING, SINCE(0), AT(DescribeAclsRequest, principal_filter), NULL_SINCE(0)},
	{"HostFilter", WIRE_STRING, SINCE(0), AT(DescribeAclsRequest, host_filter), NULL_SINCE(0)},
	{"Operation", WIRE_INT8, SINCE(0), AT(DescribeAclsRequest, operation)},
	{"PermissionType", WIRE_INT8, SINCE(0), AT(DescribeAclsRequest, permission_type)},
};

WIRE_MESSAGE_TABLE(DescribeAclsRequest, 1, 3, 2);

/* ---------- DescribeAclsResponse ---------- */

static const WireField DescribeAclsResponseAclDescription_rows[] = {
	{"Principal", WIRE_STRING, SINCE(0), AT(DescribeAclsResponseAclDescription, principal)},
	{"Host", WIRE_STRING, SINCE(0), AT(DescribeAclsResponseAclDescription, host)},
	{"Operation", WIRE_INT8, SINCE(0), AT(DescribeAclsResponseAclDescription, operation)},
	{"PermissionType", WIRE_INT8, SINCE(0), AT(DescribeAclsResponseAclDescription, permission_type)},
};

WIRE_STRUCT_TABLE(DescribeAclsResponseAclDescription);

static const WireField DescribeAclsResponseDescribeAclsResource_rows[] = {
	{"ResourceType", WIRE_INT8, SINCE(0), AT(DescribeAclsResponseDescribeAclsResource, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(DescribeAclsResponseDescribeAclsResource, resource_name)},
	{"PatternType", WIRE_INT8, SINCE(1), AT(DescribeAclsResponseDescribeAclsResource, pattern_type),
		DEFAULT(3)},
	{"Acls", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeAclsResponseDescribeAclsResource, acls),
		OF(DescribeAclsResponseAclDescription)},
};

WIRE_STRUCT_TABLE(DescribeAclsResponseDescribeAclsResource);

static const WireField DescribeAclsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeAclsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeAclsResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeAclsResponse, error_message), NULL_SINCE(0)},
	{"Resources", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeAclsResponse, resources),
		OF(DescribeAclsResponseDescribeAclsResource)},
};

WIRE_MESSAGE_TABLE(DescribeAclsResponse, 1, 3, 2);

/* ---------- CreateAclsRequest ---------- */

static const WireField CreateAclsRequestAclCreation_rows[] = {
	{"ResourceType", WIRE_INT8, SINCE(0), AT(CreateAclsRequestAclCreation, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(CreateAclsRequestAclCreation, resource_name)},
	{"ResourcePatternType", WIRE_INT8, SINCE(1), AT(CreateAclsRequestAclCreation, resource_pattern_type),
		DEFAULT(3)},
	{"Principal", WIRE_STRING, SINCE(0), AT(CreateAclsRequestAclCreation, principal)},
	{"Host", WIRE_STRING, SINCE(0), AT(CreateAclsRequestAclCreation, host)},
	{"Operation", WIRE_INT8, SINCE(0), AT(CreateAclsRequestAclCreation, operation)},
	{"PermissionType", WIRE_INT8, SINCE(0), AT(CreateAclsRequestAclCreation, permission_type)},
};

WIRE_STRUCT_TABLE(CreateAclsRequestAclCreation);

static const WireField CreateAclsRequest_rows[] = {
	{"Creations", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateAclsRequest, creations),
		OF(CreateAclsRequestAclCreation)},
};

WIRE_MESSAGE_TABLE(CreateAclsRequest, 1, 3, 2);

/* ---------- CreateAclsResponse ---------- */

static const WireField CreateAclsResponseAclCreationResult_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(CreateAclsResponseAclCreationResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(CreateAclsResponseAclCreationResult, error_message),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(CreateAclsResponseAclCreationResult);

static const WireField CreateAclsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(CreateAclsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateAclsResponse, results),
		OF(CreateAclsResponseAclCreationResult)},
};

WIRE_MESSAGE_TABLE(CreateAclsResponse, 1, 3, 2);

/* ---------- DeleteAclsRequest ---------- */

static const WireField DeleteAclsRequestDeleteAclsFilter_rows[] = {
	{"ResourceTypeFilter", WIRE_INT8, SINCE(0), AT(DeleteAclsRequestDeleteAclsFilter, resource_type_filter)},
	{"ResourceNameFilter", WIRE_STRING, SINCE(0),
		AT(DeleteAclsRequestDeleteAclsFilter, resource_name_filter), NULL_SINCE(0)},
	{"PatternTypeFilter", WIRE_INT8, SINCE(1), AT(DeleteAclsRequestDeleteAclsFilter, pattern_type_filter),
		DEFAULT(3)},
	{"PrincipalFilter", WIRE_STRING, SINCE(0), AT(DeleteAclsRequestDeleteAclsFilter, principal_filter),
		NULL_SINCE(0)},
	{"HostFilter", WIRE_STRING, SINCE(0), AT(DeleteAclsRequestDeleteAclsFilter, host_filter), NULL_SINCE(0)},
	{"Operation", WIRE_INT8, SINCE(0), AT(DeleteAclsRequestDeleteAclsFilter, operation)},
	{"PermissionType", WIRE_INT8, SINCE(0), AT(DeleteAclsRequestDeleteAclsFilter, permission_type)},
};

WIRE_STRUCT_TABLE(DeleteAclsRequestDeleteAclsFilter);

static const WireField DeleteAclsRequest_rows[] = {
	{"Filters", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteAclsRequest, filters),
		OF(DeleteAclsRequestDeleteAclsFilter)},
};

WIRE_MESSAGE_TABLE(DeleteAclsRequest, 1, 3, 2);

/* ---------- DeleteAclsResponse ---------- */

static const WireField DeleteAclsResponseDeleteAclsMatchingAcl_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, error_message),
		NULL_SINCE(0)},
	{"ResourceType", WIRE_INT8, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, resource_name)},
	{"PatternType", WIRE_INT8, SINCE(1), AT(DeleteAclsResponseDeleteAclsMatchingAcl, pattern_type),
		DEFAULT(3)},
	{"Principal", WIRE_STRING, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, principal)},
	{"Host", WIRE_STRING, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, host)},
	{"Operation", WIRE_INT8, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, operation)},
	{"PermissionType", WIRE_INT8, SINCE(0), AT(DeleteAclsResponseDeleteAclsMatchingAcl, permission_type)},
};

WIRE_STRUCT_TABLE(DeleteAclsResponseDeleteAclsMatchingAcl);

static const WireField DeleteAclsResponseDeleteAclsFilterResult_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DeleteAclsResponseDeleteAclsFilterResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DeleteAclsResponseDeleteAclsFilterResult, error_message),
		NULL_SINCE(0)},
	{"MatchingAcls", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DeleteAclsResponseDeleteAclsFilterResult, matching_acls),
		OF(DeleteAclsResponseDeleteAclsMatchingAcl)},
};

WIRE_STRUCT_TABLE(DeleteAclsResponseDeleteAclsFilterResult);

static const WireField DeleteAclsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DeleteAclsResponse, throttle_time_ms)},
	{"FilterResults", WIRE_STRUCT, SINCE(0), ARRAY_AT(DeleteAclsResponse, filter_results),
		OF(DeleteAclsResponseDeleteAclsFilterResult)},
};

WIRE_MESSAGE_TABLE(DeleteAclsResponse, 1, 3, 2);
