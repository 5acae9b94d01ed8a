/*-------------------------------------------------------------------------
 *
 * produce.c
 *	  A row becomes a record of some partition.
 *
 * What a record must fulfil is checked here, so that the INSERT fails and not
 * the COMMIT.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/am.h"
#include "am/headers.h"
#include "am/produce.h"
#include "am/produce_buffer.h"
#include "am/row.h"
#include "log/log.h"
#include "topic/refusal.h"
#include "topic/topic.h"
#include "wire/partitioner.h"
#include "wire/record.h"

#include "access/xact.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/predicate.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#define UNIX_EPOCH_US ((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* For what is detoasted or encoded of one row. */
static MemoryContext row_cxt = NULL;

/* The clock when produce_begin() was called. */
static int64 produce_now;

int64
produce_timestamp_ms(TimestampTz ts)
{
	int64		us = ts + UNIX_EPOCH_US;

	return us >= 0 ? us / 1000 : -((-us + 999) / 1000);
}

/* What a Kafka client's record has to fulfil, too. */
static void
check_timestamp(const Topic *topic, int64 ms)
{
	const TopicConfig *config = &topic->config;
	int64		now = produce_now;

	if (config->timestamp_type == CONFIG_LOG_APPEND_TIME)
		return;					/* it will be replaced */
	if (now - ms > config->timestamp_before_max_ms || ms - now > config->timestamp_after_max_ms)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("ts is too far from the current time for topic \"%s\"", topic->name),
				 errdetail("The topic takes times up to %lld ms ago and %lld ms ahead.",
						   (long long) config->timestamp_before_max_ms,
						   (long long) config->timestamp_after_max_ms),
				 errhint("Change message.timestamp.before.max.ms or message.timestamp.after.max.ms"
						 " with broker.alter_topic().")));
}

static int64
row_timestamp(const Topic *topic, Datum *values, bool *isnull)
{
	TimestampTz ts = DatumGetTimestampTz(values[TOPIC_COL_TS - 1]);
	int64		ms;

	/* A record that is restored had no time if it has none. */
	if (isnull[TOPIC_COL_TS - 1])
		return isnull[TOPIC_COL_OFFSET - 1] ? produce_now : BATCH_NO_TIMESTAMP;

	if (TIMESTAMP_NOT_FINITE(ts) || (ms = produce_timestamp_ms(ts)) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("ts must be finite and not before 1970"),
				 errhint("Leave ts out, or give NULL, for the current time.")));
	if (isnull[TOPIC_COL_OFFSET - 1])
		check_timestamp(topic, ms);
	return ms;
}

/*
 * Without a key: the partitions in turn, one for each transaction.  A backend
 * starts anywhere, so that short sessions don't all meet in partition 0.
 */
static int32
next_keyless_partition(int32 n_partitions)
{
	static bool started = false;
	static uint32 turn;
	static LocalTransactionId turn_of = InvalidLocalTransactionId;
	LocalTransactionId now = compat_lxid();

	if (!started)
	{
		turn = pg_prng_uint32(&pg_global_prng_state);
		started = true;
	}
	else if (turn_of != now)
		turn++;
	turn_of = now;
	return turn % (uint32) n_partitions;
}

/* Only the owner may say what offset a record has: that is how a dump is restored. */
static int64
row_explicit_offset(Relation rel, const Topic *topic, Datum *values, bool *isnull)
{
	int64		offset = DatumGetInt64(values[TOPIC_COL_OFFSET - 1]);
	int32		partition = DatumGetInt32(values[TOPIC_COL_PARTITION - 1]);

	if (isnull[TOPIC_COL_OFFSET - 1])
		return -1;

	if (!topic_may(GetUserId(), topic->relid, TOPIC_ALTER))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("only the owner of topic \"%s\" may give log_offset", topic->name),
				 errhint("Leave log_offset out: offsets are assigned at commit.")));
	if (offset < 0 || offset >= PG_INT64_MAX - 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("log_offset must not be negative")));
	if (isnull[TOPIC_COL_PARTITION - 1])
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("log_offset needs a partition")));
	if (partition >= 0 && partition < topic->n_partitions)
	{
		LogPartition *part = log_open(rel, partition);
		LogBounds	bounds;

		bounds.end_offset = 0;	/* of a partition that this transaction adds */
		if (part != NULL)
			log_bounds(rel, part, &bounds);
		if (offset < bounds.end_offset)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("log_offset %lld of partition %d has been given already",
							(long long) offset, partition),
					 errdetail("The next offset is %lld.", (long long) bounds.end_offset)));
	}
	return offset;
}

static int32
row_partition(const Topic *topic, Datum *values, bool *isnull, bool has_offset,
			  const char *key, int32 key_len)
{
	if (!isnull[TOPIC_COL_PARTITION - 1])
	{
		int32		partition = DatumGetInt32(values[TOPIC_COL_PARTITION - 1]);

		if (has_offset && partition >= topic->n_partitions && partition < LOG_MAX_PARTITIONS)
		{
			topic_add_partitions(topic->relid, partition + 1, false);
			(void) topic_get(topic->relid); /* renews *topic */
		}
		else if (partition < 0 || partition >= topic->n_partitions)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("topic \"%s\" has no partition %d", topic->name, partition),
					 errdetail("It has partitions 0 to %d.", topic->n_partitions - 1),
					 errhint("Leave partition out to have it chosen by the key, or add partitions with"
							 " broker.alter_topic().")));
		return partition;
	}
	if (key_len < 0)
		return next_keyless_partition(topic->n_partitions);
	return partitioner_partition(topic->config.partitioner, key, key_len, topic->n_partitions);
}

