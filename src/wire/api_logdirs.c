/*-------------------------------------------------------------------------
 *
 * api_logdirs.c
 *	  Messages for where logs are and how large.
 *
 *-------------------------------------------------------------------------
 */
#include "wire/api_logdirs.h"

#include "wire/table.h"

/* ---------- AlterReplicaLogDirsRequest ---------- */

static const WireField AlterReplicaLogDirsRequestAlterReplicaLogDirTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(AlterReplicaLogDirsRequestAlterReplicaLogDirTopic, name)},
	{"Partitions", WIRE_INT32, SINCE(0),
		ARRAY_AT(AlterReplicaLogDirsRequestAlterReplicaLogDirTopic, partitions)},
};

WIRE_STRUCT_TABLE(AlterReplicaLogDirsRequestAlterReplicaLogDirTopic);

static const WireField AlterReplicaLogDirsRequestAlterReplicaLogDir_rows[] = {
	{"Path", WIRE_STRING, SINCE(0), AT(AlterReplicaLogDirsRequestAlterReplicaLogDir, path)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterReplicaLogDirsRequestAlterReplicaLogDir, topics),
		OF(AlterReplicaLogDirsRequestAlterReplicaLogDirTopic)},
};

WIRE_STRUCT_TABLE(AlterReplicaLogDirsRequestAlterReplicaLogDir);

static const WireField AlterReplicaLogDirsRequest_rows[] = {
	{"Dirs", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterReplicaLogDirsRequest, dirs),
		OF(AlterReplicaLogDirsRequestAlterReplicaLogDir)},
};

WIRE_MESSAGE_TABLE(AlterReplicaLogDirsRequest, 1, 2, 2);

/* ---------- AlterReplicaLogDirsResponse ---------- */

static const WireField AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult, partition_index)},
	{"ErrorCode", WIRE_INT16, SINCE(0),
		AT(AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult, error_code)},
};

WIRE_STRUCT_TABLE(AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult);

static const WireField AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult_rows[] = {
	{"TopicName", WIRE_STRING, SINCE(0),
		AT(AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult, topic_name)},
	{"Partitions", WIRE_STRUCT, SINCE(0),
		ARRAY_AT(AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult, partitions),
		OF(AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult)},
};

WIRE_STRUCT_TABLE(AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult);

static const WireField AlterReplicaLogDirsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(AlterReplicaLogDirsResponse, throttle_time_ms)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(AlterReplicaLogDirsResponse, results),
		OF(AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult)},
};

WIRE_MESSAGE_TABLE(AlterReplicaLogDirsResponse, 1, 2, 2);

/* ---------- DescribeLogDirsRequest ---------- */

static const WireField DescribeLogDirsRequestDescribableLogDirTopic_rows[] = {
	{"Topic", WIRE_STRING, SINCE(0), AT(DescribeLogDirsRequestDescribableLogDirTopic, topic)},
	{"Partitions", WIRE_INT32, SINCE(0), ARRAY_AT(DescribeLogDirsRequestDescribableLogDirTopic, partitions)},
};

WIRE_STRUCT_TABLE(DescribeLogDirsRequestDescribableLogDirTopic);

static const WireField DescribeLogDirsRequest_rows[] = {
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeLogDirsRequest, topics),
		OF(DescribeLogDirsRequestDescribableLogDirTopic), NULL_SINCE(0)},
};

WIRE_MESSAGE_TABLE(DescribeLogDirsRequest, 1, 5, 2);

/* ---------- DescribeLogDirsResponse ---------- */

static const WireField DescribeLogDirsResponseDescribeLogDirsPartition_rows[] = {
	{"PartitionIndex", WIRE_INT32, SINCE(0),
		AT(DescribeLogDirsResponseDescribeLogDirsPartition, partition_index)},
	{"PartitionSize", WIRE_INT64, SINCE(0),
		AT(DescribeLogDirsResponseDescribeLogDirsPartition, partition_size)},
	{"OffsetLag", WIRE_INT64, SINCE(0), AT(DescribeLogDirsResponseDescribeLogDirsPartition, offset_lag)},
	{"IsFutureKey", WIRE_BOOL, SINCE(0), AT(DescribeLogDirsResponseDescribeLogDirsPartition, is_future_key)},
};

WIRE_STRUCT_TABLE(DescribeLogDirsResponseDescribeLogDirsPartition);

static const WireField DescribeLogDirsResponseDescribeLogDirsTopic_rows[] = {
	{"Name", WIRE_STRING, SINCE(0), AT(DescribeLogDirsResponseDescribeLogDirsTopic, name)},
	{"Partitions", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeLogDirsResponseDescribeLogDirsTopic, partitions),
		OF(DescribeLogDirsResponseDescribeLogDirsPartition)},
};

WIRE_STRUCT_TABLE(DescribeLogDirsResponseDescribeLogDirsTopic);

static const WireField DescribeLogDirsResponseDescribeLogDirsResult_rows[] = {
	{"ErrorCode", WIRE_INT16, SINCE(0), AT(DescribeLogDirsResponseDescribeLogDirsResult, error_code)},
	{"LogDir", WIRE_STRING, SINCE(0), AT(DescribeLogDirsResponseDescribeLogDirsResult, log_dir)},
	{"Topics", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeLogDirsResponseDescribeLogDirsResult, topics),
		OF(DescribeLogDirsResponseDescribeLogDirsTopic)},
	{"TotalBytes", WIRE_INT64, SINCE(4), AT(DescribeLogDirsResponseDescribeLogDirsResult, total_bytes),
		DEFAULT(-1)},
	{"UsableBytes", WIRE_INT64, SINCE(4), AT(DescribeLogDirsResponseDescribeLogDirsResult, usable_bytes),
		DEFAULT(-1)},
	{"IsCordoned", WIRE_BOOL, SINCE(5), AT(DescribeLogDirsResponseDescribeLogDirsResult, is_cordoned)},
};

WIRE_STRUCT_TABLE(DescribeLogDirsResponseDescribeLogDirsResult);

static const WireField DescribeLogDirsResponse_rows[] = {
	{"ThrottleTimeMs", WIRE_INT32, SINCE(0), AT(DescribeLogDirsResponse, throttle_time_ms)},
	{"ErrorCode", WIRE_INT16, SINCE(3), AT(DescribeLogDirsResponse, error_code)},
	{"Results", WIRE_STRUCT, SINCE(0), ARRAY_AT(DescribeLogDirsResponse, results),
		OF(DescribeLogDirsResponseDescribeLogDirsResult)},
};

WIRE_MESSAGE_TABLE(DescribeLogDirsResponse, 1, 5, 2);
