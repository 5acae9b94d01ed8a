/*-------------------------------------------------------------------------
 *
 * api_txn_admin.h
 *	  Messages for looking at producers and transactions, and ending these.
 *
 * WriteTxnMarkers, DescribeProducers, DescribeTransactions,
 * ListTransactions.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_TXN_ADMIN_H
#define WIRE_API_TXN_ADMIN_H

#include "wire/message.h"

/* ---------- WriteTxnMarkers (27), request, versions 1 to 2 ---------- */

typedef struct WriteTxnMarkersRequestWritableTxnMarkerTopic
{
	WireString	name;
	int32_t		n_partition_indexes;
	int32_t	   *partition_indexes;
} WriteTxnMarkersRequestWritableTxnMarkerTopic;

typedef struct WriteTxnMarkersRequestWritableTxnMarker
{
	int64_t		producer_id;
	int16_t		producer_epoch;
	bool		transaction_result;
	int32_t		n_topics;
	WriteTxnMarkersRequestWritableTxnMarkerTopic *topics;
	int32_t		coordinator_epoch;
	int8_t		transaction_version; /* 2+ */
} WriteTxnMarkersRequestWritableTxnMarker;

typedef struct WriteTxnMarkersRequest
{
	int32_t		n_markers;
	WriteTxnMarkersRequestWritableTxnMarker *markers;
} WriteTxnMarkersRequest;

extern const WireStruct wire_WriteTxnMarkersRequestWritableTxnMarkerTopic;
extern const WireStruct wire_WriteTxnMarkersRequestWritableTxnMarker;
extern const WireMessage wire_WriteTxnMarkersRequest;

/* ---------- WriteTxnMarkers (27), response, versions 1 to 2 ---------- */

typedef struct WriteTxnMarkersResponseWritableTxnMarkerPartitionResult
{
	int32_t		partition_index;
	int16_t		error_code;
} WriteTxnMarkersResponseWritableTxnMarkerPartitionResult;

typedef struct WriteTxnMarkersResponseWritableTxnMarkerTopicResult
{
	WireString	name;
	int32_t		n_partitions;
	WriteTxnMarkersResponseWritableTxnMarkerPartitionResult *partitions;
} WriteTxnMarkersResponseWritableTxnMarkerTopicResult;

typedef struct WriteTxnMarkersResponseWritableTxnMarkerResult
{
	int64_t		producer_id;
	int32_t		n_topics;
	WriteTxnMarkersResponseWritableTxnMarkerTopicResult *topics;
} WriteTxnMarkersResponseWritableTxnMarkerResult;

typedef struct WriteTxnMarkersResponse
{
	int32_t		n_markers;
	WriteTxnMarkersResponseWritableTxnMarkerResult *markers;
} WriteTxnMarkersResponse;

extern const WireStruct wire_WriteTxnMarkersResponseWritableTxnMarkerPartitionResult;
extern const WireStruct wire_WriteTxnMarkersResponseWritableTxnMarkerTopicResult;
extern const WireStruct wire_WriteTxnMarkersResponseWritableTxnMarkerResult;
extern const WireMessage wire_WriteTxnMarkersResponse;

/* ---------- DescribeProducers (61), request, version 0 ---------- */

typedef struct DescribeProducersRequestTopicRequest
{
	WireString	name;
	int32_t		n_partition_indexes;
	int32_t	   *partition_indexes;
} DescribeProducersRequestTopicRequest;

typedef struct DescribeProducersRequest
{
	int32_t		n_topics;
	DescribeProducersRequestTopicRequest *topics;
} DescribeProducersRequest;

extern const WireStruct wire_DescribeProducersRequestTopicRequest;
extern const WireMessage wire_DescribeProducersRequest;

/* ---------- DescribeProducers (61), response, version 0 ---------- */

typedef struct DescribeProducersResponseProducerState
{
	int64_t		producer_id;
	int32_t		producer_epoch;
	int32_t		last_sequence;	/* default -1 */
	int64_t		last_timestamp;	/* default -1 */
	int32_t		coordinator_epoch;
	int64_t		current_txn_start_offset; /* default -1 */
} DescribeProducersResponseProducerState;

typedef struct DescribeProducersResponsePartitionResponse
{
	int32_t		partition_index;
	int16_t		error_code;
	WireString	error_message;	/* can be null */
	int32_t		n_active_producers;
	DescribeProducersResponseProducerState *active_producers;
} DescribeProducersResponsePartitionResponse;

typedef struct DescribeProducersResponseTopicResponse
{
	WireString	name;
	int32_t		n_partitions;
	DescribeProducersResponsePartitionResponse *partitions;
} DescribeProducersResponseTopicResponse;

typedef struct DescribeProducersResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_topics;
	DescribeProducersResponseTopicResponse *topics;
} DescribeProducersResponse;

extern const WireStruct wire_DescribeProducersResponseProducerState;
extern const WireStruct wire_DescribeProducersResponsePartitionResponse;
extern const WireStruct wire_DescribeProducersResponseTopicResponse;
extern const WireMessage wire_DescribeProducersResponse;

/* ---------- DescribeTransactions (65), request, version 0 ---------- */

typedef struct DescribeTransactionsRequest
{
	int32_t		n_transactional_ids;
	WireString *transactional_ids;
} DescribeTransactionsRequest;

extern const WireMessage wire_DescribeTransactionsRequest;

/* ---------- DescribeTransactions (65), response, version 0 ---------- */

typedef struct DescribeTransactionsResponseTopicData
{
	WireString	topic;
	int32_t		n_partitions;
	int32_t	   *partitions;
} DescribeTransactionsResponseTopicData;

typedef struct DescribeTransactionsResponseTransactionState
{
	int16_t		error_code;
	WireString	transactional_id;
	WireString	transaction_state;
	int32_t		transaction_timeout_ms;
	int64_t		transaction_start_time_ms;
	int64_t		producer_id;
	int16_t		producer_epoch;
	int32_t		n_topics;
	DescribeTransactionsResponseTopicData *topics;
} DescribeTransactionsResponseTransactionState;

typedef struct DescribeTransactionsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_transaction_states;
	DescribeTransactionsResponseTransactionState *transaction_states;
} DescribeTransactionsResponse;

extern const WireStruct wire_DescribeTransactionsResponseTopicData;
extern const WireStruct wire_DescribeTransactionsResponseTransactionState;
extern const WireMessage wire_DescribeTransactionsResponse;

/* ---------- ListTransactions (66), request, versions 0 to 2 ---------- */

typedef struct ListTransactionsRequest
{
	int32_t		n_state_filters;
	WireString *state_filters;
	int32_t		n_producer_id_filters;
	int64_t	   *producer_id_filters;
	int64_t		duration_filter; /* 1+, default -1 */
	WireString	transactional_id_pattern; /* 2+, can be null */
} ListTransactionsRequest;

extern const WireMessage wire_ListTransactionsRequest;

/* ---------- ListTransactions (66), response, versions 0 to 2 ---------- */

typedef struct ListTransactionsResponseTransactionState
{
	WireString	transactional_id;
	int64_t		producer_id;
	WireString	transaction_state;
} ListTransactionsResponseTransactionState;

typedef struct ListTransactionsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;
	int32_t		n_unknown_state_filters;
	WireString *unknown_state_filters;
	int32_t		n_transaction_states;
	ListTransactionsResponseTransactionState *transaction_states;
} ListTransactionsResponse;

extern const WireStruct wire_ListTransactionsResponseTransactionState;
extern const WireMessage wire_ListTransactionsResponse;

#endif							/* WIRE_API_TXN_ADMIN_H */
