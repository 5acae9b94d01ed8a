/*-------------------------------------------------------------------------
 *
 * api_commit.h
 *	  Messages for offsets committed by groups.
 *
 * OffsetCommit, OffsetFetch, OffsetDelete.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_COMMIT_H
#define WIRE_API_COMMIT_H

#include "wire/message.h"

/* ---------- OffsetCommit (8), request, versions 2 to 10 ---------- */

typedef struct OffsetCommitRequestOffsetCommitRequestPartition
{
	int32_t		partition_index;
	int64_t		committed_offset;
	int32_t		committed_leader_epoch; /* 6+, default -1 */
	WireString	committed_metadata; /* can be null */
} OffsetCommitRequestOffsetCommitRequestPartition;

typedef struct OffsetCommitRequestOffsetCommitRequestTopic
{
	WireString	name;			/* 2-9 */
	WireUuid	topic_id;		/* 10+ */
	int32_t		n_partitions;
	OffsetCommitRequestOffsetCommitRequestPartition *partitions;
} OffsetCommitRequestOffsetCommitRequestTopic;

typedef struct OffsetCommitRequest
{
	WireString	group_id;
	int32_t		generation_id_or_member_epoch; /* default -1 */
	WireString	member_id;
	WireString	group_instance_id; /* 7+, can be null */
	int64_t		retention_time_ms; /* 2-4, default -1 */
	int32_t		n_topics;
	OffsetCommitRequestOffsetCommitRequestTopic *topics;
} OffsetCommitRequest;

extern const WireStruct wire_OffsetCommitRequestOffsetCommitRequestPartition;
extern const WireStruct wire_OffsetCommitRequestOffsetCommitRequestTopic;
extern const WireMessage wire_OffsetCommitRequest;

/* ---------- OffsetCommit (8), response, versions 2 to 10 ---------- */

typedef struct OffsetCommitResponseOffsetCommitResponsePartition
{
	int32_t		partition_index;
	int16_t		error_code;
} OffsetCommitResponseOffsetCommitResponsePartition;

typedef struct OffsetCommitResponseOffsetCommitResponseTopic
{
	WireString	name;			/* 2-9 */
	WireUuid	topic_id;		/* 10+ */
	int32_t		n_partitions;
	OffsetCommitResponseOffsetCommitResponsePartition *partitions;
} OffsetCommitResponseOffsetCommitResponseTopic;

typedef struct OffsetCommitResponse
{
	int32_t		throttle_time_ms; /* 3+ */
	int32_t		n_topics;
	OffsetCommitResponseOffsetCommitResponseTopic *topics;
} OffsetCommitResponse;

extern const WireStruct wire_OffsetCommitResponseOffsetCommitResponsePartition;
extern const WireStruct wire_OffsetCommitResponseOffsetCommitResponseTopic;
extern const WireMessage wire_OffsetCommitResponse;

/* ---------- OffsetFetch (9), request, versions 1 to 10 ---------- */

typedef struct OffsetFetchRequestOffsetFetchRequestTopic
{
	WireString	name;			/* 1-7 */
	int32_t		n_partition_indexes;
	int32_t	   *partition_indexes; /* 1-7 */
} OffsetFetchRequestOffsetFetchRequestTopic;

typedef struct OffsetFetchRequestOffsetFetchRequestTopics
{
	WireString	name;			/* 8-9 */
	WireUuid	topic_id;		/* 10+ */
	int32_t		n_partition_indexes;
	int32_t	   *partition_indexes; /* 8+ */
} OffsetFetchRequestOffsetFetchRequestTopics;

typedef struct OffsetFetchRequestOffsetFetchRequestGroup
{
	WireString	group_id;		/* 8+ */
	WireString	member_id;		/* 9+, can be null */
	int32_t		member_epoch;	/* 9+, default -1 */
	int32_t		n_topics;
	OffsetFetchRequestOffsetFetchRequestTopics *topics; /* 8+, can be null */
} OffsetFetchRequestOffsetFetchRequestGroup;

typedef struct OffsetFetchRequest
{
	WireString	group_id;		/* 1-7 */
	int32_t		n_topics;
	OffsetFetchRequestOffsetFetchRequestTopic *topics; /* 1-7, can be null 2+ */
	int32_t		n_groups;
	OffsetFetchRequestOffsetFetchRequestGroup *groups; /* 8+ */
	bool		require_stable;	/* 7+ */
} OffsetFetchRequest;

extern const WireStruct wire_OffsetFetchRequestOffsetFetchRequestTopic;
extern const WireStruct wire_OffsetFetchRequestOffsetFetchRequestTopics;
extern const WireStruct wire_OffsetFetchRequestOffsetFetchRequestGroup;
extern const WireMessage wire_OffsetFetchRequest;

/* ---------- OffsetFetch (9), response, versions 1 to 10 ---------- */

