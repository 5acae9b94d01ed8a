/*-------------------------------------------------------------------------
 *
 * api_logdirs.h
 *	  Messages for where logs are and how large.
 *
 * AlterReplicaLogDirs, DescribeLogDirs.
 * A comment at a member says in which versions it is there, if not in all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WIRE_API_LOGDIRS_H
#define WIRE_API_LOGDIRS_H

#include "wire/message.h"

/* ---------- AlterReplicaLogDirs (34), request, versions 1 to 2 ---------- */

typedef struct AlterReplicaLogDirsRequestAlterReplicaLogDirTopic
{
	WireString	name;
	int32_t		n_partitions;
	int32_t	   *partitions;
} AlterReplicaLogDirsRequestAlterReplicaLogDirTopic;

typedef struct AlterReplicaLogDirsRequestAlterReplicaLogDir
{
	WireString	path;
	int32_t		n_topics;
	AlterReplicaLogDirsRequestAlterReplicaLogDirTopic *topics;
} AlterReplicaLogDirsRequestAlterReplicaLogDir;

typedef struct AlterReplicaLogDirsRequest
{
	int32_t		n_dirs;
	AlterReplicaLogDirsRequestAlterReplicaLogDir *dirs;
} AlterReplicaLogDirsRequest;

extern const WireStruct wire_AlterReplicaLogDirsRequestAlterReplicaLogDirTopic;
extern const WireStruct wire_AlterReplicaLogDirsRequestAlterReplicaLogDir;
extern const WireMessage wire_AlterReplicaLogDirsRequest;

/* ---------- AlterReplicaLogDirs (34), response, versions 1 to 2 ---------- */

typedef struct AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult
{
	int32_t		partition_index;
	int16_t		error_code;
} AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult;

typedef struct AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult
{
	WireString	topic_name;
	int32_t		n_partitions;
	AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult *partitions;
} AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult;

typedef struct AlterReplicaLogDirsResponse
{
	int32_t		throttle_time_ms;
	int32_t		n_results;
	AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult *results;
} AlterReplicaLogDirsResponse;

extern const WireStruct wire_AlterReplicaLogDirsResponseAlterReplicaLogDirPartitionResult;
extern const WireStruct wire_AlterReplicaLogDirsResponseAlterReplicaLogDirTopicResult;
extern const WireMessage wire_AlterReplicaLogDirsResponse;

/* ---------- DescribeLogDirs (35), request, versions 1 to 5 ---------- */

typedef struct DescribeLogDirsRequestDescribableLogDirTopic
{
	WireString	topic;
	int32_t		n_partitions;
	int32_t	   *partitions;
} DescribeLogDirsRequestDescribableLogDirTopic;

typedef struct DescribeLogDirsRequest
{
	int32_t		n_topics;
	DescribeLogDirsRequestDescribableLogDirTopic *topics; /* can be null */
} DescribeLogDirsRequest;

extern const WireStruct wire_DescribeLogDirsRequestDescribableLogDirTopic;
extern const WireMessage wire_DescribeLogDirsRequest;

/* ---------- DescribeLogDirs (35), response, versions 1 to 5 ---------- */

typedef struct DescribeLogDirsResponseDescribeLogDirsPartition
{
	int32_t		partition_index;
	int64_t		partition_size;
	int64_t		offset_lag;
	bool		is_future_key;
} DescribeLogDirsResponseDescribeLogDirsPartition;

typedef struct DescribeLogDirsResponseDescribeLogDirsTopic
{
	WireString	name;
	int32_t		n_partitions;
	DescribeLogDirsResponseDescribeLogDirsPartition *partitions;
} DescribeLogDirsResponseDescribeLogDirsTopic;

typedef struct DescribeLogDirsResponseDescribeLogDirsResult
{
	int16_t		error_code;
	WireString	log_dir;
	int32_t		n_topics;
	DescribeLogDirsResponseDescribeLogDirsTopic *topics;
	int64_t		total_bytes;	/* 4+, default -1 */
	int64_t		usable_bytes;	/* 4+, default -1 */
	bool		is_cordoned;	/* 5+ */
} DescribeLogDirsResponseDescribeLogDirsResult;

typedef struct DescribeLogDirsResponse
{
	int32_t		throttle_time_ms;
	int16_t		error_code;		/* 3+ */
	int32_t		n_results;
	DescribeLogDirsResponseDescribeLogDirsResult *results;
} DescribeLogDirsResponse;

extern const WireStruct wire_DescribeLogDirsResponseDescribeLogDirsPartition;
extern const WireStruct wire_DescribeLogDirsResponseDescribeLogDirsTopic;
extern const WireStruct wire_DescribeLogDirsResponseDescribeLogDirsResult;
extern const WireMessage wire_DescribeLogDirsResponse;

#endif							/* WIRE_API_LOGDIRS_H */
