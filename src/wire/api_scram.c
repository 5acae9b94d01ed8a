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

static const WireField describe_user_scram_credentials_request_user_name_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeUserScramCredentialsRequestUserName, name)},
};

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsRequestUserName, describe_user_scram_credentials_request_user_name_fields);

static const WireField describe_user_scram_credentials_request_fields[] = {
	{"Users", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeUserScramCredentialsRequest, users),
		OF(DescribeUserScramCredentialsRequestUserName), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeUserScramCredentialsRequest, describe_user_scram_credentials_request_fields, 0, 0, 0);

/* ---------- DescribeUserScramCredentialsResponse ---------- */

static const WireField describe_user_scram_credentials_response_credential_info_fields[] = {
	{"Mechanism", WIRE_INT8, SINCE(0), AT(DescribeUserScramCredentialsResponseCredentialInfo, mechanism)},
	{"Iterations", WIRE_INT32, SINCE(0), AT(DescribeUserScramCredentialsResponseCredentialInfo, iterations)},
};

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsResponseCredentialInfo, describe_user_scram_credentials_response_credential_info_fields);

static const WireField describe_user_scram_credentials_response_describe_user_scram_credentials_result_fields[] = {
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

WIRE_STRUCT_TABLE(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult, describe_user_scram_credentials_response_describe_user_scram_credentials_result_fields);

static const WireField describe_user_scram_credentials_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeUserScramCredentialsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeUserScramCredentialsResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeUserScramCredentialsResponse, error_message),
		NULL_SINCE(0)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeUserScramCredentialsResponse, results),
		OF(DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult)},
};

WIRE_MESSAGE_TABLE(DescribeUserScramCredentialsResponse, describe_user_scram_credentials_response_fields, 0, 0, 0);

/* ---------- AlterUserScramCredentialsRequest ---------- */

static const WireField alter_user_scram_credentials_request_scram_credential_deletion_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialDeletion, name)},
	{"Mechanism", WIRE_INT8, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialDeletion, mechanism)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsRequestScramCredentialDeletion, alter_user_scram_credentials_request_scram_credential_deletion_fields);

static const WireField alter_user_scram_credentials_request_scram_credential_upsertion_fields[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, name)},
	{"Mechanism", WIRE_INT8, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, mechanism)},
	{"Iterations", WIRE_INT32, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, iterations)},
	{"Salt", WIRE_BYTES, SINCE(0), AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, salt)},
	{"SaltedPassword", WIRE_BYTES, SINCE(0),
		AT(AlterUserScramCredentialsRequestScramCredentialUpsertion, salted_password)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsRequestScramCredentialUpsertion, alter_user_scram_credentials_request_scram_credential_upsertion_fields);

static const WireField alter_user_scram_credentials_request_fields[] = {
	{"Deletions", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsRequest, deletions),
		OF(AlterUserScramCredentialsRequestScramCredentialDeletion)},
	{"Upsertions", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsRequest, upsertions),
		OF(AlterUserScramCredentialsRequestScramCredentialUpsertion)},
};

WIRE_MESSAGE_TABLE(AlterUserScramCredentialsRequest, alter_user_scram_credentials_request_fields, 0, 0, 0);

/* ---------- AlterUserScramCredentialsResponse ---------- */

static const WireField alter_user_scram_credentials_response_alter_user_scram_credentials_result_fields[] = {
	{"User", WIRE_STRING, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, user)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0),
		AT(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, error_message), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, alter_user_scram_credentials_response_alter_user_scram_credentials_result_fields);

static const WireField alter_user_scram_credentials_response_fields[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterUserScramCredentialsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterUserScramCredentialsResponse, results),
		OF(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult)},
};

WIRE_MESSAGE_TABLE(AlterUserScramCredentialsResponse, alter_user_scram_credentials_response_fields, 0, 0, 0);
