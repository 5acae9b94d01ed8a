/*-------------------------------------------------------------------------
 *
 * api_txn_admin.c
 *	  Messages for looking at producers and transactions, and ending these.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_txn_admin.h"

#include "wire/table.h"

/* ---------- WriteTxnMarkersRequest ---------- */

static const WireField WriteTxnMarkersRequestWritableTxnMarkerTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(WriteTxnMarkersRequestWritableTxnMarkerTopic, name)},
	{"PartitionIndexes", WIRE_INT32, SINCE(0),
		ARRAY_AT(WriteTxnMarkersRequestWritableTxnMarkerTopic, partition_indexes)},
};

WIRE_STRUCT_TABLE(WriteTxnMarkersRequestWritableTxnMarkerTopic);

static const WireField WriteTxnMarkersRequestWritableTxnMarker_rows[] = {
	{"ProducerId", WIRE_INT64, SINCE(0), AT(WriteTxnMarkersRequestWritableTxnMarker, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(WriteTxnMarkersRequestWritableTxnMarker, producer_epoch)},
	{"TransactionResult", WIRE_BOOL, SINCE(0),
		AT(WriteTxnMarkersRequestWritableTxnMarker, transaction_result)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(WriteTxnMarkersRequestWritableTxnMarker, topics),
		OF(WriteTxnMarkersRequestWritableTxnMarkerTopic)},
	{"CoordinatorEpoch", WIRE_INT32, SINCE(0),
		AT(WriteTxnMarkersRequestWritableTxnMarker, coordinator_epoch)},
	{"TransactionVersion", WIRE_INT8, SINCE(2),
		AT(WriteTxnMarkersRequestWritableTxnMarker, transaction_version)},
};

WIRE_STRUCT_TABLE(WriteTxnMarkersRequestWritableTxnMarker);

static const WireField WriteTxnMarkersRequest_rows[] = {
	{"Markers", WIRE_STRUCT, SINCE(0), ARRAY_AT(WriteTxnMarkersRequest, markers),
		OF(WriteTxnMarkersRequestWritableTxnMarker)},
};

WIRE_MESSAGE_TABLE(WriteTxnMarkersRequest, 1, 2, 1);

/* ---------- WriteTxnMarkersResponse ---------- */

static const WireField WriteTxnMarkersResponseWritableTxnMarkerPartitionResult_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(WriteTxnMarkersResponseWritableTxnMarkerPartitionResult, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(WriteTxnMarkersResponseWritableTxnMarkerPartitionResult, error_code)},
};

WIRE_STRUCT_TABLE(WriteTxnMarkersResponseWritableTxnMarkerPartitionResult);

static const WireField WriteTxnMarkersResponseWritableTxnMarkerTopicResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(WriteTxnMarkersResponseWritableTxnMarkerTopicResult, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(WriteTxnMarkersResponseWritableTxnMarkerTopicResult, partitions),
		OF(WriteTxnMarkersResponseWritableTxnMarkerPartitionResult)},
};

WIRE_STRUCT_TABLE(WriteTxnMarkersResponseWritableTxnMarkerTopicResult);

static const WireField WriteTxnMarkersResponseWritableTxnMarkerResult_rows[] = {
	{"ProducerId", WIRE_INT64, SINCE(0), AT(WriteTxnMarkersResponseWritableTxnMarkerResult, producer_id)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(WriteTxnMarkersResponseWritableTxnMarkerResult, topics),
		OF(WriteTxnMarkersResponseWritableTxnMarkerTopicResult)},
};

WIRE_STRUCT_TABLE(WriteTxnMarkersResponseWritableTxnMarkerResult);

static const WireField WriteTxnMarkersResponse_rows[] = {
	{"Markers", WIRE_STRUCT, SINCE(0), ARRAY_AT(WriteTxnMarkersResponse, markers),
		OF(WriteTxnMarkersResponseWritableTxnMarkerResult)},
};

WIRE_MESSAGE_TABLE(WriteTxnMarkersResponse, 1, 2, 1);

/* ---------- DescribeProducersRequest ---------- */

static const WireField DescribeProducersRequestTopicRequest_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeProducersRequestTopicRequest, name)},
	{"PartitionIndexes", WIRE_INT32, SINCE(0),
		ARRAY_AT(DescribeProducersRequestTopicRequest, partition_indexes)},
};

WIRE_STRUCT_TABLE(DescribeProducersRequestTopicRequest);

static const WireField DescribeProducersRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeProducersRequest, topics),
		OF(DescribeProducersRequestTopicRequest)},
};

WIRE_MESSAGE_TABLE(DescribeProducersRequest, 0, 0, 0);

/* ---------- DescribeProducersResponse ---------- */

