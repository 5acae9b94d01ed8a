/*-------------------------------------------------------------------------
 *
 * api_sasl.c
 *	  Messages for authentication.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_sasl.h"

#include "wire/table.h"

/* ---------- SaslHandshakeRequest ---------- */

static const WireField sasl_handshake_request_fields[] = {
	{"Mechanism", WIRE_STRING, SINCE(0), AT(SaslHandshakeRequest, mechanism)},
};

WIRE_MESSAGE_TABLE(SaslHandshakeRequest, sasl_handshake_request_fields, 0, 1, WIRE_LATEST);

/* ---------- SaslHandshakeResponse ---------- */

static const WireField sasl_handshake_response_fields[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(SaslHandshakeResponse, error_code)},
	{"Mechanisms", WIRE_STRING, SINCE(0), ARRAY_AT(SaslHandshakeResponse, mechanisms)},
};

WIRE_MESSAGE_TABLE(SaslHandshakeResponse, sasl_handshake_response_fields, 0, 1, WIRE_LATEST);

/* ---------- SaslAuthenticateRequest ---------- */

static const WireField sasl_authenticate_request_fields[] = {
	{"AuthBytes", WIRE_BYTES, SINCE(0), AT(SaslAuthenticateRequest, auth_bytes)},
};

WIRE_MESSAGE_TABLE(SaslAuthenticateRequest, sasl_authenticate_request_fields, 0, 2, 2);

/* ---------- SaslAuthenticateResponse ---------- */

static const WireField sasl_authenticate_response_fields[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(SaslAuthenticateResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(SaslAuthenticateResponse, error_message), NULL_SINCE(0)},
	{"AuthBytes", WIRE_BYTES, SINCE(0), AT(SaslAuthenticateResponse, auth_bytes)},
	{"SessionLifetimeMs", WIRE_INT64, SINCE(1), AT(SaslAuthenticateResponse, session_lifetime_ms)},
};

WIRE_MESSAGE_TABLE(SaslAuthenticateResponse, sasl_authenticate_response_fields, 0, 2, 2);
