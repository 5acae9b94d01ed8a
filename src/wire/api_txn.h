/*-------------------------------------------------------------------------
 *
 * api_txn.h
 *	  Messages for producer ids and transactions.
 *
 * InitProducerId, AddPartitionsToTxn, AddOffsetsToTxn, EndTxn,
 * TxnOffsetCommit.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_TXN_H
#define WIRE_API_TXN_H

#include "wire/message.h"

/* ---------- InitProducerId (22), request, versions 0 to 6 ---------- */

typedef struct InitProducerIdRequest
{
	WireString	transactional_id; /* can be null */
	int32_t		transaction_timeout_ms;
	int64_t		producer_id;	/* 3+, default -1 */
	int16_t		producer_epoch;	/* 3+, default -1 */
	bool		enable2_pc;		/* 6+ */
	bool		keep_prepared_txn; /* 6+ */
} InitProducerIdRequest;

extern const WireMessage wire_InitProducerIdRequest;

/* ---------- InitProducerId (22), response, versions 0 to 6 ---------- */

typedef struct InitProducerIdResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	int64_t		producer_id;	/* default -1 */
	int16_t		producer_epoch;
	int64_t		ongoing_txn_producer_id; /* 6+, default -1 */
	int16_t		ongoing_txn_producer_epoch; /* 6+, default -1 */
} InitProducerIdResponse;

extern const WireMessage wire_InitProducerIdResponse;

/* ---------- AddPartitionsToTxn (24), request, versions 0 to 5 ---------- */

typedef struct AddPartitionsToTxnRequestAddPartitionsToTxnTopic
{
	WireString	name;
	int32_t		n_partitions;
	int32_t	   *partitions;
} AddPartitionsToTxnRequestAddPartitionsToTxnTopic;

typedef struct AddPartitionsToTxnRequestAddPartitionsToTxnTransaction
{
	WireString	transactional_id; /* 4+ */
	int64_t		producer_id;	/* 4+ */
	int16_t		producer_epoch;	/* 4+ */
	bool		verify_only;	/* 4+ */
	int32_t		n_topics;
	AddPartitionsToTxnRequestAddPartitionsToTxnTopic *topics; /* 4+ */
} AddPartitionsToTxnRequestAddPartitionsToTxnTransaction;

typedef struct AddPartitionsToTxnRequest
{
	int32_t		n_transactions;
	AddPartitionsToTxnRequestAddPartitionsToTxnTransaction *transactions; /* 4+ */
	WireString	v3_and_below_transactional_id; /* 0-3 */
	int64_t		v3_and_below_producer_id; /* 0-3 */
	int16_t		v3_and_below_producer_epoch; /* 0-3 */
	int32_t		n_v3_and_below_topics;
	AddPartitionsToTxnRequestAddPartitionsToTxnTopic *v3_and_below_topics; /* 0-3 */
} AddPartitionsToTxnRequest;

extern const WireStruct wire_AddPartitionsToTxnRequestAddPartitionsToTxnTopic;
extern const WireStruct wire_AddPartitionsToTxnRequestAddPartitionsToTxnTransaction;
extern const WireMessage wire_AddPartitionsToTxnRequest;

/* ---------- AddPartitionsToTxn (24), response, versions 0 to 5 ---------- */

typedef struct AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult
{
	int32_t		partition_index;
	int16_t		partition_error_code;
} AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult;

typedef struct AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult
{
	WireString	name;
	int32_t		n_results_by_partition;
	AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult *results_by_partition;
} AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult;

typedef struct AddPartitionsToTxnResponseAddPartitionsToTxnResult
{
	WireString	transactional_id; /* 4+ */
	int32_t		n_topic_results;
	AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult *topic_results; /* 4+ */
} AddPartitionsToTxnResponseAddPartitionsToTxnResult;

typedef struct AddPartitionsToTxnResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;		/* 4+ */
	int32_t		n_results_by_transaction;
	AddPartitionsToTxnResponseAddPartitionsToTxnResult *results_by_transaction; /* 4+ */
	int32_t		n_results_by_topic_v3_and_below;
	AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult *results_by_topic_v3_and_below; /* 0-3 */
} AddPartitionsToTxnResponse;

