/*-------------------------------------------------------------------------
 *
 * api_configs.c
 *	  Messages for settings of topics and brokers.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_configs.h"

#include "wire/table.h"

/* ---------- DescribeConfigsRequest ---------- */

static const WireField DescribeConfigsRequestDescribeConfigsResource_rows[] = {
	{"ResourceType", WIRE_INT8, SINCE(0), AT(DescribeConfigsRequestDescribeConfigsResource, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(DescribeConfigsRequestDescribeConfigsResource, resource_name)},
	{"ConfigurationKeys", WIRE_STRING, SINCE(0),
		ARRAY_AT(DescribeConfigsRequestDescribeConfigsResource, configuration_keys), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeConfigsRequestDescribeConfigsResource);

static const WireField DescribeConfigsRequest_rows[] = {
	{"Resources", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeConfigsRequest, resources),
		OF(DescribeConfigsRequestDescribeConfigsResource)},
	{"IncludeSynonyms", WIRE_BOOL, SINCE(1), AT(DescribeConfigsRequest, include_synonyms)},
	{"IncludeDocumentation", WIRE_BOOL, SINCE(3), AT(DescribeConfigsRequest, include_documentation)},
};

WIRE_MESSAGE_TABLE(DescribeConfigsRequest, 1, 4, 4);

/* ---------- DescribeConfigsResponse ---------- */

static const WireField DescribeConfigsResponseDescribeConfigsSynonym_rows[] = {
	{"Name", WIRE_STRING, SINCE(1), AT(DescribeConfigsResponseDescribeConfigsSynonym, name)},
	{"Value", WIRE_STRING, SINCE(1), AT(DescribeConfigsResponseDescribeConfigsSynonym, value), NULL_SINCE(0)},
	{"Source", WIRE_INT8, SINCE(1), AT(DescribeConfigsResponseDescribeConfigsSynonym, source)},
};

WIRE_STRUCT_TABLE(DescribeConfigsResponseDescribeConfigsSynonym);

static const WireField DescribeConfigsResponseDescribeConfigsResourceResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResourceResult, name)},
	{"Value", WIRE_STRING, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResourceResult, value),
		NULL_SINCE(0)},
	{"ReadOnly", WIRE_BOOL, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResourceResult, read_only)},
	{"ConfigSource", WIRE_INT8, SINCE(1),
		AT(DescribeConfigsResponseDescribeConfigsResourceResult, config_source), DEFAULT(-1)},
	{"IsSensitive", WIRE_BOOL, SINCE(0),
		AT(DescribeConfigsResponseDescribeConfigsResourceResult, is_sensitive)},
	{"Synonyms", WIRE_STRUCT, SINCE(1),
		ARRAY_AT(DescribeConfigsResponseDescribeConfigsResourceResult, synonyms),
		OF(DescribeConfigsResponseDescribeConfigsSynonym)},
	{"ConfigType", WIRE_INT8, SINCE(3),
		AT(DescribeConfigsResponseDescribeConfigsResourceResult, config_type)},
	{"Documentation", WIRE_STRING, SINCE(3),
		AT(DescribeConfigsResponseDescribeConfigsResourceResult, documentation), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(DescribeConfigsResponseDescribeConfigsResourceResult);

static const WireField DescribeConfigsResponseDescribeConfigsResult_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResult, error_message),
		NULL_SINCE(0)},
	{"ResourceType", WIRE_INT8, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResult, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(DescribeConfigsResponseDescribeConfigsResult, resource_name)},
	{"Configs", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeConfigsResponseDescribeConfigsResult, configs),
		OF(DescribeConfigsResponseDescribeConfigsResourceResult)},
};

WIRE_STRUCT_TABLE(DescribeConfigsResponseDescribeConfigsResult);

static const WireField DescribeConfigsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeConfigsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeConfigsResponse, results),
		OF(DescribeConfigsResponseDescribeConfigsResult)},
};

WIRE_MESSAGE_TABLE(DescribeConfigsResponse, 1, 4, 4);

/* ---------- AlterConfigsRequest ---------- */

static const WireField AlterConfigsRequestAlterableConfig_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterConfigsRequestAlterableConfig, name)},
	{"Value", WIRE_STRING, SINCE(0), AT(AlterConfigsRequestAlterableConfig, value), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterConfigsRequestAlterableConfig);

static const WireField AlterConfigsRequestAlterConfigsResource_rows[] = {
	{"ResourceType", WIRE_INT8, SINCE(0), AT(AlterConfigsRequestAlterConfigsResource, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0), AT(AlterConfigsRequestAlterConfigsResource, resource_name)},
	{"Configs", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterConfigsRequestAlterConfigsResource, configs),
		OF(AlterConfigsRequestAlterableConfig)},
};

WIRE_STRUCT_TABLE(AlterConfigsRequestAlterConfigsResource);

