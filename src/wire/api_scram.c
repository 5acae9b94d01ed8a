/*-------------------------------------------------------------------------
 *
 * api_scram.c
 *	  Messages for SCRAM credentials.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_scram.h"

#include "wire/table.h"

/* ---------- DescribeUserScramCredentialsRequest ---------- */

static const WireField DescribeUserScramCredentialsRequestUserName_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeUserScramCredentialsRequestUserName, name)},
};

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsRequestUserName);

static const WireField DescribeUserScramCredentialsRequest_rows[] = {
	{"Users", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeUserScramCredentialsRequest, users),
		OF(DescribeUserScramCredentialsRequestUserName), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeUserScramCredentialsRequest, 0, 0, 0);

/* ---------- DescribeUserScramCredentialsResponse ---------- */

static const WireField DescribeUserScramCredentialsResponseCredentialInfo_rows[] = {
	{"Mechanism", WIRE_INT8, SINCE(0), AT(DescribeUserScramCredentialsResponseCredentialInfo, mechanism)},
	{"Iterations", WIRE_INT32, SINCE(0), AT(DescribeUserScramCredentialsResponseCredentialInfo, iterations)},
};

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsResponseCredentialInfo);

static const WireField DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult_rows[] = {
	{"User", WIRE_STRING, SINCE(0),
		AT(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult, user)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult, error_message),
		NULL_SINCE(0)},
	{"CredentialInfos", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult, credential_infos),
		OF(DescribeUserScramCredentialsResponseCredentialInfo)},
};

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult);

static const WireField DescribeUserScramCredentialsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeUserScramCredentialsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeUserScramCredentialsResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeUserScramCredentialsResponse, error_message),
		NULL_SINCE(0)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeUserScramCredentialsResponse, results),
		OF(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult)},
};

WIRE_MESSAGE_TABLE(DescribeUserScramCredentialsResponse, 0, 0, 0);

/* ---------- AlterUserScramCredentialsRequest ---------- */

static const WireField AlterUserScramCredentialsRequestScramCredentialDeletion_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialDeletion, name)},
	{"Mechanism", WIRE_INT8, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialDeletion, mechanism)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsRequestScramCredentialDeletion);

static const WireField AlterUserScramCredentialsRequestScramCredentialUpsertion_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, name)},
	{"Mechanism", WIRE_INT8, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, mechanism)},
	{"Iterations", WIRE_INT32, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, iterations)},
	{"Salt", WIRE_BYTES, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, salt)},
	{"SaltedPassword", WIRE_BYTES, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, salted_password)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsRequestScramCredentialUpsertion);

static const WireField AlterUserScramCredentialsRequest_rows[] = {
	{"Deletions", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsRequest, deletions),
		OF(AlterUserScramCredentialsRequestScramCredentialDeletion)},
	{"Upsertions", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsRequest, upsertions),
		OF(AlterUserScramCredentialsRequestScramCredentialUpsertion)},
};

WIRE_MESSAGE_TABLE(AlterUserScramCredentialsRequest, 0, 0, 0);

/* ---------- AlterUserScramCredentialsResponse ---------- */

static const WireField AlterUserScramCredentialsResponseAlterUserScramCredentialsResult_rows[] = {
	{"User", WIRE_STRING, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, user)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, error_message), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult);

static const WireField AlterUserScramCredentialsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterUserScramCredentialsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsResponse, results),
		OF(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult)},
};

WIRE_MESSAGE_TABLE(AlterUserScramCredentialsResponse, 0, 0, 0);
