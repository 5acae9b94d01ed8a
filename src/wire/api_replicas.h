/*-------------------------------------------------------------------------
 *
 * api_replicas.h
 *	  Messages for leaders and replicas.
 *
 * ElectLeaders, AlterPartitionReassignments, ListPartitionReassignments.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_REPLICAS_H
#define WIRE_API_REPLICAS_H

#include "wire/message.h"

/* ---------- ElectLeaders (43), request, versions 0 to 2 ---------- */

typedef struct ElectLeadersRequestTopicPartitions
{
	WireString	topic;
	int32_t		n_partitions;
	int32_t	   *partitions;
} ElectLeadersRequestTopicPartitions;

typedef struct ElectLeadersRequest
{
	int8_t		election_type;	/* 1+ */
	int32_t		n_topic_partitions;
	ElectLeadersRequestTopicPartitions *topic_partitions; /* can be null */
	int32_t		timeout_ms;		/* default 60000 */
} ElectLeadersRequest;

extern const WireStruct wire_ElectLeadersRequestTopicPartitions;
extern const WireMessage wire_ElectLeadersRequest;

/* ---------- ElectLeaders (43), response, versions 0 to 2 ---------- */

typedef struct ElectLeadersResponsePartitionResult
{
	int32_t		partition_id;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} ElectLeadersResponsePartitionResult;

typedef struct ElectLeadersResponseReplicaElectionResult
{
	WireString	topic;
	int32_t		n_partition_result;
	ElectLeadersResponsePartitionResult *partition_result;
} ElectLeadersResponseReplicaElectionResult;

typedef struct ElectLeadersResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;		/* 1+ */
	int32_t		n_replica_election_results;
	ElectLeadersResponseReplicaElectionResult *replica_election_results;
} ElectLeadersResponse;

extern const WireStruct wire_ElectLeadersResponsePartitionResult;
extern const WireStruct wire_ElectLeadersResponseReplicaElectionResult;
extern const WireMessage wire_ElectLeadersResponse;

/* ---------- AlterPartitionReassignments (45), request, versions 0 to 1 ---------- */

typedef struct AlterPartitionReassignmentsRequestReassignablePartition
{
	int32_t		partition_index;
	int32_t		n_replicas;
	int32_t	   *replicas;		/* can be null */
} AlterPartitionReassignmentsRequestReassignablePartition;

typedef struct AlterPartitionReassignmentsRequestReassignableTopic
{
	WireString	name;
	int32_t		n_partitions;
	AlterPartitionReassignmentsRequestReassignablePartition *partitions;
} AlterPartitionReassignmentsRequestReassignableTopic;

typedef struct AlterPartitionReassignmentsRequest
{
	int32_t		timeout_ms;		/* default 60000 */
	bool		allow_replication_factor_change; /* 1+, default true */
	int32_t		n_topics;
	AlterPartitionReassignmentsRequestReassignableTopic *topics;
} AlterPartitionReassignmentsRequest;

extern const WireStruct wire_AlterPartitionReassignmentsRequestReassignablePartition;
extern const WireStruct wire_AlterPartitionReassignmentsRequestReassignableTopic;
extern const WireMessage wire_AlterPartitionReassignmentsRequest;

/* ---------- AlterPartitionReassignments (45), response, versions 0 to 1 ---------- */

typedef struct AlterPartitionReassignmentsResponseReassignablePartitionResponse
{
	int32_t		partition_index;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} AlterPartitionReassignmentsResponseReassignablePartitionResponse;

typedef struct AlterPartitionReassignmentsResponseReassignableTopicResponse
{
	WireString	name;
	int32_t		n_partitions;
	AlterPartitionReassignmentsResponseReassignablePartitionResponse *partitions;
} AlterPartitionReassignmentsResponseReassignableTopicResponse;

typedef struct AlterPartitionReassignmentsResponse
{
	int32_t		throttle_time_ms;
	bool		allow_replication_factor_change; /* 1+, default true */
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_responses;
	AlterPartitionReassignmentsResponseReassignableTopicResponse *responses;
} AlterPartitionReassignmentsResponse;

extern const WireStruct wire_AlterPartitionReassignmentsResponseReassignablePartitionResponse;
extern const WireStruct wire_AlterPartitionReassignmentsResponseReassignableTopicResponse;
extern const WireMessage wire_AlterPartitionReassignmentsResponse;

/* ---------- ListPartitionReassignments (46), request, version 0 ---------- */

typedef struct ListPartitionReassignmentsRequestListPartitionReassignmentsTopics
{
	WireString	name;
	int32_t		n_partition_indexes;
	int32_t	   *partition_indexes;
} ListPartitionReassignmentsRequestListPartitionReassignmentsTopics;

typedef struct ListPartitionReassignmentsRequest
{
	int32_t		timeout_ms;		/* default 60000 */
	int32_t		n_topics;
	ListPartitionReassignmentsRequestListPartitionReassignmentsTopics *topics; /* can be null */
} ListPartitionReassignmentsRequest;

extern const WireStruct wire_ListPartitionReassignmentsRequestListPartitionReassignmentsTopics;
extern const WireMessage wire_ListPartitionReassignmentsRequest;

/* ---------- ListPartitionReassignments (46), response, version 0 ---------- */

typedef struct ListPartitionReassignmentsResponseOngoingPartitionReassignment
{
	int32_t		partition_index;
	int32_t		n_replicas;
	int32_t	   *replicas;
	int32_t		n_adding_replicas;
	int32_t	   *adding_replicas;
	int32_t		n_removing_replicas;
	int32_t	   *removing_replicas;
} ListPartitionReassignmentsResponseOngoingPartitionReassignment;

typedef struct ListPartitionReassignmentsResponseOngoingTopicReassignment
{
	WireString	name;
	int32_t		n_partitions;
	ListPartitionReassignmentsResponseOngoingPartitionReassignment *partitions;
} ListPartitionReassignmentsResponseOngoingTopicReassignment;

typedef struct ListPartitionReassignmentsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_topics;
	ListPartitionReassignmentsResponseOngoingTopicReassignment *topics;
} ListPartitionReassignmentsResponse;

extern const WireStruct wire_ListPartitionReassignmentsResponseOngoingPartitionReassignment;
extern const WireStruct wire_ListPartitionReassignmentsResponseOngoingTopicReassignment;
extern const WireMessage wire_ListPartitionReassignmentsResponse;

#endif							/* WIRE_API_REPLICAS_H */
