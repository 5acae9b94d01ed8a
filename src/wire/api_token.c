/*-------------------------------------------------------------------------
 *
 * api_token.c
 *	  Messages for delegation tokens.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_token.h"

#include "wire/table.h"

/* ---------- CreateDelegationTokenRequest ---------- */

static const WireField CreateDelegationTokenRequestCreatableRenewers_rows[] = {
	{"PrincipalType", WIRE_STRING, SINCE(0),
		AT(CreateDelegationTokenRequestCreatableRenewers, principal_type)},
	{"PrincipalName", WIRE_STRING, SINCE(0),
		AT(CreateDelegationTokenRequestCreatableRenewers, principal_name)},
};

WIRE_STRUCT_TABLE(CreateDelegationTokenRequestCreatableRenewers);

static const WireField CreateDelegationTokenRequest_rows[] = {
	{"OwnerPrincipalType", WIRE_STRING, SINCE(3), AT(CreateDelegationTokenRequest, owner_principal_type),
		NULL_SINCE(3)},
	{"OwnerPrincipalName", WIRE_STRING, SINCE(3), AT(CreateDelegationTokenRequest, owner_principal_name),
		NULL_SINCE(3)},
	{"Renewers", WIRE_STRUCT, SINCE(0), ARRAY_AT(CreateDelegationTokenRequest, renewers),
		OF(CreateDelegationTokenRequestCreatableRenewers)},
	{"MaxLifetimeMs", WIRE_INT64, SINCE(0), AT(CreateDelegationTokenRequest, max_lifetime_ms)},
};

WIRE_MESSAGE_TABLE(CreateDelegationTokenRequest, 1, 3, 2);

/* ---------- CreateDelegationTokenResponse ---------- */

static const WireField CreateDelegationTokenResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(CreateDelegationTokenResponse, error_code)},
	{"PrincipalType", WIRE_STRING, SINCE(0), AT(CreateDelegationTokenResponse, principal_type)},
	{"PrincipalName", WIRE_STRING, SINCE(0), AT(CreateDelegationTokenResponse, principal_name)},
	{"TokenRequesterPrincipalType", WIRE_STRING, SINCE(3),
		AT(CreateDelegationTokenResponse, token_requester_principal_type)},
	{"TokenRequesterPrincipalName", WIRE_STRING, SINCE(3),
		AT(CreateDelegationTokenResponse, token_requester_principal_name)},
	{"IssueTimestampMs", WIRE_INT64, SINCE(0), AT(CreateDelegationTokenResponse, issue_timestamp_ms)},
	{"ExpiryTimestampMs", WIRE_INT64, SINCE(0), AT(CreateDelegationTokenResponse, expiry_timestamp_ms)},
	{"MaxTimestampMs", WIRE_INT64, SINCE(0), AT(CreateDelegationTokenResponse, max_timestamp_ms)},
	{"TokenId", WIRE_STRING, SINCE(0), AT(CreateDelegationTokenResponse, token_id)},
	{"Hmac", WIRE_BYTES, SINCE(0), AT(CreateDelegationTokenResponse, hmac)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(CreateDelegationTokenResponse, throttle_time_ms)},
};

WIRE_MESSAGE_TABLE(CreateDelegationTokenResponse, 1, 3, 2);

/* ---------- RenewDelegationTokenRequest ---------- */

static const WireField RenewDelegationTokenRequest_rows[] = {
	{"Hmac", WIRE_BYTES, SINCE(0), AT(RenewDelegationTokenRequest, hmac)},
	{"RenewPeriodMs", WIRE_INT64, SINCE(0), AT(RenewDelegationTokenRequest, renew_period_ms)},
};

WIRE_MESSAGE_TABLE(RenewDelegationTokenRequest, 1, 2, 2);

/* ---------- RenewDelegationTokenResponse ---------- */

static const WireField RenewDelegationTokenResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(RenewDelegationTokenResponse, error_code)},
	{"ExpiryTimestampMs", WIRE_INT64, SINCE(0), AT(RenewDelegationTokenResponse, expiry_timestamp_ms)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(RenewDelegationTokenResponse, throttle_time_ms)},
};

