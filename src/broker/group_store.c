/*-------------------------------------------------------------------------
 *
 * group_store.c
 *	  The records of groups, in the topic __consumer_offsets.
 *
 * A group's records are all in one partition, which Kafka's tools find by the
 * same hash of its name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "broker/group_settings.h"
#include "broker/group_store.h"
#include "log/log.h"
#include "miscadmin.h"
#include "topic/topic.h"
#include "utils/snapmgr.h"
#include "wire/partitioner.h"
#include "wire/record.h"

static BatchBuilder *builder;

static Oid
find_topic(void)
{
	return topic_lookup(PARTITIONER_GROUP_TOPIC, strlen(PARTITIONER_GROUP_TOPIC));
}

bool
broker_group_store_exists(void)
{
	return OidIsValid(find_topic());
}

void
broker_group_store_create(void)
{
	TopicSetting settings[] = {
		{TOPIC_SET, "cleanup.policy", "compact"},
		{TOPIC_SET, "segment.bytes", "104857600"},
		{TOPIC_SET, "compression.type", "producer"},
	};

	(void) topic_create(PARTITIONER_GROUP_TOPIC, broker_offsets_topic_num_partitions, settings,
						lengthof(settings), TOPIC_BYTEA, TOPIC_BYTEA, false, NULL);
}

/* ---------- loading ---------- */

static void
load_batch(GroupCoordinator *co, RecordReader *reader, const char *batch, uint32 length, int64 now_ms)
{
	Record		record;
	RecordResult result = record_reader_begin(reader, batch, length, 0);

	while (result == RECORD_OK && (result = record_reader_next(reader, &record)) == RECORD_OK)
	{
		WireBytes	key = {record.key, record.key_len};
		WireBytes	value = {record.value, record.value_len};

		if (record.key && group_replay(co, key, value, now_ms) == GROUP_REPLAY_CORRUPT)
			ereport(LOG,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("a record of topic \"%s\" is malformed and is ignored", PARTITIONER_GROUP_TOPIC),
					 errdetail("Offset " INT64_FORMAT ".", record.offset)));
	}
	if (result != RECORD_END)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("could not read topic \"%s\": %s", PARTITIONER_GROUP_TOPIC,
						record_result_message(result))));
}

void
broker_group_store_load(GroupCoordinator *co, int64 now_ms)
{
	Oid			relid = find_topic();
	Relation	rel;
	LogTopicInfo info;
	RecordReader *reader;

	if (!OidIsValid(relid))
		return;
	rel = relation_open(relid, AccessShareLock);
	log_topic_info(rel, &info);
	reader = record_reader_create();
	if (reader == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	for (int32 p = 0; p < info.n_partitions; p++)
	{
		LogPartition *part = log_open(rel, p);
		LogBounds	bounds;
		LogReader  *log;
		char	   *batch;
		uint32		length;

		/* All that has been appended, also what a predecessor of this process did not see flushed. */
		log_bounds(rel, part, &bounds);
		log = log_reader_begin(rel, p, bounds.log_start, INT64_MAX, GetActiveSnapshot(), INT64_MAX, false);
		while ((batch = log_reader_next(log, &length)) != NULL)
		{
			CHECK_FOR_INTERRUPTS();
			if (!batch_is_control(batch))
				load_batch(co, reader, batch, length, now_ms);
		}
		log_reader_end(log);
	}
	record_reader_free(reader);
	relation_close(rel, AccessShareLock);
}

/* ---------- appending ---------- */

typedef struct Placed
{
	int32		partition;
	int32		record;
} Placed;

static int
compare_placed(const void *a, const void *b)
{
	const Placed *x = a;
	const Placed *y = b;

	if (x->partition != y->partition)
		return (x->partition > y->partition) - (x->partition < y->partition);
	return (x->record > y->record) - (x->record < y->record);
}

static XLogRecPtr
append_batch(Relation rel, int32 partition)
{
	LogAppend	append = {0};
	char	   *batch;
	size_t		length;
	RecordResult result = batch_builder_finish(builder, NULL, CODEC_NONE, 0, &batch, &length);

	if (result != RECORD_OK)
		elog(ERROR, "could not build a batch of group records: %s", record_result_message(result));
	append.batch = batch;
	append.length = length;
	append.explicit_offset = -1;
	if (log_append(rel, log_open(rel, partition), &append) != LOG_OK)
		elog(ERROR, "group records were refused");
	return append.lsn;
}

XLogRecPtr
broker_group_store_append(const GroupRecord *records, int32 n, int64 now_ms)
{
	Relation	rel = relation_open(find_topic(), RowExclusiveLock);
	LogTopicInfo info;
	Placed	   *placed;
	XLogRecPtr	lsn = InvalidXLogRecPtr;

	log_topic_info(rel, &info);
	if (builder == NULL && (builder = batch_builder_create()) == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));

	placed = palloc(n * sizeof(Placed));
	for (int32 i = 0; i < n; i++)
	{
		placed[i].partition = partitioner_group_partition(records[i].group, info.n_partitions);
		placed[i].record = i;
	}
	qsort(placed, n, sizeof(Placed), compare_placed);
	for (int32 i = 0, end; i < n; i = end)
	{
		XLogRecPtr	batch_lsn;

		batch_builder_reset(builder);
		for (end = i; end < n && placed[end].partition == placed[i].partition; end++)
		{
			const GroupRecord *r = &records[placed[end].record];

			if (batch_builder_append(builder, now_ms, r->key.data, r->key.len,
									 r->value.len < 0 ? NULL : r->value.data, Max(r->value.len, 0),
									 NULL, 0) != RECORD_OK)
				ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
		}
		batch_lsn = append_batch(rel, placed[i].partition);
		lsn = Max(lsn, batch_lsn);
	}
	relation_close(rel, RowExclusiveLock);
	return lsn;
}
