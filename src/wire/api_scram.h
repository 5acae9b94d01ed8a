/*-------------------------------------------------------------------------
 *
 * api_scram.h
 *	  Messages for SCRAM credentials.
 *
 * DescribeUserScramCredentials, AlterUserScramCredentials.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_SCRAM_H
#define WIRE_API_SCRAM_H

#include "wire/message.h"

/* ---------- DescribeUserScramCredentials (50), request, version 0 ---------- */

typedef struct DescribeUserScramCredentialsRequestUserName
{
	WireString	name;
} DescribeUserScramCredentialsRequestUserName;

typedef struct DescribeUserScramCredentialsRequest
{
	int32_t		n_users;
	DescribeUserScramCredentialsRequestUserName *users; /* can be null */
} DescribeUserScramCredentialsRequest;

extern const WireStruct wire_DescribeUserScramCredentialsRequestUserName;
extern const WireMessage wire_DescribeUserScramCredentialsRequest;

/* ---------- DescribeUserScramCredentials (50), response, version 0 ---------- */

typedef struct DescribeUserScramCredentialsResponseCredentialInfo
{
	int8_t		mechanism;
	int32_t		iterations;
} DescribeUserScramCredentialsResponseCredentialInfo;

typedef struct DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult
{
	WireString	user;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_credential_infos;
	DescribeUserScramCredentialsResponseCredentialInfo *credential_infos;
} DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult;

typedef struct DescribeUserScramCredentialsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_results;
	DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult *results;
} DescribeUserScramCredentialsResponse;

extern const WireStruct wire_DescribeUserScramCredentialsResponseCredentialInfo;
extern const WireStruct wire_DescribeUserScramCredentialsResponseDescribeUserScramCredentialsResult;
extern const WireMessage wire_DescribeUserScramCredentialsResponse;

/* ---------- AlterUserScramCredentials (51), request, version 0 ---------- */

typedef struct AlterUserScramCredentialsRequestScramCredentialDeletion
{
	WireString	name;
	int8_t		mechanism;
} AlterUserScramCredentialsRequestScramCredentialDeletion;

typedef struct AlterUserScramCredentialsRequestScramCredentialUpsertion
{
	WireString	name;
	int8_t		mechanism;
	int32_t		iterations;
	WireBytes	salt;
	WireBytes	salted_password;
} AlterUserScramCredentialsRequestScramCredentialUpsertion;

typedef struct AlterUserScramCredentialsRequest
{
	int32_t		n_deletions;
	AlterUserScramCredentialsRequestScramCredentialDeletion *deletions;
	int32_t		n_upsertions;
	AlterUserScramCredentialsRequestScramCredentialUpsertion *upsertions;
} AlterUserScramCredentialsRequest;

extern const WireStruct wire_AlterUserScramCredentialsRequestScramCredentialDeletion;
extern const WireStruct wire_AlterUserScramCredentialsRequestScramCredentialUpsertion;
extern const WireMessage wire_AlterUserScramCredentialsRequest;

/* ---------- AlterUserScramCredentials (51), response, version 0 ---------- */

typedef struct AlterUserScramCredentialsResponseAlterUserScramCredentialsResult
{
	WireString	user;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} AlterUserScramCredentialsResponseAlterUserScramCredentialsResult;

typedef struct AlterUserScramCredentialsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	AlterUserScramCredentialsResponseAlterUserScramCredentialsResult *results;
} AlterUserScramCredentialsResponse;

extern const WireStruct wire_AlterUserScramCredentialsResponseAlterUserScramCredentialsResult;
extern const WireMessage wire_AlterUserScramCredentialsResponse;

#endif							/* WIRE_API_SCRAM_H */