typedef struct OffsetFetchResponseOffsetFetchResponsePartition
{
	int32_t		partition_index; /* 1-7 */
	int64_t		committed_offset; /* 1-7 */
	int32_t		committed_leader_epoch; /* 5-7, default -1 */
	WireString	metadata;		/* 1-7, can be null */
	int16_t		error_code;		/* 1-7 */
} OffsetFetchResponseOffsetFetchResponsePartition;

typedef struct OffsetFetchResponseOffsetFetchResponseTopic
{
	WireString	name;			/* 1-7 */
	int32_t		n_partitions;
	OffsetFetchResponseOffsetFetchResponsePartition *partitions; /* 1-7 */
} OffsetFetchResponseOffsetFetchResponseTopic;

typedef struct OffsetFetchResponseOffsetFetchResponsePartitions
{
	int32_t		partition_index; /* 8+ */
	int64_t		committed_offset; /* 8+ */
	int32_t		committed_leader_epoch; /* 8+, default -1 */
	WireString	metadata;		/* 8+, can be null */
	int16_t		error_code;		/* 8+ */
} OffsetFetchResponseOffsetFetchResponsePartitions;

typedef struct OffsetFetchResponseOffsetFetchResponseTopics
{
	WireString	name;			/* 8-9 */
	WireUuid	topic_id;		/* 10+ */
	int32_t		n_partitions;
	OffsetFetchResponseOffsetFetchResponsePartitions *partitions; /* 8+ */
} OffsetFetchResponseOffsetFetchResponseTopics;

typedef struct OffsetFetchResponseOffsetFetchResponseGroup
{
	WireString	group_id;		/* 8+ */
	int32_t		n_topics;
	OffsetFetchResponseOffsetFetchResponseTopics *topics; /* 8+ */
	int16_t		error_code;		/* 8+ */
} OffsetFetchResponseOffsetFetchResponseGroup;

typedef struct OffsetFetchResponse
{
	int32_t		throttle_time_ms; /* 3+ */
	int32_t		n_topics;
	OffsetFetchResponseOffsetFetchResponseTopic *topics; /* 1-7 */
	int16_t		error_code;		/* 2-7 */
	int32_t		n_groups;
	OffsetFetchResponseOffsetFetchResponseGroup *groups; /* 8+ */
} OffsetFetchResponse;

extern const WireStruct wire_OffsetFetchResponseOffsetFetchResponsePartition;
extern const WireStruct wire_OffsetFetchResponseOffsetFetchResponseTopic;
extern const WireStruct wire_OffsetFetchResponseOffsetFetchResponsePartitions;
extern const WireStruct wire_OffsetFetchResponseOffsetFetchResponseTopics;
extern const WireStruct wire_OffsetFetchResponseOffsetFetchResponseGroup;
extern const WireMessage wire_OffsetFetchResponse;

/* ---------- OffsetDelete (47), request, version 0 ---------- */

typedef struct OffsetDeleteRequestOffsetDeleteRequestPartition
{
	int32_t		partition_index;
} OffsetDeleteRequestOffsetDeleteRequestPartition;

typedef struct OffsetDeleteRequestOffsetDeleteRequestTopic
{
	WireString	name;
	int32_t		n_partitions;
	OffsetDeleteRequestOffsetDeleteRequestPartition *partitions;
} OffsetDeleteRequestOffsetDeleteRequestTopic;

typedef struct OffsetDeleteRequest
{
	WireString	group_id;
	int32_t		n_topics;
	OffsetDeleteRequestOffsetDeleteRequestTopic *topics;
} OffsetDeleteRequest;

extern const WireStruct wire_OffsetDeleteRequestOffsetDeleteRequestPartition;
extern const WireStruct wire_OffsetDeleteRequestOffsetDeleteRequestTopic;
extern const WireMessage wire_OffsetDeleteRequest;

/* ---------- OffsetDelete (47), response, version 0 ---------- */

typedef struct OffsetDeleteResponseOffsetDeleteResponsePartition
{
	int32_t		partition_index;
	int16_t		error_code;
} OffsetDeleteResponseOffsetDeleteResponsePartition;

typedef struct OffsetDeleteResponseOffsetDeleteResponseTopic
{
	WireString	name;
	int32_t		n_partitions;
	OffsetDeleteResponseOffsetDeleteResponsePartition *partitions;
} OffsetDeleteResponseOffsetDeleteResponseTopic;

typedef struct OffsetDeleteResponse
{
	int16_t		error_code;
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	OffsetDeleteResponseOffsetDeleteResponseTopic *topics;
} OffsetDeleteResponse;

extern const WireStruct wire_OffsetDeleteResponseOffsetDeleteResponsePartition;
extern const WireStruct wire_OffsetDeleteResponseOffsetDeleteResponseTopic;
extern const WireMessage wire_OffsetDeleteResponse;

#endif							/* WIRE_API_COMMIT_H */