static const char *
column_bytes(Datum value, bool isnull, int32 *len)
{
	struct varlena *v;

	*len = -1;
	if (isnull)
		return NULL;
	v = PG_DETOAST_DATUM_PACKED(value);
	*len = VARSIZE_ANY_EXHDR(v);
	return VARDATA_ANY(v);
}

static void
check_size(const Topic *topic, const ProduceRecord *record)
{
	/* Alone in its batch, uncompressed. */
	Size		size = BATCH_HEADER_SIZE +
		record_size_bound(record->key_len, record->value_len, record->headers, record->n_headers);

	if (size > (Size) topic->config.max_message_bytes || size > BATCH_BUILDER_MAX_SIZE / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a record of %zu bytes is too large for topic \"%s\"", size, topic->name),
				 errdetail("The topic's max.message.bytes is %d.", topic->config.max_message_bytes),
				 errhint("Raise max.message.bytes with broker.alter_topic().")));
}

void
produce_row(Relation rel, const Topic *topic, Datum *values, bool *isnull)
{
	ProduceRecord record;
	MemoryContext old_cxt;
	int32		partition;

	if (row_cxt == NULL)
		row_cxt = AllocSetContextCreate(TopMemoryContext, "pg_broker row", ALLOCSET_DEFAULT_SIZES);
	MemoryContextReset(row_cxt);
	old_cxt = MemoryContextSwitchTo(row_cxt);

	memset(&record, 0, sizeof(record));
	record.timestamp = row_timestamp(topic, values, isnull);
	record.key = column_bytes(values[TOPIC_COL_KEY - 1], isnull[TOPIC_COL_KEY - 1], &record.key_len);
	record.value = column_bytes(values[TOPIC_COL_VALUE - 1], isnull[TOPIC_COL_VALUE - 1],
								&record.value_len);
	if (!isnull[TOPIC_COL_HEADERS - 1])
		record.headers = headers_from_array(values[TOPIC_COL_HEADERS - 1], &record.n_headers);
	check_size(topic, &record);
	record.explicit_offset = row_explicit_offset(rel, topic, values, isnull);
	/* A dump may have records from before the topic was compacted. */
	if (record.key_len < 0 && record.explicit_offset < 0 &&
		(topic->config.cleanup_policy & CONFIG_CLEANUP_COMPACT))
		ereport(ERROR,
				(errcode(ERRCODE_NOT_NULL_VIOLATION),
				 errmsg("a record of the compacted topic \"%s\" must have a key", topic->name),
				 errhint("Compaction keeps the last record of each key.")));
	partition = row_partition(topic, values, isnull, record.explicit_offset >= 0,
							  record.key, record.key_len);

	produce_buffer_add(topic, partition, &record);
	MemoryContextSwitchTo(old_cxt);

	/* For RETURNING: what has been chosen. */
	values[TOPIC_COL_PARTITION - 1] = Int32GetDatum(partition);
	isnull[TOPIC_COL_PARTITION - 1] = false;
	isnull[TOPIC_COL_TS - 1] = record.timestamp < 0;
	if (record.timestamp >= 0)
		values[TOPIC_COL_TS - 1] = TimestampTzGetDatum(row_timestamp_from_ms(record.timestamp));
}

static void
refuse_frozen(int options)
{
	if (options & TABLE_INSERT_FROZEN)
		am_refuse("COPY FREEZE", "Use COPY without FREEZE.");
}

const Topic *
produce_begin(Relation rel)
{
	const Topic *topic = topic_get(RelationGetRelid(rel));

	if (topic == NULL)
		elog(ERROR, "relation \"%s\" is not a topic", RelationGetRelationName(rel));
	if (topic_name_internal(topic->name, topic->name_len))
		topic_refuse(TOPIC_NO_SQL_WRITES, topic->name);
	CheckForSerializableConflictIn(rel, NULL, InvalidBlockNumber);
	produce_now = produce_timestamp_ms(GetCurrentTimestamp());
	return topic;
}

static void
insert_slot(Relation rel, const Topic *topic, TupleTableSlot *slot)
{
	slot_getallattrs(slot);
	produce_row(rel, topic, slot->tts_values, slot->tts_isnull);
	slot->tts_tableOid = RelationGetRelid(rel);
}

void
am_tuple_insert(Relation rel, TupleTableSlot *slot, CommandId cid, int options,
				struct BulkInsertStateData *bistate)
{
	refuse_frozen(options);
	insert_slot(rel, produce_begin(rel), slot);
}

void
am_multi_insert(Relation rel, TupleTableSlot **slots, int nslots, CommandId cid, int options,
				struct BulkInsertStateData *bistate)
{
	const Topic *topic = produce_begin(rel);

	refuse_frozen(options);
	for (int i = 0; i < nslots; i++)
		insert_slot(rel, topic, slots[i]);
}