WIRE_MESSAGE_TABLE(RenewDelegationTokenResponse, 1, 2, 2);

/* ---------- ExpireDelegationTokenRequest ---------- */

static const WireField ExpireDelegationTokenRequest_rows[] = {
	{"Hmac", WIRE_BYTES, SINCE(0), AT(ExpireDelegationTokenRequest, hmac)},
	{"ExpiryTimePeriodMs", WIRE_INT64, SINCE(0), AT(ExpireDelegationTokenRequest, expiry_time_period_ms)},
};

WIRE_MESSAGE_TABLE(ExpireDelegationTokenRequest, 1, 2, 2);

/* ---------- ExpireDelegationTokenResponse ---------- */

static const WireField ExpireDelegationTokenResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ExpireDelegationTokenResponse, error_code)},
	{"ExpiryTimestampMs", WIRE_INT64, SINCE(0), AT(ExpireDelegationTokenResponse, expiry_timestamp_ms)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ExpireDelegationTokenResponse, throttle_time_ms)},
};

WIRE_MESSAGE_TABLE(ExpireDelegationTokenResponse, 1, 2, 2);

/* ---------- DescribeDelegationTokenRequest ---------- */

static const WireField DescribeDelegationTokenRequestDescribeDelegationTokenOwner_rows[] = {
	{"PrincipalType", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenRequestDescribeDelegationTokenOwner, principal_type)},
	{"PrincipalName", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenRequestDescribeDelegationTokenOwner, principal_name)},
};

WIRE_STRUCT_TABLE(DescribeDelegationTokenRequestDescribeDelegationTokenOwner);

static const WireField DescribeDelegationTokenRequest_rows[] = {
	{"Owners", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeDelegationTokenRequest, owners),
		OF(DescribeDelegationTokenRequestDescribeDelegationTokenOwner), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeDelegationTokenRequest, 1, 3, 2);

/* ---------- DescribeDelegationTokenResponse ---------- */

static const WireField DescribeDelegationTokenResponseDescribedDelegationTokenRenewer_rows[] = {
	{"PrincipalType", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationTokenRenewer, principal_type)},
	{"PrincipalName", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationTokenRenewer, principal_name)},
};

WIRE_STRUCT_TABLE(DescribeDelegationTokenResponseDescribedDelegationTokenRenewer);

static const WireField DescribeDelegationTokenResponseDescribedDelegationToken_rows[] = {
	{"PrincipalType", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, principal_type)},
	{"PrincipalName", WIRE_STRING, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, principal_name)},
	{"TokenRequesterPrincipalType", WIRE_STRING, SINCE(3),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, token_requester_principal_type)},
	{"TokenRequesterPrincipalName", WIRE_STRING, SINCE(3),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, token_requester_principal_name)},
	{"IssueTimestamp", WIRE_INT64, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, issue_timestamp)},
	{"ExpiryTimestamp", WIRE_INT64, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, expiry_timestamp)},
	{"MaxTimestamp", WIRE_INT64, SINCE(0),
		AT(DescribeDelegationTokenResponseDescribedDelegationToken, max_timestamp)},
	{"TokenId", WIRE_STRING, SINCE(0), AT(DescribeDelegationTokenResponseDescribedDelegationToken, token_id)},
	{"Hmac", WIRE_BYTES, SINCE(0), AT(DescribeDelegationTokenResponseDescribedDelegationToken, hmac)},
	{"Renewers", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DescribeDelegationTokenResponseDescribedDelegationToken, renewers),
		OF(DescribeDelegationTokenResponseDescribedDelegationTokenRenewer)},
};

WIRE_STRUCT_TABLE(DescribeDelegationTokenResponseDescribedDelegationToken);

static const WireField DescribeDelegationTokenResponse_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeDelegationTokenResponse, error_code)},
	{"Tokens", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeDelegationTokenResponse, tokens),
		OF(DescribeDelegationTokenResponseDescribedDelegationToken)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeDelegationTokenResponse, throttle_time_ms)},
};

WIRE_MESSAGE_TABLE(DescribeDelegationTokenResponse, 1, 3, 2);
