/*-------------------------------------------------------------------------
 *
 * api_metadata.h
 *	  Messages for what topics and brokers there are.
 *
 * Metadata, DescribeCluster, DescribeTopicPartitions.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_METADATA_H
#define WIRE_API_METADATA_H

#include "wire/message.h"

/* ---------- Metadata (3), request, versions 0 to 13 ---------- */

typedef struct MetadataRequestMetadataRequestTopic
{
	WireUuid	topic_id;		/* 10+ */
	WireString	name;			/* can be null 10+ */
} MetadataRequestMetadataRequestTopic;

typedef struct MetadataRequest
{
	int32_t		n_topics;
	MetadataRequestMetadataRequestTopic *topics; /* can be null 1+ */
	bool		allow_auto_topic_creation; /* 4+, default true */
	bool		include_cluster_authorized_operations; /* 8-10 */
	bool		include_topic_authorized_operations; /* 8+ */
} MetadataRequest;

extern const WireStruct wire_MetadataRequestMetadataRequestTopic;
extern const WireMessage wire_MetadataRequest;

/* ---------- Metadata (3), response, versions 0 to 13 ---------- */

typedef struct MetadataResponseMetadataResponseBroker
{
	int32_t		node_id;
	WireString	host;
	int32_t		port;
	WireString	rack;			/* 1+, can be null */
} MetadataResponseMetadataResponseBroker;

typedef struct MetadataResponseMetadataResponsePartition
{
	int16_t		error_code;
	int32_t		partition_index;
	int32_t		leader_id;
	int32_t		leader_epoch;	/* 7+, default -1 */
	int32_t		n_replica_nodes;
	int32_t	   *replica_nodes;
	int32_t		n_isr_nodes;
	int32_t	   *isr_nodes;
	int32_t		n_offline_replicas;
	int32_t	   *offline_replicas; /* 5+ */
} MetadataResponseMetadataResponsePartition;

typedef struct MetadataResponseMetadataResponseTopic
{
	int16_t		error_code;
	WireString	name;			/* can be null 12+ */
	WireUuid	topic_id;		/* 10+ */
	bool		is_internal;	/* 1+ */
	int32_t		n_partitions;
	MetadataResponseMetadataResponsePartition *partitions;
	int32_t		topic_authorized_operations; /* 8+, default INT32_MIN */
} MetadataResponseMetadataResponseTopic;

typedef struct MetadataResponse
{
	int32_t		throttle_time_ms; /* 3+ */
	int32_t		n_brokers;
	MetadataResponseMetadataResponseBroker *brokers;
	WireString	cluster_id;		/* 2+, can be null */
	int32_t		controller_id;	/* 1+, default -1 */
	int32_t		n_topics;
	MetadataResponseMetadataResponseTopic *topics;
	int32_t		cluster_authorized_operations; /* 8-10, default INT32_MIN */
	int16_t		error_code;		/* 13+ */
} MetadataResponse;

extern const WireStruct wire_MetadataResponseMetadataResponseBroker;
extern const WireStruct wire_MetadataResponseMetadataResponsePartition;
extern const WireStruct wire_MetadataResponseMetadataResponseTopic;
extern const WireMessage wire_MetadataResponse;

/* ---------- DescribeCluster (60), request, versions 0 to 2 ---------- */

typedef struct DescribeClusterRequest
{
	bool		include_cluster_authorized_operations;
	int8_t		endpoint_type;	/* 1+, default 1 */
	bool		include_fenced_brokers; /* 2+ */
} DescribeClusterRequest;

extern const WireMessage wire_DescribeClusterRequest;

/* ---------- DescribeCluster (60), response, versions 0 to 2 ---------- */

typedef struct DescribeClusterResponseDescribeClusterBroker
{
	int32_t		broker_id;
	WireString	host;
	int32_t		port;
	WireString	rack;			/* can be null */
	bool		is_fenced;		/* 2+ */
} DescribeClusterResponseDescribeClusterBroker;

typedef struct DescribeClusterResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int8_t		endpoint_type;	/* 1+, default 1 */
	WireString	cluster_id;
	int32_t		controller_id;	/* default -1 */
	int32_t		n_brokers;
	DescribeClusterResponseDescribeClusterBroker *brokers;
	int32_t		cluster_authorized_operations; /* default INT32_MIN */
} DescribeClusterResponse;

extern const WireStruct wire_DescribeClusterResponseDescribeClusterBroker;
extern const WireMessage wire_DescribeClusterResponse;

/* ---------- DescribeTopicPartitions (75), request, version 0 ---------- */

typedef struct DescribeTopicPartitionsRequestTopicRequest
{
	WireString	name;
} DescribeTopicPartitionsRequestTopicRequest;

typedef struct DescribeTopicPartitionsRequestCursor
{
	WireString	topic_name;
	int32_t		partition_index;
} DescribeTopicPartitionsRequestCursor;

typedef struct DescribeTopicPartitionsRequest
{
	int32_t		n_topics;
	DescribeTopicPartitionsRequestTopicRequest *topics;
	int32_t		response_partition_limit; /* default 2000 */
	DescribeTopicPartitionsRequestCursor *cursor; /* can be null */
} DescribeTopicPartitionsRequest;

extern const WireStruct wire_DescribeTopicPartitionsRequestTopicRequest;
extern const WireStruct wire_DescribeTopicPartitionsRequestCursor;
extern const WireMessage wire_DescribeTopicPartitionsRequest;

/* ---------- DescribeTopicPartitions (75), response, version 0 ---------- */

typedef struct DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition
{
	int16_t		error_code;
	int32_t		partition_index;
	int32_t		leader_id;
	int32_t		leader_epoch;	/* default -1 */
	int32_t		n_replica_nodes;
	int32_t	   *replica_nodes;
	int32_t		n_isr_nodes;
	int32_t	   *isr_nodes;
	int32_t		n_eligible_leader_replicas;
	int32_t	   *eligible_leader_replicas; /* can be null */
	int32_t		n_last_known_elr;
	int32_t	   *last_known_elr;	/* can be null */
	int32_t		n_offline_replicas;
	int32_t	   *offline_replicas;
} DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition;

typedef struct DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic
{
	int16_t		error_code;
	WireString	name;			/* can be null */
	WireUuid	topic_id;
	bool		is_internal;
	int32_t		n_partitions;
	DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition *partitions;
	int32_t		topic_authorized_operations; /* default INT32_MIN */
} DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic;

typedef struct DescribeTopicPartitionsResponseCursor
{
	WireString	topic_name;
	int32_t		partition_index;
} DescribeTopicPartitionsResponseCursor;

typedef struct DescribeTopicPartitionsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic *topics;
	DescribeTopicPartitionsResponseCursor *next_cursor; /* can be null */
} DescribeTopicPartitionsResponse;

extern const WireStruct wire_DescribeTopicPartitionsResponseDescribeTopicPartitionsResponsePartition;
extern const WireStruct wire_DescribeTopicPartitionsResponseDescribeTopicPartitionsResponseTopic;
extern const WireStruct wire_DescribeTopicPartitionsResponseCursor;
extern const WireMessage wire_DescribeTopicPartitionsResponse;

#endif							/* WIRE_API_METADATA_H */
