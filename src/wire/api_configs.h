/*-------------------------------------------------------------------------
 *
 * api_configs.h
 *	  Messages for settings of topics and brokers.
 *
 * DescribeConfigs, AlterConfigs, IncrementalAlterConfigs,
 * ListConfigResources.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_CONFIGS_H
#define WIRE_API_CONFIGS_H

#include "wire/message.h"

/* ---------- DescribeConfigs (32), request, versions 1 to 4 ---------- */

typedef struct DescribeConfigsRequestDescribeConfigsResource
{
	int8_t		resource_type;
	WireString	resource_name;
	int32_t		n_configuration_keys;
	WireString *configuration_keys; /* can be null */
} DescribeConfigsRequestDescribeConfigsResource;

typedef struct DescribeConfigsRequest
{
	int32_t		n_resources;
	DescribeConfigsRequestDescribeConfigsResource *resources;
	bool		include_synonyms;
	bool		include_documentation; /* 3+ */
} DescribeConfigsRequest;

extern const WireStruct wire_DescribeConfigsRequestDescribeConfigsResource;
extern const WireMessage wire_DescribeConfigsRequest;

/* ---------- DescribeConfigs (32), response, versions 1 to 4 ---------- */

typedef struct DescribeConfigsResponseDescribeConfigsSynonym
{
	WireString	name;
	WireString	value;			/* can be null */
	int8_t		source;
} DescribeConfigsResponseDescribeConfigsSynonym;

typedef struct DescribeConfigsResponseDescribeConfigsResourceResult
{
	WireString	name;
	WireString	value;			/* can be null */
	bool		read_only;
	int8_t		config_source;	/* default -1 */
	bool		is_sensitive;
	int32_t		n_synonyms;
	DescribeConfigsResponseDescribeConfigsSynonym *synonyms;
	int8_t		config_type;	/* 3+ */
	WireString	documentation;	/* 3+, can be null */
} DescribeConfigsResponseDescribeConfigsResourceResult;

typedef struct DescribeConfigsResponseDescribeConfigsResult
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int8_t		resource_type;
	WireString	resource_name;
	int32_t		n_configs;
	DescribeConfigsResponseDescribeConfigsResourceResult *configs;
} DescribeConfigsResponseDescribeConfigsResult;

typedef struct DescribeConfigsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	DescribeConfigsResponseDescribeConfigsResult *results;
} DescribeConfigsResponse;

extern const WireStruct wire_DescribeConfigsResponseDescribeConfigsSynonym;
extern const WireStruct wire_DescribeConfigsResponseDescribeConfigsResourceResult;
extern const WireStruct wire_DescribeConfigsResponseDescribeConfigsResult;
extern const WireMessage wire_DescribeConfigsResponse;

/* ---------- AlterConfigs (33), request, versions 0 to 2 ---------- */

typedef struct AlterConfigsRequestAlterableConfig
{
	WireString	name;
	WireString	value;			/* can be null */
} AlterConfigsRequestAlterableConfig;

typedef struct AlterConfigsRequestAlterConfigsResource
{
	int8_t		resource_type;
	WireString	resource_name;
	int32_t		n_configs;
	AlterConfigsRequestAlterableConfig *configs;
} AlterConfigsRequestAlterConfigsResource;

typedef struct AlterConfigsRequest
{
	int32_t		n_resources;
	AlterConfigsRequestAlterConfigsResource *resources;
	bool		validate_only;
} AlterConfigsRequest;

extern const WireStruct wire_AlterConfigsRequestAlterableConfig;
extern const WireStruct wire_AlterConfigsRequestAlterConfigsResource;
extern const WireMessage wire_AlterConfigsRequest;

/* ---------- AlterConfigs (33), response, versions 0 to 2 ---------- */

typedef struct AlterConfigsResponseAlterConfigsResourceResponse
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int8_t		resource_type;
	WireString	resource_name;
} AlterConfigsResponseAlterConfigsResourceResponse;

typedef struct AlterConfigsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_responses;
	AlterConfigsResponseAlterConfigsResourceResponse *responses;
} AlterConfigsResponse;

extern const WireStruct wire_AlterConfigsResponseAlterConfigsResourceResponse;
extern const WireMessage wire_AlterConfigsResponse;

/* ---------- IncrementalAlterConfigs (44), request, versions 0 to 1 ---------- */

typedef struct IncrementalAlterConfigsRequestAlterableConfig
{
	WireString	name;
	int8_t		config_operation;
	WireString	value;			/* can be null */
} IncrementalAlterConfigsRequestAlterableConfig;

typedef struct IncrementalAlterConfigsRequestAlterConfigsResource
{
	int8_t		resource_type;
	WireString	resource_name;
	int32_t		n_configs;
	IncrementalAlterConfigsRequestAlterableConfig *configs;
} IncrementalAlterConfigsRequestAlterConfigsResource;

typedef struct IncrementalAlterConfigsRequest
{
	int32_t		n_resources;
	IncrementalAlterConfigsRequestAlterConfigsResource *resources;
	bool		validate_only;
} IncrementalAlterConfigsRequest;

extern const WireStruct wire_IncrementalAlterConfigsRequestAlterableConfig;
extern const WireStruct wire_IncrementalAlterConfigsRequestAlterConfigsResource;
extern const WireMessage wire_IncrementalAlterConfigsRequest;

/* ---------- IncrementalAlterConfigs (44), response, versions 0 to 1 ---------- */

typedef struct IncrementalAlterConfigsResponseAlterConfigsResourceResponse
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int8_t		resource_type;
	WireString	resource_name;
} IncrementalAlterConfigsResponseAlterConfigsResourceResponse;

typedef struct IncrementalAlterConfigsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_responses;
	IncrementalAlterConfigsResponseAlterConfigsResourceResponse *responses;
} IncrementalAlterConfigsResponse;

extern const WireStruct wire_IncrementalAlterConfigsResponseAlterConfigsResourceResponse;
extern const WireMessage wire_IncrementalAlterConfigsResponse;

/* ---------- ListConfigResources (74), request, versions 0 to 1 ---------- */

typedef struct ListConfigResourcesRequest
{
	int32_t		n_resource_types;
	int8_t	   *resource_types;	/* 1+ */
} ListConfigResourcesRequest;

extern const WireMessage wire_ListConfigResourcesRequest;

/* ---------- ListConfigResources (74), response, versions 0 to 1 ---------- */

typedef struct ListConfigResourcesResponseConfigResource
{
	WireString	resource_name;
	int8_t		resource_type;	/* 1+, default 16 */
} ListConfigResourcesResponseConfigResource;

typedef struct ListConfigResourcesResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	int32_t		n_config_resources;
	ListConfigResourcesResponseConfigResource *config_resources;
} ListConfigResourcesResponse;

extern const WireStruct wire_ListConfigResourcesResponseConfigResource;
extern const WireMessage wire_ListConfigResourcesResponse;

#endif							/* WIRE_API_CONFIGS_H */
