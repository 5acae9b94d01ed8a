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

static const WireField ProduceRequestPartitionProduceData_rows[] = {
	{"Index", WIRE_INT32, SINCE(0), AT(ProduceRequestPartitionProduceData, index)},
	{"Records", WIRE_RECORDS, SINCE(0), AT(ProduceRequestPartitionProduceData, records), NULL_SINCE(0)},
};

WIRE_STRUCT_TABLE(ProduceRequestPartitionProduceData);

static const WireField ProduceRequestTopicProduceData_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 12), AT(ProduceRequestTopicProduceData, name)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(ProduceRequestTopicProduceData, topic_id)},
	{"PartitionData", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceRequestTopicProduceData, partition_data),
		OF(ProduceRequestPartitionProduceData)},
};

WIRE_STRUCT_TABLE(ProduceRequestTopicProduceData);

static const WireField ProduceRequest_rows[] = {
	{"TransactionalId", WIRE_STRING, SINCE(3), AT(ProduceRequest, transactional_id), NULL_SINCE(3),
		DEFAULT_NULL},
	{"Acks", WIRE_INT16, SINCE(0), AT(ProduceRequest, acks)},
	{"TimeoutMs", WIRE_INT32, SINCE(0), AT(ProduceRequest, timeout_ms)},
	{"TopicData", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceRequest, topic_data),
		OF(ProduceRequestTopicProduceData)},
};

WIRE_MESSAGE_TABLE(ProduceRequest, 3, 13, 9);

/* ---------- ProduceResponse ---------- */

static const WireField ProduceResponseBatchIndexAndErrorMessage_rows[] = {
	{"BatchIndex", WIRE_INT32, SINCE(8), AT(ProduceResponseBatchIndexAndErrorMessage, batch_index)},
	{"BatchIndexErrorMessage", WIRE_STRING, SINCE(8),
		AT(ProduceResponseBatchIndexAndErrorMessage, batch_index_error_message), NULL_SINCE(8),
		DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(ProduceResponseBatchIndexAndErrorMessage);

static const WireField ProduceResponseLeaderIdAndEpoch_rows[] = {
	{"LeaderId", WIRE_INT32, SINCE(10), AT(ProduceResponseLeaderIdAndEpoch, leader_id), DEFAULT(-1)},
	{"LeaderEpoch", WIRE_INT32, SINCE(10), AT(ProduceResponseLeaderIdAndEpoch, leader_epoch), DEFAULT(-1)},
};

WIRE_STRUCT_TABLE(ProduceResponseLeaderIdAndEpoch);

static const WireField ProduceResponsePartitionProduceResponse_rows[] = {
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

WIRE_STRUCT_TABLE(ProduceResponsePartitionProduceResponse);

static const WireField ProduceResponseTopicProduceResponse_rows[] = {
	{"Name", WIRE_STRING, FROM_TO(0, 12), AT(ProduceResponseTopicProduceResponse, name)},
	{"TopicId", WIRE_UUID, SINCE(13), AT(ProduceResponseTopicProduceResponse, topic_id)},
	{"PartitionResponses", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(ProduceResponseTopicProduceResponse, partition_responses),
		OF(ProduceResponsePartitionProduceResponse)},
};

WIRE_STRUCT_TABLE(ProduceResponseTopicProduceResponse);

static const WireField ProduceResponseNodeEndpoint_rows[] = {
	{"NodeId", WIRE_INT32, SINCE(10), AT(ProduceResponseNodeEndpoint, node_id)},
	{"Host", WIRE_STRING, SINCE(10), AT(ProduceResponseNodeEndpoint, host)},
	{"Port", WIRE_INT32, SINCE(10), AT(ProduceResponseNodeEndpoint, port)},
	{"Rack", WIRE_STRING, SINCE(10), AT(ProduceResponseNodeEndpoint, rack), NULL_SINCE(10), DEFAULT_NULL},
};

WIRE_STRUCT_TABLE(ProduceResponseNodeEndpoint);

static const WireField ProduceResponse_rows[] = {
	{"Responses", WIRE_STRUCT, SINCE(0), ARRAY_AT(ProduceResponse, responses),
		OF(ProduceResponseTopicProduceResponse)},
	{"ThrottleTimeMs", WIRE_INT32, SINCE(1), AT(ProduceResponse, throttle_time_ms)},
	{"NodeEndpoints", WIRE_STRUCT, SINCE(10), ARRAY_AT(ProduceResponse, node_endpoints),
		OF(ProduceResponseNodeEndpoint), TAG_SINCE(10, 0)},
};

WIRE_MESSAGE_TABLE(ProduceResponse, 3, 13, 9);
