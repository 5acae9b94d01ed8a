/*-------------------------------------------------------------------------
 *
 * api_quota.h
 *	  Messages for client quotas.
 *
 * DescribeClientQuotas, AlterClientQuotas.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_QUOTA_H
#define WIRE_API_QUOTA_H

#include "wire/message.h"

/* ---------- DescribeClientQuotas (48), request, versions 0 to 1 ---------- */

typedef struct DescribeClientQuotasRequestComponentData
{
	WireString	entity_type;
	int8_t		match_type;
	WireString	match;			/* can be null */
} DescribeClientQuotasRequestComponentData;

typedef struct DescribeClientQuotasRequest
{
	int32_t		n_components;
	DescribeClientQuotasRequestComponentData *components;
	bool		strict;
} DescribeClientQuotasRequest;

extern const WireStruct wire_DescribeClientQuotasRequestComponentData;
extern const WireMessage wire_DescribeClientQuotasRequest;

/* ---------- DescribeClientQuotas (48), response, versions 0 to 1 ---------- */

typedef struct DescribeClientQuotasResponseEntityData
{
	WireString	entity_type;
	WireString	entity_name;	/* can be null */
} DescribeClientQuotasResponseEntityData;

typedef struct DescribeClientQuotasResponseValueData
{
	WireString	key;
	double		value;
} DescribeClientQuotasResponseValueData;

typedef struct DescribeClientQuotasResponseEntryData
{
	int32_t		n_entity;
	DescribeClientQuotasResponseEntityData *entity;
	int32_t		n_values;
	DescribeClientQuotasResponseValueData *values;
} DescribeClientQuotasResponseEntryData;

typedef struct DescribeClientQuotasResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_entries;
	DescribeClientQuotasResponseEntryData *entries; /* can be null */
} DescribeClientQuotasResponse;

extern const WireStruct wire_DescribeClientQuotasResponseEntityData;
extern const WireStruct wire_DescribeClientQuotasResponseValueData;
extern const WireStruct wire_DescribeClientQuotasResponseEntryData;
extern const WireMessage wire_DescribeClientQuotasResponse;

/* ---------- AlterClientQuotas (49), request, versions 0 to 1 ---------- */

typedef struct AlterClientQuotasRequestEntityData
{
	WireString	entity_type;
	WireString	entity_name;	/* can be null */
} AlterClientQuotasRequestEntityData;

typedef struct AlterClientQuotasRequestOpData
{
	WireString	key;
	double		value;
	bool		remove;
} AlterClientQuotasRequestOpData;

typedef struct AlterClientQuotasRequestEntryData
{
	int32_t		n_entity;
	AlterClientQuotasRequestEntityData *entity;
	int32_t		n_ops;
	AlterClientQuotasRequestOpData *ops;
} AlterClientQuotasRequestEntryData;

typedef struct AlterClientQuotasRequest
{
	int32_t		n_entries;
	AlterClientQuotasRequestEntryData *entries;
	bool		validate_only;
} AlterClientQuotasRequest;

extern const WireStruct wire_AlterClientQuotasRequestEntityData;
extern const WireStruct wire_AlterClientQuotasRequestOpData;
extern const WireStruct wire_AlterClientQuotasRequestEntryData;
extern const WireMessage wire_AlterClientQuotasRequest;

/* ---------- AlterClientQuotas (49), response, versions 0 to 1 ---------- */

typedef struct AlterClientQuotasResponseEntityData
{
	WireString	entity_type;
	WireString	entity_name;	/* can be null */
} AlterClientQuotasResponseEntityData;

typedef struct AlterClientQuotasResponseEntryData
{
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_entity;
	AlterClientQuotasResponseEntityData *entity;
} AlterClientQuotasResponseEntryData;

typedef struct AlterClientQuotasResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_entries;
	AlterClientQuotasResponseEntryData *entries;
} AlterClientQuotasResponse;

extern const WireStruct wire_AlterClientQuotasResponseEntityData;
extern const WireStruct wire_AlterClientQuotasResponseEntryData;
extern const WireMessage wire_AlterClientQuotasResponse;

#endif							/* WIRE_API_QUOTA_H */
