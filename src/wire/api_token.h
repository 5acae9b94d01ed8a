/*-------------------------------------------------------------------------
 *
 * api_token.h
 *	  Messages for delegation tokens.
 *
 * CreateDelegationToken, RenewDelegationToken, ExpireDelegationToken,
 * DescribeDelegationToken.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_TOKEN_H
#define WIRE_API_TOKEN_H

#include "wire/message.h"

/* ---------- CreateDelegationToken (38), request, versions 1 to 3 ---------- */

typedef struct CreateDelegationTokenRequestCreatableRenewers
{
	WireString	principal_type;
	WireString	principal_name;
} CreateDelegationTokenRequestCreatableRenewers;

typedef struct CreateDelegationTokenRequest
{
	WireString	owner_principal_type; /* 3+, can be null */
	WireString	owner_principal_name; /* 3+, can be null */
	int32_t		n_renewers;
	CreateDelegationTokenRequestCreatableRenewers *renewers;
	int64_t		max_lifetime_ms;
} CreateDelegationTokenRequest;

extern const WireStruct wire_CreateDelegationTokenRequestCreatableRenewers;
extern const WireMessage wire_CreateDelegationTokenRequest;

/* ---------- CreateDelegationToken (38), response, versions 1 to 3 ---------- */

typedef struct CreateDelegationTokenResponse
{
	int16_t		error_code;
	WireString	principal_type;
	WireString	principal_name;
	WireString	token_requester_principal_type; /* 3+ */
	WireString	token_requester_principal_name; /* 3+ */
	int64_t		issue_timestamp_ms;
	int64_t		expiry_timestamp_ms;
	int64_t		max_timestamp_ms;
	WireString	token_id;
	WireBytes	hmac;
	int32_t		throttle_time_ms;
} CreateDelegationTokenResponse;

extern const WireMessage wire_CreateDelegationTokenResponse;

/* ---------- RenewDelegationToken (39), request, versions 1 to 2 ---------- */

typedef struct RenewDelegationTokenRequest
{
	WireBytes	hmac;
	int64_t		renew_period_ms;
} RenewDelegationTokenRequest;

extern const WireMessage wire_RenewDelegationTokenRequest;

/* ---------- RenewDelegationToken (39), response, versions 1 to 2 ---------- */

typedef struct RenewDelegationTokenResponse
{
	int16_t		error_code;
	int64_t		expiry_timestamp_ms;
	int32_t		throttle_time_ms;
} RenewDelegationTokenResponse;

extern const WireMessage wire_RenewDelegationTokenResponse;

/* ---------- ExpireDelegationToken (40), request, versions 1 to 2 ---------- */

typedef struct ExpireDelegationTokenRequest
{
	WireBytes	hmac;
	int64_t		expiry_time_period_ms;
} ExpireDelegationTokenRequest;

extern const WireMessage wire_ExpireDelegationTokenRequest;

/* ---------- ExpireDelegationToken (40), response, versions 1 to 2 ---------- */

typedef struct ExpireDelegationTokenResponse
{
	int16_t		error_code;
	int64_t		expiry_timestamp_ms;
	int32_t		throttle_time_ms;
} ExpireDelegationTokenResponse;

extern const WireMessage wire_ExpireDelegationTokenResponse;

/* ---------- DescribeDelegationToken (41), request, versions 1 to 3 ---------- */

typedef struct DescribeDelegationTokenRequestDescribeDelegationTokenOwner
{
	WireString	principal_type;
	WireString	principal_name;
} DescribeDelegationTokenRequestDescribeDelegationTokenOwner;

typedef struct DescribeDelegationTokenRequest
{
	int32_t		n_owners;
	DescribeDelegationTokenRequestDescribeDelegationTokenOwner *owners; /* can be null */
} DescribeDelegationTokenRequest;

extern const WireStruct wire_DescribeDelegationTokenRequestDescribeDelegationTokenOwner;
extern const WireMessage wire_DescribeDelegationTokenRequest;

/* ---------- DescribeDelegationToken (41), response, versions 1 to 3 ---------- */

typedef struct DescribeDelegationTokenResponseDescribedDelegationTokenRenewer
{
	WireString	principal_type;
	WireString	principal_name;
} DescribeDelegationTokenResponseDescribedDelegationTokenRenewer;

typedef struct DescribeDelegationTokenResponseDescribedDelegationToken
{
	WireString	principal_type;
	WireString	principal_name;
	WireString	token_requester_principal_type; /* 3+ */
	WireString	token_requester_principal_name; /* 3+ */
	int64_t		issue_timestamp;
	int64_t		expiry_timestamp;
	int64_t		max_timestamp;
	WireString	token_id;
	WireBytes	hmac;
	int32_t		n_renewers;
	DescribeDelegationTokenResponseDescribedDelegationTokenRenewer *renewers;
} DescribeDelegationTokenResponseDescribedDelegationToken;

typedef struct DescribeDelegationTokenResponse
{
	int16_t		error_code;
	int32_t		n_tokens;
	DescribeDelegationTokenResponseDescribedDelegationToken *tokens;
	int32_t		throttle_time_ms;
} DescribeDelegationTokenResponse;

extern const WireStruct wire_DescribeDelegationTokenResponseDescribedDelegationTokenRenewer;
extern const WireStruct wire_DescribeDelegationTokenResponseDescribedDelegationToken;
extern const WireMessage wire_DescribeDelegationTokenResponse;

#endif							/* WIRE_API_TOKEN_H */
