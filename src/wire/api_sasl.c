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

static const WireField SaslHandshakeRequest_rows[] = {
	{"Mechanism", WIRE_STRING, SINCE(0), AT(SaslHandshakeRequest, mechanism)},
};

WIRE_MESSAGE_TABLE(SaslHandshakeRequest, 0, 1, WIRE_LATEST);

/* ---------- SaslHandshakeResponse ---------- */

static const WireField SaslHandshakeResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(SaslHandshakeResponse, error_code)},
	{"Mechanisms", WIRE_STRING, SINCE(0), ARRAY_AT(SaslHandshakeResponse, mechanisms)},
};

WIRE_MESSAGE_TABLE(SaslHandshakeResponse, 0, 1, WIRE_LATEST);

/* ---------- SaslAuthenticateRequest ---------- */

static const WireField SaslAuthenticateRequest_rows[] = {
	{"AuthBytes", WIRE_BYTES, SINCE(0), AT(SaslAuthenticateRequest, auth_bytes)},
};

WIRE_MESSAGE_TABLE(SaslAuthenticateRequest, 0, 2, 2);

/* ---------- SaslAuthenticateResponse ---------- */

static const WireField SaslAuthenticateResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(SaslAuthenticateResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(SaslAuthenticateResponse, error_message), NULL_SINCE(0)},
	{"AuthBytes", WIRE_BYTES, SINCE(0), AT(SaslAuthenticateResponse, auth_bytes)},
	{"SessionLifetimeMs", WIRE_INT64, SINCE(1), AT(SaslAuthenticateResponse, session_lifetime_ms)},
};

WIRE_MESSAGE_TABLE(SaslAuthenticateResponse, 0, 2, 2);
