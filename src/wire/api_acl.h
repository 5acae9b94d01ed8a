/*-------------------------------------------------------------------------
 *
 * api_acl.h
 *	  Messages for access control lists.
 *
 * DescribeAcls, CreateAcls, DeleteAcls.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_ACL_H
#define WIRE_API_ACL_H

#include "wire/message.h"

/* ---------- DescribeAcls (29), request, versions 1 to 3 ---------- */

typedef struct DescribeAclsRequest
{
	int8_t		resource_type_filter;
	WireString	resource_name_filter; /* can be null */
	int8_t		pattern_type_filter; /* default 3 */
	WireString	principal_filter; /* can be null */
	WireString	host_filter;	/* can be null */
	int8_t		operation;
	int8_t		permission_type;
} DescribeAclsRequest;

extern const WireMessage wire_DescribeAclsRequest;

/* ---------- DescribeAcls (29), response, versions 1 to 3 ---------- */

typedef struct DescribeAclsResponseAclDescription
{
	WireString	principal;
	WireString	host;
	int8_t		operation;
	int8_t		permission_type;
} DescribeAclsResponseAclDescription;

typedef struct DescribeAclsResponseDescribeAclsResource
{
	int8_t		resource_type;
	WireString	resource_name;
	int8_t		pattern_type;	/* default 3 */
	int32_t		n_acls;
	DescribeAclsResponseAclDescription *acls;
} DescribeAclsResponseDescribeAclsResource;

typedef struct DescribeAclsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_resources;
	DescribeAclsResponseDescribeAclsResource *resources;
} DescribeAclsResponse;

extern const WireStruct wire_DescribeAclsResponseAclDescription;
extern const WireStruct wire_DescribeAclsResponseDescribeAclsResource;
extern const WireMessage wire_DescribeAclsResponse;

/* ---------- CreateAcls (30), request, versions 1 to 3 ---------- */

typedef struct CreateAclsRequestAclCreation
{
	int8_t		resource_type;
	WireString	resource_name;
	int8_t		resource_pattern_type; /* default 3 */
	WireString	principal;
	WireString	host;
	int8_t		operation;
	int8_t		permission_type;
} CreateAclsRequestAclCreation;

typedef struct CreateAclsRequest
{
	int32_t		n_creations;
	CreateAclsRequestAclCreation *creations;
} CreateAclsRequest;

extern const WireStruct wire_CreateAclsRequestAclCreation;
extern const WireMessage wire_CreateAclsRequest;

/* ---------- CreateAcls (30), response, versions 1 to 3 ---------- */

typedef struct CreateAclsResponseAclCreationResult
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} CreateAclsResponseAclCreationResult;

typedef struct CreateAclsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	CreateAclsResponseAclCreationResult *results;
} CreateAclsResponse;

extern const WireStruct wire_CreateAclsResponseAclCreationResult;
extern const WireMessage wire_CreateAclsResponse;

/* ---------- DeleteAcls (31), request, versions 1 to 3 ---------- */

typedef struct DeleteAclsRequestDeleteAclsFilter
{
	int8_t		resource_type_filter;
	WireString	resource_name_filter; /* can be null */
	int8_t		pattern_type_filter; /* default 3 */
	WireString	principal_filter; /* can be null */
	WireString	host_filter;	/* can be null */
	int8_t		operation;
	int8_t		permission_type;
} DeleteAclsRequestDeleteAclsFilter;

typedef struct DeleteAclsRequest
{
	int32_t		n_filters;
	DeleteAclsRequestDeleteAclsFilter *filters;
} DeleteAclsRequest;

extern const WireStruct wire_DeleteAclsRequestDeleteAclsFilter;
extern const WireMessage wire_DeleteAclsRequest;

/* ---------- DeleteAcls (31), response, versions 1 to 3 ---------- */

typedef struct DeleteAclsResponseDeleteAclsMatchingAcl
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int8_t		resource_type;
	WireString	resource_name;
	int8_t		pattern_type;	/* default 3 */
	WireString	principal;
	WireString	host;
	int8_t		operation;
	int8_t		permission_type;
} DeleteAclsResponseDeleteAclsMatchingAcl;

typedef struct DeleteAclsResponseDeleteAclsFilterResult
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_matching_acls;
	DeleteAclsResponseDeleteAclsMatchingAcl *matching_acls;
} DeleteAclsResponseDeleteAclsFilterResult;

typedef struct DeleteAclsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_filter_results;
	DeleteAclsResponseDeleteAclsFilterResult *filter_results;
} DeleteAclsResponse;

extern const WireStruct wire_DeleteAclsResponseDeleteAclsMatchingAcl;
extern const WireStruct wire_DeleteAclsResponseDeleteAclsFilterResult;
extern const WireMessage wire_DeleteAclsResponse;

#endif							/* WIRE_API_ACL_H */
