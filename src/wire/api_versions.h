/*-------------------------------------------------------------------------
 *
 * api_versions.h
 *	  Messages for which APIs and versions the broker serves.
 *
 * ApiVersions.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_VERSIONS_H
#define WIRE_API_VERSIONS_H

#include "wire/message.h"

/* ---------- ApiVersions (18), request, versions 0 to 5 ---------- */

typedef struct ApiVersionsRequest
{
	WireString	client_software_name; /* 3+ */
	WireString	client_software_version; /* 3+ */
	WireString	cluster_id;		/* 5+, can be null */
	int32_t		node_id;		/* 5+, default -1 */
} ApiVersionsRequest;

extern const WireMessage wire_ApiVersionsRequest;

/* ---------- ApiVersions (18), response, versions 0 to 5 ---------- */

typedef struct ApiVersionsResponseApiVersion
{
	int16_t		api_key;
	int16_t		min_version;
	int16_t		max_version;
} ApiVersionsResponseApiVersion;

typedef struct ApiVersionsResponseSupportedFeatureKey
{
	WireString	name;			/* 3+ */
	int16_t		min_version;	/* 3+ */
	int16_t		max_version;	/* 3+ */
} ApiVersionsResponseSupportedFeatureKey;

typedef struct ApiVersionsResponseFinalizedFeatureKey
{
	WireString	name;			/* 3+ */
	int16_t		max_version_level; /* 3+ */
	int16_t		min_version_level; /* 3+ */
} ApiVersionsResponseFinalizedFeatureKey;

typedef struct ApiVersionsResponse
{
	int16_t		error_code;
	int32_t		n_api_keys;
	ApiVersionsResponseApiVersion *api_keys;
	int32_t		throttle_time_ms; /* 1+ */
	int32_t		n_supported_features;
	ApiVersionsResponseSupportedFeatureKey *supported_features; /* 3+, optional */
	int64_t		finalized_features_epoch; /* 3+, optional, default -1 */
	int32_t		n_finalized_features;
	ApiVersionsResponseFinalizedFeatureKey *finalized_features; /* 3+, optional */
	bool		zk_migration_ready; /* 3+, optional */
} ApiVersionsResponse;

extern const WireStruct wire_ApiVersionsResponseApiVersion;
extern const WireStruct wire_ApiVersionsResponseSupportedFeatureKey;
extern const WireStruct wire_ApiVersionsResponseFinalizedFeatureKey;
extern const WireMessage wire_ApiVersionsResponse;

#endif							/* WIRE_API_VERSIONS_H */
