/*-------------------------------------------------------------------------
 *
 * api_offsets.h
 *	  Messages for looking up and moving the ends of a log.
 *
 * ListOffsets, DeleteRecords, OffsetForLeaderEpoch.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_OFFSETS_H
#define WIRE_API_OFFSETS_H

#include "wire/message.h"

/* ---------- ListOffsets (2), request, versions 1 to 11 ---------- */

typedef struct ListOffsetsRequestListOffsetsPartition
{
	int32_t		partition_index;
	int32_t		current_leader_epoch; /* 4+, default -1 */
	int64_t		timestamp;
} ListOffsetsRequestListOffsetsPartition;

typedef struct ListOffsetsRequestListOffsetsTopic
{
	WireString	name;
	int32_t		n_partitions;
	ListOffsetsRequestListOffsetsPartition *partitions;
} ListOffsetsRequestListOffsetsTopic;

typedef struct ListOffsetsRequest
{
	int32_t		replica_id;
	int8_t		isolation_level; /* 2+ */
	int32_t		n_topics;
	ListOffsetsRequestListOffsetsTopic *topics;
	int32_t		timeout_ms;		/* 10+ */
} ListOffsetsRequest;

extern const WireStruct wire_ListOffsetsRequestListOffsetsPartition;
extern const WireStruct wire_ListOffsetsRequestListOffsetsTopic;
extern const WireMessage wire_ListOffsetsRequest;

/* ---------- ListOffsets (2), response, versions 1 to 11 ---------- */

typedef struct ListOffsetsResponseListOffsetsPartitionResponse
{
	int32_t		partition_index;
	int16_t		error_code;
	int64_t		timestamp;		/* default -1 */
	int64_t		offset;			/* default -1 */
	int32_t		leader_epoch;	/* 4+, default -1 */
} ListOffsetsResponseListOffsetsPartitionResponse;

typedef struct ListOffsetsResponseListOffsetsTopicResponse
{
	WireString	name;
	int32_t		n_partitions;
	ListOffsetsResponseListOffsetsPartitionResponse *partitions;
} ListOffsetsResponseListOffsetsTopicResponse;

typedef struct ListOffsetsResponse
{
	int32_t		throttle_time_ms; /* 2+ */
	int32_t		n_topics;
	ListOffsetsResponseListOffsetsTopicResponse *topics;
} ListOffsetsResponse;

extern const WireStruct wire_ListOffsetsResponseListOffsetsPartitionResponse;
extern const WireStruct wire_ListOffsetsResponseListOffsetsTopicResponse;
extern const WireMessage wire_ListOffsetsResponse;

/* ---------- DeleteRecords (21), request, versions 0 to 2 ---------- */

typedef struct DeleteRecordsRequestDeleteRecordsPartition
{
	int32_t		partition_index;
	int64_t		offset;
} DeleteRecordsRequestDeleteRecordsPartition;

typedef struct DeleteRecordsRequestDeleteRecordsTopic
{
	WireString	name;
	int32_t		n_partitions;
	DeleteRecordsRequestDeleteRecordsPartition *partitions;
} DeleteRecordsRequestDeleteRecordsTopic;

typedef struct DeleteRecordsRequest
{
	int32_t		n_topics;
	DeleteRecordsRequestDeleteRecordsTopic *topics;
	int32_t		timeout_ms;
} DeleteRecordsRequest;

extern const WireStruct wire_DeleteRecordsRequestDeleteRecordsPartition;
extern const WireStruct wire_DeleteRecordsRequestDeleteRecordsTopic;
extern const WireMessage wire_DeleteRecordsRequest;

/* ---------- DeleteRecords (21), response, versions 0 to 2 ---------- */

typedef struct DeleteRecordsResponseDeleteRecordsPartitionResult
{
	int32_t		partition_index;
	int64_t		low_watermark;
	int16_t		error_code;
} DeleteRecordsResponseDeleteRecordsPartitionResult;

typedef struct DeleteRecordsResponseDeleteRecordsTopicResult
{
	WireString	name;
	int32_t		n_partitions;
	DeleteRecordsResponseDeleteRecordsPartitionResult *partitions;
} DeleteRecordsResponseDeleteRecordsTopicResult;

typedef struct DeleteRecordsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	DeleteRecordsResponseDeleteRecordsTopicResult *topics;
} DeleteRecordsResponse;

extern const WireStruct wire_DeleteRecordsResponseDeleteRecordsPartitionResult;
extern const WireStruct wire_DeleteRecordsResponseDeleteRecordsTopicResult;
extern const WireMessage wire_DeleteRecordsResponse;

/* ---------- OffsetForLeaderEpoch (23), request, versions 2 to 4 ---------- */

typedef struct OffsetForLeaderEpochRequestOffsetForLeaderPartition
{
	int32_t		partition;
	int32_t		current_leader_epoch; /* default -1 */
	int32_t		leader_epoch;
} OffsetForLeaderEpochRequestOffsetForLeaderPartition;

typedef struct OffsetForLeaderEpochRequestOffsetForLeaderTopic
{
	WireString	topic;
	int32_t		n_partitions;
	OffsetForLeaderEpochRequestOffsetForLeaderPartition *partitions;
} OffsetForLeaderEpochRequestOffsetForLeaderTopic;

typedef struct OffsetForLeaderEpochRequest
{
	int32_t		replica_id;		/* 3+, default -2 */
	int32_t		n_topics;
	OffsetForLeaderEpochRequestOffsetForLeaderTopic *topics;
} OffsetForLeaderEpochRequest;

extern const WireStruct wire_OffsetForLeaderEpochRequestOffsetForLeaderPartition;
extern const WireStruct wire_OffsetForLeaderEpochRequestOffsetForLeaderTopic;
extern const WireMessage wire_OffsetForLeaderEpochRequest;

/* ---------- OffsetForLeaderEpoch (23), response, versions 2 to 4 ---------- */

typedef struct OffsetForLeaderEpochResponseEpochEndOffset
{
	int16_t		error_code;
	int32_t		partition;
	int32_t		leader_epoch;	/* default -1 */
	int64_t		end_offset;		/* default -1 */
} OffsetForLeaderEpochResponseEpochEndOffset;

typedef struct OffsetForLeaderEpochResponseOffsetForLeaderTopicResult
{
	WireString	topic;
	int32_t		n_partitions;
	OffsetForLeaderEpochResponseEpochEndOffset *partitions;
} OffsetForLeaderEpochResponseOffsetForLeaderTopicResult;

typedef struct OffsetForLeaderEpochResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	OffsetForLeaderEpochResponseOffsetForLeaderTopicResult *topics;
} OffsetForLeaderEpochResponse;

extern const WireStruct wire_OffsetForLeaderEpochResponseEpochEndOffset;
extern const WireStruct wire_OffsetForLeaderEpochResponseOffsetForLeaderTopicResult;
extern const WireMessage wire_OffsetForLeaderEpochResponse;

#endif							/* WIRE_API_OFFSETS_H */