static const WireField DescribeProducersResponseProducerState_rows[] = {
	{"ProducerId", WIRE_INT64, SINCE(0), AT(DescribeProducersResponseProducerState, producer_id)},
	{"ProducerEpoch", WIRE_INT32, SINCE(0), AT(DescribeProducersResponseProducerState, producer_epoch)},
	{"LastSequence", WIRE_INT32, SINCE(0), AT(DescribeProducersResponseProducerState, last_sequence),
		DEFAULT(-1)},
	{"LastTimestamp", WIRE_INT64, SINCE(0), AT(DescribeProducersResponseProducerState, last_timestamp),
		DEFAULT(-1)},
	{"CoordinatorEpoch", WIRE_INT32, SINCE(0), AT(DescribeProducersResponseProducerState, coordinator_epoch)},
	{"CurrentTxnStartOffset", WIRE_INT64, SINCE(0),
		AT(DescribeProducersResponseProducerState, current_txn_start_offset), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(DescribeProducersResponseProducerState);

static const WireField DescribeProducersResponsePartitionResponse_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0), AT(DescribeProducersResponsePartitionResponse, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeProducersResponsePartitionResponse, error_code)},
	{"ErrorMessage", WIRE_STRING, SINCE(0), AT(DescribeProducersResponsePartitionResponse, error_message),
		NULL_SINCE(0), DEFAULT_NULL},
	{"ActiveProducers", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(DescribeProducersResponsePartitionResponse, active_producers),
		OF(DescribeProducersResponseProducerState)},
};

WIRE_STRUCT_TABLE(DescribeProducersResponsePartitionResponse);

static const WireField DescribeProducersResponseTopicResponse_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeProducersResponseTopicResponse, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeProducersResponseTopicResponse, partitions),
		OF(DescribeProducersResponsePartitionResponse)},
};

WIRE_STRUCT_TABLE(DescribeProducersResponseTopicResponse);

static const WireField DescribeProducersResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeProducersResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeProducersResponse, topics),
		OF(DescribeProducersResponseTopicResponse)},
};

WIRE_MESSAGE_TABLE(DescribeProducersResponse, 0, 0, 0);

/* ---------- DescribeTransactionsRequest ---------- */

static const WireField DescribeTransactionsRequest_rows[] = {
	{"TransactionalIds", WIRE_STRING, SINCE(0), ARRAY_AT(DescribeTransactionsRequest, transactional_ids)},
};

WIRE_MESSAGE_TABLE(DescribeTransactionsRequest, 0, 0, 0);

/* ---------- DescribeTransactionsResponse ---------- */

static const WireField DescribeTransactionsResponseTopicData_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(DescribeTransactionsResponseTopicData, topic)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(DescribeTransactionsResponseTopicData, partitions)},
};

WIRE_STRUCT_TABLE(DescribeTransactionsResponseTopicData);

static const WireField DescribeTransactionsResponseTransactionState_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeTransactionsResponseTransactionState, error_code)},
	{"TransactionalId", WIRE_STRING, SINCE(0),
		AT(DescribeTransactionsResponseTransactionState, transactional_id)},
	{"TransactionState", WIRE_STRING, SINCE(0),
		AT(DescribeTransactionsResponseTransactionState, transaction_state)},
	{"TransactionTimeoutMs", WIRE_INT32, SINCE(0),
		AT(DescribeTransactionsResponseTransactionState, transaction_timeout_ms)},
	{"TransactionStartTimeMs", WIRE_INT64, SINCE(0),
		AT(DescribeTransactionsResponseTransactionState, transaction_start_time_ms)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(DescribeTransactionsResponseTransactionState, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(DescribeTransactionsResponseTransactionState, producer_epoch)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeTransactionsResponseTransactionState, topics),
		OF(DescribeTransactionsResponseTopicData)},
};

WIRE_STRUCT_TABLE(DescribeTransactionsResponseTransactionState);

static const WireField DescribeTransactionsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeTransactionsResponse, throttle_time_ms)},
	{"TransactionStates", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeTransactionsResponse, transaction_states),
		OF(DescribeTransactionsResponseTransactionState)},
};

WIRE_MESSAGE_TABLE(DescribeTransactionsResponse, 0, 0, 0);

/* ---------- ListTransactionsRequest ---------- */

static const WireField ListTransactionsRequest_rows[] = {
	{"StateFilters", WIRE_STRING, SINCE(0), ARRAY_AT(ListTransactionsRequest, state_filters)},
	{"ProducerIdFilters", WIRE_INT64, SINCE(0), ARRAY_AT(ListTransactionsRequest, producer_id_filters)},
	{"DurationFilter", WIRE_INT64, SINCE(1), AT(ListTransactionsRequest, duration_filter), DEFAULT(-1)},
	{"TransactionalIdPattern", WIRE_STRING, SINCE(2), AT(ListTransactionsRequest, transactional_id_pattern),
		NULL_SINCE(2), DEFAULT_NULL},
};

WIRE_MESSAGE_TABLE(ListTransactionsRequest, 0, 2, 0);

/* ---------- ListTransactionsResponse ---------- */

static const WireField ListTransactionsResponseTransactionState_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(0),
		AT(ListTransactionsResponseTransactionState, transactional_id)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(ListTransactionsResponseTransactionState, producer_id)},
	{"TransactionState", WIRE_STRING, SINCE(0),
		AT(ListTransactionsResponseTransactionState, transaction_state)},
};

WIRE_STRUCT_TABLE(ListTransactionsResponseTransactionState);

static const WireField ListTransactionsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(ListTransactionsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ListTransactionsResponse, error_code)},
	{"UnknownStateFilters", WIRE_STRING, SINCE(0), ARRAY_AT(ListTransactionsResponse, unknown_state_filters)},
	{"TransactionStates", WIRE_STRUCT, SINCE(0), ARRAY_AT(ListTransactionsResponse, transaction_states),
		OF(ListTransactionsResponseTransactionState)},
};

WIRE_MESSAGE_TABLE(ListTransactionsResponse, 0, 2, 0);
