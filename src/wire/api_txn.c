/*-------------------------------------------------------------------------
 *
 * api_txn.c
 *	  Messages for producer ids and transactions.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_txn.h"

#include "wire/table.h"

/* ---------- InitProducerIdRequest ---------- */

static const WireField InitProducerIdRequest_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(0), AT(InitProducerIdRequest, transactional_id), NULL_SINCE(0)},
	{"TransactionTimeoutMs", WIRE_INT32, SINCE(0), AT(InitProducerIdRequest, transaction_timeout_ms)},
	{"ProducerId", WIRE_INT64, SINCE(3), AT(InitProducerIdRequest, producer_id), DEFAULT(-1)},
	{"ProducerEpoch", WIRE_INT16, SINCE(3), AT(InitProducerIdRequest, producer_epoch), DEFAULT(-1)},
	{"Enable2Pc", WIRE_BOOL, SINCE(6), AT(InitProducerIdRequest, enable2_pc)},
	{"KeepPreparedTxn", WIRE_BOOL, SINCE(6), AT(InitProducerIdRequest, keep_prepared_txn)},
};

WIRE_MESSAGE_TABLE(InitProducerIdRequest, 0, 6, 2);

/* ---------- InitProducerIdResponse ---------- */

static const WireField InitProducerIdResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(InitProducerIdResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(InitProducerIdResponse, error_code)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(InitProducerIdResponse, producer_id), DEFAULT(-1)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(InitProducerIdResponse, producer_epoch)},
	{"OngoingTxnProducerId", WIRE_INT64, SINCE(6), AT(InitProducerIdResponse, ongoing_txn_producer_id),
		DEFAULT(-1)},
	{"OngoingTxnProducerEpoch", WIRE_INT16, SINCE(6),
		AT(InitProducerIdResponse, ongoing_txn_producer_epoch), DEFAULT(-1)},
};

WIRE_MESSAGE_TABLE(InitProducerIdResponse, 0, 6, 2);

/* ---------- AddPartitionsToTxnRequest ---------- */

static const WireField AddPartitionsToTxnRequestAddPartitionsToTxnTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AddPartitionsToTxnRequestAddPartitionsToTxnTopic, name)},
	{"Partitions", WIRE_INT32, SINCE(0),
		ARRAY_AT(AddPartitionsToTxnRequestAddPartitionsToTxnTopic, partitions)},
};

WIRE_STRUCT_TABLE(AddPartitionsToTxnRequestAddPartitionsToTxnTopic);

static const WireField AddPartitionsToTxnRequestAddPartitionsToTxnTransaction_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(4),
		AT(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction, transactional_id)},
	{"ProducerId", WIRE_INT64, SINCE(4),
		AT(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(4),
		AT(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction, producer_epoch)},
	{"VerifyOnly", WIRE_BOOL, SINCE(4),
		AT(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction, verify_only)},
	{"Topics", WIRE_STRUCT, SINCE(4),
		ARRAY_AT(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction, topics),
		OF(AddPartitionsToTxnRequestAddPartitionsToTxnTopic)},
};

WIRE_STRUCT_TABLE(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction);

static const WireField AddPartitionsToTxnRequest_rows[] = {
	{"Transactions", WIRE_STRUCT, SINCE(4), ARRAY_AT(AddPartitionsToTxnRequest, transactions),
		OF(AddPartitionsToTxnRequestAddPartitionsToTxnTransaction)},
	{"V3AndBelowTransactionalId", WIRE_STRING, FROM_TO(0, 3),
		AT(AddPartitionsToTxnRequest, v3_and_below_transactional_id)},
	{"V3AndBelowProducerId", WIRE_INT64, FROM_TO(0, 3),
		AT(AddPartitionsToTxnRequest, v3_and_below_producer_id)},
	{"V3AndBelowProducerEpoch", WIRE_INT16, FROM_TO(0, 3),
		AT(AddPartitionsToTxnRequest, v3_and_below_producer_epoch)},
	{"V3AndBelowTopics", WIRE_STRUCT, FROM_TO(0, 3),
		ARRAY_AT(AddPartitionsToTxnRequest, v3_and_below_topics),
		OF(AddPartitionsToTxnRequestAddPartitionsToTxnTopic)},
};

