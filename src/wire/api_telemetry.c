/*-------------------------------------------------------------------------
 *
 * api_telemetry.c
 *	  Messages for metrics pushed by clients.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_telemetry.h"

#include "wire/table.h"

/* ---------- GetTelemetrySubscriptionsRequest ---------- */

static const WireField GetTelemetrySubscriptionsRequest_rows[] = {
	{"ClientInstanceId", WIRE_UUID, SINCE(0), AT(GetTelemetrySubscriptionsRequest, client_instance_id)},
};

WIRE_MESSAGE_TABLE(GetTelemetrySubscriptionsRequest, 0, 0, 0);

/* ---------- GetTelemetrySubscriptionsResponse ---------- */

static const WireField GetTelemetrySubscriptionsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(GetTelemetrySubscriptionsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(GetTelemetrySubscriptionsResponse, error_code)},
	{"ClientInstanceId", WIRE_UUID, SINCE(0), AT(GetTelemetrySubscriptionsResponse, client_instance_id)},
	{"SubscriptionId", WIRE_INT32, SINCE(0), AT(GetTelemetrySubscriptionsResponse, subscription_id)},
	{"AcceptedCompressionTypes", WIRE_INT8, SINCE(0),
		ARRAY_AT(GetTelemetrySubscriptionsResponse, accepted_compression_types)},
	{"PushIntervalMs", WIRE_INT32, SINCE(0), AT(GetTelemetrySubscriptionsResponse, push_interval_ms)},
	{"TelemetryMaxBytes", WIRE_INT32, SINCE(0), AT(GetTelemetrySubscriptionsResponse, telemetry_max_bytes)},
	{"DeltaTemporality", WIRE_BOOL, SINCE(0), AT(GetTelemetrySubscriptionsResponse, delta_temporality)},
	{"RequestedMetrics", WIRE_STRING, SINCE(0),
		ARRAY_AT(GetTelemetrySubscriptionsResponse, requested_metrics)},
};

WIRE_MESSAGE_TABLE(GetTelemetrySubscriptionsResponse, 0, 0, 0);

/* ---------- PushTelemetryRequest ---------- */

static const WireField PushTelemetryRequest_rows[] = {
	{"ClientInstanceId", WIRE_UUID, SINCE(0), AT(PushTelemetryRequest, client_instance_id)},
	{"SubscriptionId", WIRE_INT32, SINCE(0), AT(PushTelemetryRequest, subscription_id)},
	{"Terminating", WIRE_BOOL, SINCE(0), AT(PushTelemetryRequest, terminating)},
	{"CompressionType", WIRE_INT8, SINCE(0), AT(PushTelemetryRequest, compression_type)},
	{"Metrics", WIRE_BYTES, SINCE(0), AT(PushTelemetryRequest, metrics)},
};

WIRE_MESSAGE_TABLE(PushTelemetryRequest, 0, 0, 0);

/* ---------- PushTelemetryResponse ---------- */

static const WireField PushTelemetryResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(PushTelemetryResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(PushTelemetryResponse, error_code)},
};

WIRE_MESSAGE_TABLE(PushTelemetryResponse, 0, 0, 0);
