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

static const WireField describe_client_quotas_request_component_data_fields[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasRequestComponentData, entity_type)},
	{"MatchType", WIRE_INT8, SINCE(0), AT(DescribeClientQuotasRequestComponentData, match_type)},
	{"Match", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasRequestComponentData, match), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasRequestComponentData, describe_client_quotas_request_component_data_fields);

static const WireField describe_client_quotas_request_fields[] = {
	{"Components", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasRequest, components),
		OF(DescribeClientQuotasRequestComponentData)},
	{"Strict", WIRE_BOOL, SINCE(0), AT(DescribeClientQuotasRequest, strict)},
};

WIRE_MESSAGE_TABLE(DescribeClientQuotasRequest, describe_client_quotas_request_fields, 0, 1, 1);

/* ---------- DescribeClientQuotasResponse ---------- */

static const WireField describe_client_quotas_response_entity_data_fields[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseEntityData, entity_name),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseEntityData, describe_client_quotas_response_entity_data_fields);

static const WireField describe_client_quotas_response_value_data_fields[] = {
	{"Key", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponseValueData, key)},
	{"Value", WIRE_FLOAT64, SINCE(0), AT(DescribeClientQuotasResponseValueData, value)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseValueData, describe_client_quotas_response_value_data_fields);

static const WireField describe_client_quotas_response_entry_data_fields[] = {
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponseEntryData, entity),
		OF(DescribeClientQuotasResponseEntityData)},
	{"Values", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponseEntryData, values),
		OF(DescribeClientQuotasResponseValueData)},
};

WIRE_STRUCT_TABLE(DescribeClientQuotasResponseEntryData, describe_client_quotas_response_entry_data_fields);

static const WireField describe_client_quotas_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeClientQuotasResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeClientQuotasResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeClientQuotasResponse, error_message), NULL_SINCE(0)},
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeClientQuotasResponse, entries),
		OF(DescribeClientQuotasResponseEntryData), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeClientQuotasResponse, describe_client_quotas_response_fields, 0, 1, 1);

/* ---------- AlterClientQuotasRequest ---------- */

static const WireField alter_client_quotas_request_entity_data_fields[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestEntityData, entity_name), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestEntityData, alter_client_quotas_request_entity_data_fields);

static const WireField alter_client_quotas_request_op_data_fields[] = {
	{"Key", WIRE_STRING, SINCE(0), AT(AlterClientQuotasRequestOpData, key)},
	{"Value", WIRE_FLOAT64, SINCE(0), AT(AlterClientQuotasRequestOpData, value)},
	{"Remove", WIRE_BOOL, SINCE(0), AT(AlterClientQuotasRequestOpData, remove)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestOpData, alter_client_quotas_request_op_data_fields);

static const WireField alter_client_quotas_request_entry_data_fields[] = {
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequestEntryData, entity),
		OF(AlterClientQuotasRequestEntityData)},
	{"Ops", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequestEntryData, ops),
		OF(AlterClientQuotasRequestOpData)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasRequestEntryData, alter_client_quotas_request_entry_data_fields);

static const WireField alter_client_quotas_request_fields[] = {
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasRequest, entries),
		OF(AlterClientQuotasRequestEntryData)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(AlterClientQuotasRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(AlterClientQuotasRequest, alter_client_quotas_request_fields, 0, 1, 1);

/* ---------- AlterClientQuotasResponse ---------- */

static const WireField alter_client_quotas_response_entity_data_fields[] = {
	{"EntityType", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntityData, entity_type)},
	{"EntityName", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntityData, entity_name),
		NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasResponseEntityData, alter_client_quotas_response_entity_data_fields);

static const WireField alter_client_quotas_response_entry_data_fields[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(AlterClientQuotasResponseEntryData, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(AlterClientQuotasResponseEntryData, error_message),
		NULL_SINCE(0)},
	{"Entity", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasResponseEntryData, entity),
		OF(AlterClientQuotasResponseEntityData)},
};

WIRE_STRUCT_TABLE(AlterClientQuotasResponseEntryData, alter_client_quotas_response_entry_data_fields);

static const WireField alter_client_quotas_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterClientQuotasResponse, throttle_time_ms)},
	{"Entries", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterClientQuotasResponse, entries),
		OF(AlterClientQuotasResponseEntryData)},
};

WIRE_MESSAGE_TABLE(AlterClientQuotasResponse, alter_client_quotas_response_fields, 0, 1, 1);
