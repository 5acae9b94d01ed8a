/*-------------------------------------------------------------------------
 *
 * api_quota.c
 *	  Messages for client quotas.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_quota.h"

#include "wire/table.h"

/* ---------- DescribeClientQuotasRequest ---------- */

static const WireField DescribeClientQuotasRequestComponentData_rows[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasRequestComponentData, entity_type)},
	{"MatchType", WIRE_INT8, SINCE(0), AT(DescribeClientQuotasRequestComponentData, match_type)},
	{"Match", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasRequestComponentData, match), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasRequestComponentData);

static const WireField DescribeClientQuotasRequest_rows[] = {
	{"Components", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasRequest, components),
		OF(DescribeClientQuotasRequestComponentData)},
	{"Strict", WIRE_BOOL, SINCE(0), AT(DescribeClientQuotasRequest, strict)},
};

WIRE_MESSAGE_TABLE(DescribeClientQuotasRequest, 0, 1, 1);

/* ---------- DescribeClientQuotasResponse ---------- */

static const WireField DescribeClientQuotasResponseEntityData_rows[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseEntityData, entity_name),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseEntityData);

static const WireField DescribeClientQuotasResponseValueData_rows[] = {
	{"Key", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseValueData, key)},
	{"Value", WIRE_FLOAT64, SINCE(0), AT(DescribeClientQuotasResponseValueData, value)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseValueData);

static const WireField DescribeClientQuotasResponseEntryData_rows[] = {
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponseEntryData, entity),
		OF(DescribeClientQuotasResponseEntityData)},
	{"Values", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponseEntryData, values),
		OF(DescribeClientQuotasResponseValueData)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseEntryData);

static const WireField DescribeClientQuotasResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeClientQuotasResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeClientQuotasResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponse, error_message), NULL_SINCE(0)},
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponse, entries),
		OF(DescribeClientQuotasResponseEntryData), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeClientQuotasResponse, 0, 1, 1);

/* ---------- AlterClientQuotasRequest ---------- */

static const WireField AlterClientQuotasRequestEntityData_rows[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestEntityData, entity_name), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestEntityData);

static const WireField AlterClientQuotasRequestOpData_rows[] = {
	{"Key", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestOpData, key)},
	{"Value", WIRE_FLOAT64, SINCE(0), AT(AlterClientQuotasRequestOpData, value)},
	{"Remove", WIRE_BOOL, SINCE(0), AT(AlterClientQuotasRequestOpData, remove)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestOpData);

static const WireField AlterClientQuotasRequestEntryData_rows[] = {
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequestEntryData, entity),
		OF(AlterClientQuotasRequestEntityData)},
	{"Ops", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequestEntryData, ops),
		OF(AlterClientQuotasRequestOpData)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestEntryData);

static const WireField AlterClientQuotasRequest_rows[] = {
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequest, entries),
		OF(AlterClientQuotasRequestEntryData)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(AlterClientQuotasRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(AlterClientQuotasRequest, 0, 1, 1);

/* ---------- AlterClientQuotasResponse ---------- */

static const WireField AlterClientQuotasResponseEntityData_rows[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntityData, entity_name),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasResponseEntityData);

static const WireField AlterClientQuotasResponseEntryData_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(AlterClientQuotasResponseEntryData, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntryData, error_message),
		NULL_SINCE(0)},
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasResponseEntryData, entity),
		OF(AlterClientQuotasResponseEntityData)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasResponseEntryData);

static const WireField AlterClientQuotasResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterClientQuotasResponse, throttle_time_ms)},
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasResponse, entries),
		OF(AlterClientQuotasResponseEntryData)},
};

WIRE_MESSAGE_TABLE(AlterClientQuotasResponse, 0, 1, 1);
