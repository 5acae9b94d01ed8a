/*-------------------------------------------------------------------------
 *
 * api_produce.h
 *	  Messages for records sent by producers.
 *
 * Produce.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_PRODUCE_H
#define WIRE_API_PRODUCE_H

#include "wire/message.h"

/* ---------- Produce (0), request, versions 3 to 13 ---------- */

typedef struct ProduceRequestPartitionProduceData
{
	int32_t		index;
	WireRecords	records;		/* can be null */
} ProduceRequestPartitionProduceData;

typedef struct ProduceRequestTopicProduceData
{
	WireString	name;			/* 3-12 */
	WireUuid	topic_id;		/* 13+ */
	int32_t		n_partition_data;
	ProduceRequestPartitionProduceData *partition_data;
} ProduceRequestTopicProduceData;

typedef struct ProduceRequest
{
	WireString	transactional_id; /* can be null */
	int16_t		acks;
	int32_t		timeout_ms;
	int32_t		n_topic_data;
	ProduceRequestTopicProduceData *topic_data;
} ProduceRequest;

extern const WireStruct wire_ProduceRequestPartitionProduceData;
extern const WireStruct wire_ProduceRequestTopicProduceData;
extern const WireMessage wire_ProduceRequest;

/* ---------- Produce (0), response, versions 3 to 13 ---------- */

typedef struct ProduceResponseBatchIndexAndErrorMessage
{
	int32_t		batch_index;	/* 8+ */
	WireString	batch_index_error_message; /* 8+, can be null */
} ProduceResponseBatchIndexAndErrorMessage;

typedef struct ProduceResponseLeaderIdAndEpoch
{
	int32_t		leader_id;		/* 10+, default -1 */
	int32_t		leader_epoch;	/* 10+, default -1 */
} ProduceResponseLeaderIdAndEpoch;

typedef struct ProduceResponsePartitionProduceResponse
{
	int32_t		index;
	int16_t		error_code;
	int64_t		base_offset;
	int64_t		log_append_time_ms; /* default -1 */
	int64_t		log_start_offset; /* 5+, default -1 */
	int32_t		n_record_errors;
	ProduceResponseBatchIndexAndErrorMessage *record_errors; /* 8+ */
	WireString	error_message;	/* 8+, can be null */
	ProduceResponseLeaderIdAndEpoch current_leader; /* 10+, optional */
} ProduceResponsePartitionProduceResponse;

typedef struct ProduceResponseTopicProduceResponse
{
	WireString	name;			/* 3-12 */
	WireUuid	topic_id;		/* 13+ */
	int32_t		n_partition_responses;
	ProduceResponsePartitionProduceResponse *partition_responses;
} ProduceResponseTopicProduceResponse;

typedef struct ProduceResponseNodeEndpoint
{
	int32_t		node_id;		/* 10+ */
	WireString	host;			/* 10+ */
	int32_t		port;			/* 10+ */
	WireString	rack;			/* 10+, can be null */
} ProduceResponseNodeEndpoint;

typedef struct ProduceResponse
{
	int32_t		n_responses;
	ProduceResponseTopicProduceResponse *responses;
	int32_t		throttle_time_ms;
	int32_t		n_node_endpoints;
	ProduceResponseNodeEndpoint *node_endpoints; /* 10+, optional */
} ProduceResponse;

extern const WireStruct wire_ProduceResponseBatchIndexAndErrorMessage;
extern const WireStruct wire_ProduceResponseLeaderIdAndEpoch;
extern const WireStruct wire_ProduceResponsePartitionProduceResponse;
extern const WireStruct wire_ProduceResponseTopicProduceResponse;
extern const WireStruct wire_ProduceResponseNodeEndpoint;
extern const WireMessage wire_ProduceResponse;

#endif							/* WIRE_API_PRODUCE_H */