WIRE_MESSAGE_TABLE(AddPartitionsToTxnRequest, 0, 5, 3);

/* ---------- AddPartitionsToTxnResponse ---------- */

static const WireField AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult, partition_index)},
	{"PartitionErrorCode", WIRE_INT16, SINCE(0),
		AT(AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult, partition_error_code)},
};

WIRE_STRUCT_TABLE(AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult);

static const WireField AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult, name)},
	{"ResultsByPartition", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult, results_by_partition),
		OF(AddPartitionsToTxnResponseAddPartitionsToTxnPartitionResult)},
};

WIRE_STRUCT_TABLE(AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult);

static const WireField AddPartitionsToTxnResponseAddPartitionsToTxnResult_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(4),
		AT(AddPartitionsToTxnResponseAddPartitionsToTxnResult, transactional_id)},
	{"TopicResults", WIRE_STRUCT, SINCE(4),
		ARRAY_AT(AddPartitionsToTxnResponseAddPartitionsToTxnResult, topic_results),
		OF(AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult)},
};

WIRE_STRUCT_TABLE(AddPartitionsToTxnResponseAddPartitionsToTxnResult);

static const WireField AddPartitionsToTxnResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AddPartitionsToTxnResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(4), AT(AddPartitionsToTxnResponse, error_code)},
	{"ResultsByTransaction", WIRE_STRUCT, SINCE(4),
		ARRAY_AT(AddPartitionsToTxnResponse, results_by_transaction),
		OF(AddPartitionsToTxnResponseAddPartitionsToTxnResult)},
	{"ResultsByTopicV3AndBelow", WIRE_STRUCT, FROM_TO(0, 3),
		ARRAY_AT(AddPartitionsToTxnResponse, results_by_topic_v3_and_below),
		OF(AddPartitionsToTxnResponseAddPartitionsToTxnTopicResult)},
};

WIRE_MESSAGE_TABLE(AddPartitionsToTxnResponse, 0, 5, 3);

/* ---------- AddOffsetsToTxnRequest ---------- */

static const WireField AddOffsetsToTxnRequest_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(0), AT(AddOffsetsToTxnRequest, transactional_id)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(AddOffsetsToTxnRequest, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(AddOffsetsToTxnRequest, producer_epoch)},
	{"GroupId", WIRE_STRING, SINCE(0), AT(AddOffsetsToTxnRequest, group_id)},
};

WIRE_MESSAGE_TABLE(AddOffsetsToTxnRequest, 0, 4, 3);

/* ---------- AddOffsetsToTxnResponse ---------- */

static const WireField AddOffsetsToTxnResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AddOffsetsToTxnResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(AddOffsetsToTxnResponse, error_code)},
};

WIRE_MESSAGE_TABLE(AddOffsetsToTxnResponse, 0, 4, 3);

/* ---------- EndTxnRequest ---------- */

static const WireField EndTxnRequest_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(0), AT(EndTxnRequest, transactional_id)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(EndTxnRequest, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(EndTxnRequest, producer_epoch)},
	{"Committed", WIRE_BOOL, SINCE(0), AT(EndTxnRequest, committed)},
};

WIRE_MESSAGE_TABLE(EndTxnRequest, 0, 5, 3);

/* ---------- EndTxnResponse ---------- */

static const WireField EndTxnResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(EndTxnResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(EndTxnResponse, error_code)},
	{"ProducerId", WIRE_INT64, SINCE(5), AT(EndTxnResponse, producer_id), DEFAULT(-1)},
	{"ProducerEpoch", WIRE_INT16, SINCE(5), AT(EndTxnResponse, producer_epoch), DEFAULT(-1)},
};

