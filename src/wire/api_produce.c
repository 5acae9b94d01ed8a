/*-------------------------------------------------------------------------
 *
 * api_produce.c
 *	  Messages for records sent by producers.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_produce.h"

#include "wire/table.h"

/* ---------- ProduceRequest ---------- */

static const WireField produce_request_partition_produce_data_fields[] = {
	{"Index", WIRE_INT32, SINCE(0), AT(ProduceRequestPartitionProduceData, index)},
	{"Records", WIRE_RECORDS, SINCE(0), AT(ProduceRequestPartitionProduceData, records), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(ProduceRequestPartitionProduceData, produce_request_partition_produce_data_fields);

static const WireField produce_request_topic_produce_data_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 12), AT(ProduceRequestTopicProduceData, name)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(ProduceRequestTopicProduceData, topic_id)},
	{"PartitionData", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceRequestTopicProduceData, partition_data),
		OF(ProduceRequestPartitionProduceData)},
};

WIRE_STRUCT_TABLE(ProduceRequestTopicProduceData, produce_request_topic_produce_data_fields);

static const WireField produce_request_fields[] = {
	{"TransactionalId", WIRE_STRING, SINCE(3), AT(ProduceRequest, transactional_id), NULL_SINCE(3),
		DEFAULT_NULL},
	{"Acks", WIRE_INT16, SINCE(0), AT(ProduceRequest, acks)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(ProduceRequest, timeout_ms)},
	{"TopicData", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceRequest, topic_data),
		OF(ProduceRequestTopicProduceData)},
};

WIRE_MESSAGE_TABLE(ProduceRequest, produce_request_fields, 3, 13, 9);

/* ---------- ProduceResponse ---------- */

static const WireField produce_response_batch_index_and_error_message_fields[] = {
	{"BatchIndex", WIRE_INT32, SINCE(8), AT(ProduceResponseBatchIndexAndErrorMessage, batch_index)},
	{"BatchIndexErrorMessage", WIRE_STRING, SINCE(8),
		AT(ProduceResponseBatchIndexAndErrorMessage, batch_index_error_message), NULL_SINCE(8),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(ProduceResponseBatchIndexAndErrorMessage, produce_response_batch_index_and_error_message_fields);

static const WireField produce_response_leader_id_and_epoch_fields[] = {
	{"LeaderId", WIRE_INT32, SINCE(10), AT(ProduceResponseLeaderIdAndEpoch, leader_id), DEFAULT(-1)},
	{"LeaderEpoch", WIRE_INT32, SINCE(10), AT(ProduceResponseLeaderIdAndEpoch, leader_epoch), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(ProduceResponseLeaderIdAndEpoch, produce_response_leader_id_and_epoch_fields);

static const WireField produce_response_partition_produce_response_fields[] = {
	{"Index", WIRE_INT32, SINCE(0), AT(ProduceResponsePartitionProduceResponse, index)},
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(ProduceResponsePartitionProduceResponse, error_code)},
	{"BaseOffset", WIRE_INT64, SINCE(0), AT(ProduceResponsePartitionProduceResponse, base_offset)},
	{"LogAppendTimeMs", WIRE_INT64, SINCE(2),
		AT(ProduceResponsePartitionProduceResponse, log_append_time_ms), DEFAULT(-1)},
	{"LogStartOffset", WIRE_INT64, SINCE(5), AT(ProduceResponsePartitionProduceResponse, log_start_offset),
		DEFAULT(-1)},
	{"RecordErrors", WIRE_STRUCT, SINCE(8),
		ARRAY_AT(ProduceResponsePartitionProduceResponse, record_errors),
		OF(ProduceResponseBatchIndexAndErrorMessage)},
	{"ErrorMessage", WIRE_STRING, SINCE(8), AT(ProduceResponsePartitionProduceResponse, error_message),
		NULL_SINCE(8), DEFAULT_NULL},
	{"CurrentLeader", WIRE_STRUCT, SINCE(10), AT(ProduceResponsePartitionProduceResponse, current_leader),
		OF(ProduceResponseLeaderIdAndEpoch), TAG_SINCE(10, 0)},
};

WIRE_STRUCT_TABLE(ProduceResponsePartitionProduceResponse, produce_response_partition_produce_response_fields);

static const WireField produce_response_topic_produce_response_fields[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 12), AT(ProduceResponseTopicProduceResponse, name)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(ProduceResponseTopicProduceResponse, topic_id)},
	{"PartitionResponses", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ProduceResponseTopicProduceResponse, partition_responses),
		OF(ProduceResponsePartitionProduceResponse)},
};

WIRE_STRUCT_TABLE(ProduceResponseTopicProduceResponse, produce_response_topic_produce_response_fields);

static const WireField produce_response_node_endpoint_fields[] = {
	{"NodeId", WIRE_INT32, SINCE(10), AT(ProduceResponseNodeEndpoint, node_id)},
	{"Host", WIRE_STRING, SINCE(10), AT(ProduceResponseNodeEndpoint, host)},
	{"Port", WIRE_INT32, SINCE(10), AT(ProduceResponseNodeEndpoint, port)},
	{"Rack", WIRE_STRING, SINCE(10), AT(ProduceResponseNodeEndpoint, rack), NULL_SINCE(10), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(ProduceResponseNodeEndpoint, produce_response_node_endpoint_fields);

static const WireField produce_response_fields[] = {
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceResponse, responses),
		OF(ProduceResponseTopicProduceResponse)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(ProduceResponse, throttle_time_ms)},
	{"NodeEndpoints", WIRE_STRUCT, SINCE(10), ARRAY_AT(ProduceResponse, node_endpoints),
		OF(ProduceResponseNodeEndpoint), TAG_SINCE(10, 0)},
};

WIRE_MESSAGE_TABLE(ProduceResponse, produce_response_fields, 3, 13, 9);
