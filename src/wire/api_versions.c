/*-------------------------------------------------------------------------
 *
 * api_versions.c
 *	  Messages for which APIs and versions the broker serves.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_versions.h"

#include "wire/table.h"

/* ---------- ApiVersionsRequest ---------- */

static const WireField ApiVersionsRequest_rows[] = {
	{"ClientSoftwareName", WIRE_STRING, SINCE(3), AT(ApiVersionsRequest, client_software_name)},
	{"ClientSoftwareVersion", WIRE_STRING, SINCE(3), AT(ApiVersionsRequest, client_software_version)},
	{"ClusterId", WIRE_STRING, SINCE(5), AT(ApiVersionsRequest, cluster_id), NULL_SINCE(5), DEFAULT_NULL},
	{"NodeId", WIRE_INT32, SINCE(5), AT(ApiVersionsRequest, node_id), DEFAULT(-1)},
};

WIRE_MESSAGE_TABLE(ApiVersionsRequest, 0, 5, 3);

/* ---------- ApiVersionsResponse ---------- */

static const WireField ApiVersionsResponseApiVersion_rows[] = {
	{"ApiKey", WIRE_INT16, SINCE(0), AT(ApiVersionsResponseApiVersion, api_key)},
	{"MinVersion", WIRE_INT16, SINCE(0), AT(ApiVersionsResponseApiVersion, min_version)},
	{"MaxVersion", WIRE_INT16, SINCE(0), AT(ApiVersionsResponseApiVersion, max_version)},
};

WIRE_STRUCT_TABLE(ApiVersionsResponseApiVersion);

static const WireField ApiVersionsResponseSupportedFeatureKey_rows[] = {
	{"Name", WIRE_STRING, SINCE(3), AT(ApiVersionsResponseSupportedFeatureKey, name)},
	{"MinVersion", WIRE_INT16, SINCE(3), AT(ApiVersionsResponseSupportedFeatureKey, min_version)},
	{"MaxVersion", WIRE_INT16, SINCE(3), AT(ApiVersionsResponseSupportedFeatureKey, max_version)},
};

WIRE_STRUCT_TABLE(ApiVersionsResponseSupportedFeatureKey);

static const WireField ApiVersionsResponseFinalizedFeatureKey_rows[] = {
	{"Name", WIRE_STRING, SINCE(3), AT(ApiVersionsResponseFinalizedFeatureKey, name)},
	{"MaxVersionLevel", WIRE_INT16, SINCE(3), AT(ApiVersionsResponseFinalizedFeatureKey, max_version_level)},
	{"MinVersionLevel", WIRE_INT16, SINCE(3), AT(ApiVersionsResponseFinalizedFeatureKey, min_version_level)},
};

WIRE_STRUCT_TABLE(ApiVersionsResponseFinalizedFeatureKey);

static const WireField ApiVersionsResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ApiVersionsResponse, error_code)},
	{"ApiKeys", WIRE_STRUCT, SINCE(0), ARRAY_AT(ApiVersionsResponse, api_keys),
		OF(ApiVersionsResponseApiVersion)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(ApiVersionsResponse, throttle_time_ms)},
	{"SupportedFeatures", WIRE_STRUCT, SINCE(3), ARRAY_AT(ApiVersionsResponse, supported_features),
		OF(ApiVersionsResponseSupportedFeatureKey), TAG_SINCE(3, 0)},
	{"FinalizedFeaturesEpoch", WIRE_INT64, SINCE(3), AT(ApiVersionsResponse, finalized_features_epoch),
		TAG_SINCE(3, 1), DEFAULT(-1)},
	{"FinalizedFeatures", WIRE_STRUCT, SINCE(3), ARRAY_AT(ApiVersionsResponse, finalized_features),
		OF(ApiVersionsResponseFinalizedFeatureKey), TAG_SINCE(3, 2)},
	{"ZkMigrationReady", WIRE_BOOL, SINCE(3), AT(ApiVersionsResponse, zk_migration_ready), TAG_SINCE(3, 3)},
};

WIRE_MESSAGE_TABLE(ApiVersionsResponse, 0, 5, 3);
