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
#include "broker/handlers.h"
#include "log/log.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "topic/group_log.h"
#include "topic/topic.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "wire/error.h"
#include "wire/partitioner.h"
#include "wire/record.h"

bool
broker_group_store_exists(void)
{
	return OidIsValid(group_log_relid());
}

void
broker_group_store_create(void)
{
	TopicSetting settings[] = {
		{TOPIC_SET, "cleanup.policy", "compact"},
		{TOPIC_SET, "segment.bytes", "104857600"},
		{TOPIC_SET, "compression.type", "producer"},
	};
	Oid			relid = topic_create(PARTITIONER_GROUP_TOPIC, broker_offsets_topic_num_partitions,
									 settings, lengthof(settings), TOPIC_BYTEA, TOPIC_BYTEA, false, NULL);

	topic_join_extension(relid);
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

static void
load_partition(GroupCoordinator *co, Relation rel, int32 partition, int64 now_ms)
{
	LogPartition *part = log_open(rel, partition);
	RecordReader *reader = record_reader_create();
	LogBounds	bounds;
	LogReader  *log;
	char	   *batch;
	uint32		length;

	if (reader == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));

	/* All that has been appended, also what a predecessor of this process did not see flushed. */
	log_bounds(rel, part, &bounds);
	log =
		log_reader_begin(rel, partition, bounds.log_start, INT64_MAX, GetActiveSnapshot(), INT64_MAX, false);
	while ((batch = log_reader_next(log, &length)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (!batch_is_control(batch))
			load_batch(co, reader, batch, length, now_ms);
	}
	log_reader_end(log);
	record_reader_free(reader);
}

/* ---------- what can't be loaded ---------- */

static Bitmapset *damaged;		/* partitions */
static int32 n_stored_partitions;	/* 0: there is no topic, or it can't be read at all */
static bool all_damaged;

/* What is wrong with the file, and will be the next time. */
static bool
is_damage(int sqlstate)
{
	return sqlstate == ERRCODE_DATA_CORRUPTED || sqlstate == ERRCODE_INDEX_CORRUPTED ||
		ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_SYSTEM_ERROR;
}

static bool
is_in_partition(void *arg, WireString group)
{
	return partitioner_group_partition(group, n_stored_partitions) == *(int32 *) arg;
}

int16
broker_group_served(WireString group)
{
	if (!all_damaged &&
		(damaged == NULL || !bms_is_member(partitioner_group_partition(group, n_stored_partitions), damaged)))
		return KAFKA_NONE;
	return KAFKA_COORDINATOR_NOT_AVAILABLE;
}

typedef struct LoadStep
{
	GroupCoordinator *co;
	Oid			relid;
	int32		partition;		/* -1: only look how many there are */
	int64		now_ms;
} LoadStep;

static void
load_step(void *arg)
{
	LoadStep   *step = arg;
	Relation	rel = relation_open(step->relid, AccessShareLock);
	LogTopicInfo info;

	if (step->partition >= 0)
		load_partition(step->co, rel, step->partition, step->now_ms);
	else
	{
		log_topic_info(rel, &info);
		n_stored_partitions = info.n_partitions;
	}
	relation_close(rel, NoLock);
}

/* false: it is damaged, as the log says.  Other errors are passed on. */
static bool
try_step(LoadStep *step)
{
	ErrorData  *error = broker_catch(load_step, step);

	if (error == NULL)
		return true;
	if (!is_damage(error->sqlerrcode))
		ReThrowError(error);
	ereport(LOG,
			(errcode(error->sqlerrcode),
			 errmsg("consumer groups in topic \"%s\" are not available: %s", PARTITIONER_GROUP_TOPIC,
					error->message),
			 step->partition >= 0 ? errdetail("Partition %d.", step->partition) : 0));
	FreeErrorData(error);
	return false;
}

void
broker_group_store_load(GroupCoordinator *co, int64 now_ms)
{
	LoadStep	step = {co, group_log_relid(), -1, now_ms};

	if (!OidIsValid(step.relid))
		return;
	if (!try_step(&step))
	{
		all_damaged = true;
		return;
	}
	for (step.partition = 0; step.partition < n_stored_partitions; step.partition++)
	{
		MemoryContext old;

		if (try_step(&step))
			continue;
		old = MemoryContextSwitchTo(TopMemoryContext);
		damaged = bms_add_member(damaged, step.partition);
		MemoryContextSwitchTo(old);
		group_unload(co, is_in_partition, &step.partition);
	}
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

XLogRecPtr
broker_group_store_append(const GroupRecord *records, int32 n, int64 now_ms)
{
	Relation	rel = relation_open(group_log_relid(), RowExclusiveLock);
	LogTopicInfo info;
	Placed	   *placed;
	XLogRecPtr	lsn = InvalidXLogRecPtr;

	log_topic_info(rel, &info);
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

		group_log_begin();
		for (end = i; end < n && placed[end].partition == placed[i].partition; end++)
			group_log_add(now_ms, records[placed[end].record].key, records[placed[end].record].value);
		batch_lsn = group_log_append(rel, placed[i].partition, false);
		lsn = Max(lsn, batch_lsn);
	}
	relation_close(rel, RowExclusiveLock);
	return lsn;
}