extern const WireStruct wire_AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult;
extern const WireStruct wire_AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult;
extern const WireStruct wire_AddPartitionsToTxnResponseAddPartitionsToTxnResult;
extern const WireMessage wire_AddPartitionsToTxnResponse;

/* ---------- AddOffsetsToTxn (25), request, versions 0 to 4 ---------- */

typedef struct AddOffsetsToTxnRequest
{
	WireString	transactional_id;
	int64_t		producer_id;
	int16_t		producer_epoch;
	WireString	group_id;
} AddOffsetsToTxnRequest;

extern const WireMessage wire_AddOffsetsToTxnRequest;

/* ---------- AddOffsetsToTxn (25), response, versions 0 to 4 ---------- */

typedef struct AddOffsetsToTxnResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
} AddOffsetsToTxnResponse;

extern const WireMessage wire_AddOffsetsToTxnResponse;

/* ---------- EndTxn (26), request, versions 0 to 5 ---------- */

typedef struct EndTxnRequest
{
	WireString	transactional_id;
	int64_t		producer_id;
	int16_t		producer_epoch;
	bool		committed;
} EndTxnRequest;

extern const WireMessage wire_EndTxnRequest;

/* ---------- EndTxn (26), response, versions 0 to 5 ---------- */

typedef struct EndTxnResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	int64_t		producer_id;	/* 5+, default -1 */
	int16_t		producer_epoch;	/* 5+, default -1 */
} EndTxnResponse;

extern const WireMessage wire_EndTxnResponse;

/* ---------- TxnOffsetCommit (28), request, versions 0 to 6 ---------- */

typedef struct TxnOffsetCommitRequestTxnOffsetCommitRequestPartition
{
	int32_t		partition_index;
	int64_t		committed_offset;
	int32_t		committed_leader_epoch; /* 2+, default -1 */
	WireString	committed_metadata; /* can be null */
} TxnOffsetCommitRequestTxnOffsetCommitRequestPartition;

typedef struct TxnOffsetCommitRequestTxnOffsetCommitRequestTopic
{
	WireString	name;			/* 0-5 */
	WireUuid	topic_id;		/* 6+ */
	int32_t		n_partitions;
	TxnOffsetCommitRequestTxnOffsetCommitRequestPartition *partitions;
} TxnOffsetCommitRequestTxnOffsetCommitRequestTopic;

typedef struct TxnOffsetCommitRequest
{
	WireString	transactional_id;
	WireString	group_id;
	int64_t		producer_id;
	int16_t		producer_epoch;
	int32_t		generation_id_or_member_epoch; /* 3+, default -1 */
	WireString	member_id;		/* 3+ */
	WireString	group_instance_id; /* 3+, can be null */
	int32_t		n_topics;
	TxnOffsetCommitRequestTxnOffsetCommitRequestTopic *topics;
} TxnOffsetCommitRequest;

extern const WireStruct wire_TxnOffsetCommitRequestTxnOffsetCommitRequestPartition;
extern const WireStruct wire_TxnOffsetCommitRequestTxnOffsetCommitRequestTopic;
extern const WireMessage wire_TxnOffsetCommitRequest;

/* ---------- TxnOffsetCommit (28), response, versions 0 to 6 ---------- */

typedef struct TxnOffsetCommitResponseTxnOffsetCommitResponsePartition
{
	int32_t		partition_index;
	int16_t		error_code;
} TxnOffsetCommitResponseTxnOffsetCommitResponsePartition;

typedef struct TxnOffsetCommitResponseTxnOffsetCommitResponseTopic
{
	WireString	name;			/* 0-5 */
	WireUuid	topic_id;		/* 6+ */
	int32_t		n_partitions;
	TxnOffsetCommitResponseTxnOffsetCommitResponsePartition *partitions;
} TxnOffsetCommitResponseTxnOffsetCommitResponseTopic;

typedef struct TxnOffsetCommitResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	TxnOffsetCommitResponseTxnOffsetCommitResponseTopic *topics;
} TxnOffsetCommitResponse;

extern const WireStruct wire_TxnOffsetCommitResponseTxnOffsetCommitResponsePartition;
extern const WireStruct wire_TxnOffsetCommitResponseTxnOffsetCommitResponseTopic;
extern const WireMessage wire_TxnOffsetCommitResponse;

#endif							/* WIRE_API_TXN_H */
