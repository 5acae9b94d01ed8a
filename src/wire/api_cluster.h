/*-------------------------------------------------------------------------
 *
 * api_cluster.h
 *	  Messages for the controllers' quorum and feature levels.
 *
 * DescribeQuorum, UpdateFeatures.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_CLUSTER_H
#define WIRE_API_CLUSTER_H

#include "wire/message.h"

/* ---------- DescribeQuorum (55), request, versions 0 to 2 ---------- */

typedef struct DescribeQuorumRequestPartitionData
{
	int32_t		partition_index;
} DescribeQuorumRequestPartitionData;

typedef struct DescribeQuorumRequestTopicData
{
	WireString	topic_name;
	int32_t		n_partitions;
	DescribeQuorumRequestPartitionData *partitions;
} DescribeQuorumRequestTopicData;

typedef struct DescribeQuorumRequest
{
	int32_t		n_topics;
	DescribeQuorumRequestTopicData *topics;
} DescribeQuorumRequest;

extern const WireStruct wire_DescribeQuorumRequestPartitionData;
extern const WireStruct wire_DescribeQuorumRequestTopicData;
extern const WireMessage wire_DescribeQuorumRequest;

/* ---------- DescribeQuorum (55), response, versions 0 to 2 ---------- */

typedef struct DescribeQuorumResponseReplicaState
{
	int32_t		replica_id;
	WireUuid	replica_directory_id; /* 2+ */
	int64_t		log_end_offset;
	int64_t		last_fetch_timestamp; /* 1+, default -1 */
	int64_t		last_caught_up_timestamp; /* 1+, default -1 */
} DescribeQuorumResponseReplicaState;

typedef struct DescribeQuorumResponsePartitionData
{
	int32_t		partition_index;
	int16_t		error_code;
	WireString	error_message;	/* 2+, can be null */
	int32_t		leader_id;
	int32_t		leader_epoch;
	int64_t		high_watermark;
	int32_t		n_current_voters;
	DescribeQuorumResponseReplicaState *current_voters;
	int32_t		n_observers;
	DescribeQuorumResponseReplicaState *observers;
} DescribeQuorumResponsePartitionData;

typedef struct DescribeQuorumResponseTopicData
{
	WireString	topic_name;
	int32_t		n_partitions;
	DescribeQuorumResponsePartitionData *partitions;
} DescribeQuorumResponseTopicData;

typedef struct DescribeQuorumResponseListener
{
	WireString	name;			/* 2+ */
	WireString	host;			/* 2+ */
	uint16_t	port;			/* 2+ */
} DescribeQuorumResponseListener;

typedef struct DescribeQuorumResponseNode
{
	int32_t		node_id;		/* 2+ */
	int32_t		n_listeners;
	DescribeQuorumResponseListener *listeners; /* 2+ */
} DescribeQuorumResponseNode;

typedef struct DescribeQuorumResponse
{
	int16_t		error_code;
	WireString	error_message;	/* 2+, can be null */
	int32_t		n_topics;
	DescribeQuorumResponseTopicData *topics;
	int32_t		n_nodes;
	DescribeQuorumResponseNode *nodes; /* 2+ */
} DescribeQuorumResponse;

extern const WireStruct wire_DescribeQuorumResponseReplicaState;
extern const WireStruct wire_DescribeQuorumResponsePartitionData;
extern const WireStruct wire_DescribeQuorumResponseTopicData;
extern const WireStruct wire_DescribeQuorumResponseListener;
extern const WireStruct wire_DescribeQuorumResponseNode;
extern const WireMessage wire_DescribeQuorumResponse;

/* ---------- UpdateFeatures (57), request, versions 0 to 2 ---------- */

typedef struct UpdateFeaturesRequestFeatureUpdateKey
{
	WireString	feature;
	int16_t		max_version_level;
	bool		allow_downgrade; /* 0 */
	int8_t		upgrade_type;	/* 1+, default 1 */
} UpdateFeaturesRequestFeatureUpdateKey;

typedef struct UpdateFeaturesRequest
{
	int32_t		timeout_ms;		/* default 60000 */
	int32_t		n_feature_updates;
	UpdateFeaturesRequestFeatureUpdateKey *feature_updates;
	bool		validate_only;	/* 1+ */
} UpdateFeaturesRequest;

extern const WireStruct wire_UpdateFeaturesRequestFeatureUpdateKey;
extern const WireMessage wire_UpdateFeaturesRequest;

/* ---------- UpdateFeatures (57), response, versions 0 to 2 ---------- */

typedef struct UpdateFeaturesResponseUpdatableFeatureResult
{
	WireString	feature;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
} UpdateFeaturesResponseUpdatableFeatureResult;

typedef struct UpdateFeaturesResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_results;
	UpdateFeaturesResponseUpdatableFeatureResult *results; /* 0-1 */
} UpdateFeaturesResponse;

extern const WireStruct wire_UpdateFeaturesResponseUpdatableFeatureResult;
extern const WireMessage wire_UpdateFeaturesResponse;

#endif							/* WIRE_API_CLUSTER_H */
