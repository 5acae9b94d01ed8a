/*-------------------------------------------------------------------------
 *
 * api_sasl.h
 *	  Messages for authentication.
 *
 * SaslHandshake, SaslAuthenticate.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_SASL_H
#define WIRE_API_SASL_H

#include "wire/message.h"

/* ---------- SaslHandshake (17), request, versions 0 to 1 ---------- */

typedef struct SaslHandshakeRequest
{
	WireString	mechanism;
} SaslHandshakeRequest;

extern const WireMessage wire_SaslHandshakeRequest;

/* ---------- SaslHandshake (17), response, versions 0 to 1 ---------- */

typedef struct SaslHandshakeResponse
{
	int16_t		error_code;
	int32_t		n_mechanisms;
	WireString *mechanisms;
} SaslHandshakeResponse;

extern const WireMessage wire_SaslHandshakeResponse;

/* ---------- SaslAuthenticate (36), request, versions 0 to 2 ---------- */

typedef struct SaslAuthenticateRequest
{
	WireBytes	auth_bytes;
} SaslAuthenticateRequest;

extern const WireMessage wire_SaslAuthenticateRequest;

/* ---------- SaslAuthenticate (36), response, versions 0 to 2 ---------- */

typedef struct SaslAuthenticateResponse
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	WireBytes	auth_bytes;
	int64_t		session_lifetime_ms; /* 1+ */
} SaslAuthenticateResponse;

extern const WireMessage wire_SaslAuthenticateResponse;

#endif							/* WIRE_API_SASL_H */