static const WireField AlterConfigsRequest_rows[] = {
	{"Resources", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterConfigsRequest, resources),
		OF(AlterConfigsRequestAlterConfigsResource)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(AlterConfigsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(AlterConfigsRequest, 0, 2, 2);

/* ---------- AlterConfigsResponse ---------- */

static const WireField AlterConfigsResponseAlterConfigsResourceResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(AlterConfigsResponseAlterConfigsResourceResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(AlterConfigsResponseAlterConfigsResourceResponse, error_message), NULL_SINCE(0)},
	{"ResourceType", WIRE_INT8, SINCE(0),
		AT(AlterConfigsResponseAlterConfigsResourceResponse, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0),
		AT(AlterConfigsResponseAlterConfigsResourceResponse, resource_name)},
};

WIRE_STRUCT_TABLE(AlterConfigsResponseAlterConfigsResourceResponse);

static const WireField AlterConfigsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterConfigsResponse, throttle_time_ms)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterConfigsResponse, responses),
		OF(AlterConfigsResponseAlterConfigsResourceResponse)},
};

WIRE_MESSAGE_TABLE(AlterConfigsResponse, 0, 2, 2);

/* ---------- IncrementalAlterConfigsRequest ---------- */

static const WireField IncrementalAlterConfigsRequestAlterableConfig_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(IncrementalAlterConfigsRequestAlterableConfig, name)},
	{"ConfigOperation", WIRE_INT8, SINCE(0),
		AT(IncrementalAlterConfigsRequestAlterableConfig, config_operation)},
	{"Value", WIRE_STRING, SINCE(0), AT(IncrementalAlterConfigsRequestAlterableConfig, value), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(IncrementalAlterConfigsRequestAlterableConfig);

static const WireField IncrementalAlterConfigsRequestAlterConfigsResource_rows[] = {
	{"ResourceType", WIRE_INT8, SINCE(0),
		AT(IncrementalAlterConfigsRequestAlterConfigsResource, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0),
		AT(IncrementalAlterConfigsRequestAlterConfigsResource, resource_name)},
	{"Configs", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(IncrementalAlterConfigsRequestAlterConfigsResource, configs),
		OF(IncrementalAlterConfigsRequestAlterableConfig)},
};

WIRE_STRUCT_TABLE(IncrementalAlterConfigsRequestAlterConfigsResource);

static const WireField IncrementalAlterConfigsRequest_rows[] = {
	{"Resources", WIRE_STRUCT, SINCE(0), ARRAY_AT(IncrementalAlterConfigsRequest, resources),
		OF(IncrementalAlterConfigsRequestAlterConfigsResource)},
	{"ValidateOnly", WIRE_BOOL, SINCE(0), AT(IncrementalAlterConfigsRequest, validate_only)},
};

WIRE_MESSAGE_TABLE(IncrementalAlterConfigsRequest, 0, 1, 1);

/* ---------- IncrementalAlterConfigsResponse ---------- */

static const WireField IncrementalAlterConfigsResponseAlterConfigsResourceResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(IncrementalAlterConfigsResponseAlterConfigsResourceResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(IncrementalAlterConfigsResponseAlterConfigsResourceResponse, error_message), NULL_SINCE(0)},
	{"ResourceType", WIRE_INT8, SINCE(0),
		AT(IncrementalAlterConfigsResponseAlterConfigsResourceResponse, resource_type)},
	{"ResourceName", WIRE_STRING, SINCE(0),
		AT(IncrementalAlterConfigsResponseAlterConfigsResourceResponse, resource_name)},
};

WIRE_STRUCT_TABLE(IncrementalAlterConfigsResponseAlterConfigsResourceResponse);

static const WireField IncrementalAlterConfigsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(IncrementalAlterConfigsResponse, throttle_time_ms)},
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(IncrementalAlterConfigsResponse, responses),
		OF(IncrementalAlterConfigsResponseAlterConfigsResourceResponse)},
};

WIRE_MESSAGE_TABLE(IncrementalAlterConfigsResponse, 0, 1, 1);

/* ---------- ListConfigResourcesRequest ---------- */

static const WireField ListConfigResourcesRequest_rows[] = {
	{"ResourceTypes", WIRE_INT8, SINCE(1), ARRAY_AT(ListConfigResourcesRequest, resource_types)},
};

WIRE_MESSAGE_TABLE(ListConfigResourcesRequest, 0, 1, 0);

/* ---------- ListConfigResourcesResponse ---------- */

static const WireField ListConfigResourcesResponseConfigResource_rows[] = {
	{"ResourceName", WIRE_STRING, SINCE(0), AT(ListConfigResourcesResponseConfigResource, resource_name)},
	{"ResourceType", WIRE_INT8, SINCE(1), AT(ListConfigResourcesResponseConfigResource, resource_type),
		DEFAULT(16)},
};

WIRE_STRUCT_TABLE(ListConfigResourcesResponseConfigResource);

static const WireField ListConfigResourcesResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ListConfigResourcesResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ListConfigResourcesResponse, error_code)},
	{"ConfigResources", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListConfigResourcesResponse, config_resources),
		OF(ListConfigResourcesResponseConfigResource)},
};

WIRE_MESSAGE_TABLE(ListConfigResourcesResponse, 0, 1, 0);
