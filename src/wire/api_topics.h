/*-------------------------------------------------------------------------
 *
 * api_topics.h
 *	  Messages for creating, growing and deleting topics.
 *
 * CreateTopics, DeleteTopics, CreatePartitions.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_TOPICS_H
#define WIRE_API_TOPICS_H

#include "wire/message.h"

/* ---------- CreateTopics (19), request, versions 2 to 7 ---------- */

typedef struct CreateTopicsRequestCreatableReplicaAssignment
{
	int32_t		partition_index;
	int32_t		n_broker_ids;
	int32_t	   *broker_ids;
} CreateTopicsRequestCreatableReplicaAssignment;

typedef struct CreateTopicsRequestCreatableTopicConfig
{
	WireString	name;
	WireString	value;			/* can be null */
} CreateTopicsRequestCreatableTopicConfig;

typedef struct CreateTopicsRequestCreatableTopic
{
	WireString	name;
	int32_t		num_partitions;
	int16_t		replication_factor;
	int32_t		n_assignments;
	CreateTopicsRequestCreatableReplicaAssignment *assignments;
	int32_t		n_configs;
	CreateTopicsRequestCreatableTopicConfig *configs;
} CreateTopicsRequestCreatableTopic;

typedef struct CreateTopicsRequest
{
	int32_t		n_topics;
	CreateTopicsRequestCreatableTopic *topics;
	int32_t		timeout_ms;		/* default 60000 */
	bool		validate_only;
} CreateTopicsRequest;

extern const WireStruct wire_CreateTopicsRequestCreatableReplicaAssignment;
extern const WireStruct wire_CreateTopicsRequestCreatableTopicConfig;
extern const WireStruct wire_CreateTopicsRequestCreatableTopic;
extern const WireMessage wire_CreateTopicsRequest;

/* ---------- CreateTopics (19), response, versions 2 to 7 ---------- */

typedef struct CreateTopicsResponseCreatableTopicConfigs
{
	WireString	name;			/* 5+ */
	WireString	value;			/* 5+, can be null */
	bool		read_only;		/* 5+ */
	int8_t		config_source;	/* 5+, default -1 */
	bool		is_sensitive;	/* 5+ */
} CreateTopicsResponseCreatableTopicConfigs;

typedef struct CreateTopicsResponseCreatableTopicResult
{
	WireString	name;
	WireUuid	topic_id;		/* 7+ */
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int16_t		topic_config_error_code; /* 5+, optional */
	int32_t		num_partitions;	/* 5+, default -1 */
	int16_t		replication_factor; /* 5+, default -1 */
	int32_t		n_configs;
	CreateTopicsResponseCreatableTopicConfigs *configs; /* 5+, can be null */
} CreateTopicsResponseCreatableTopicResult;

typedef struct CreateTopicsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	CreateTopicsResponseCreatableTopicResult *topics;
} CreateTopicsResponse;

extern const WireStruct wire_CreateTopicsResponseCreatableTopicConfigs;
extern const WireStruct wire_CreateTopicsResponseCreatableTopicResult;
extern const WireMessage wire_CreateTopicsResponse;

/* ---------- DeleteTopics (20), request, versions 1 to 6 ---------- */

typedef struct DeleteTopicsRequestDeleteTopicState
{
	WireString	name;			/* 6+, can be null */
	WireUuid	topic_id;		/* 6+ */
} DeleteTopicsRequestDeleteTopicState;

typedef struct DeleteTopicsRequest
{
	int32_t		n_topics;
	DeleteTopicsRequestDeleteTopicState *topics; /* 6+ */
	int32_t		n_topic_names;
	WireString *topic_names;	/* 1-5 */
	int32_t		timeout_ms;
} DeleteTopicsRequest;

extern const WireStruct wire_DeleteTopicsRequestDeleteTopicState;
extern const WireMessage wire_DeleteTopicsRequest;

/* ---------- DeleteTopics (20), response, versions 1 to 6 ---------- */

typedef struct DeleteTopicsResponseDeletableTopicResult
{
	WireString	name;			/* can be null 6+ */
	WireUuid	topic_id;		/* 6+ */
	int16_t		error_code;
	WireString	error_message;	/* 5+, can be null */
} DeleteTopicsResponseDeletableTopicResult;

typedef struct DeleteTopicsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_responses;
	DeleteTopicsResponseDeletableTopicResult *responses;
} DeleteTopicsResponse;

extern const WireStruct wire_DeleteTopicsResponseDeletableTopicResult;
extern const WireMessage wire_DeleteTopicsResponse;

/* ---------- CreatePartitions (37), request, versions 0 to 3 ---------- */

typedef struct CreatePartitionsRequestCreatePartitionsAssignment
{
	int32_t		n_broker_ids;
	int32_t	   *broker_ids;
} CreatePartitionsRequestCreatePartitionsAssignment;

typedef struct CreatePartitionsRequestCreatePartitionsTopic
{
	WireString	name;
	int32_t		count;
	int32_t		n_assignments;
	CreatePartitionsRequestCreatePartitionsAssignment *assignments; /* can be null */
} CreatePartitionsRequestCreatePartitionsTopic;

typedef struct CreatePartitionsRequest
{
	int32_t		n_topics;
	CreatePartitionsRequestCreatePartitionsTopic *topics;
	int32_t		timeout_ms;
	bool		validate_only;
} CreatePartitionsRequest;

extern const WireStruct wire_CreatePartitionsRequestCreatePartitionsAssignment;
extern const WireStruct wire_CreatePartitionsRequestCreatePartitionsTopic;
extern const WireMessage wire_CreatePartitionsRequest;

/* ---------- CreatePartitions (37), response, versions 0 to 3 ---------- */

typedef struct CreatePartitionsResponseCreatePartitionsTopicResult
{
	WireString	name;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} CreatePartitionsResponseCreatePartitionsTopicResult;

typedef struct CreatePartitionsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	CreatePartitionsResponseCreatePartitionsTopicResult *results;
} CreatePartitionsResponse;

extern const WireStruct wire_CreatePartitionsResponseCreatePartitionsTopicResult;
extern const WireMessage wire_CreatePartitionsResponse;

#endif							/* WIRE_API_TOPICS_H */
