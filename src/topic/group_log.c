/*-------------------------------------------------------------------------
 *
 * group_log.c
 *	  Records of consumer groups are appended to __consumer_offsets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "log/log.h"
#include "topic/group_log.h"
#include "topic/topic.h"
#include "wire/partitioner.h"
#include "wire/record.h"

static BatchBuilder *builder;

static void
report_no_memory(void)
{
	ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
}

Oid
group_log_relid(void)
{
	return topic_lookup(PARTITIONER_GROUP_TOPIC, strlen(PARTITIONER_GROUP_TOPIC));
}

void
group_log_begin(void)
{
	if (builder == NULL && (builder = batch_builder_create()) == NULL)
		report_no_memory();
	batch_builder_reset(builder);
}

void
group_log_add(int64 timestamp_ms, WireBytes key, WireBytes value)
{
	if (batch_builder_append(builder, timestamp_ms, key.data, key.len, value.len < 0 ? NULL : value.data,
							 Max(value.len, 0), NULL, 0) != RECORD_OK)
		report_no_memory();
}

XLogRecPtr
group_log_append(Relation rel, int32 partition, bool transactional)
{
	LogAppend	append = {0};
	char	   *batch;
	size_t		length;
	RecordResult result = batch_builder_finish(builder, NULL, CODEC_NONE, 0, &batch, &length);

	if (result != RECORD_OK)
		elog(ERROR, "could not build a batch of group records: %s", record_result_message(result));
	append.batch = batch;
	append.length = length;
	append.transactional = transactional;
	append.explicit_offset = -1;
	if (log_append(rel, log_open(rel, partition), &append) != LOG_OK)
		elog(ERROR, "group records were refused");
	return append.lsn;
}
