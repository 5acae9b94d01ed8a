/*-------------------------------------------------------------------------
 *
 * api_fetch.h
 *	  Messages for records read by consumers.
 *
 * Fetch.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_FETCH_H
#define WIRE_API_FETCH_H

#include "wire/message.h"

/* ---------- Fetch (1), request, versions 4 to 18 ---------- */

typedef struct FetchRequestReplicaState
{
	int32_t		replica_id;		/* 15+, default -1 */
	int64_t		replica_epoch;	/* 15+, default -1 */
} FetchRequestReplicaState;

typedef struct FetchRequestFetchPartition
{
	int32_t		partition;
	int32_t		current_leader_epoch; /* 9+, default -1 */
	int64_t		fetch_offset;
	int32_t		last_fetched_epoch; /* 12+, default -1 */
	int64_t		log_start_offset; /* 5+, default -1 */
	int32_t		partition_max_bytes;
	WireUuid	replica_directory_id; /* 17+, optional */
	int64_t		high_watermark;	/* 18+, optional, default INT64_MAX */
} FetchRequestFetchPartition;

typedef struct FetchRequestFetchTopic
{
	WireString	topic;			/* 4-12 */
	WireUuid	topic_id;		/* 13+ */
	int32_t		n_partitions;
	FetchRequestFetchPartition *partitions;
} FetchRequestFetchTopic;

typedef struct FetchRequestForgottenTopic
{
	WireString	topic;			/* 7-12 */
	WireUuid	topic_id;		/* 13+ */
	int32_t		n_partitions;
	int32_t	   *partitions;		/* 7+ */
} FetchRequestForgottenTopic;

typedef struct FetchRequest
{
	WireString	cluster_id;		/* 12+, can be null, optional */
	int32_t		replica_id;		/* 4-14, default -1 */
	FetchRequestReplicaState replica_state; /* 15+, optional */
	int32_t		max_wait_ms;
	int32_t		min_bytes;
	int32_t		max_bytes;		/* default INT32_MAX */
	int8_t		isolation_level;
	int32_t		session_id;		/* 7+ */
	int32_t		session_epoch;	/* 7+, default -1 */
	int32_t		n_topics;
	FetchRequestFetchTopic *topics;
	int32_t		n_forgotten_topics_data;
	FetchRequestForgottenTopic *forgotten_topics_data; /* 7+ */
	WireString	rack_id;		/* 11+ */
} FetchRequest;

extern const WireStruct wire_FetchRequestReplicaState;
extern const WireStruct wire_FetchRequestFetchPartition;
extern const WireStruct wire_FetchRequestFetchTopic;
extern const WireStruct wire_FetchRequestForgottenTopic;
extern const WireMessage wire_FetchRequest;

/* ---------- Fetch (1), response, versions 4 to 18 ---------- */

typedef struct FetchResponseEpochEndOffset
{
	int32_t		epoch;			/* 12+, default -1 */
	int64_t		end_offset;		/* 12+, default -1 */
} FetchResponseEpochEndOffset;

typedef struct FetchResponseLeaderIdAndEpoch
{
	int32_t		leader_id;		/* 12+, default -1 */
	int32_t		leader_epoch;	/* 12+, default -1 */
} FetchResponseLeaderIdAndEpoch;

typedef struct FetchResponseSnapshotId
{
	int64_t		end_offset;		/* default -1 */
	int32_t		epoch;			/* default -1 */
} FetchResponseSnapshotId;

typedef struct FetchResponseAbortedTransaction
{
	int64_t		producer_id;
	int64_t		first_offset;
} FetchResponseAbortedTransaction;

typedef struct FetchResponsePartitionData
{
	int32_t		partition_index;
	int16_t		error_code;
	int64_t		high_watermark;
	int64_t		last_stable_offset; /* default -1 */
	int64_t		log_start_offset; /* 5+, default -1 */
	FetchResponseEpochEndOffset diverging_epoch; /* 12+, optional */
	FetchResponseLeaderIdAndEpoch current_leader; /* 12+, optional */
	FetchResponseSnapshotId snapshot_id; /* 12+, optional */
	int32_t		n_aborted_transactions;
	FetchResponseAbortedTransaction *aborted_transactions; /* can be null */
	int32_t		preferred_read_replica; /* 11+, default -1 */
	WireRecords	records;		/* can be null */
} FetchResponsePartitionData;

typedef struct FetchResponseFetchableTopicResponse
{
	WireString	topic;			/* 4-12 */
	WireUuid	topic_id;		/* 13+ */
	int32_t		n_partitions;
	FetchResponsePartitionData *partitions;
} FetchResponseFetchableTopicResponse;

typedef struct FetchResponseNodeEndpoint
{
	int32_t		node_id;		/* 16+ */
	WireString	host;			/* 16+ */
	int32_t		port;			/* 16+ */
	WireString	rack;			/* 16+, can be null */
} FetchResponseNodeEndpoint;

typedef struct FetchResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;		/* 7+ */
	int32_t		session_id;		/* 7+ */
	int32_t		n_responses;
	FetchResponseFetchableTopicResponse *responses;
	int32_t		n_node_endpoints;
	FetchResponseNodeEndpoint *node_endpoints; /* 16+, optional */
} FetchResponse;

extern const WireStruct wire_FetchResponseEpochEndOffset;
extern const WireStruct wire_FetchResponseLeaderIdAndEpoch;
extern const WireStruct wire_FetchResponseSnapshotId;
extern const WireStruct wire_FetchResponseAbortedTransaction;
extern const WireStruct wire_FetchResponsePartitionData;
extern const WireStruct wire_FetchResponseFetchableTopicResponse;
extern const WireStruct wire_FetchResponseNodeEndpoint;
extern const WireMessage wire_FetchResponse;

#endif							/* WIRE_API_FETCH_H */
