/*-------------------------------------------------------------------------
 *
 * api_telemetry.h
 *	  Messages for metrics pushed by clients.
 *
 * GetTelemetrySubscriptions, PushTelemetry.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_TELEMETRY_H
#define WIRE_API_TELEMETRY_H

#include "wire/message.h"

/* ---------- GetTelemetrySubscriptions (71), request, version 0 ---------- */

typedef struct GetTelemetrySubscriptionsRequest
{
	WireUuid	client_instance_id;
} GetTelemetrySubscriptionsRequest;

extern const WireMessage wire_GetTelemetrySubscriptionsRequest;

/* ---------- GetTelemetrySubscriptions (71), response, version 0 ---------- */

typedef struct GetTelemetrySubscriptionsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireUuid	client_instance_id;
	int32_t		subscription_id;
	int32_t		n_accepted_compression_types;
	int8_t	   *accepted_compression_types;
	int32_t		push_interval_ms;
	int32_t		telemetry_max_bytes;
	bool		delta_temporality;
	int32_t		n_requested_metrics;
	WireString *requested_metrics;
} GetTelemetrySubscriptionsResponse;

extern const WireMessage wire_GetTelemetrySubscriptionsResponse;

/* ---------- PushTelemetry (72), request, version 0 ---------- */

typedef struct PushTelemetryRequest
{
	WireUuid	client_instance_id;
	int32_t		subscription_id;
	bool		terminating;
	int8_t		compression_type;
	WireBytes	metrics;
} PushTelemetryRequest;

extern const WireMessage wire_PushTelemetryRequest;

/* ---------- PushTelemetry (72), response, version 0 ---------- */

typedef struct PushTelemetryResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
} PushTelemetryResponse;

extern const WireMessage wire_PushTelemetryResponse;

#endif							/* WIRE_API_TELEMETRY_H */