WIRE_MESSAGE_TABLE(EndTxnResponse, 0, 5, 3);

/* ---------- TxnOffsetCommitRequest ---------- */

static const WireField TxnOffsetCommitRequestTxnOffsetCommitRequestPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition, partition_index)},
	{"CommittedOffset", WIRE_INT64, SINCE(0),
		AT(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition, committed_offset)},
	{"CommittedLeaderEpoch", WIRE_INT32, SINCE(2),
		AT(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition, committed_leader_epoch), DEFAULT(-1)},
	{"CommittedMetadata", WIRE_STRING, SINCE(0),
		AT(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition, committed_metadata), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition);

static const WireField TxnOffsetCommitRequestTxnOffsetCommitRequestTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 5), AT(TxnOffsetCommitRequestTxnOffsetCommitRequestTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(6), AT(TxnOffsetCommitRequestTxnOffsetCommitRequestTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(TxnOffsetCommitRequestTxnOffsetCommitRequestTopic, partitions),
		OF(TxnOffsetCommitRequestTxnOffsetCommitRequestPartition)},
};

WIRE_STRUCT_TABLE(TxnOffsetCommitRequestTxnOffsetCommitRequestTopic);

static const WireField TxnOffsetCommitRequest_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(0), AT(TxnOffsetCommitRequest, transactional_id)},
	{"GroupId", WIRE_STRING, SINCE(0), AT(TxnOffsetCommitRequest, group_id)},
	{"ProducerId", WIRE_INT64, SINCE(0), AT(TxnOffsetCommitRequest, producer_id)},
	{"ProducerEpoch", WIRE_INT16, SINCE(0), AT(TxnOffsetCommitRequest, producer_epoch)},
	{"GenerationIdOrMemberEpoch", WIRE_INT32, SINCE(3),
		AT(TxnOffsetCommitRequest, generation_id_or_member_epoch), DEFAULT(-1)},
	{"MemberId", WIRE_STRING, SINCE(3), AT(TxnOffsetCommitRequest, member_id)},
	{"GroupInstanceId", WIRE_STRING, SINCE(3), AT(TxnOffsetCommitRequest, group_instance_id), NULL_SINCE(3),
		DEFAULT_NULL},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(TxnOffsetCommitRequest, topics),
		OF(TxnOffsetCommitRequestTxnOffsetCommitRequestTopic)},
};

WIRE_MESSAGE_TABLE(TxnOffsetCommitRequest, 0, 6, 3);

/* ---------- TxnOffsetCommitResponse ---------- */

static const WireField TxnOffsetCommitResponseTxnOffsetCommitResponsePartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(TxnOffsetCommitResponseTxnOffsetCommitResponsePartition, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(TxnOffsetCommitResponseTxnOffsetCommitResponsePartition, error_code)},
};

WIRE_STRUCT_TABLE(TxnOffsetCommitResponseTxnOffsetCommitResponsePartition);

static const WireField TxnOffsetCommitResponseTxnOffsetCommitResponseTopic_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 5), AT(TxnOffsetCommitResponseTxnOffsetCommitResponseTopic, name)},
	{"TopicId", WIRE_UUID, SINCE(6), AT(TxnOffsetCommitResponseTxnOffsetCommitResponseTopic, topic_id)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(TxnOffsetCommitResponseTxnOffsetCommitResponseTopic, partitions),
		OF(TxnOffsetCommitResponseTxnOffsetCommitResponsePartition)},
};

WIRE_STRUCT_TABLE(TxnOffsetCommitResponseTxnOffsetCommitResponseTopic);

static const WireField TxnOffsetCommitResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(TxnOffsetCommitResponse, throttle_time_ms)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(TxnOffsetCommitResponse, topics),
		OF(TxnOffsetCommitResponseTxnOffsetCommitResponseTopic)},
};

WIRE_MESSAGE_TABLE(TxnOffsetCommitResponse, 0, 6, 3);
